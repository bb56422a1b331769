import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedDatabase, type EmbeddedDatabase } from '../../server/db/embedded.ts'
import { upgrade } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import { makeTemporaryFolder, sweepTemporaryFolders } from './temporary.ts'

const SOCKET_FOLDER = 'VOLTLEAF_TEST_SOCKET_FOLDER'
/** The database that the run migrates once; each test server gets a copy. */
export const MIGRATED_DATABASE = 'voltleaf'

/**
 * Starts the PostgreSQL that all tests of a run share. Vitest and Playwright call this before they start their workers,
 * which find it through an environment variable.
 * @returns a function that stops it at the end of the run
 */
const setUp = async (): Promise<() => Promise<void>> => {
  // Several Vitest projects in one run share it; the first one starts it.
  if (process.env[SOCKET_FOLDER] !== undefined) return async () => {}
  const { database, dataDir } = await start()
  process.env[SOCKET_FOLDER] = socketFolderOf(database)
  return async () => {
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
export default setUp

/** The socket folder of the run's PostgreSQL, which is started if necessary. */
export const postgresSocketFolder = async (): Promise<string> => {
  const folder = process.env[SOCKET_FOLDER]
  if (folder !== undefined) return folder
  own ??= start().then(({ database }) => database)
  return socketFolderOf(await own)
}

let own: Promise<EmbeddedDatabase> | undefined

const start = async (): Promise<{ database: EmbeddedDatabase; dataDir: string }> => {
  await sweepTemporaryFolders()
  const dataDir = await makeTemporaryFolder('postgres')
  const database = await startEmbeddedDatabase({ dataDir })
  const sql = await openDatabase(database.place)
  await upgrade(sql)
  await sql.end()
  return { database, dataDir }
}

const socketFolderOf = ({ place }: EmbeddedDatabase): string => {
  if (!('socketPath' in place)) throw new Error('The embedded database has a socket.')
  return join(place.socketPath, '..')
}

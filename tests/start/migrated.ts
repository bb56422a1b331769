import { execFileSync } from 'node:child_process'
import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedDatabase } from '../../server/db/embedded.ts'
import { upgrade } from '../../server/db/migrate.ts'
import { openDatabase } from '../../server/db/open.ts'
import { makeTemporaryFolder } from '../support/temporary.ts'

const TEMPLATE = 'VOLTLEAF_TEST_DATA_TEMPLATE'

/**
 * Creates a data folder with a migrated database once per run, because copying it takes a fraction of a first start.
 * @returns a function that removes it at the end of the run
 */
const setUp = async (): Promise<() => Promise<void>> => {
  const folder = await makeTemporaryFolder('template')
  await chmod(folder, 0o755)
  const dataDir = join(folder, 'data')
  const database = await startEmbeddedDatabase({ dataDir })
  const sql = await openDatabase(database.place)
  await upgrade(sql)
  await sql.end()
  await database.stop()
  process.env[TEMPLATE] = dataDir
  return () => rm(folder, { recursive: true, force: true })
}
export default setUp

/** Makes `dataDir` a copy of the migrated data folder, with the same file owners. */
export const copyMigratedData = (dataDir: string): void => {
  execFileSync('cp', ['-a', process.env[TEMPLATE] ?? '', dataDir])
}

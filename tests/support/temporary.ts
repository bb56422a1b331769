import { statfsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedDatabase } from '../../server/db/embedded.ts'

const MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 4e9
const PREFIX = 'voltleaf-test-'

const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= MIN_FREE_BYTES
  } catch {
    return false
  }
}

/** In memory if there is room: some file systems take ten times as long to create a database after many were removed. */
const PARENT = hasRoom(MEMORY) ? MEMORY : tmpdir()

/** Creates a folder for data that a test removes again. Its name contains `name` and the id of this process. */
export const makeTemporaryFolder = (name: string): Promise<string> =>
  mkdtemp(join(PARENT, `${PREFIX}${name}-${process.pid}-`))

/** Removes the folders of killed runs, and stops the databases in them. */
export const sweepTemporaryFolders = async (): Promise<void> => {
  for (const name of await readdir(PARENT)) {
    const owner = name.startsWith(PREFIX) && Number(name.split('-').at(-2))
    if (!owner || isAlive(owner)) continue
    const folder = join(PARENT, name)
    const found = await stat(folder).catch(() => undefined)
    if (found?.uid !== process.getuid?.()) continue
    try {
      for (const dataDir of [folder, join(folder, 'data')]) await stopDatabase(dataDir)
      await rm(folder, { recursive: true, force: true })
    } catch (error) {
      // It may be a damaged or foreign database, which this run does not need.
      console.warn(`${folder} of a killed run was not removed: ${String(error)}`)
    }
  }
}

/** Stops the database of a killed server on a data folder. */
export const stopDatabase = async (dataDir: string): Promise<void> => {
  const pidFile = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
  // Starting on the folder takes over the running database, after a check of its owner.
  if (pidFile) await (await startEmbeddedDatabase({ dataDir })).stop()
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

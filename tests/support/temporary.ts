import { accessSync, constants, statfsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedDatabase } from '../../server/db/embedded.ts'

const MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 3e9
const PREFIX = 'voltleaf-test-'

const hasRoom = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    // A container may have less memory than its file system in memory can hold.
    return Math.min(bavail * bsize, process.availableMemory() / 2) >= MIN_FREE_BYTES
  } catch {
    return false
  }
}

/** In memory if there is room: some file systems take ten times as long to create a database after many were removed. */
const PARENT = hasRoom(MEMORY) ? MEMORY : tmpdir()

/** Creates a folder for data that a test removes. Its name contains `name` and the id of this process. */
export const makeTemporaryFolder = (name: string): Promise<string> =>
  mkdtemp(join(PARENT, `${PREFIX}${name}-${process.pid}-`))

/** Removes the folders of killed runs, and stops the databases in them. */
export const sweepTemporaryFolders = async (): Promise<void> => {
  for (const parent of [MEMORY, tmpdir()])
    for (const name of await namesIn(parent)) {
      const owner = name.startsWith(PREFIX) && Number(name.split('-').at(-2))
      if (!owner || isAlive(owner)) continue
      const folder = join(parent, name)
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

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

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

import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 4e9

const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= MIN_FREE_BYTES
  } catch {
    return false
  }
}

/**
 * The folder for data that a test removes again. It is in memory if there is room: some file systems take ten times as
 * long to create a database after many have been removed.
 */
export const TEMPORARY_FOLDER = hasRoom(MEMORY) ? MEMORY : tmpdir()

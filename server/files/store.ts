import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Config } from '../config.ts'
import { StartupError, type DependencyError } from '../problem.ts'
import { createDiskStore } from './disk.ts'
import type { FileStore } from './files.ts'

/** The settings that select the store. */
type StoreSettings = Pick<Config, 'dataDir' | 's3'>

/** The store in the data folder, whether or not it is in use. */
export const openDiskStore = ({ dataDir }: StoreSettings): FileStore =>
  createDiskStore(diskFolder(dataDir))

/**
 * Opens the configured bucket, without the data folder.
 * @throws {StartupError} if none is configured, or it cannot be used
 */
export const openS3StoreAlone = async ({ s3 }: StoreSettings): Promise<FileStore> => {
  if (s3 === undefined)
    throw new StartupError('The S3_ settings are missing: they say where the other store is.')
  const { openS3Store } = await import('./s3.ts')
  return openS3Store(s3, (problem) => {
    throw problem
  })
}

/**
 * Opens the configured store: S3, or else the data folder. With S3, files that are still in the data folder are
 * read from there, so that URLs work during a move.
 * @param onProblem called if the store is down; it is used once it is back
 * @throws {StartupError} if the settings and the store do not match
 */
export const openFileStore = async (
  settings: StoreSettings,
  onProblem: (problem: DependencyError) => void,
): Promise<FileStore> => {
  const disk = openDiskStore(settings)
  if (settings.s3 === undefined) return disk
  // Lazy: loading the client takes longer than the rest of the start.
  const { openS3Store } = await import('./s3.ts')
  const store = await openS3Store(settings.s3, onProblem)
  const left = await readdir(diskFolder(settings.dataDir)).catch(() => [])
  return left.length === 0 ? store : readingAlso(store, disk)
}

const diskFolder = (dataDir: string): string => join(dataDir, 'storage')

const readingAlso = (store: FileStore, left: FileStore): FileStore => ({
  ...store,
  open: async (key) => (await store.open(key)) ?? left.open(key),
  remove: async (key) => {
    await left.remove(key)
    await store.remove(key)
  },
})

import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { ApiError } from '#domain/error.ts'

import type { FileKey, FileStore, StoredFile } from './files.ts'
import { storedType } from './files.ts'
import { writeThumb } from './images.ts'

/** Thumbnails of stored images, made on the first request and then stored. */
export interface Thumbs {
  /** Undefined if it cannot be made: the image itself has to be served. */
  open(key: FileKey, size: string): Promise<StoredFile | undefined>
}

export interface ThumbsDeps {
  readonly files: FileStore
  /** On the same file system as the store, so that files are moved, not copied. */
  readonly tempDir: string
  readonly onProblem: (error: unknown) => void
}

/** Concurrent requests for a thumbnail share one task. */
export const createThumbs = ({ files, tempDir, onProblem }: ThumbsDeps): Thumbs => {
  const underWay = new Map<string, Promise<void>>()

  const make = async (original: FileKey, key: FileKey, size: string): Promise<void> => {
    const image = await files.open(original)
    if (image === undefined) return
    const path = join(tempDir, randomUUID())
    try {
      await writeThumb(() => image.read(), size, storedType(key.name), path)
      await files.put(key, path)
    } finally {
      await rm(path, { force: true })
    }
    // If the image was removed in the meantime, nothing else would remove its thumbnail.
    if ((await files.open(original)) === undefined) await files.remove(original)
  }

  return {
    open: async (original, size) => {
      const key = { ...original, thumb: size }
      const kept = await files.open(key)
      if (kept !== undefined) return kept
      const id = [key.collection, key.record, key.name, size].join('/')
      const making =
        underWay.get(id) ??
        make(original, key, size)
          .catch((error: unknown) => {
            // Overload: the image itself is served meanwhile.
            if (!(error instanceof ApiError)) onProblem(error)
          })
          .finally(() => underWay.delete(id))
      underWay.set(id, making)
      await making
      return files.open(key)
    },
  }
}

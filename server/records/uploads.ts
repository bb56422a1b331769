import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Collection } from '#domain/collection.ts'
import { fieldError, type FieldError } from '#domain/error.ts'

import { storedName, type FileKey, type FileStore } from '../files/files.ts'
import { rewriteImage } from '../files/images.ts'
import type { Submission } from '../http/body.ts'
import { readFileNames, uploadTarget, type Row, type Stored } from './changes.ts'
import type { Values } from './write.ts'

/** What became of the files of a request. */
export interface Uploads {
  readonly stored: readonly (Stored & { readonly key: FileKey })[]
  readonly errors: Readonly<Record<string, FieldError>>
}

/** Rewrites and stores the images of a request, before the row that names them is written. */
export const storeUploads = async (
  { files, tempDir }: { readonly files: FileStore; readonly tempDir: string },
  collection: Collection,
  id: string,
  submission: Submission,
): Promise<Uploads> => {
  const stored: Uploads['stored'][number][] = []
  const errors: Record<string, FieldError> = {}
  for (const upload of submission.uploads) {
    const target = uploadTarget(collection, upload)
    if (target === undefined || errors[target.name] !== undefined) continue
    const { name: field, place } = target
    const { maxBytes, maxCount } = target.field
    if (upload.truncated || upload.bytes > maxBytes) {
      errors[field] = fieldError('validation_file_size_limit', {
        file: upload.filename,
        maxSize: maxBytes,
      })
      continue
    }
    if (
      stored.filter((other) => other.field === field).length >= maxCount &&
      !target.field.single
    ) {
      errors[field] = fieldError('validation_too_many_files', { maxSelect: maxCount })
      continue
    }
    const path = join(tempDir, randomUUID())
    try {
      const written = await rewriteImage(upload.path, upload.filename, path)
      if ('error' in written) {
        errors[field] = written.error
        continue
      }
      const name = storedName(upload.filename, written.type)
      const key = { collection: collection.name, record: id, name }
      await files.put(key, path)
      stored.push({ field, place, name, key })
    } finally {
      await rm(path, { force: true })
    }
  }
  return { stored, errors }
}

/** Runs a write; when it fails, the files that were stored for it go again. */
export const keepOrDiscard = async <T>(
  files: FileStore,
  uploads: Uploads,
  write: () => Promise<T>,
): Promise<T> => {
  try {
    return await write()
  } catch (error) {
    await Promise.all(uploads.stored.map(({ key }) => files.remove(key)))
    throw error
  }
}

/** The columns of files as they will be, with the names that were stored. */
export const fileColumns = (
  collection: Collection,
  submission: Submission,
  stored: readonly Stored[],
  current: Row | undefined,
): { values: Values; errors: Record<string, FieldError> } => {
  const values = new Map<string, string | readonly string[]>()
  const errors: Record<string, FieldError> = {}
  for (const [name, field] of Object.entries(collection.fields)) {
    if (field.kind !== 'files') continue
    const before = [current?.[name] ?? []]
      .flat()
      .filter((held) => typeof held === 'string' && held !== '')
    const result = readFileNames(name, field, submission, stored, before as string[])
    if (result === undefined) continue
    if ('error' in result) errors[name] = result.error
    else values.set(name, field.single ? (result.names[0] ?? '') : result.names)
  }
  return { values, errors }
}

import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { LinkedCollection } from '#domain/collection.ts'
import { fieldError, type FieldError } from '#domain/error.ts'
import { fileFields, type FilesField } from '#domain/field.ts'
import type { Value } from '#domain/schema.ts'

import { storedName, type FileKey, type FileStore } from '../files/files.ts'
import { rewriteImage } from '../files/images.ts'
import type { Submission, Upload } from '../http/body.ts'
import { readFileNames, uploadTarget, type Row, type Stored } from './values.ts'
import type { Values } from './write.ts'

/** The result of a request's uploads. */
export interface Uploads {
  readonly stored: readonly (Stored & { readonly key: FileKey })[]
  readonly errors: Readonly<Record<string, FieldError>>
}

export const NO_UPLOADS: Uploads = { stored: [], errors: {} }

/** Maximum size of a file in a collection, in bytes. */
export const largestFile = (collection: LinkedCollection): number =>
  Math.max(0, ...fileFields(collection).map(([, { maxBytes }]) => maxBytes))

/** The store of files, and the folder for temporary ones. */
export interface FilePlaces {
  readonly files: FileStore
  /** On the same file system as the store, so that files are moved, not copied. */
  readonly tempDir: string
}

/** Re-encodes and stores the images of a request, before the row that references them is written. */
export const storeUploads = async (
  places: FilePlaces,
  collection: LinkedCollection,
  id: string,
  submission: Submission,
): Promise<Uploads> => {
  const stored: Uploads['stored'][number][] = []
  const errors: Record<string, FieldError> = {}
  try {
    for (const upload of submission.uploads) {
      const target = uploadTarget(collection, upload)
      if (target === undefined || errors[target.name] !== undefined) continue
      const { name: field, place } = target
      const count = stored.filter((other) => other.field === field).length
      const error = limitError(target.field, upload, count)
      const made =
        error === undefined
          ? await storeImage(places, { collection: collection.name, record: id }, upload)
          : { error }
      if ('error' in made) errors[field] = made.error
      else stored.push({ field, place, name: made.name, key: made })
    }
  } catch (error) {
    await removeAll(places.files, stored)
    throw error
  }
  return { stored, errors }
}

const limitError = (field: FilesField, upload: Upload, count: number): FieldError | undefined => {
  const { maxBytes, maxCount } = field
  if (upload.truncated || upload.bytes > maxBytes)
    return fieldError('validation_file_size_limit', { file: upload.filename, maxSize: maxBytes })
  return count >= maxCount && !field.single
    ? fieldError('validation_too_many_files', { maxSelect: maxCount })
    : undefined
}

const storeImage = async (
  { files, tempDir }: FilePlaces,
  owner: Pick<FileKey, 'collection' | 'record'>,
  upload: Upload,
): Promise<FileKey | { error: FieldError }> => {
  const path = join(tempDir, randomUUID())
  try {
    const written = await rewriteImage(upload.path, upload.filename, path)
    if ('error' in written) return written
    const key = { ...owner, name: storedName(upload.filename, written.type) }
    await files.put(key, path)
    return key
  } finally {
    await rm(path, { force: true })
  }
}

/** Removes stored uploads. */
export const removeAll = async (files: FileStore, stored: Uploads['stored']): Promise<void> => {
  await Promise.all(stored.map(({ key }) => files.remove(key)))
}

/** The file columns of the row, with the stored names. */
export const fileColumns = (
  collection: LinkedCollection,
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

/**
 * The columns of fields that are keyed by files (decision 0080), without entries for files that the record does not
 * have. Removing a file removes its entry, whichever client does so.
 * @param values the values of the write
 * @param names the file columns of the write
 */
export const keyedColumns = (
  { fields }: LinkedCollection,
  values: Values,
  names: Values,
  current: Row | undefined,
): Values => {
  const columns = new Map<string, Value>()
  for (const [name, field] of Object.entries(fields)) {
    const files = field.kind === 'json' ? field.keyedBy : undefined
    if (files === undefined || !(values.has(name) || names.has(files))) continue
    const stored = [names.get(files) ?? current?.[files] ?? []].flat()
    const held = (values.has(name) ? values.get(name) : current?.[name]) ?? {}
    const kept = Object.entries(held).filter(([key]) => stored.includes(key))
    if (values.has(name) || kept.length < Object.keys(held).length)
      columns.set(name, kept.length === 0 ? null : Object.fromEntries(kept))
  }
  return columns
}

import type { Readable } from 'node:stream'

import { randomText } from '../db/random.ts'

/** Where a file of a record is: nothing in it is chosen by a client but the record's id. */
export interface FileKey {
  readonly collection: string
  readonly record: string
  readonly name: string
  /** A size in which the file is kept as well; it goes with the file. */
  readonly thumb?: string
}

/** A stored file, open for reading. */
export interface StoredFile {
  readonly bytes: number
  readonly modified: Date
  /** Reads the bytes from `start` to `end`, both included; all of them without a range. */
  read(range?: { readonly start: number; readonly end: number }): Readable
}

/** Keeps the files of records. Names are never used again, so a file never changes. */
export interface FileStore {
  /**
   * Moves a file from a temporary place into the store. When it resolves, the file survives a
   * power cut (decisions 5.5).
   */
  put(key: FileKey, path: string): Promise<void>
  /** Undefined when there is no such file. */
  open(key: FileKey): Promise<StoredFile | undefined>
  /** Removes a file with its thumbnails; it is no error when it is gone already. */
  remove(key: FileKey): Promise<void>
  /** Everything that is kept, with the time at which it came; of thumbnails the file they are of. */
  list(): AsyncIterable<FileKey & { readonly modified: Date }>
}

/** Random part of a stored name: unguessable, so that a URL is not found by trying. */
const randomPart = () => randomText(10)

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
}

/** The types of what is stored, by extension: images are written anew, so there are few. */
export const storedType = (name: string): string =>
  Object.entries(EXTENSIONS).find(([, extension]) => name.endsWith(extension))?.[0] ??
  'application/octet-stream'

/**
 * A name to store an upload under (record interface 4.1): what is readable of the client's name,
 * a random part, and the extension of what the file really is.
 */
export const storedName = (filename: string, type: string): string => {
  const base = filename
    .replace(/\.[^.]*$/, '')
    .replace(/([^A-Z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 100)
  const readable = base.length < 3 ? base + randomPart() : base
  return `${readable}_${randomPart()}${EXTENSIONS[type] ?? ''}`
}

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
  /** Checksum of the content, in hex, where the store knows it without reading. */
  readonly sha256?: string
  /** Reads the bytes from `start` to `end`, both included; all of them without a range. */
  read(range?: { readonly start: number; readonly end: number }): Promise<Readable>
}

/**
 * Keeps the files of records. Names are never used again, so a file never changes.
 * Every method may fail with `DependencyError` while the store cannot do its work.
 */
export interface FileStore {
  /** Where the files are, in words that a person knows it by. */
  readonly place: string
  /** Fails with what keeps the store from being used. */
  check(): Promise<void>
  /**
   * Moves a temporary file into the store; the caller removes it if it is still there.
   * When it resolves, the file survives a power cut (record interface 9.5).
   */
  put(key: FileKey, path: string): Promise<void>
  /** Undefined when there is no such file. */
  open(key: FileKey): Promise<StoredFile | undefined>
  /** Removes a file with its thumbnails; it is no error when it is gone already. */
  remove(key: FileKey): Promise<void>
  /**
   * Everything that is kept, or that is kept of one collection, with the time at which it came; of
   * thumbnails the file they are of.
   */
  list(collection?: string): AsyncIterable<FileKey & { readonly modified: Date }>
}

const SAFE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,179}$/

/** Thumbnails are in a folder of their own beside the file, so that they go at once. */
export const THUMBS = 'thumbs_'

/**
 * Where a file is in its store: `<collection>/<record>/<name>`, a thumbnail in
 * `thumbs_<name>/<size>_<name>` beside. Undefined when no file can have that name.
 */
export const pathOf = ({ collection, record, name, thumb }: FileKey): string | undefined => {
  const last = thumb === undefined ? [name] : [THUMBS + name, `${thumb}_${name}`]
  const parts = [collection, record, ...last]
  return parts.every((part) => SAFE_NAME.test(part)) ? parts.join('/') : undefined
}

/** The file at a place in the store, or the one that a thumbnail there is of. */
export const keyOf = (path: string): FileKey | undefined => {
  const [collection, record, name, thumb, ...rest] = path.split('/')
  if (!collection || !record || !name || rest.length > 0) return undefined
  if (thumb === undefined) return { collection, record, name }
  return name.startsWith(THUMBS)
    ? { collection, record, name: name.slice(THUMBS.length) }
    : undefined
}

/** Random part of a stored name: unguessable, so that a URL is not found by trying. */
const randomPart = () => randomText(10)

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
}

/** The types of stored files by extension; images are re-encoded, so there are few. */
export const storedType = (name: string): string =>
  Object.entries(EXTENSIONS).find(([, extension]) => name.endsWith(extension))?.[0] ??
  'application/octet-stream'

/**
 * The stored name of an upload (record interface 4.1): the readable part of the client's name,
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

import type { Readable } from 'node:stream'

import { randomText } from '../db/random.ts'

/** The key of a record's file. A client can choose at most its record id. */
export interface FileKey {
  readonly collection: string
  readonly record: string
  readonly name: string
  /** The size of a thumbnail, which is removed with the file. */
  readonly thumb?: string
}

/** A stored file, open for reading. */
export interface StoredFile {
  readonly bytes: number
  readonly modified: Date
  /** SHA-256 of the content, in hex, if the store knows it without reading. */
  readonly sha256?: string
  /** Reads the bytes from `start` to `end`, both inclusive; without a range, all of them. */
  read(range?: { readonly start: number; readonly end: number }): Promise<Readable>
}

/**
 * Stores the files of records. Names are never reused, so a file never changes. Every method may fail with
 * `DependencyError` while the store is unavailable.
 */
export interface FileStore {
  /** The location of the files, for messages. */
  readonly place: string
  /** @throws if the store cannot be used */
  check(): Promise<void>
  /**
   * Moves a temporary file into the store; the caller removes it if it still exists. Once it resolves, the file
   * survives a power cut (record interface 9.5).
   */
  put(key: FileKey, path: string): Promise<void>
  /** Undefined if there is no such file. */
  open(key: FileKey): Promise<StoredFile | undefined>
  /** Removes a file with its thumbnails; a missing file is no error. */
  remove(key: FileKey): Promise<void>
  /**
   * Lists all files, or those of one collection, with their modification times. For a thumbnail, it yields the key of
   * its file.
   */
  list(collection?: string): AsyncIterable<FileKey & { readonly modified: Date }>
}

const SAFE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,179}$/

/** Thumbnails are in their own folder beside the file, so that they are removed together. */
export const THUMBS = 'thumbs_'

/**
 * The path of a file in its store: `<collection>/<record>/<name>`, or `thumbs_<name>/<size>_<name>` beside it for a
 * thumbnail. Undefined if no file can have that name.
 */
export const pathOf = ({ collection, record, name, thumb }: FileKey): string | undefined => {
  const last = thumb === undefined ? [name] : [THUMBS + name, `${thumb}_${name}`]
  const parts = [collection, record, ...last]
  return parts.every((part) => SAFE_NAME.test(part)) ? parts.join('/') : undefined
}

/** The key of the file at a path, or of the original of the thumbnail there. */
export const keyOf = (path: string): FileKey | undefined => {
  const [collection, record, name, thumb, ...rest] = path.split('/')
  if (!collection || !record || !name || rest.length > 0) return undefined
  if (thumb === undefined) return { collection, record, name }
  return name.startsWith(THUMBS)
    ? { collection, record, name: name.slice(THUMBS.length) }
    : undefined
}

/** The random part of a stored name: unguessable, so that a URL cannot be found by trial. */
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
 * The stored name of an upload (record interface 4.1): the readable part of the client's name, a random part, and
 * the extension of its real type.
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

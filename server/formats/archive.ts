import { text } from 'node:stream/consumers'
import { createInflateRaw } from 'node:zlib'

import { fromBufferPromise, type Entry } from 'yauzl'

import {
  SOURCE_LIMITS,
  SourceError,
  checkUnpacked,
  isZlibError,
  readHead,
  through,
  type Bytes,
} from './source.ts'

/** The maximum size of a workbook part that is read as a whole. Worksheets are read row by row. */
const MAX_PART_BYTES = 64 * 1024 * 1024

/**
 * Reads an archive into memory, and checks that the sizes in its directory are within the limits. Unpacking must
 * enforce these sizes.
 * @throws {SourceError} if it is damaged, encrypted or too large
 */
export const bufferArchive = async (bytes: Bytes): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > SOURCE_LIMITS.archive)
      throw new SourceError({
        code: 'source_too_large',
        params: { max: SOURCE_LIMITS.archive },
      })
    chunks.push(chunk)
  }
  const [only = new Uint8Array()] = chunks
  const archive =
    chunks.length > 1
      ? Buffer.concat(chunks)
      : Buffer.from(only.buffer, only.byteOffset, only.byteLength)
  await checkDirectory(archive)
  return archive
}

const openZip = (archive: Buffer) =>
  fromBufferPromise(archive, { lazyEntries: true, autoClose: false })

/** Folders, and hidden files that programs add. */
const IGNORED_NAMES = /\/$|^__MACOSX\/|(?:^|\/)(?:\.|Thumbs\.db$|desktop\.ini$)/i

/** The names of the files in an archive. */
export const filesIn = async (archive: Buffer): Promise<readonly string[]> => {
  const zip = await openZip(archive)
  const names: string[] = []
  for await (const { fileName } of zip.eachEntry())
    if (!IGNORED_NAMES.test(fileName)) names.push(fileName)
  return names
}

/** The unpacked size of an archive according to its directory. */
export const unpackedBytes = async (archive: Buffer): Promise<number> => {
  const zip = await openZip(archive)
  let bytes = 0
  for await (const { uncompressedSize } of zip.eachEntry()) bytes += uncompressedSize
  return bytes
}

/**
 * Unpacks a file of an archive.
 * @throws {SourceError} if it is missing or damaged, or larger than the directory says
 */
export const unpackFile = async function* (archive: Buffer, name: string): Bytes {
  try {
    const zip = await openZip(archive)
    for await (const entry of zip.eachEntry())
      if (entry.fileName === name)
        return yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>
  } catch {
    throw new SourceError({ code: 'archive_damaged' })
  }
  throw new SourceError({ code: 'archive_without_data' })
}

const checkDirectory = async (archive: Buffer): Promise<void> => {
  let [unpacked, count] = [0, 0]
  try {
    const zip = await openZip(archive)
    const links: Entry[] = []
    let hasLargeSheet = false
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw new SourceError({ code: 'archive_encrypted' })
      unpacked += entry.uncompressedSize
      if (++count > SOURCE_LIMITS.archiveFiles)
        throw new SourceError({
          code: 'archive_too_many_files',
          params: { max: SOURCE_LIMITS.archiveFiles },
        })
      checkUnpacked(archive.length, unpacked)
      if (/^(?!xl\/worksheets\/).*\.rels$/.test(entry.fileName)) links.push(entry)
      if (entry.uncompressedSize <= MAX_PART_BYTES) continue
      if (!entry.fileName.startsWith('xl/worksheets/'))
        throw new SourceError({ code: 'archive_too_large', params: { max: MAX_PART_BYTES } })
      hasLargeSheet = true
    }
    if (!hasLargeSheet) return
    for (const link of links)
      if (namesSheetAsPart(await text(await zip.openReadStreamPromise(link))))
        throw new SourceError({ code: 'archive_too_large', params: { max: MAX_PART_BYTES } })
  } catch (error) {
    throw error instanceof SourceError ? error : new SourceError({ code: 'archive_damaged' })
  }
}

/** The link from a workbook to a worksheet, in the usual spelling. */
const SHEET_LINK =
  /<Relationship(?:\s+(?:Id|Target)="[^"<>&]*")*\s+Type="[^"<>&]*\/worksheet"(?:\s+(?:Id|Target)="[^"<>&]*")*\s*\/>/g

/** Whether the links of a part may name a worksheet as a part that is read as a whole, such as the shared strings. */
const namesSheetAsPart = (links: string): boolean =>
  /worksheets\/|&#/.test(links.replaceAll(SHEET_LINK, ''))

const LOCAL_HEADER_BYTES = 30
const DEFLATE = 8

/** The name of the first file of an archive; empty if `head` is too short to contain it. */
export const firstFile = (head: Uint8Array): string => {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (view.length < LOCAL_HEADER_BYTES) return ''
  return view.toString('utf8', LOCAL_HEADER_BYTES, LOCAL_HEADER_BYTES + view.readUInt16LE(26))
}

/**
 * Unpacks the first file of an archive while it arrives; the size may follow the content. Ignores the other files.
 * @throws {SourceError} if it is damaged, truncated or too large
 */
export const unpackFirst = async function* (bytes: Bytes): Bytes {
  const { head, rest } = await readHead(bytes, 64 * 1024)
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (view.length < LOCAL_HEADER_BYTES || view.readUInt16LE(8) !== DEFLATE)
    throw new SourceError({ code: 'archive_damaged' })
  const start = LOCAL_HEADER_BYTES + view.readUInt16LE(26) + view.readUInt16LE(28)
  let [packed, unpacked, skipped] = [0, 0, 0]
  const body = async function* (): Bytes {
    for await (const chunk of rest) {
      const skip = Math.min(start - skipped, chunk.length)
      skipped += skip
      packed += chunk.length - skip
      if (skip < chunk.length) yield chunk.subarray(skip)
    }
  }
  try {
    for await (const chunk of through<Uint8Array>(body(), createInflateRaw())) {
      unpacked += chunk.length
      checkUnpacked(packed, unpacked)
      yield chunk
    }
  } catch (error) {
    throw isZlibError(error) ? new SourceError({ code: 'archive_damaged' }) : error
  }
}

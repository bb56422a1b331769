import { crc32, createDeflateRaw } from 'node:zlib'
import { pipeline, Readable } from 'node:stream'

/** A file that is added to an archive. */
export interface ZipEntry {
  /** Its path in the archive, with `/` between folders. */
  readonly path: string
  readonly modified: Date
  /** The compression level (zlib); undefined for content that is already compressed. */
  readonly level: number | undefined
  readonly content: AsyncIterable<string | Buffer>
}

const LOCAL = 0x04034b50
const DESCRIPTOR = 0x08074b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
/** Sizes follow the content; names are UTF-8. */
const FLAGS = 0x0808
const DEFLATE = 8
const VERSION_64 = 45
/** Made on Unix, so that the permissions below apply. */
const MADE_BY = (3 << 8) | VERSION_64
const PERMISSIONS = 0o100644
const MAX_32 = 0xffffffff
const MAX_16 = 0xffff

/**
 * Writes a ZIP archive (PKWARE APPNOTE 6.3) while its entries arrive. It buffers only one chunk and the list of names.
 * The archive and its number of entries are unlimited; an entry must be smaller than 4 GiB.
 */
export const zip = async function* (entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const entry of entries) {
    const name = Buffer.from(entry.path)
    const when = dosTime(entry.modified)
    const start = offset
    const local = fields([LOCAL, 4], [VERSION_64, 2], [FLAGS, 2], [DEFLATE, 2], [when, 4])
    yield Buffer.concat([local, fields([0, 4], [0, 4], [0, 4], [name.length, 2], [0, 2]), name])
    offset += 30 + name.length

    let [sum, bytes, packed] = [0, 0, 0]
    const counted = async function* (): AsyncIterable<Buffer> {
      for await (const chunk of entry.content) {
        const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
        sum = crc32(buffer, sum)
        bytes += buffer.length
        yield buffer
      }
    }
    for await (const chunk of entry.level === undefined
      ? wrap(counted())
      : deflate(counted(), entry.level)) {
      packed += chunk.length
      yield chunk
    }
    if (Math.max(packed, bytes) > MAX_32) throw new RangeError(`${entry.path} is too large`)
    const sizes = fields([sum, 4], [packed, 4], [bytes, 4])
    yield Buffer.concat([fields([DESCRIPTOR, 4]), sizes])
    offset += packed + 16

    const far = start >= MAX_32
    directory.push(
      Buffer.concat([
        fields([CENTRAL, 4], [MADE_BY, 2], [VERSION_64, 2], [FLAGS, 2], [DEFLATE, 2], [when, 4]),
        sizes,
        fields([name.length, 2], [far ? 12 : 0, 2], [0, 2], [0, 2], [0, 2]),
        fields([PERMISSIONS * 0x10000, 4], [far ? MAX_32 : start, 4]),
        name,
        far ? fields([1, 2], [8, 2], [start, 8]) : Buffer.alloc(0),
      ]),
    )
  }

  const count = directory.length
  const bytes = directory.reduce((sum, { length }) => sum + length, 0)
  yield* directory
  if (count >= MAX_16 || offset + bytes >= MAX_32) {
    yield fields([END_64, 4], [44, 8], [MADE_BY, 2], [VERSION_64, 2], [0, 4], [0, 4])
    yield fields([count, 8], [count, 8], [bytes, 8], [offset, 8])
    yield fields([LOCATOR_64, 4], [0, 4], [offset + bytes, 8], [1, 4])
  }
  const entryCount = Math.min(count, MAX_16)
  yield fields([END, 4], [0, 2], [0, 2], [entryCount, 2], [entryCount, 2])
  yield fields([Math.min(bytes, MAX_32), 4], [Math.min(offset, MAX_32), 4], [0, 2])
}

const CHUNK_BYTES = 64 * 1024

const deflate = (content: AsyncIterable<Buffer>, level: number): AsyncIterable<Buffer> =>
  // The reader receives the errors.
  pipeline(Readable.from(content), createDeflateRaw({ level, chunkSize: CHUNK_BYTES }), () => {})

const BLOCK = 0xffff

/** A stored block, which is not compressed (RFC 1951, 3.2.4). */
const wrap = async function* (content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const head = (last: 0 | 1, length: number): Buffer =>
    Buffer.concat([Buffer.of(last), fields([length, 2], [BLOCK - length, 2])])
  for await (const chunk of content)
    for (let start = 0; start < chunk.length; start += BLOCK) {
      const block = chunk.subarray(start, start + BLOCK)
      yield head(0, block.length)
      yield block
    }
  yield head(1, 0)
}

/** Encodes numbers, each with its width in bytes, in little-endian order. */
const fields = (...parts: readonly (readonly [value: number, bytes: 2 | 4 | 8])[]): Buffer =>
  Buffer.concat(
    parts.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes)
      if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value))
      else buffer.writeUIntLE(value, 0, bytes)
      return buffer
    }),
  )

/** A time in the DOS format: in steps of two seconds, from 1980, without a time zone (here UTC). */
const dosTime = (date: Date): number => {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107) - 1980
  const day = year * 512 + (date.getUTCMonth() + 1) * 32 + date.getUTCDate()
  const time =
    date.getUTCHours() * 2048 + date.getUTCMinutes() * 32 + Math.floor(date.getUTCSeconds() / 2)
  return day * 0x10000 + time
}

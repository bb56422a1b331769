import { isAscii, isUtf8 } from 'node:buffer'
import { Readable, pipeline, type Duplex } from 'node:stream'
import { createGunzip } from 'node:zlib'

import { MiB } from '#domain/limits.ts'
import type { Problem } from '#domain/repair.ts'

/** The bytes of a source as they arrive. */
export type Bytes = AsyncIterable<Uint8Array>

/** Limits for one source, in bytes unless stated otherwise. */
export const SOURCE_LIMITS = {
  /** Bytes that are read ahead to detect the format. */
  head: 256 * 1024,
  /** One JSON record, one line or one row of a table. */
  record: 8 * MiB,
  /** Elements in one XML record, and values in one JSON record. A site with 1,000 plugs has less than half of this. */
  elements: 100_000,
  /** Nesting levels of JSON or XML. */
  depth: 64,
  columns: 1000,
  /** The unpacked size of a source. */
  unpacked: 8 * 1024 * MiB,
  /** The ratio of unpacked to packed bytes; real feeds reach 40. */
  ratio: 250,
  /** The ratio does not apply below this size: a small file of zeros is harmless. */
  ratioFrom: 64 * MiB,
  /** An archive, which is kept in memory because its directory is at its end. */
  archive: 128 * MiB,
  archiveFiles: 10_000,
} as const

/** The source, or the rest of it, cannot be read. */
export class SourceError extends Error {
  readonly problem: Problem
  /** The place in the source, for people; empty if the problem concerns the whole source. */
  readonly position: string

  constructor(problem: Problem, position = '') {
    super(problem.code)
    this.name = 'SourceError'
    this.problem = problem
    this.position = position
  }
}

/** The error for a record with too many values: each takes time, and more memory than its text. */
export const tooManyValues = (position = ''): SourceError =>
  new SourceError(
    { code: 'record_too_many_values', params: { max: SOURCE_LIMITS.elements } },
    position,
  )

const MAX_PIECE_BYTES = 64 * 1024

/** Splits large chunks. */
export const inPieces = async function* (bytes: Bytes): Bytes {
  for await (const chunk of bytes)
    for (let start = 0; start < chunk.length; start += MAX_PIECE_BYTES)
      yield chunk.subarray(start, start + MAX_PIECE_BYTES)
}

/** Yields what a step of a reader has found, even if the step fails. */
export const drainAfter = function* <T>(step: () => void, take: () => readonly T[]): Generator<T> {
  try {
    step()
  } finally {
    yield* take()
  }
}

/** A source whose first bytes were read. */
export interface PeekedSource {
  readonly head: Uint8Array
  /** The whole source, from its first byte. */
  readonly rest: Bytes
  /** Closes the source without reading the rest. */
  readonly close: () => Promise<void>
}

/** Reads the first bytes of a source. */
export const readHead = async (bytes: Bytes, size: number): Promise<PeekedSource> => {
  const iterator = bytes[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < size) {
    const { value, done } = await iterator.next()
    if (done === true) break
    chunks.push(value)
    length += value.length
  }
  const head = Buffer.concat(chunks).subarray(0, size)
  const close = async (): Promise<void> => {
    await iterator.return?.()
  }
  const rest: AsyncIterator<Uint8Array> = {
    next: async () => {
      const value = chunks.shift()
      return value === undefined ? iterator.next() : { value, done: false }
    },
    return: async () => {
      await close()
      return { value: undefined, done: true }
    },
  }
  return { head, rest: { [Symbol.asyncIterator]: () => rest }, close }
}

const startsWith = (bytes: Uint8Array, ...signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte)

export const isGzip = (head: Uint8Array): boolean => startsWith(head, 0x1f, 0x8b)
export const isZip = (head: Uint8Array): boolean => startsWith(head, 0x50, 0x4b, 0x03, 0x04)
/** The container format of Excel before 2007, and of workbooks with a password. */
export const isCompoundFile = (head: Uint8Array): boolean =>
  startsWith(head, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

/** Pipes a source through a stream. If one ends, so does the other, and errors of both are thrown. */
export const through = <T>(source: AsyncIterable<unknown>, stream: Duplex): AsyncIterable<T> => {
  // The reader of the stream gets the error.
  pipeline(Readable.from(source), stream, () => {})
  return stream as AsyncIterable<T>
}

/** The number of bytes unpacked so far. */
export interface Unpacked {
  packed: number
  unpacked: number
}

/**
 * Unpacks a gzip source within the limits.
 * @param total the sum of all parts, if a source has several
 * @throws {SourceError} if it is damaged, truncated or too large
 */
export const gunzip = async function* (
  bytes: Bytes,
  total: Unpacked = { packed: 0, unpacked: 0 },
): Bytes {
  const counted = async function* (): Bytes {
    for await (const chunk of bytes) {
      total.packed += chunk.length
      yield chunk
    }
  }
  try {
    for await (const chunk of through<Uint8Array>(counted(), createGunzip())) {
      total.unpacked += chunk.length
      checkUnpacked(total.packed, total.unpacked)
      yield chunk
    }
  } catch (error) {
    throw isZlibError(error) ? new SourceError({ code: 'compressed_damaged' }) : error
  }
}

/** @throws {SourceError} if the unpacked size exceeds the limits */
export const checkUnpacked = (packed: number, unpacked: number): void => {
  const { unpacked: max, ratio, ratioFrom } = SOURCE_LIMITS
  if (unpacked > max || (unpacked > ratioFrom && unpacked > packed * ratio))
    throw new SourceError({ code: 'archive_too_large', params: { max } })
}

export const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(Z_|ERR_ZLIB)/.test(String(error.code))

/** The supported encodings: those that can be detected reliably, and the one of most old files. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh'

/**
 * Detects the encoding of a text by its first bytes: a byte order mark, zeros as in UTF-16, or valid UTF-8; otherwise
 * Windows-1252.
 */
export const encodingOf = (head: Uint8Array): Encoding => {
  if (startsWith(head, 0xff, 0xfe)) return 'utf-16le'
  if (startsWith(head, 0xfe, 0xff)) return 'utf-16be'
  const start = head.subarray(0, 1024)
  const zeros = (parity: number): number =>
    start.filter((byte, index) => index % 2 === parity && byte === 0).length
  if (zeros(1) > start.length / 8 && zeros(0) === 0) return 'utf-16le'
  if (zeros(0) > start.length / 8 && zeros(1) === 0) return 'utf-16be'
  if (isUtf8(withoutCutLetter(head))) return 'utf-8'
  // Only programs for the Mac end lines with a carriage return alone.
  return head.includes(CR) && !head.includes(LF) ? 'macintosh' : 'windows-1252'
}

const [CR, LF] = [0x0d, 0x0a]

/** Removes an incomplete last character. */
const withoutCutLetter = (head: Uint8Array): Uint8Array => {
  for (let back = 1; back <= Math.min(3, head.length); back++) {
    const byte = head[head.length - back] ?? 0
    if (byte >= 0xc0) return head.subarray(0, head.length - back)
    if (byte < 0x80) return head
  }
  return head
}

/**
 * Decodes a source as text, without its byte order mark. Invalid bytes become U+FFFD. If the beginning is pure ASCII,
 * the first other characters decide between UTF-8 and Windows-1252.
 */
export const decode = async function* (bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  let decoder = new TextDecoder(encoding)
  let isUndecided = encoding === 'utf-8'
  for await (const chunk of bytes) {
    if (isUndecided && !isAscii(chunk)) {
      isUndecided = false
      if (!isUtf8(withoutCutLetter(chunk))) decoder = new TextDecoder('windows-1252')
    }
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const last = decoder.decode()
  if (last !== '') yield last
}

/** Decodes the beginning of a source. */
export const textOfHead = async (head: Uint8Array, encoding: Encoding): Promise<string> => {
  let text = ''
  for await (const part of decode([head] as unknown as Bytes, encoding)) text += part
  return text
}

/**
 * The lines of a text, with their numbers from 1.
 * @throws {SourceError} if a line is longer than a record may be
 */
export const linesOf = async function* (
  text: AsyncIterable<string>,
): AsyncGenerator<{ readonly line: string; readonly number: number }> {
  let number = 0
  // Parts of the current line, which are joined only once.
  let [parts, length]: [string[], number] = [[], 0]
  for await (const chunk of text) {
    const [first = '', ...others] = chunk.split('\n')
    parts.push(first)
    length += first.length
    for (const next of others) {
      yield { line: parts.join(''), number: ++number }
      ;[parts, length] = [[next], next.length]
    }
    if (length > SOURCE_LIMITS.record)
      throw new SourceError(
        { code: 'record_too_large', params: { max: SOURCE_LIMITS.record } },
        `line ${number + 1}`,
      )
  }
  if (length > 0) yield { line: parts.join(''), number: ++number }
}

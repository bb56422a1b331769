import { isAscii, isUtf8 } from 'node:buffer'
import { Readable, pipeline, type Duplex } from 'node:stream'
import { createGunzip } from 'node:zlib'

import { MiB } from '#domain/limits.ts'
import type { Problem } from '#domain/repair.ts'

/** The bytes of a source, as they arrive. */
export type Bytes = AsyncIterable<Uint8Array>

/** Limits on what one source may cost; all of them are in bytes unless they say otherwise. */
export const SOURCE_LIMITS = {
  /** Read ahead to recognise the format. */
  head: 256 * 1024,
  /** Of one record of JSON, one line or one row of a table. */
  record: 8 * MiB,
  /** Elements in one record of XML, and values in one of JSON: a site with 1,000 plugs has less than half of it. */
  elements: 100_000,
  /** Levels of nested JSON or XML. */
  depth: 64,
  columns: 1000,
  /** Of a source after it was unpacked. */
  unpacked: 8 * 1024 * MiB,
  /** Unpacked bytes for each packed one; data of real feeds reaches 40. */
  ratio: 250,
  /** Below this the ratio does not count: a small file of zeros harms nobody. */
  ratioFrom: 64 * MiB,
  /** Of an archive, whose directory is at its end: it is held in memory. */
  archive: 128 * MiB,
  archiveFiles: 10_000,
} as const

/** A source that cannot be read, or not further. */
export class SourceError extends Error {
  readonly problem: Problem
  /** Where in the source, for people; empty if it concerns all of it. */
  readonly position: string

  constructor(problem: Problem, position = '') {
    super(problem.code)
    this.name = 'SourceError'
    this.problem = problem
    this.position = position
  }
}

/** Of a record whose values are too many: each takes its time, and more memory than its text. */
export const tooManyValues = (position = ''): SourceError =>
  new SourceError(
    { code: 'record_too_many_values', params: { max: SOURCE_LIMITS.elements } },
    position,
  )

/** Splits chunks, so that nobody has to handle a large one. */
export const inPieces = async function* (bytes: Bytes, size = 64 * 1024): Bytes {
  for await (const chunk of bytes)
    for (let start = 0; start < chunk.length; start += size)
      yield chunk.subarray(start, start + size)
}

/** What a step of a reader has found, also if it has failed in the end. */
export const foundBy = function* <T>(step: () => void, take: () => readonly T[]): Generator<T> {
  try {
    step()
  } finally {
    yield* take()
  }
}

/** A source whose first bytes were looked at. */
export interface Begun {
  readonly head: Uint8Array
  /** All of the source, from its first byte. */
  readonly rest: Bytes
  /** Ends it without reading the rest. */
  readonly close: () => Promise<void>
}

/** Reads the first bytes of a source. */
export const readHead = async (bytes: Bytes, size: number): Promise<Begun> => {
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
/** The container of Excel before 2007, and of workbooks with a password. */
export const isCompoundFile = (head: Uint8Array): boolean =>
  startsWith(head, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

/** What a stream makes of a source. Either ends with the other, and errors of both are thrown. */
export const through = <T>(source: AsyncIterable<unknown>, stream: Duplex): AsyncIterable<T> => {
  // The error reaches whoever reads the stream.
  pipeline(Readable.from(source), stream, () => {})
  return stream as AsyncIterable<T>
}

/** What was unpacked so far. */
export interface Unpacked {
  packed: number
  unpacked: number
}

/**
 * Unpacks a source that is compressed with gzip, within the limits.
 * @param total of all parts of a source, if there are several
 * @throws {SourceError} if it is damaged, cut off or too large
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

/** @throws {SourceError} if there is more than the limits allow */
export const checkUnpacked = (packed: number, unpacked: number): void => {
  const { unpacked: max, ratio, ratioFrom } = SOURCE_LIMITS
  if (unpacked > max || (unpacked > ratioFrom && unpacked > packed * ratio))
    throw new SourceError({ code: 'archive_too_large', params: { max } })
}

export const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(Z_|ERR_ZLIB)/.test(String(error.code))

/** The encodings that are read: those that can be told apart for certain, and the one of most old files. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Finds the encoding of a text by its first bytes: a mark, zeros as in UTF-16, valid UTF-8; else Windows-1252. */
export const encodingOf = (head: Uint8Array): Encoding => {
  if (startsWith(head, 0xff, 0xfe)) return 'utf-16le'
  if (startsWith(head, 0xfe, 0xff)) return 'utf-16be'
  const start = head.subarray(0, 1024)
  const zeros = (parity: number): number =>
    start.filter((byte, index) => index % 2 === parity && byte === 0).length
  if (zeros(1) > start.length / 8 && zeros(0) === 0) return 'utf-16le'
  if (zeros(0) > start.length / 8 && zeros(1) === 0) return 'utf-16be'
  return isUtf8(withoutCutLetter(head)) ? 'utf-8' : 'windows-1252'
}

/** Without a last letter of which some bytes are not there yet. */
const withoutCutLetter = (head: Uint8Array): Uint8Array => {
  for (let back = 1; back <= Math.min(3, head.length); back++) {
    const byte = head[head.length - back] ?? 0
    if (byte >= 0xc0) return head.subarray(0, head.length - back)
    if (byte < 0x80) return head
  }
  return head
}

/**
 * Decodes a source as text, without its byte order mark. Invalid bytes become U+FFFD. If its beginning had nothing but
 * ASCII, the first letters beyond that tell UTF-8 from Windows-1252.
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

/** The beginning of a source as text. */
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
  // The parts of a line that has not ended yet: they are joined once.
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

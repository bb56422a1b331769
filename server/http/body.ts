import { createHash, randomUUID, scrypt } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

import { Busboy } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { IDEMPOTENCY, MiB } from '#domain/limits.ts'
import { ApiError } from '#domain/error.ts'

import { callerOf, IDEMPOTENCY_KEY } from '../caller.ts'
import { createConcurrencyLimiter } from '../concurrency.ts'
import { isBuffered } from './admission.ts'
import { withLineFeeds } from './read-fields.ts'

/** A file of a request, kept in a temporary file until the request ends. */
export interface Upload {
  /** The name of the form field, including a leading or trailing `+`. */
  readonly key: string
  /** The file name from the client. */
  readonly filename: string
  readonly path: string
  readonly bytes: number
  /** The file exceeded the limit; the rest was discarded. */
  readonly truncated: boolean
}

/** The fields and files of a request, in any encoding (record interface 2.1). */
export interface Submission {
  readonly fields: ReadonlyMap<string, unknown>
  readonly uploads: readonly Upload[]
}

/** Limits of a body: a larger body is refused, a larger file truncated. */
export interface BodyLimits {
  readonly maxFileBytes: number
  readonly maxFiles: number
  /** Limit of all parts together that are not files: they are kept in memory. */
  readonly maxTextBytes: number
}

/** Limits far above real forms, which have some long texts and some photos. */
export const FORM_LIMITS = { maxFiles: 100, maxTextBytes: MiB } as const
const MAX_FIELDS = 1000

/** GeoJSON is JSON with its own media type (RFC 7946); clients use it for the line of a search along a route. */
const JSON_TYPES = ['application/json', 'application/geo+json']

/**
 * Registers the encodings of the record interface with Fastify. JSON of length 0 is no body: the SDK sends
 * `content-type: application/json` on every request.
 */
export const acceptBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('remove', 'remove')
  app.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, (request, body, done) => {
    const text = decode(request, body as Buffer)
    if (text instanceof ApiError) done(text)
    else if (text === '') done(null, undefined)
    else if (hasTooManyValues(text)) done(new ApiError(413))
    else void parseJson(request, text, done)
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (request, body, done) => {
      const text = decode(request, body as Buffer)
      if (text instanceof ApiError) done(text)
      else done(null, new URLSearchParams(text))
    },
  )
  app.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, payload: Readable) =>
      isBuffered(request) ? Readable.from(await readWhole(payload)) : payload,
  )
}

/**
 * Decodes a text. Returns an error if it is not UTF-8, or is declared as something else: a wrong encoding would corrupt
 * letters.
 */
const decode = ({ headers }: FastifyRequest, body: Buffer): string | ApiError => {
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers['content-type'] ?? '') ?? []
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) return new ApiError(400, 'Unsupported Content-Type.')
  try {
    return UTF_8.decode(body)
  } catch (cause) {
    return new ApiError(400, 'The body is not UTF-8.', {}, { cause })
  }
}

/** Maximum number of values in a JSON text: far more than a batch has. */
const MAX_JSON_VALUES = 1_000_000

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Array.from('"\\,[{', (sign) => sign.charCodeAt(0))

/** Whether a JSON text has more values than are parsed: 60 MB of small ones took 1.7 GB of memory, and five seconds. */
const hasTooManyValues = (text: string): boolean => {
  // Most texts are too short for so many values.
  if (text.length <= MAX_JSON_VALUES) return false
  let [values, isInText] = [0, false]
  for (let index = 0; index < text.length && values <= MAX_JSON_VALUES; index++) {
    const sign = text.charCodeAt(index)
    if (isInText && sign === BACKSLASH) index++
    else if (sign === QUOTE) isInText = !isInText
    else if (!isInText && (sign === COMMA || sign === BRACKET || sign === BRACE)) values++
  }
  return values > MAX_JSON_VALUES
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** Returns the chunks, because parsing one large chunk would block the process. */
const readWhole = async (payload: Readable): Promise<readonly Buffer[]> => {
  try {
    return await payload.toArray()
  } catch (cause) {
    throw cause instanceof ApiError ? cause : new ApiError(400, undefined, {}, { cause })
  }
}

/**
 * Reads the body of a request. Files are streamed to `tempDir`; call `discardUploads` at the end of the request.
 * @throws ApiError 400 for a malformed body, 413 for one over the limit
 */
export const readSubmission = async (
  request: FastifyRequest,
  tempDir: string,
  limits: BodyLimits,
): Promise<Submission> => {
  const { body } = request
  if (body === undefined || body === null) return NOTHING
  if (isStream(body)) return readMultipart(request, body, tempDir, limits)
  if (body instanceof URLSearchParams)
    return { fields: mergeParts([...body.entries()]), uploads: [] }
  return { fields: toFields(body), uploads: [] }
}

/** Removes the temporary files of a request, except those that were moved. */
export const discardUploads = async (submission: Submission): Promise<void> => {
  await Promise.all(submission.uploads.map((upload) => rm(upload.path, { force: true })))
}

/** The submission of a request without a body. */
export const NOTHING: Submission = { fields: new Map(), uploads: [] }

/** The idempotency key of a write, and the fingerprint of the write. */
export interface WriteKey {
  readonly value: string
  readonly fingerprint: string
}

/**
 * Reads the `Idempotency-Key` of a write (record interface 9.10); a guest has none, because nothing is stored for one.
 * The fingerprint covers the parsed values, not
 * the bytes: the boundaries of multipart bodies differ every time.
 * @throws ApiError 400 for an invalid key
 */
export const readWriteKey = async (
  request: FastifyRequest,
  submission: Submission,
): Promise<WriteKey | undefined> => {
  const value = request.headers['idempotency-key']
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !IDEMPOTENCY_KEY.test(value))
    throw new ApiError(
      400,
      `The Idempotency-Key must be 1 to ${IDEMPOTENCY.keyLength} visible characters.`,
    )
  if (callerOf(request).id === null) return undefined
  const content = JSON.stringify([request.method, request.url, ...submission.fields])
  const hash = createHash('sha256').update(content)
  for (const { key, filename, path } of submission.uploads)
    hash.update(JSON.stringify([key, filename, await hashFile(path)]))
  const digest = hash.digest('base64url')
  // A fingerprint is stored for a day. If it covers a secret, guessing from it must be as slow as from a password hash.
  return {
    value,
    fingerprint: /password|token/i.test(content)
      ? await slowHashes.run(() => slowHash(digest, value))
      : digest,
  }
}

/** Leaves threads for the reads of files, which share the pool. */
const slowHashes = createConcurrencyLimiter({ concurrency: 2, maxQueue: 100 })

const slowHash = async (text: string, salt: string): Promise<string> => {
  const hash = await promisify<string, string, number, Buffer>(scrypt)(text, salt, 32)
  return hash.toString('base64url')
}

const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('base64url')
}

const isStream = (body: unknown): body is Readable => body instanceof Readable

const toFields = (body: unknown): ReadonlyMap<string, unknown> => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError(400)
  return new Map(Object.entries(body))
}

const readMultipart = async (
  request: FastifyRequest,
  payload: Readable,
  tempDir: string,
  limits: BodyLimits,
): Promise<Submission> => {
  const texts: [string, string][] = []
  const files: Promise<Upload>[] = []
  const streams: Readable[] = []
  const paths: string[] = []
  let overflow = false
  let textBytes = 0
  const parser = openParser(request, limits)
  for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
    parser.on(event, () => (overflow = true))
  parser.on('field', (key, value, _keyCut, valueCut) => {
    textBytes += Buffer.byteLength(value)
    if (valueCut || textBytes > limits.maxTextBytes) overflow = true
    if (overflow) texts.length = 0
    else if (key) texts.push([key, value])
  })
  // The parser emits a second error after it has failed.
  parser.on('error', () => {})
  parser.on('file', (key, stream, filename) => {
    // A body can break off in any part. Without a listener, even in a skipped part, that would be an uncaught
    // exception. The parser fails with its part, and so does the request.
    stream.on('error', () => {})
    // An empty file input has neither name nor content; a part without a field has no key.
    if (!filename || !key) {
      stream.resume()
      return
    }
    const path = join(tempDir, randomUUID())
    paths.push(path)
    streams.push(stream)
    const file = keepFile(stream, { key, filename: withoutFolders(filename), path })
    files.push(file)
    // Handled immediately: a rejection while the rest still arrives would be unhandled.
    file.catch((error: Error) => parser.destroy(error))
  })
  try {
    await pipeline(payload, parser)
    const uploads = await Promise.all(files)
    if (overflow) throw new ApiError(413)
    return { fields: mergeParts(texts), uploads }
  } catch (error) {
    // The parser does not close the files that it was writing.
    for (const stream of streams) stream.destroy()
    await Promise.allSettled(files)
    await Promise.all(paths.map((path) => rm(path, { force: true })))
    if (error instanceof ApiError) throw error
    if (isSystemError(error)) throw error
    throw new ApiError(400, undefined, {}, { cause: error })
  }
}

const isSystemError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && 'code' in error && error.code !== 'ECONNRESET'

/** The last segment of a path; a path that ends with a separator stays whole. */
const withoutFolders = (filename: string): string => /[^/\\]+$/.exec(filename)?.[0] ?? filename

const openParser = (request: FastifyRequest, limits: BodyLimits) => {
  try {
    return new Busboy({
      // By default the parser drops a file named `..`.
      preservePath: true,
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits: {
        fileSize: limits.maxFileBytes,
        files: limits.maxFiles,
        fieldSize: limits.maxTextBytes,
        fields: MAX_FIELDS,
        parts: MAX_FIELDS + limits.maxFiles,
      },
    })
  } catch (cause) {
    throw new ApiError(400, undefined, {}, { cause })
  }
}

const keepFile = async (
  stream: Readable & { truncated?: boolean },
  upload: Pick<Upload, 'key' | 'filename' | 'path'>,
): Promise<Upload> => {
  const target = createWriteStream(upload.path, { flags: 'wx', mode: 0o600 })
  await pipeline(stream, target)
  return { ...upload, bytes: target.bytesWritten, truncated: stream.truncated === true }
}

/**
 * Merges text parts (record interface 2.1): a key that occurs once is a scalar, a repeated one a list;
 * `@jsonPayload` parts are objects that override the rest, in their order. Browsers send each line break of a form as
 * CRLF; the text is stored as if it had arrived in JSON.
 */
const mergeParts = (parts: readonly [string, string][]): ReadonlyMap<string, unknown> => {
  if (parts.length > MAX_FIELDS) throw new ApiError(413)
  const values = Map.groupBy(parts, ([key]) => key)
  const fields = new Map<string, unknown>()
  for (const [key, pairs] of values) {
    if (key === '@jsonPayload') continue
    const texts = pairs.map(([, text]) => withLineFeeds(text))
    fields.set(key, texts.length === 1 ? texts[0] : texts)
  }
  for (const [key, value] of parts) {
    if (key !== '@jsonPayload') continue
    const payload = parsePayload(value)
    if (payload === null) continue
    for (const [name, content] of toFields(payload)) fields.set(name, content)
  }
  return fields
}

const parsePayload = (text: string): unknown => {
  if (hasTooManyValues(text)) throw new ApiError(413)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiError(400, undefined, {}, { cause })
  }
}

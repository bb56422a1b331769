import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { TRUTHS } from '#domain/schema.ts'
import { API } from '#domain/paths.ts'
import { ApiError } from '#domain/error.ts'
import { ALWAYS_THUMB, type FilesField } from '#domain/field.ts'
import { SCHEMA } from '#domain/collections.ts'

import { GUEST, callerOf, unauthorized, type Caller } from '../caller.ts'
import { requireAccount, type Records } from '../records/records.ts'
import { storedType, type FileKey, type FileStore, type StoredFile } from './files.ts'
import { contentRange, readRanges, type Range } from './ranges.ts'
import type { Thumbs } from './thumbs.ts'

/** No part of a stored file may run, whatever its type. */
const FILE_POLICY = "default-src 'none'; sandbox"
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Signs and verifies the tokens in the URLs of protected files. */
interface FileTokens {
  signFile(claims: { id: string; sessionId: string; superuser: boolean }): Promise<string>
  verifyFile(token: string): Promise<Caller | undefined>
}

export interface FileRoutesDeps {
  readonly records: Records
  readonly files: FileStore
  readonly thumbs: Thumbs
  readonly tokens: FileTokens
}

type Query = Readonly<Record<string, string | undefined>>

/** A file to send, and its name. */
interface Served {
  readonly file: StoredFile
  readonly name: string
  /** Replaces a thumbnail that could not be made; must not be cached. */
  readonly isFallback: boolean
}

/**
 * Serves stored files (record interface 4.2 to 4.4). An unprotected file needs no token, as its name cannot be
 * guessed; a name that no record references is not found, even if its file still exists. Names are never reused,
 * so responses are immutable.
 */
export const fileRoutes = (app: FastifyInstance, deps: FileRoutesDeps): void => {
  const { records, files, thumbs, tokens } = deps

  const pick = async (key: FileKey, field: FilesField, size: string): Promise<Served> => {
    const offered = size === ALWAYS_THUMB || field.thumbs?.includes(size)
    const thumb = offered ? await thumbs.open(key, size) : undefined
    if (thumb !== undefined) return { file: thumb, name: `${size}_${key.name}`, isFallback: false }
    const file = await files.open(key)
    if (file === undefined) throw new ApiError(404)
    return { file, name: key.name, isFallback: offered === true }
  }

  app.route<{ Params: { collection: string; id: string; name: string }; Querystring: Query }>({
    method: ['GET', 'HEAD'],
    url: API.file(':collection', ':id', ':name'),
    handler: async (request, reply) => {
      const { id, name } = request.params
      const { token = '', thumb = '', download = '' } = request.query
      const collection = SCHEMA.find(request.params.collection)
      if (collection === undefined)
        throw new ApiError(404, 'Missing or invalid collection context.')
      const caller = (token !== '' && (await tokens.verifyFile(token))) || GUEST
      const field = await records.findFileField(caller, collection, id, name)
      if (field === undefined) throw new ApiError(404)
      const key = { collection: collection.name, record: id, name }
      const served = await pick(key, field, thumb)
      const disposition = TRUTHS.has(download) ? 'attachment' : 'inline'
      reply
        .removeHeader('x-frame-options')
        .header('content-security-policy', FILE_POLICY)
        .header('content-disposition', `${disposition}; filename=${served.name}`)
      if (field.protected) reply.header('cache-control', 'private, no-store')
      else
        reply
          .header('cache-control', served.isFallback ? 'no-store' : FOR_EVER)
          // Any page may embed a public image.
          .header('cross-origin-resource-policy', 'cross-origin')
      return sendFile(request, reply, served)
    },
  })

  app.post(API.fileToken, async (request, reply) => {
    const caller = callerOf(request)
    const { id, sessionId, superuser } = caller
    await requireAccount(records, caller)
    if (id === null || sessionId === null) throw unauthorized()
    const token = await tokens.signFile({ id, sessionId, superuser })
    return reply.header('cache-control', 'no-store').send({ token })
  })
}

/** Responds with a file, with the requested ranges of it, or with 304. */
const sendFile = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { file, name }: Served,
): Promise<FastifyReply> => {
  const etag = `"${name}"`
  const modified = file.modified.toUTCString()
  const type = storedType(name)
  reply.header('etag', etag).header('last-modified', modified).header('accept-ranges', 'bytes')
  const status = precondition(request, etag, file.modified)
  if (status === 412) throw new ApiError(412, 'The file is not the requested version.')
  if (status === 304) return reply.code(304).send()
  const { range, 'if-range': ifRange } = request.headers
  const wanted = ifRange === undefined || ifRange === etag || ifRange === modified
  const ranges = request.method === 'GET' && wanted ? readRanges(range, file.bytes) : undefined
  const [only] = ranges ?? []
  if (ranges === undefined) {
    // Opened before the headers are set, which would be wrong for a failure.
    const whole = request.method === 'HEAD' ? null : await file.read()
    return reply.type(type).header('content-length', file.bytes).send(whole)
  }
  if (only === undefined)
    return reply
      .code(416)
      .header('content-range', `bytes */${file.bytes}`)
      .header('cache-control', 'no-store')
      .send(new ApiError(416, 'The requested range is not in the file.').body)
  if (ranges.length > 1) return sendParts(reply.code(206), file, ranges, type)
  const part = await file.read(only)
  return reply
    .code(206)
    .type(type)
    .header('content-range', contentRange(only, file.bytes))
    .header('content-length', only.end - only.start + 1)
    .send(part)
}

/** Evaluates the preconditions of a request, in the order of RFC 9110, 13.2.2. */
const precondition = (
  { headers }: FastifyRequest,
  etag: string,
  modified: Date,
): 304 | 412 | undefined => {
  const names = (list: string): boolean =>
    list.split(',').some((item) => ['*', etag].includes(item.trim().replace(/^W\//, '')))
  // HTTP dates have no fractions of seconds.
  const seconds = Math.floor(modified.getTime() / 1000) * 1000
  const since = Date.parse(headers['if-modified-since'] ?? '')
  const until = Date.parse(headers['if-unmodified-since'] ?? '')
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  if (match === undefined ? seconds > until : !names(match)) return 412
  return (noneMatch === undefined ? seconds <= since : names(noneMatch)) ? 304 : undefined
}

/** Sends several parts of a file as `multipart/byteranges`. */
const sendParts = (
  reply: FastifyReply,
  file: StoredFile,
  ranges: readonly Range[],
  type: string,
): FastifyReply => {
  const boundary = randomUUID()
  const parts = ranges.map((range) => ({
    range,
    head: `\r\n--${boundary}\r\ncontent-type: ${type}\r\ncontent-range: ${contentRange(range, file.bytes)}\r\n\r\n`,
  }))
  const end = `\r\n--${boundary}--\r\n`
  const length = parts.reduce(
    (sum, { range, head }) => sum + head.length + range.end - range.start + 1,
    end.length,
  )
  const bytes = async function* (): AsyncIterable<string | Buffer> {
    for (const { range, head } of parts) {
      yield head
      yield* (await file.read(range)) as AsyncIterable<Buffer>
    }
    yield end
  }
  return reply
    .type(`multipart/byteranges; boundary=${boundary}`)
    .header('content-length', length)
    .send(Readable.from(bytes(), { objectMode: false }))
}

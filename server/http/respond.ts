import { createHash } from 'node:crypto'

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { RETRY_AFTER_S } from '../limits.ts'
import { ApiError } from '#domain/error.ts'
import { PUBLIC_CACHE_CONTROL } from '#domain/public-read.ts'

import { QUERY_CANCELED } from '../db/errors.ts'
import { DependencyError } from '../problem.ts'

/** The `Cache-Control` of documents that only a release or a setting changes. */
export const ONE_HOUR = 'public, max-age=3600'

/** Sends JSON that the database has built. */
export const sendJson = (reply: FastifyReply, body: string): FastifyReply =>
  reply.type('application/json').send(body)

/**
 * Responds to a read with its ETag, or with 304 if the caller has that version. Responses depend on the caller, so
 * shared caches must not store them.
 */
export const sendVersioned = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: { readonly body: string; readonly etag: string },
): FastifyReply => {
  reply
    .header('etag', answer.etag)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'Origin, Authorization')
  return hasVersion(request, answer.etag) ? reply.code(304).send() : sendJson(reply, answer.body)
}

/** The versions in `If-None-Match`, as strong ones (RFC 9110, 13.1.2). */
const knownTags = ({ headers }: FastifyRequest): readonly string[] =>
  headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, '')) ?? []

/** Whether `If-None-Match` contains this version. */
const hasVersion = (request: FastifyRequest, etag: string): boolean =>
  knownTags(request).includes(etag)

/** A public, cacheable response. */
interface PublicAnswer {
  readonly type: string
  readonly body: string | Buffer
  /** By default, a digest of the body. */
  readonly version?: string
  /**
   * The position in the write-ahead log: the body contains nothing that was committed after it. Undefined if only the
   * primary is read.
   */
  readonly position: () => Promise<number | undefined>
  readonly status?: number
}

/** The ETag of a public response: its version and, if replicas are read, the position (decision 0135). */
const PUBLIC_TAG = /^"([\w-]+)(?:\.([0-9a-z]{1,11}))?"$/

/** Sends a public response, or 304 if the caller has it. */
export const sendPublic = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, version = digestOf(body), position, status = 200 }: PublicAnswer,
): Promise<FastifyReply> => {
  reply.header('cache-control', PUBLIC_CACHE_CONTROL)
  varyByEncoding(reply)
  const known = knownPublicTag(request, version, acceptsAny(request) ? await position() : undefined)
  if (known !== undefined && status === 200) return reply.code(304).header('etag', known).send()
  const etag = publicTag(version, await position())
  return reply.code(status).header('etag', etag).type(type).send(body)
}

/**
 * Sets the headers of a public response whose body is not yet written.
 * @returns whether the caller has this version, so that the response is 304
 */
export const setVersion = (
  request: FastifyRequest,
  reply: FastifyReply,
  version: string,
  position: number | undefined,
): boolean => {
  const known = knownPublicTag(request, version, position)
  varyByEncoding(reply)
  reply.headers({
    etag: known ?? publicTag(version, position),
    'cache-control': PUBLIC_CACHE_CONTROL,
  })
  return known !== undefined
}

/**
 * States that the encoding of a response depends on the request. The compression does so only for a body, but a 304
 * needs the `Vary` of the response that it stands for (RFC 9110, 15.4.5).
 */
const varyByEncoding = (reply: FastifyReply): void => {
  const others = reply.getHeader('vary')
  reply.header('vary', [...(others === undefined ? [] : [others]), 'accept-encoding'].join(', '))
}

/** The ETag of a version that was read at a position, see `PublicAnswer`. */
const publicTag = (version: string, position: number | undefined): string =>
  position === undefined ? `"${version}"` : `"${version}.${position.toString(36)}"`

/**
 * The caller's ETag of a version. A 304 repeats it unchanged, so that caches find the response that it belongs to (RFC
 * 9111, 4.3.4). `*` stands for the current one, which was read at `position`.
 */
const knownPublicTag = (
  request: FastifyRequest,
  version: string,
  position: number | undefined,
): string | undefined =>
  acceptsAny(request)
    ? publicTag(version, position)
    : knownTags(request).find((tag) => PUBLIC_TAG.exec(tag)?.[1] === version)

/** Whether any version of the response is known to the caller. */
const acceptsAny = (request: FastifyRequest): boolean => knownTags(request).includes('*')

/**
 * The newest position that a caller has seen of a public response, from its ETag: the new response must not be older.
 * Signed-in callers read from the primary.
 */
export const seenPosition = (request: FastifyRequest): number => {
  if (request.headers.authorization !== undefined) return Infinity
  const seen = knownTags(request).map((tag) => parseInt(PUBLIC_TAG.exec(tag)?.[2] ?? '0', 36))
  return Math.max(0, ...seen)
}

/** A version derived from the content, for an ETag. */
export const digestOf = (body: string | Buffer): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, 22)

/** Responds to a write; `Idempotency-Replayed` marks the stored response of an earlier one. */
export const sendWritten = (
  reply: FastifyReply,
  written: {
    readonly status: number
    readonly body: string | null
    readonly etag: string | null
    readonly replayed?: boolean
  },
): FastifyReply => {
  reply.code(written.status).header('cache-control', 'no-store')
  if (written.etag !== null) reply.header('etag', written.etag)
  if (written.replayed) reply.header('idempotency-replayed', 'true')
  return written.body === null ? reply.send() : sendJson(reply, written.body)
}

/** Responds to every error in the shape of the record interface 1.4; only the log has the cause. */
export const answerErrors = (app: FastifyInstance): void => {
  app.setErrorHandler<FastifyError | ApiError>((error, request, reply) =>
    answerError(error, request, reply),
  )
  app.setNotFoundHandler(() => {
    throw new ApiError(404)
  })
}

/**
 * Responds to one error, including errors before routing.
 * @param bodyOf the shape of the body, for interfaces that have their own
 */
export const answerError = (
  error: FastifyError | ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
  bodyOf: (answer: ApiError) => object = ({ body }) => body,
): FastifyReply => {
  const answer = toApiError(error, request)
  if (answer.status >= 500) request.log.error({ err: error }, 'request failed')
  else if (answer.cause !== undefined) request.log.warn({ err: answer.cause }, 'request refused')
  for (const name of OF_SUCCESS) reply.removeHeader(name)
  if (answer.retryAfterS !== undefined) reply.header('retry-after', answer.retryAfterS)
  return reply
    .code(answer.status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify(bodyOf(answer)))
}

/** Headers of a successful response, which a route may have set before it failed. */
const OF_SUCCESS = ['etag', 'link', 'content-disposition', 'x-limit', 'x-total-count']

/**
 * Codes of PostgreSQL, sockets and disks for transient errors, or errors that can be fixed while the server runs: the
 * database restarts, is overloaded or read-only; the disk is full, unmounted or locked. If a column, table or function
 * is missing (42703, 42P01, 42883), a newer version is replacing it while this process still runs (decision 0168).
 */
const PASSING =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|EPIPE|ENOENT|ENOTDIR|ENOSPC|EDQUOT|EIO|EROFS|EACCES|EPERM|EMFILE|ENFILE|CONNECT_TIMEOUT|CONNECT_READ_ONLY|CONNECTION_ENDED|57P0[1-5]|57014|58030|53\d{3}|08\d{3}|25006|40001|40P01|42703|42883|42P01|55P03)$/

/** Class 22 of PostgreSQL, data exceptions: a value of the request is outside of the range of its type. */
const UNFIT_VALUE = /^22\w{3}$/

const toApiError = (error: FastifyError | ApiError, request: FastifyRequest): ApiError => {
  if (error instanceof ApiError) return error
  if (error.statusCode === 413) return new ApiError(413)
  if (error.statusCode === 415 || error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ApiError(400, 'Unsupported Content-Type.')
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new ApiError(error.statusCode === 404 ? 404 : 400, undefined, {}, { cause: error })
  if (UNFIT_VALUE.test(error.code ?? '')) return new ApiError(400, undefined, {}, { cause: error })
  // A retry would time out as well.
  if (error.code === QUERY_CANCELED && ['GET', 'HEAD'].includes(request.method))
    return new ApiError(400, 'The query takes too long: ask for less.', {}, { cause: error })
  if (error instanceof DependencyError || PASSING.test(error.code ?? ''))
    return new ApiError(503, undefined, {}, { cause: error, retryAfterS: RETRY_AFTER_S.overload })
  return new ApiError(500, undefined, {}, { cause: error })
}

import type { Readable } from 'node:stream'

import type { FastifyInstance, FastifyRequest } from 'fastify'

import { ApiError } from '#domain/error.ts'
import { MAX_BODY_BYTES } from '#domain/limits.ts'

import { callerOf, unauthorized } from '../caller.ts'
import { createAddressLimiter } from '../concurrency.ts'
import { SMALL_BODY_BYTES, type Limits, RETRY_AFTER_S } from '../limits.ts'
import type { Overload } from '../metrics/metrics.ts'
import { addressKey } from './address.ts'
import { meterBody } from './meter.ts'
import { createCallerQueue, type CallerSlot } from './caller-queue.ts'
import { FairShares, type ExceededLimit, type Share } from './fair-shares.ts'

/** The current load of the server. */
export interface Load {
  readonly working: number
  readonly publicReads: number
  readonly uploads: number
  readonly heldBytes: number
}

export interface AdmissionDeps {
  readonly limits: Limits
  /** Called for each refused request, with the limit that was reached. */
  readonly onRefused: (reason: Overload) => void
}

/** The resources that one request occupies. */
interface Grant {
  /** The share of its body; undefined for a small one. */
  readonly share: Share | undefined
  readonly isUpload: boolean
  /** Releases its slot in the concurrency limit while it is processed. */
  release?: () => void
  /** Its slot among the requests of its account. */
  callerSlot?: CallerSlot | undefined
}

/**
 * The concurrency limits. Public reads have their own, so that a flood of them does not block the requests of owners.
 */
type ConcurrencyLimit = 'working' | 'publicReads'
const concurrencyLimitOf = ({ routeOptions: { config } }: FastifyRequest): ConcurrencyLimit =>
  config.kind === 'publicRead' ? 'publicReads' : 'working'

/**
 * Sheds load: once a concurrency limit is reached, further requests get 503 with `Retry-After` before any work is done,
 * so that admitted requests stay fast and memory stays bounded. A request counts while it is processed, not while a
 * slow connection sends it or receives the response. An upload is read while it is processed, so uploads have a
 * separate limit; long bodies that are buffered share a number of bytes. Both are shared fairly, see `FairShares`; an
 * account or address that exceeds its own share gets 429. Public reads have their own limit, of which one address gets
 * only a part. A few requests of one account are processed at a time; the others wait. Health checks, metrics and event
 * streams are exempt.
 * @returns the current load
 */
export const admitRequests = (
  app: FastifyInstance,
  { limits, onRefused }: AdmissionDeps,
): (() => Load) => {
  const { refusal, shareRefusal } = createRefusals(onRefused)
  const concurrency = createConcurrencyLimits(limits, refusal)
  const { uploads, held } = createShares(limits)
  const acquireCallerSlot = createCallerQueue({
    concurrency: limits.workingPerCaller,
    maxQueue: limits.waitingPerCaller,
  })
  const grants = new WeakMap<FastifyRequest, Grant>()

  const release = (request: FastifyRequest): void => {
    const grant = grants.get(request)
    if (grant === undefined) return
    grants.delete(request)
    grant.release?.()
    grant.callerSlot?.release()
    if (grant.share !== undefined) (grant.isUpload ? uploads : held).release(grant.share)
  }
  /**
   * Admits a body, which takes a share if it is long. @throws ApiError 429 if its account or address exceeds its limit,
   * 503 if all bodies exceed theirs
   */
  const meter = (request: FastifyRequest, body: Readable): Readable => {
    const isUpload = isStreamed(request)
    const [shares, reason] = isUpload ? [uploads, 'uploads' as const] : [held, 'bytes' as const]
    const stated = statedBytes(request)
    const isUnstated = !isUpload && stated === undefined && !isUncounted(request)
    const metered = meterBody(body, {
      maxBytes: maxBytesOf(request),
      paceMs: limits.paceMs,
      onBytes: (bytes) => {
        // A body of undeclared length takes its share as it arrives.
        const exceeded = isUnstated && grants.has(request) && held.take(share, bytes)
        if (exceeded) throw shareRefusal(exceeded, 'bytes')
      },
    })
    if (isUncounted(request)) return metered
    const share: Share = {
      caller: callerOf(request).id ?? '',
      address: addressKey(request.ip),
      pace: () => metered.pace(),
      abort: (exceeded) => metered.destroy(shareRefusal(exceeded, reason)),
    }
    const exceeded = shares.take(share, isUpload ? 1 : (stated ?? 0))
    if (exceeded !== undefined) {
      metered.destroy()
      throw shareRefusal(exceeded, reason)
    }
    grants.set(request, { share, isUpload })
    return metered
  }

  app.addHook('onRequest', (request, _reply, done) => {
    const limit = concurrencyLimitOf(request)
    const isFull = concurrency.isFull(limit) && !isExempt(request) && !isStreamed(request)
    done(isFull ? refusal(limit) : undefined)
  })
  // By now the caller is known, and rate limits have been applied.
  app.addHook('preParsing', (request, _reply, body: Readable, done) => {
    if (!hasBody(request)) return done()
    try {
      demandReader(request)
      const isPlain = !isStreamed(request) && isSmall(request)
      done(null, isPlain ? body : meter(request, body))
    } catch (error) {
      done(error as Error)
    }
  })
  // By now the body has been read, unless it is an upload.
  app.addHook('preValidation', (request, _reply, done) => {
    const grant = grants.get(request) ?? { share: undefined, isUpload: false }
    if (isExempt(request) || grant.isUpload) return done()
    grants.set(request, grant)
    const limit = concurrencyLimitOf(request)
    const begin = (): void => {
      try {
        grant.release = concurrency.acquire(limit, request.ip)
      } catch (error) {
        return done(error as Error)
      }
      done()
    }
    const { id } = callerOf(request)
    const isQueued = limit === 'working' && request.routeOptions.config.skipsCallerQueue !== true
    if (id === null || !isQueued) return begin()
    grant.callerSlot = acquireCallerSlot(id, begin)
    if (grant.callerSlot === undefined) return done(refusal(limit))
    if (grant.callerSlot.hasBegun) begin()
  })
  app.addHook('onSend', async (request) => release(request))
  // For responses that bypass `onSend`.
  app.addHook('onResponse', async (request) => release(request))
  return () => ({ ...concurrency.load(), uploads: uploads.used, heldBytes: held.used })
}

const createRefusals = (onRefused: AdmissionDeps['onRefused']) => {
  const refusal = (reason: Overload): ApiError => {
    onRefused(reason)
    return new ApiError(503, undefined, {}, { retryAfterS: RETRY_AFTER_S.overload })
  }
  return {
    refusal,
    /** Only the limit of all is overload of the server. The other two concern one client, which gets 429. */
    shareRefusal: (exceeded: ExceededLimit, reason: Overload): ApiError =>
      exceeded === 'all'
        ? refusal(reason)
        : new ApiError(429, undefined, {}, { retryAfterS: RETRY_AFTER_S.overload }),
  }
}

/** The concurrency limits: of all requests that are processed, and of public reads per address. */
const createConcurrencyLimits = (
  limits: Limits,
  refusal: (reason: ConcurrencyLimit) => ApiError,
) => {
  const taken: Record<ConcurrencyLimit, number> = { working: 0, publicReads: 0 }
  const beginRead = createAddressLimiter({
    perAddress: limits.publicReadsPerAddress,
    retryAfterS: RETRY_AFTER_S.overload,
  })
  const isFull = (limit: ConcurrencyLimit): boolean => taken[limit] >= limits[limit]
  return {
    isFull,
    /** @returns a function that releases the slot; throws ApiError 503, or 429 if the address has too many */
    acquire: (limit: ConcurrencyLimit, ip: string): (() => void) => {
      if (isFull(limit)) throw refusal(limit)
      const endRead = limit === 'publicReads' ? beginRead(addressKey(ip)) : undefined
      taken[limit] += 1
      return () => {
        taken[limit] -= 1
        endRead?.()
      }
    },
    load: (): Readonly<Record<ConcurrencyLimit, number>> => ({ ...taken }),
  }
}

const createShares = (
  limits: Limits,
): { readonly uploads: FairShares; readonly held: FairShares } => {
  const { slowBytesPerS } = limits
  return {
    uploads: new FairShares({
      total: limits.uploads,
      perCaller: limits.uploadsPerCaller,
      perAddress: limits.uploadsPerAddress,
      slowBytesPerS,
    }),
    held: new FairShares({
      total: limits.heldBytes,
      perCaller: limits.heldBytesPerCaller,
      perAddress: limits.heldBytesPerAddress,
      slowBytesPerS,
    }),
  }
}

/** Health checks and metrics, and event streams, which are limited by address. */
const isExempt = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  config.kind === 'monitoring' || config.kind === 'eventStream'

/** Refuses a body immediately if no route reads it, if it is compressed, or if it is too long. */
const demandReader = (request: FastifyRequest): void => {
  if (request.is404) throw new ApiError(404)
  const { 'content-encoding': encoding = 'identity' } = request.headers
  if (encoding.toLowerCase() !== 'identity')
    throw new ApiError(400, 'Unsupported Content-Encoding.')
  const stated = statedBytes(request) ?? 0
  if (stated > limitOf(request)) throw new ApiError(413)
  if (stated > maxBytesOf(request)) throw unauthorized()
}

const maxBytesOf = (request: FastifyRequest): number => {
  const { acceptsGuestBodies = false } = request.routeOptions.config
  return !acceptsGuestBodies && callerOf(request).id === null
    ? Math.min(SMALL_BODY_BYTES, limitOf(request))
    : limitOf(request)
}

/** A buffered body is never larger than the buffer limit of an account. */
const limitOf = (request: FastifyRequest): number => {
  const { bodyLimit } = request.routeOptions
  return isStreamed(request) ? bodyLimit : Math.min(bodyLimit, MAX_BODY_BYTES)
}

/** Only forms are streamed. */
const isStreamed = ({ headers, routeOptions: { config } }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('multipart/form-data') === true &&
  config.buffersForms !== true

const statedBytes = ({ headers }: FastifyRequest): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined

const hasBody = (request: FastifyRequest): boolean =>
  request.method !== 'GET' && request.method !== 'HEAD' && statedBytes(request) !== 0

const isSmall = (request: FastifyRequest): boolean =>
  (statedBytes(request) ?? Infinity) <= SMALL_BODY_BYTES

/** Whether a body is read completely before the request is admitted. */
export const isBuffered = (request: FastifyRequest): boolean =>
  !isStreamed(request) || isUncounted(request)

/** Whether a body is not counted because its size or its limit is small. */
const isUncounted = (request: FastifyRequest): boolean =>
  isSmall(request) || maxBytesOf(request) <= SMALL_BODY_BYTES

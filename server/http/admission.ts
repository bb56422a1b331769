import type { FastifyInstance, FastifyRequest } from 'fastify'

import { API } from '#domain/api.ts'
import { ApiError } from '#domain/error.ts'

import type { Bounds } from '../bounds.ts'
import type { Overload } from '../metrics/metrics.ts'

/** What is being done for clients at this moment. */
export interface Load {
  readonly working: number
  readonly uploads: number
  readonly heldBytes: number
}

export interface AdmissionDeps {
  readonly bounds: Bounds
  /** Called for each request that is refused, with what there was too much of. */
  readonly onRefused: (reason: Overload) => void
}

/** How long clients are asked to stay away, in seconds. */
const RETRY_AFTER_S = 2
/** Smaller bodies are not counted: all that may be worked on at once are few. */
const SMALL_BYTES = 64 * 1024

/** What one request takes up. */
interface Place {
  readonly isUpload: boolean
  readonly bytes: number
  isWorking: boolean
}

/**
 * Answers 503 with `Retry-After` to what comes on top of what can be done, before anything is done
 * for it; so those who are let in are answered as quickly as ever, and the memory stays bounded. A
 * request takes up its place while it is worked on: not while a slow line still sends it, nor while
 * a slow one takes the answer. An upload is read from the line while it is worked on, so uploads
 * have places of their own. Who watches over the server, and who listens for changes, needs none.
 * @returns what there is to do now
 */
export const admitRequests = (
  app: FastifyInstance,
  { bounds, onRefused }: AdmissionDeps,
): (() => Load) => {
  const load = { working: 0, uploads: 0, heldBytes: 0 }
  const places = new WeakMap<FastifyRequest, Place>()

  const refusal = (reason: Overload): ApiError => {
    onRefused(reason)
    return new ApiError(503, undefined, {}, { retryAfterS: RETRY_AFTER_S })
  }
  const leave = (request: FastifyRequest): void => {
    const place = places.get(request)
    if (place === undefined) return
    places.delete(request)
    load.heldBytes -= place.bytes
    if (place.isWorking) load.working -= 1
    if (place.isUpload) load.uploads -= 1
  }

  app.addHook('onRequest', (request, _reply, done) => {
    if (needsNoPlace(request)) return done()
    const isUpload = request.headers['content-type']?.startsWith('multipart/form-data') === true
    const bytes = isUpload ? 0 : bytesToHold(request, bounds.heldBytes)
    if (isUpload && load.uploads >= bounds.uploads) return done(refusal('uploads'))
    if (!isUpload && load.working >= bounds.working) return done(refusal('working'))
    if (load.heldBytes + bytes > bounds.heldBytes) return done(refusal('bytes'))
    places.set(request, { isUpload, bytes, isWorking: false })
    load.heldBytes += bytes
    if (isUpload) load.uploads += 1
    done()
  })
  // Now its body is there, if it has one.
  app.addHook('preValidation', (request, _reply, done) => {
    const place = places.get(request)
    if (place === undefined || place.isUpload) return done()
    if (load.working >= bounds.working) return done(refusal('working'))
    place.isWorking = true
    load.working += 1
    done()
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    leave(request)
    done()
  })
  // Whatever was answered past the framework.
  app.addHook('onResponse', (request, _reply, done) => {
    leave(request)
    done()
  })
  return () => load
}

/** What it takes to know how the server is, and streams, which are counted by address. */
const needsNoPlace = ({ method, routeOptions: { url } }: FastifyRequest): boolean =>
  [API.health, API.ready, API.metrics].some((path) => url?.endsWith(path)) ||
  (method === 'GET' && url?.endsWith(API.realtime) === true)

/** Bytes of a body that is read as a whole; who does not say how long it is may take all there is. */
const bytesToHold = ({ headers }: FastifyRequest, most: number): number => {
  if (headers['transfer-encoding'] !== undefined) return Math.floor(most / 2)
  const bytes = Number(headers['content-length'] ?? 0)
  return bytes > SMALL_BYTES ? Math.min(bytes, most) : 0
}

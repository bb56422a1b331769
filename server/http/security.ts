import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { API } from '#domain/api.ts'
import { ApiError } from '#domain/error.ts'

import type { Config } from '../config.ts'
import { callerOf } from './identity.ts'

/** The headers that keep a page of ours from running or showing anything but our own. */
export const sendSecurityHeaders = async (app: FastifyInstance, config: Config): Promise<void> => {
  const isPublic = config.publicUrl.startsWith('https:')
  const foreign = [config.analyticsHost, config.mapStyleUrl].filter((url) => URL.canParse(url))
  const origins = foreign.map((url) => new URL(url).origin)
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...origins],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...origins],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Signing in by popup needs the opener (record interface 5.5).
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: isPublic && { maxAge: 31_536_000 },
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(), microphone=(), geolocation=(self)')
  })
}

/** A kind of request with a limit of its own, per minute (decisions 8). */
interface Limit {
  readonly name: string
  readonly perMinute: number
  /** Whom the requests are counted for. */
  readonly countedBy: 'address' | 'account'
  readonly covers: (request: FastifyRequest) => boolean
}

const LIMITS: readonly Limit[] = [
  {
    name: 'sign-in',
    perMinute: 30,
    countedBy: 'address',
    covers: (request) =>
      asksFor(request, API.authWithOAuth2(':collection'), API.authWithPassword(':collection')),
  },
  {
    name: 'mails',
    perMinute: 10,
    countedBy: 'address',
    covers: (request) =>
      asksFor(
        request,
        API.requestPasswordReset(':collection'),
        API.requestVerification(':collection'),
      ),
  },
  {
    name: 'writes',
    perMinute: 600,
    countedBy: 'account',
    covers: (request) => !['GET', 'HEAD', 'OPTIONS'].includes(request.method),
  },
  { name: 'others', perMinute: 3000, countedBy: 'address', covers: () => true },
]

/** By the route that was found: an address can be spelled in more than one way. */
const asksFor = (request: FastifyRequest, ...paths: readonly string[]): boolean =>
  paths.some((path) => request.routeOptions.url?.endsWith(path))

const limitOf = (request: FastifyRequest): Limit => {
  const limit = LIMITS.find((candidate) => candidate.covers(request))
  if (limit === undefined) throw new TypeError('a request without a limit')
  return limit
}

/** Answers 429 with `Retry-After` to whoever asks more than is reasonable. */
export const limitRates = async (app: FastifyInstance): Promise<void> => {
  await app.register(rateLimit, {
    global: true,
    timeWindow: 60_000,
    max: (request) => limitOf(request).perMinute,
    keyGenerator: (request) => {
      const { name, countedBy } = limitOf(request)
      const account = countedBy === 'account' ? callerOf(request).id : null
      return `${name} ${account ?? request.ip}`
    },
    errorResponseBuilder: (_request, { ttl }) =>
      new ApiError(429, undefined, {}, { retryAfterS: Math.ceil(ttl / 1000) }),
  })
}

/** Lets the configured foreign origins call the API from a browser (record interface 1.1). */
export const allowOrigins = (app: FastifyInstance, origins: readonly string[]): void => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    const allowed = origin !== undefined && origins.includes(origin)
    if (allowed) {
      reply.header('access-control-allow-origin', origin)
      reply.header('access-control-expose-headers', 'ETag, Retry-After')
    }
    if (request.method !== 'OPTIONS') return
    if (allowed) {
      reply
        .header('access-control-allow-methods', 'GET,HEAD,PUT,PATCH,POST,DELETE')
        .header(
          'access-control-allow-headers',
          request.headers['access-control-request-headers'] ?? '*',
        )
    }
    return reply.code(204).send()
  })
}

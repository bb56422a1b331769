import { createHash } from 'node:crypto'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { OPEN_PATHS, PUBLIC_PATHS } from '#domain/paths.ts'

import type { Config } from '../config.ts'

/** The security headers of every response. */
export interface SecurityHeaders {
  /** For responses other than pages: nothing in them may run, load or be framed. */
  readonly common: Readonly<Record<string, string>>
  /** For pages of the app, instead. */
  readonly page: Readonly<Record<string, string>>
  /** The content security policy of a script, which applies while it runs as a worker. */
  readonly scriptPolicy: string
  /** The content security policy of a page that contains this script inline, identified by its hash. */
  readonly policyWith: (script: string) => string
  /** For pages that any page may frame, in addition to the headers of pages; undefined removes a header. */
  readonly framed: Readonly<Record<string, string | undefined>>
}

type SecuritySettings = Pick<Config, 'publicUrl' | 'analyticsHost' | 'mapStyleUrl'>

/** Browser features that the app does not use. */
const FEATURES_OFF = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]

/** Builds the security headers for these settings. */
export const securityHeaders = (config: SecuritySettings): SecurityHeaders => {
  const foreign = [config.analyticsHost, config.mapStyleUrl].filter((url) => URL.canParse(url))
  const origins = foreign.map((url) => new URL(url).origin)
  const pagePolicy = (scripts: readonly string[], framedBy = "'none'"): string =>
    policy({
      'default-src': ["'none'"],
      'script-src': ["'self'", ...scripts.map(hashSource)],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:', 'blob:', ...origins],
      'font-src': ["'self'"],
      'connect-src': ["'self'", ...origins],
      'worker-src': ["'self'"],
      'manifest-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': [framedBy],
    })
  return {
    common: {
      'content-security-policy': policy({
        'default-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
        'frame-ancestors': ["'none'"],
      }),
      // Sign-in in a popup needs the opener (record interface 5.5).
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      ...(config.publicUrl.startsWith('https:') && {
        'strict-transport-security': 'max-age=31536000',
      }),
    },
    page: {
      'permissions-policy': [
        'geolocation=(self)',
        ...FEATURES_OFF.map((feature) => `${feature}=()`),
      ].join(', '),
      'content-security-policy': pagePolicy([]),
    },
    scriptPolicy: policy({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'connect-src': ["'self'", ...origins],
      'frame-ancestors': ["'none'"],
    }),
    policyWith: (script) => pagePolicy([script]),
    framed: {
      'content-security-policy': pagePolicy([], '*'),
      // A page with `Cross-Origin-Embedder-Policy` frames only pages that allow it.
      'cross-origin-resource-policy': 'cross-origin',
      'x-frame-options': undefined,
    },
  }
}

/** The source expression of an inline element (Content Security Policy 3, 2.3.1). */
const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policy = (directives: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')

/** Sends the headers with every response, including 404. */
export const sendSecurityHeaders = (
  app: FastifyInstance,
  { common, page }: SecurityHeaders,
): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(common).header('x-request-id', request.id)
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html')
    // A page with its own policy keeps it.
    const own = reply.getHeader('content-security-policy')
    if (isPage) reply.headers(page)
    if (isPage && own !== common['content-security-policy'])
      reply.header('content-security-policy', own)
    done()
  })
}

/** Sends the headers with a response before routing. */
export const secureReply = (reply: FastifyReply, { common }: SecurityHeaders): FastifyReply =>
  reply.headers(common).header('x-request-id', reply.request.id)

/** CORS for the configured origins (record interface 1.1), and for every origin on public routes. */
export const allowOrigins = (app: FastifyInstance, config: AllowedOrigins): void => {
  const origins = config.corsOrigins
  const open = [PUBLIC_PATHS, OPEN_PATHS].map((path) => config.basePath + path)
  app.addHook('onRequest', async (request, reply) => {
    if (open.some((path) => request.url.startsWith(path))) return allowEverybody(request, reply)
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    const allowed = origin !== undefined && origins.includes(origin)
    if (allowed) {
      reply.header('access-control-allow-origin', origin)
      reply.header('access-control-expose-headers', 'ETag, Retry-After, X-Request-Id')
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

interface AllowedOrigins {
  readonly corsOrigins: readonly string[]
  readonly basePath: string
}

/** CORS for requests without a token. */
const allowEverybody = (request: FastifyRequest, reply: FastifyReply) => {
  reply
    .header('access-control-allow-origin', '*')
    .header(
      'access-control-expose-headers',
      'ETag, Link, Retry-After, X-Correlation-Id, X-Limit, X-Request-Id, X-Total-Count',
    )
    .header('cross-origin-resource-policy', 'cross-origin')
  if (request.method !== 'OPTIONS') return
  return (
    reply
      .header('access-control-allow-methods', 'GET,HEAD,POST')
      // Every request of OCPI has the two ids.
      .header(
        'access-control-allow-headers',
        'Content-Type, If-None-Match, X-Correlation-Id, X-Request-Id',
      )
      .header('access-control-max-age', '86400')
      .code(204)
      .send()
  )
}

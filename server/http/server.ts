import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

import Fastify, { type FastifyInstance } from 'fastify'

import { ApiError } from '#domain/error.ts'
import { MAX_BODY_BYTES } from '#domain/limits.ts'

import { isLoopback, type Config } from '../config.ts'
import { logOptions } from '../log/log.ts'
import { isPrivate } from './address.ts'
import { connectionOptions, type ConnectionsDeps } from './connections.ts'
import { answerError } from './respond.ts'
import { secureReply } from './security.ts'

export interface HttpServerDeps {
  readonly config: Pick<Config, 'basePath' | 'logLevel' | 'publicUrl' | 'trustProxy'>
  readonly connections: ConnectionsDeps
  /** Receives each line of the log, a JSON object without the line end. */
  readonly log: (line: string) => void
}

/** Stored names are longer than Fastify's default for a path parameter. */
const MAX_PARAM_LENGTH = 200

/** Creates Fastify with the options of every route; hooks and routes are registered afterwards. */
export const createHttpServer = ({ config, connections, log }: HttpServerDeps): FastifyInstance => {
  const { trustProxy } = config
  const app = Fastify({
    ...connectionOptions(connections),
    ...logOptions({ level: config.logLevel, write: log }),
    bodyLimit: MAX_BODY_BYTES,
    // Reading the files of the app at the start may take long on a busy machine.
    pluginTimeout: 0,
    // Only one proxy is trusted; `X-Forwarded-For` beyond it comes from the client.
    trustProxy: trustProxy && ((_address: string, hop: number) => hop === 0),
    genReqId: (request) => (trustProxy && idOfProxy(request)) || randomUUID(),
    // While the server stops, requests on open connections are still served.
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => wellFormed(url, config.basePath),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, querystringParser: readQuery },
    frameworkErrors: (error, request, reply) =>
      void answerError(error, request, secureReply(reply, connections.headers)),
  })
  noticeProxy(app, config)
  return app
}

/** A host with an optional port (RFC 9110, 7.2); empty for a target without one. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/**
 * Refuses a request of HTTP/1.1 without a host, and any with several or an invalid one (RFC 9112, 3.2): a proxy could
 * have taken another of them for the destination.
 */
export const demandHost = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    const { httpVersion, rawHeaders } = request.raw
    const hosts = rawHeaders.filter(
      (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host',
    )
    const isMissing = hosts.length === 0 && httpVersion !== '1.0'
    if (isMissing || hosts.length > 1 || hosts.some((host) => !HOST.test(host)))
      done(new ApiError(400, 'The request needs one valid Host header.'))
    else done()
  })
}

/**
 * Logs once that a proxy forwards requests although the server does not trust one: all visitors then share one address.
 * Any client may send the header, but not from a private address.
 */
const noticeProxy = (
  app: FastifyInstance,
  { publicUrl, trustProxy }: HttpServerDeps['config'],
): void => {
  if (trustProxy || isLoopback(new URL(publicUrl).hostname)) return
  let isTold = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isTold && request.headers['x-forwarded-for'] && isPrivate(request.ip)) {
      isTold = true
      app.log.warn('all visitors share the limits of the proxy: set TRUST_PROXY to on')
    }
    done()
  })
}

/**
 * Escapes the percent signs of an address whose path is not well-formed, for example because a link is cut off within
 * an encoded letter. Users then get the page of the site that it names, or the page for unknown addresses. The API
 * refuses such an address.
 */
const wellFormed = (url: string, basePath: string): string => {
  const [path = ''] = url.split('?', 1)
  if (path.startsWith(`${basePath}/api/`)) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

/** Of a repeated parameter, the first value counts (record interface 1.3). */
const readQuery = (text: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(text)].toReversed())

/** The request id from the installation's proxy. */
const idOfProxy = ({ headers }: IncomingMessage): string | undefined => {
  const id = headers['x-request-id']
  return typeof id === 'string' && /^[\w-]{8,64}$/.test(id) ? id : undefined
}

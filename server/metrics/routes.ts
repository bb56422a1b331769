import { createHash, timingSafeEqual } from 'node:crypto'

import type { FastifyInstance, FastifyRequest } from 'fastify'

import { SERVICE_API } from '#domain/paths.ts'

import { isLoopback, type Config } from '../config.ts'
import type { Metrics } from './metrics.ts'

type Settings = Pick<Config, 'metricsToken' | 'publicUrl' | 'trustProxy'>

/** Serves the metrics to requests with the token, and to programs on the same computer. Any other request gets 404. */
export const metricsRoutes = (
  app: FastifyInstance,
  metrics: Pick<Metrics, 'render'>,
  settings: Settings,
): void => {
  app.get(SERVICE_API.metrics, { config: { kind: 'monitoring' } }, async (request, reply) => {
    if (!hasToken(request, settings.metricsToken) && !isNeighbour(request, settings))
      return reply.callNotFound()
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(await metrics.render())
  })
}

const hasToken = ({ headers }: FastifyRequest, token: string | undefined): boolean => {
  const sent = /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (token === undefined || sent === undefined) return false
  const [one, other] = [sent, token].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const

/**
 * Whether the request comes from a program on this computer. Requests through a local proxy do so, too, but have
 * forwarding headers, which a proxy sends if `TRUST_PROXY` is set. If the public address is another computer and no
 * proxy is declared, no request counts as local.
 */
const isNeighbour = (
  { raw, headers }: FastifyRequest,
  { publicUrl, trustProxy }: Settings,
): boolean => {
  if (!trustProxy && !isLoopback(new URL(publicUrl).hostname)) return false
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false
  const [host = ''] = /^(\[.*\]|[^:]*)/.exec(headers.host ?? '') ?? []
  const address = (raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  return isLoopback(address) && isLoopback(host)
}

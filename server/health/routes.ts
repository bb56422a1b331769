import type { FastifyInstance } from 'fastify'

import { RETRY_AFTER_S } from '../limits.ts'
import { SERVICE_API } from '#domain/paths.ts'
import { ApiError } from '#domain/error.ts'

import type { Readiness } from './health.ts'

export interface HealthRoutesDeps {
  readonly readiness: Readiness
  readonly isStopping: () => boolean
}

const STOPPING = { name: 'server', sentence: 'The server is stopping.' }

/** Liveness and readiness. */
export const healthRoutes = (app: FastifyInstance, deps: HealthRoutesDeps): void => {
  const monitoring = { config: { kind: 'monitoring' } } as const
  app.get(SERVICE_API.health, monitoring, () => ({
    message: 'API is healthy.',
    code: 200,
    data: {},
  }))

  app.get(SERVICE_API.ready, monitoring, async (_request, reply) => {
    const broken = deps.isStopping() ? [STOPPING] : await deps.readiness()
    reply.header('cache-control', 'no-store')
    if (broken.length === 0) return { message: 'Ready.', code: 200, data: {} }
    const message = broken.map(({ sentence }) => sentence).join(' ')
    const data = Object.fromEntries(
      broken.map((part) => [part.name, { code: 'not_ready', message: part.sentence }]),
    )
    // Not logged: load balancers ask every few seconds.
    return reply
      .code(503)
      .header('retry-after', RETRY_AFTER_S.overload)
      .send(new ApiError(503, message, data).body)
  })
}

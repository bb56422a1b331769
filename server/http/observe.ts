import type { FastifyInstance } from 'fastify'

import { API } from '#domain/paths.ts'
import { ApiError } from '#domain/error.ts'

import type { Metrics } from '../metrics/metrics.ts'
import { dependencyOf } from './dependency.ts'

/**
 * Records every response in the metrics and as one line of the log, under the pattern of the route: the URL would
 * disclose the request.
 */
export const observeRequests = (app: FastifyInstance, metrics: Metrics): void => {
  app.addHook('onRoute', ({ url, method }) => {
    for (const each of [method].flat()) metrics.route(labelOf(url), each)
  })
  app.addHook('onError', (request, _reply, error, done) => {
    const isSearch = request.routeOptions.url?.endsWith(API.geocode) === true
    const dependency = isSearch && hasStatus(error, 503) ? 'geocoder' : dependencyOf(error)
    if (dependency !== undefined) metrics.failed(dependency)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, headers, routeOptions } = request
    const route = routeOptions.url === undefined ? 'none' : labelOf(routeOptions.url)
    const status = reply.statusCode
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const isUpload = headers['content-type']?.startsWith('multipart/form-data') === true
    // The duration of an event stream is meaningless.
    const isStream = routeOptions.config.kind === 'eventStream'
    metrics.answered({
      route,
      method,
      status,
      seconds: isStream ? undefined : ms / 1000,
      uploadBytes: isUpload ? Number(headers['content-length'] ?? 0) || 0 : 0,
    })
    request.log.info({ method, route, status, ms }, 'answered')
    done()
  })
}

/** File names differ in each build, so all files of a build count as one route. */
const labelOf = (url: string): string => url.replace(/(\/assets\/).+$/, '$1*')

const hasStatus = (error: Error, status: number): boolean =>
  error instanceof ApiError && error.status === status

import { join } from 'node:path'

import compress from '@fastify/compress'
import type { FastifyInstance, RouteOptions } from 'fastify'

import type { Schema } from '#domain/collection.ts'
import { SCHEMA } from '#domain/collections.ts'

import { authRoutes } from './auth/routes.ts'
import { batchRoutes } from './batch/routes.ts'
import { LIMITS, type Limits } from './limits.ts'
import { identifyCallers } from './caller.ts'
import type { Config } from './config.ts'
import { askState, unsafeDurabilitySettings } from './db/status.ts'
import { primaryAlone, type Replicas } from './db/replicas.ts'
import type { Sql } from './db/sql.ts'
import { duplicateRoutes } from './duplicates/routes.ts'
import { exportRoutes } from './export/routes.ts'
import { imageLoad } from './files/images.ts'
import { fileRoutes } from './files/routes.ts'
import { geocodeRoutes } from './geocode/routes.ts'
import { healthRoutes } from './health/routes.ts'
import { admitRequests } from './http/admission.ts'
import { acceptBodies } from './http/body.ts'
import { guardConnections, type ConnectionsDeps } from './http/connections.ts'
import { createLinger } from './http/linger.ts'
import { observeRequests } from './http/observe.ts'
import { servePage } from './http/page.ts'
import { answerErrors } from './http/respond.ts'
import { registerPublicReads } from './http/route-config.ts'
import { allowOrigins, securityHeaders, sendSecurityHeaders } from './http/security.ts'
import { createHttpServer, demandHost } from './http/server.ts'
import { importRoutes } from './imports/routes.ts'
import { manageLifecycle, type Lifecycle } from './lifecycle.ts'
import { makePrivateFolder } from './local-file.ts'
import { limitRates, RATE_LIMIT_NAMES } from './rate-limit/rate-limit.ts'
import { createMetrics, type Metrics, type Usage } from './metrics/metrics.ts'
import { metricsRoutes } from './metrics/routes.ts'
import { openRoutes } from './open/routes.ts'
import { openApiRoutes } from './openapi/routes.ts'
import { realtimeRoutes } from './realtime/routes.ts'
import { publicRoutes } from './public/routes.ts'
import { recordRoutes } from './records/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { sitePageRoutes } from './site-page/routes.ts'
import { createServices, type Services, type ServicesDeps } from './services.ts'
import type { Tracing } from './tracing/tracing.ts'
import { surviveUncaughtErrors } from './uncaught.ts'

export interface AppDeps extends Pick<ServicesDeps, 'config' | 'sql' | 'tokenSecret' | 'onHash'> {
  /** Where public reads go; by default, all of them to `sql`. */
  readonly replicas?: Replicas
  /** By default, the collections of the product. */
  readonly schema?: Schema | undefined
  /** The built web app; absent if another server delivers the page. */
  readonly webDir?: string
  /** Receives each line of the log, a JSON object without the line end. */
  readonly log: (line: string) => void
  /** Called when the process is in an undefined state and should be closed. */
  readonly onUnsound?: (error: unknown) => void
  /** Memory and processor time of the process; without it, the metrics omit them. */
  readonly usage?: () => Usage
  readonly tracing?: Tracing | undefined
  /** Limits to override in tests. */
  readonly limits?: Partial<Limits> | undefined
  /** Called once for each route; for tests that compare the routes with their description. */
  readonly onRoute?: (route: RouteOptions) => void
}

/** Creates the HTTP server: its services, hooks and routes. */
export const createApp = async (deps: AppDeps): Promise<FastifyInstance> => {
  const { config, sql, replicas = primaryAlone(sql), schema = SCHEMA } = deps
  const limits = { ...LIMITS, ...deps.limits }
  const tempDir = join(config.dataDir, 'tmp')
  await makePrivateFolder(tempDir)
  const metrics = createMetrics(RATE_LIMIT_NAMES)
  const headers = securityHeaders(config)
  const connectionsDeps: ConnectionsDeps = {
    limits: config.trustProxy ? { ...limits, connectionsPerAddress: Infinity } : limits,
    headers,
    onBroken: (status) => metrics.broken(status),
    onStalled: () => metrics.stalled(),
    onError: (error) => app.log.error({ err: error }, 'a connection could not be accepted'),
    linger: createLinger(limits),
  }
  const app = createHttpServer({ config, connections: connectionsDeps, log: deps.log })
  const stopSurviving = surviveUncaughtErrors({
    onSurvived: (error) => {
      metrics.survived()
      app.log.error({ err: error }, 'uncaught error')
    },
    onUnsound: (error) => {
      app.log.error({ err: error }, 'the database driver failed')
      deps.onUnsound?.(error)
    },
  })
  const off = await unsafeDurabilitySettings(sql)
  if (off.length > 0)
    app.log.warn(`a power cut may lose confirmed writes, turn on ${off.join(', ')}`)
  const services = await createServices({
    ...deps,
    replicas,
    schema,
    limits,
    metrics,
    log: app.log,
    tempDir,
  })

  // Hooks run in the order of their registration.
  if (deps.onRoute !== undefined) app.addHook('onRoute', deps.onRoute)
  deps.tracing?.requests(app)
  answerErrors(app)
  acceptBodies(app)
  const connections = guardConnections(app, connectionsDeps)
  sendSecurityHeaders(app, headers)
  observeRequests(app, metrics)
  demandHost(app)
  allowOrigins(app, config)
  const load = admitRequests(app, { limits, onRefused: (reason) => metrics.overloaded(reason) })
  identifyCallers(app, (request) => services.auth.identify(request))
  if (config.rateLimits)
    limitRates(app, {
      sql,
      onRefused: (limit) => metrics.limited(limit),
      onProblem: services.reportProblem('rate limits are counted per process'),
    })
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    // By default it also decompresses bodies, after they were measured: 424 bytes became 400 MiB of memory.
    globalDecompression: false,
  })

  const lifecycle = manageLifecycle(app, {
    sql,
    services,
    connections,
    reportMailsMs: limits.reportMailsMs,
    importsMs: limits.importsMs,
    stopDelayS: config.stopDelayS,
    onClosed: () => {
      metrics.close()
      stopSurviving()
    },
  })
  metrics.watch({
    load,
    streams: () => services.realtime.streams(),
    connections: () => connections.count(),
    images: imageLoad,
    mails: () => services.mailer.waiting(),
    database: () => askState(sql),
    replicas,
    usage: () => deps.usage?.(),
  })
  const parts = { config, sql, replicas, schema, limits, tempDir, services, metrics, lifecycle }
  await app.register(
    async (routes) => {
      registerRoutes(routes, parts)
      if (deps.webDir === undefined) return
      const page = { config, webDir: deps.webDir, ...headers }
      await registerPublicReads(routes, (reads) => sitePageRoutes(reads, { ...page, replicas }))
      await servePage(routes, page)
    },
    { prefix: config.basePath },
  )
  return app
}

interface RoutesDeps {
  readonly config: Config
  readonly sql: Sql
  readonly replicas: Replicas
  readonly schema: Schema
  readonly limits: Limits
  readonly tempDir: string
  readonly services: Services
  readonly metrics: Metrics
  readonly lifecycle: Lifecycle
}

/** Registers all routes of the API, below the base path. */
const registerRoutes = (routes: FastifyInstance, deps: RoutesDeps): void => {
  const { config, sql, replicas, schema, limits, tempDir, services, metrics, lifecycle } = deps
  const { basePath, productName } = config
  const { auth, recovery, records, files, thumbs, tokens } = services
  const isPublic = config.publicUrl.startsWith('https:')
  healthRoutes(routes, { readiness: services.readiness, isStopping: lifecycle.isStopping })
  metricsRoutes(routes, metrics, config)
  recordRoutes(routes, { records, tempDir, schema })
  batchRoutes(routes, services.batch, tempDir)
  const signsOutAtProvider = config.oidc?.signOut === true
  authRoutes(routes, { auth, recovery, records, tempDir, basePath, isPublic, signsOutAtProvider })
  realtimeRoutes(routes, services.realtime, {
    path: basePath,
    isPublic,
    schema,
    maxStreams: limits.streams,
  })
  fileRoutes(routes, { records, files, thumbs, tokens })
  exportRoutes(routes, { records, files, tokens, productName })
  geocodeRoutes(routes, services.geocode, records)
  duplicateRoutes(routes, sql, records)
  void registerPublicReads(routes, (reads) => {
    publicRoutes(reads, replicas)
    openRoutes(reads, { config, replicas, limits })
  })
  reportRoutes(routes, services.reports, tempDir)
  importRoutes(routes, { imports: services.imports, records, tempDir })
  openApiRoutes(routes, { ...config, declarations: schema.declarations })
}

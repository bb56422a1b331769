import { randomUUID } from 'node:crypto'
import { access, constants, mkdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import compress from '@fastify/compress'
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify'

import { MAX_BODY_BYTES, REDIRECT_PATHS } from '#domain/api.ts'
import type { ApiError } from '#domain/error.ts'

import { identifyCallers } from './caller.ts'
import { createAuth } from './auth/auth.ts'
import { createReadPassword } from './auth/credentials.ts'
import { createOidc } from './auth/oidc.ts'
import { createPasswords } from './auth/password.ts'
import { createRecovery } from './auth/recovery.ts'
import { authRoutes } from './auth/routes.ts'
import { createTokens } from './auth/token.ts'
import { createBatch } from './batch/batch.ts'
import { batchRoutes } from './batch/routes.ts'
import { BOUNDS, type Bounds } from './bounds.ts'
import type { Config } from './config.ts'
import { askState, settingsThatLose, type Sql } from './db/db.ts'
import { isMigrated } from './db/migrate.ts'
import type { Ownership } from './db/ownership.ts'
import { exportRoutes } from './export/routes.ts'
import { imageLoad } from './files/images.ts'
import { noteStore } from './files/store-owner.ts'
import { createOrphans } from './files/orphans.ts'
import { createRemovedFiles } from './files/removed.ts'
import { fileRoutes } from './files/routes.ts'
import { openFileStore } from './files/store.ts'
import { createThumbs } from './files/thumbs.ts'
import { createGeocode } from './geocode/geocode.ts'
import { geocodeRoutes } from './geocode/routes.ts'
import { createReadiness } from './health/health.ts'
import { healthRoutes } from './health/routes.ts'
import { admitRequests } from './http/admission.ts'
import { acceptBodies } from './http/body.ts'
import { dependencyOf } from './http/boundary.ts'
import { connectionOptions, guardConnections } from './http/connections.ts'
import { createLinger } from './http/linger.ts'
import { observeRequests } from './http/observe.ts'
import { servePage } from './http/page.ts'
import { answerError, answerErrors } from './http/respond.ts'
import { allowOrigins, secureReply, securityHeaders, sendSecurityHeaders } from './http/security.ts'
import { limitRates, sweepCounts } from './limits/limits.ts'
import { logOptions } from './log/log.ts'
import { createMailer } from './mail/mail.ts'
import { createMetrics, type Usage } from './metrics/metrics.ts'
import { metricsRoutes } from './metrics/routes.ts'
import { OperatorError } from './problem.ts'
import { createRealtime } from './realtime/realtime.ts'
import { realtimeRoutes } from './realtime/routes.ts'
import { openApiRoutes } from './openapi/routes.ts'
import { createRecords } from './records/records.ts'
import { recordRoutes } from './records/routes.ts'
import { createUnchanged, type Unchanged } from './records/unchanged.ts'
import { surviveUncaughtErrors } from './uncaught.ts'

export interface AppDeps {
  readonly config: Config
  readonly sql: Sql
  readonly tokenSecret: Uint8Array
  /** The built web app; absent where something else serves the page. */
  readonly webDir?: string
  /** Where a line of the log goes: a JSON object, without the line end. */
  readonly log: (line: string) => void
  /** Whether nobody else writes to the database; without it, others may. */
  readonly ownership?: Ownership | undefined
  /** Called when the process cannot be trusted any longer and should be closed. */
  readonly onUnsound?: (error: unknown) => void
  /** What the process uses; absent from the metrics when nobody says. */
  readonly usage?: () => Usage
  /** Bounds that differ; for tests that meet them. */
  readonly bounds?: Partial<Bounds> | undefined
  /** Called once for each password that is hashed; for tests that count. */
  readonly onHash?: (() => void) | undefined
  /** Called once for each route; for tests that hold the routes against what is said of them. */
  readonly onRoute?: (route: RouteOptions) => void
}

const DAY_S = 24 * 60 * 60
const SWEEP_MS = 10 * 60 * 1000
const ORPHANS_MS = 60 * 60 * 1000
/** Stored names are longer than what Fastify allows in a path by itself. */
const MAX_PARAM_LENGTH = 200

/** Of a repeated parameter the first value counts (record interface 1.3). */
const readQuery = (text: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(text)].toReversed())

/** The name that a proxy of ours has given a request. */
const idOfProxy = ({ headers }: IncomingMessage): string | undefined => {
  const id = headers['x-request-id']
  return typeof id === 'string' && /^[\w-]{8,64}$/.test(id) ? id : undefined
}

/** Everything that changes a record or a session comes with a request that is more than a question. */
const noticeWrites = (route: RouteOptions, unchanged: Unchanged): void => {
  const methods = [route.method].flat()
  if (methods.every((method) => ['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase()))) return
  const { handler } = route
  route.handler = function (request, reply) {
    const end = unchanged.begin()
    const answered: unknown = handler.call(this, request, reply)
    // With its answer, all that it writes is done.
    void Promise.resolve(answered).then(end, end)
    return answered
  }
}

const MIGRATIONS = join(import.meta.dirname, 'db/migrations')
/** The whole HTTP surface of the product, in one function. */
export const createApp = async (deps: AppDeps): Promise<FastifyInstance> => {
  const { config, sql } = deps
  const { publicUrl, productName } = config
  const bounds = { ...BOUNDS, ...deps.bounds }
  const tempDir = join(config.dataDir, 'tmp')
  await mkdir(tempDir, { recursive: true })

  // Its sources are looked at when somebody asks.
  const metrics = createMetrics({
    load: () => load(),
    streams: () => realtime.streams(),
    connections: () => connections.count(),
    imageLanes: imageLoad,
    mails: () => mailer.waiting(),
    database: () => askState(sql),
    usage: () => deps.usage?.(),
  })

  const headers = securityHeaders(config)
  const connectionDeps = {
    bounds,
    headers,
    onBroken: (status: number) => metrics.broken(status),
    onStalled: () => metrics.stalled(),
    onError: (error: Error) => app.log.error({ err: error }, 'a connection could not be taken'),
    linger: createLinger(bounds),
    newId: randomUUID,
  }
  const app = Fastify({
    ...connectionOptions(connectionDeps),
    ...logOptions({ level: config.logLevel, write: deps.log }),
    bodyLimit: MAX_BODY_BYTES,
    // One proxy is ours; what a client claims before it is not believed.
    trustProxy: config.trustProxy && ((_address: string, hop: number) => hop === 0),
    genReqId: (request) => (config.trustProxy && idOfProxy(request)) || randomUUID(),
    // What comes on open connections while the server stops is answered like everything else.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, querystringParser: readQuery },
    frameworkErrors: (error, request, reply) =>
      void answerError(error, request, secureReply(reply, headers)),
  })
  const resign = surviveUncaughtErrors({
    onSurvived: (error) => {
      metrics.survived()
      app.log.error({ err: error }, 'uncaught error')
    },
    onUnsound: (error) => {
      app.log.error({ err: error }, 'the database driver failed')
      deps.onUnsound?.(error)
    },
  })
  const problem =
    (sentence: string) =>
    (error: unknown): void => {
      const boundary = dependencyOf(error)
      if (boundary !== undefined) metrics.failed(boundary)
      app.log.warn({ err: error }, sentence)
    }

  const off = await settingsThatLose(sql)
  if (off.length > 0)
    app.log.warn(`a power cut would take back what was answered, turn on ${off.join(', ')}`)

  const files = await openFileStore(config, problem('the file store cannot be used'))
  await noteStore(sql, files)
  const tokens = createTokens(deps.tokenSecret)
  const passwords = createPasswords({ onHash: deps.onHash })
  const oidc =
    config.oidc &&
    createOidc(
      { ...config.oidc, timeoutMs: bounds.providerMs, maxAgeMs: bounds.providerMaxAgeMs },
      () => metrics.failed('provider'),
    )
  const auth = createAuth({
    sql,
    tokens,
    passwords,
    oidc,
    maxSessionS: config.maxSessionDays * DAY_S,
    redirectURLs: config.origins.flatMap((origin) =>
      REDIRECT_PATHS.map((path) => `${origin}${config.basePath}${path}`),
    ),
  })
  const mailer = createMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    timeoutMs: bounds.mailMs,
    publicUrl,
    outbox: join(config.dataDir, 'outbox'),
    productName,
    onWritten: (file) =>
      app.log.warn({ file }, 'There is no SMTP_URL, so a mail was written to a file'),
    onProblem: (sentence, request, error) => {
      metrics.failed('mail')
      app.log.warn({ request, ...(error !== undefined && { err: error }) }, sentence)
    },
  })
  const recovery = createRecovery({ sql, tokens, passwords, mailer, publicUrl })
  const removed = createRemovedFiles(sql, files, problem('files are left to be removed'))
  const thumbs = createThumbs({ files, tempDir, onProblem: problem('a thumbnail cannot be made') })
  const orphans = createOrphans({
    sql,
    files,
    tempDir,
    onProblem: problem('orphaned files are left'),
    onRemoved: () => metrics.collected(1),
  })
  const records = createRecords({
    sql,
    files,
    tempDir,
    readPassword: createReadPassword({ sql, passwords }),
    onFilesRemoved: () => removed.collect(),
  })
  const realtime = createRealtime({
    sql,
    records,
    onProblem: problem('changes were not told to those who listen'),
    heartbeatMs: bounds.heartbeatMs,
  })
  const unchanged = createUnchanged(() => deps.ownership?.isSole() ?? false)
  deps.ownership?.onShared(() => unchanged.forget())
  let isStopping = false

  if (deps.onRoute !== undefined) app.addHook('onRoute', deps.onRoute)
  app.addHook('onRoute', (route) => noticeWrites(route, unchanged))
  answerErrors(app)
  acceptBodies(app)
  const connections = guardConnections(app, connectionDeps)
  sendSecurityHeaders(app, headers)
  observeRequests(app, metrics)
  allowOrigins(app, config.corsOrigins)
  const load = admitRequests(app, { bounds, onRefused: (reason) => metrics.overloaded(reason) })
  identifyCallers(app, (request) => auth.identify(request))
  if (config.rateLimits)
    limitRates(app, {
      sql,
      onRefused: (limit) => metrics.limited(limit),
      onProblem: problem('limits are counted in this process alone'),
    })
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1024 })

  const readiness = createReadiness([
    {
      name: 'database',
      sentence: 'The database does not answer, or lacks a migration.',
      check: () => isMigrated(sql, MIGRATIONS),
    },
    {
      name: 'files',
      sentence: 'The file store cannot be reached.',
      check: async () => {
        await access(tempDir, constants.W_OK)
        await files.check()
        return true
      },
    },
  ])

  await app.register(
    async (routes) => {
      healthRoutes(routes, { readiness, isStopping: () => isStopping })
      metricsRoutes(routes, metrics, config)
      recordRoutes(routes, { records, unchanged, tempDir })
      batchRoutes(routes, createBatch(records), tempDir)
      const isPublic = config.publicUrl.startsWith('https:')
      const { basePath } = config
      authRoutes(routes, { auth, recovery, records, tempDir, basePath, isPublic })
      realtimeRoutes(routes, realtime, {
        path: basePath,
        isPublic,
        mostStreams: bounds.streams,
      })
      fileRoutes(routes, { records, files, thumbs, tokens })
      exportRoutes(routes, { records, files, tokens, productName })
      geocodeRoutes(
        routes,
        createGeocode({
          url: config.geocoderUrl,
          links: config.mapLinks,
          userAgent: `${productName} (${publicUrl})`,
        }),
        records,
      )
      openApiRoutes(routes, config)
      if (deps.webDir !== undefined)
        await servePage(routes, { config, webDir: deps.webDir, ...headers })
    },
    { prefix: config.basePath },
  )

  const checkProvider = async (): Promise<void> => {
    const tell = (err: unknown) => app.log.warn({ err }, 'nobody can sign in by the provider')
    const misfits = await oidc?.check().catch(({ cause }: ApiError) => tell(cause))
    for (const misfit of misfits ?? [])
      tell(new OperatorError(`The provider at OIDC_ISSUER does not fit: ${misfit}.`))
  }
  let sweeping: Promise<unknown> = Promise.resolve()
  const sweep = (): void => {
    removed.collect()
    sweeping = Promise.all([
      realtime.sweep().catch(problem('old states are left')),
      auth.sweep().catch(problem('sessions are left to end')),
      // It shortens the trail, which is read like all else.
      records.sweep().catch(problem('answers are left to be forgotten')).finally(unchanged.begin()),
      sweepCounts(sql).catch(problem('old counts are left')),
    ])
  }
  const sweeper = setInterval(sweep, SWEEP_MS).unref()
  const collector = setInterval(() => orphans.collect(), ORPHANS_MS).unref()
  app.addHook('onReady', async () => {
    sweep()
    orphans.collect()
    // Only told: who is signed in needs no provider, and it may come back, or be mended, meanwhile.
    void checkProvider()
  })
  // Streams never end by themselves. The listener stays open until what is under way is answered, so
  // that whoever asks learns that the server stops.
  app.addHook('preClose', async () => {
    isStopping = true
    // Balancers have to see that it is not ready before it turns anything away.
    await sleep(config.stopDelayS * 1000)
    connections.letGo()
    await realtime.close()
    await connections.settled()
  })
  app.addHook('onClose', async () => {
    clearInterval(sweeper)
    clearInterval(collector)
    await sweeping
    await removed.settled()
    await orphans.stop()
    await mailer.settled()
    metrics.close()
    resign()
  })
  return app
}

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import compress from '@fastify/compress'
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify'

import { API, MAX_BODY_BYTES, REDIRECT_PATHS } from '#domain/api.ts'

import { createAuth } from './auth/auth.ts'
import { createReadPassword } from './auth/credentials.ts'
import { createOidc } from './auth/oidc.ts'
import { createPasswords } from './auth/password.ts'
import { createRecovery } from './auth/recovery.ts'
import { authRoutes } from './auth/routes.ts'
import { createTokens } from './auth/token.ts'
import { createBatch } from './batch/batch.ts'
import { batchRoutes } from './batch/routes.ts'
import type { Config } from './config.ts'
import type { Sql } from './db/db.ts'
import { createDiskStore } from './files/disk.ts'
import { createOrphans } from './files/orphans.ts'
import { createRemovedFiles } from './files/removed.ts'
import { fileRoutes } from './files/routes.ts'
import { createThumbs } from './files/thumbs.ts'
import { acceptBodies } from './http/body.ts'
import { identifyCallers } from './http/identity.ts'
import { servePage } from './http/page.ts'
import { answerError, answerErrors } from './http/respond.ts'
import { allowOrigins, limitRates, sendSecurityHeaders } from './http/security.ts'
import { createMailer } from './mail/mail.ts'
import { createRealtime } from './realtime/realtime.ts'
import { realtimeRoutes } from './realtime/routes.ts'
import { openApiRoutes } from './openapi/routes.ts'
import { createRecords } from './records/records.ts'
import { recordRoutes } from './records/routes.ts'

export interface AppDeps {
  readonly config: Config
  readonly sql: Sql
  readonly tokenSecret: Uint8Array
  /** The built web app; absent where something else serves the page. */
  readonly webDir?: string
  /** Where a line of the log goes. */
  readonly log: (text: string) => void
  /** Called once for each password that is hashed; for tests that count. */
  readonly onHash?: (() => void) | undefined
  /** Called once for each route; for tests that hold the routes against what is said of them. */
  readonly onRoute?: (route: RouteOptions) => void
}

const SWEEP_MS = 10 * 60 * 1000
const ORPHANS_MS = 60 * 60 * 1000
/** Time enough for the largest upload over a slow line. */
const REQUEST_TIMEOUT_MS = 10 * 60 * 1000
/** Stored names are longer than what Fastify allows in a path by itself. */
const MAX_PARAM_LENGTH = 200

/** Of a repeated parameter the first value counts (record interface 1.3). */
const readQuery = (text: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(text)].toReversed())

/** The whole HTTP surface of the product, in one function. */
export const createApp = async (deps: AppDeps): Promise<FastifyInstance> => {
  const { config, sql } = deps
  const tempDir = join(config.dataDir, 'tmp')
  await mkdir(tempDir, { recursive: true })

  const files = createDiskStore(join(config.dataDir, 'storage'))
  const tokens = createTokens(deps.tokenSecret)
  const passwords = createPasswords({ onHash: deps.onHash })
  const auth = createAuth({
    sql,
    tokens,
    passwords,
    oidc: config.oidc && createOidc(config.oidc),
    redirectURLs: config.origins.flatMap((origin) =>
      REDIRECT_PATHS.map((path) => `${origin}${config.basePath}${path}`),
    ),
  })

  const { publicUrl, productName } = config
  const mailer = createMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    outbox: join(config.dataDir, 'outbox'),
    productName,
    log: deps.log,
  })
  const recovery = createRecovery({ sql, tokens, passwords, mailer, publicUrl })

  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    // One proxy is ours; what a client claims before it is not believed.
    trustProxy: config.trustProxy && ((_address: string, hop: number) => hop === 0),
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, querystringParser: readQuery },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    logger: { level: 'warn', stream: { write: (line: string) => deps.log(line.trimEnd()) } },
  })
  const removed = createRemovedFiles(sql, files, (error) =>
    app.log.warn({ err: error }, 'files are left to be removed'),
  )
  const thumbs = createThumbs({
    files,
    tempDir,
    onProblem: (error) => app.log.warn({ err: error }, 'a thumbnail cannot be made'),
  })
  const orphans = createOrphans({
    sql,
    files,
    tempDir,
    onProblem: (error) => app.log.warn({ err: error }, 'orphaned files are left'),
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
    onProblem: (error) => app.log.warn({ err: error }, 'changes were not told to those who listen'),
  })

  if (deps.onRoute !== undefined) app.addHook('onRoute', deps.onRoute)
  answerErrors(app)
  acceptBodies(app)
  await sendSecurityHeaders(app, config)
  allowOrigins(app, config.corsOrigins)
  identifyCallers(app, auth)
  if (config.rateLimits) await limitRates(app)
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1024 })

  await app.register(
    async (routes) => {
      routes.get(API.health, () => ({ message: 'API is healthy.', code: 200, data: {} }))
      recordRoutes(routes, records, tempDir)
      batchRoutes(routes, createBatch(records), tempDir)
      authRoutes(routes, { auth, recovery, records, tempDir })
      realtimeRoutes(routes, realtime, {
        path: config.basePath,
        isPublic: config.publicUrl.startsWith('https:'),
      })
      fileRoutes(routes, { records, files, thumbs, tokens })
      openApiRoutes(routes, config)
      if (deps.webDir !== undefined) await servePage(routes, config, deps.webDir)
    },
    { prefix: config.basePath },
  )

  const sweep = (): void => {
    removed.collect()
    realtime.sweep().catch((error: unknown) => app.log.warn({ err: error }, 'old states are left'))
    auth.sweep().catch((error: unknown) => app.log.warn({ err: error }, 'sessions are left to end'))
    records
      .sweep()
      .catch((error: unknown) => app.log.warn({ err: error }, 'answers are left to be forgotten'))
  }
  const sweeper = setInterval(sweep, SWEEP_MS).unref()
  const collector = setInterval(() => orphans.collect(), ORPHANS_MS).unref()
  app.addHook('onReady', async () => {
    sweep()
    orphans.collect()
  })
  // Streams never end by themselves, and closing waits for all that is open.
  app.addHook('preClose', () => realtime.close())
  app.addHook('onClose', async () => {
    clearInterval(sweeper)
    clearInterval(collector)
    await removed.settled()
    await orphans.stop()
    await mailer.settled()
  })
  return app
}

import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'

import type { FastifyBaseLogger } from 'fastify'

import type { Schema } from '#domain/collection.ts'
import { REDIRECT_PATHS } from '#domain/paths.ts'

import { createAuth } from './auth/auth.ts'
import { createReadPassword } from './auth/credentials.ts'
import { createOidc } from './auth/oidc.ts'
import { createPasswords } from './auth/password.ts'
import { createRecovery } from './auth/recovery.ts'
import { createTokens } from './auth/token.ts'
import { createBatch } from './batch/batch.ts'
import type { Limits } from './limits.ts'
import type { Config } from './config.ts'
import type { Replicas } from './db/replicas.ts'
import type { Sql } from './db/sql.ts'
import { isMigrated, MIGRATIONS } from './db/migrate.ts'
import type { FileStore } from './files/files.ts'
import { createOrphans } from './files/orphans.ts'
import { createRemovedFiles } from './files/removed.ts'
import { noteStore } from './files/store-owner.ts'
import { openFileStore } from './files/store.ts'
import { createThumbs } from './files/thumbs.ts'
import { createGeocode } from './geocode/geocode.ts'
import { createImports } from './imports/imports.ts'
import { createReadiness } from './health/health.ts'
import { dependencyOf } from './http/dependency.ts'
import { createMailer, type MailerDeps } from './mail/mail.ts'
import type { Metrics } from './metrics/metrics.ts'
import { createRealtime } from './realtime/realtime.ts'
import { createRecords } from './records/records.ts'
import { createReports } from './reports/reports.ts'

export interface ServicesDeps {
  readonly config: Config
  readonly sql: Sql
  readonly replicas: Replicas
  readonly tokenSecret: Uint8Array
  readonly limits: Limits
  readonly metrics: Metrics
  readonly log: FastifyBaseLogger
  /** The folder for uploads in progress, below the data folder. */
  readonly tempDir: string
  /** The collections: those of the product, unless a test declares others. */
  readonly schema: Schema
  /** Called for each hashed password. */
  readonly onHash?: (() => void) | undefined
}

/** The services that the routes use, created once and in one place. */
export type Services = Awaited<ReturnType<typeof createServices>>

const DAY_S = 24 * 60 * 60

export const createServices = async (deps: ServicesDeps) => {
  const { config, sql, limits, metrics, tempDir } = deps
  const { publicUrl, productName } = config
  const reportProblem = createReportProblem(deps)

  const files = await openFileStore(config, reportProblem('the file store cannot be used'))
  await noteStore(sql, files)
  const tokens = createTokens(deps.tokenSecret)
  const passwords = createPasswords({ onHash: deps.onHash })
  const oidc =
    config.oidc &&
    createOidc(
      { ...config.oidc, timeoutMs: limits.providerMs, maxAgeMs: limits.providerMaxAgeMs },
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
  const mailer = createMailer(mailerDeps(deps))
  const removed = createRemovedFiles(
    sql,
    files,
    reportProblem('removed files could not be deleted'),
  )
  const records = createRecords({
    sql,
    schema: deps.schema,
    files,
    tempDir,
    readPassword: createReadPassword({ sql, passwords }),
    onFilesRemoved: () => removed.collect(),
  })

  return {
    reportProblem,
    files,
    tokens,
    oidc,
    auth,
    mailer,
    recovery: createRecovery({ sql, tokens, passwords, mailer, publicUrl }),
    reports: createReports({ sql, mailer, publicUrl, secret: deps.tokenSecret }),
    removed,
    thumbs: createThumbs({
      files,
      tempDir,
      onProblem: reportProblem('a thumbnail cannot be made'),
    }),
    orphans: createOrphans({
      sql,
      files,
      tempDir,
      onProblem: reportProblem('orphaned files could not be deleted'),
      onMissing: reportProblem('files that records name are missing'),
      onRemoved: () => metrics.collected(),
    }),
    records,
    batch: createBatch(records, deps.schema),
    imports: createImports({
      sql,
      files,
      tempDir,
      fetching: {
        allowsPrivate: config.importPrivateAddresses,
        userAgent: `${productName} (${publicUrl})`,
      },
      mails: { mailer, link: `${publicUrl}/import` },
      onProblem: reportProblem('imports could not continue'),
    }),
    realtime: createRealtime({
      sql,
      schema: deps.schema,
      records,
      onProblem: reportProblem('realtime events were not sent'),
      heartbeatMs: limits.heartbeatMs,
    }),
    geocode: createGeocode({
      url: config.geocoderUrl,
      links: config.mapLinks,
      userAgent: `${productName} (${publicUrl})`,
    }),
    readiness: readinessOf(deps, files),
  }
}

/** The dependencies that must work before this process gets requests. */
const readinessOf = ({ sql, tempDir, replicas }: ServicesDeps, files: FileStore) =>
  createReadiness([
    {
      name: 'database',
      sentence: 'The database does not answer, or a migration is missing.',
      // While a new primary is elected, travellers read from a replica, and no other process can do better.
      check: async () => replicas.isUsable() || isMigrated(sql, MIGRATIONS),
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

/** Creates functions that log a failure with a message and count the failed dependency. */
const createReportProblem =
  ({ metrics, log }: Pick<ServicesDeps, 'metrics' | 'log'>) =>
  (message: string) =>
  (error: unknown): void => {
    const dependency = dependencyOf(error)
    if (dependency !== undefined) metrics.failed(dependency)
    log.warn({ err: error }, message)
  }

const mailerDeps = ({ config, limits, metrics, log }: ServicesDeps): MailerDeps => ({
  smtpUrl: config.smtpUrl,
  from: config.mailFrom,
  timeoutMs: limits.mailMs,
  publicUrl: config.publicUrl,
  outbox: join(config.dataDir, 'outbox'),
  productName: config.productName,
  onWritten: (file) => log.warn({ file }, 'SMTP_URL is not set, so a mail was written to a file'),
  onProblem: (sentence, request, error) => {
    metrics.failed('mail')
    log.warn({ request, ...(error !== undefined && { err: error }) }, sentence)
  },
})

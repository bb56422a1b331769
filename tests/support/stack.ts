import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Schema } from '#domain/collection.ts'

import { withProvider } from '../../scripts/provider/provider.ts'
import type { StandInProvider } from '../../scripts/provider/stand-in-provider.ts'
import type { Limits } from '../../server/limits.ts'
import { readConfig, type Config } from '../../server/config.ts'
import { connect } from '../../server/db/connect.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Sql } from '../../server/db/sql.ts'
import { serve } from '../../server/main.ts'
import { attachWorkers } from './citus-postgres.ts'
import { HOSTED } from './hosted-postgres.ts'
import { POOLER } from './pooled.ts'
import { freePort } from './ports.ts'
import { MIGRATED_DATABASE, postgresSocketFolder } from './postgres.ts'
import { newStoredFiles, type StoredFiles } from './stored.ts'
import { makeTemporaryFolder } from './temporary.ts'

/** The whole product for a test: real server, real database, real sign-in over HTTP. */
export interface Stack {
  /** Its public URL, with the base path. */
  readonly url: string
  /** A connection to the database, separate from the server's. */
  readonly sql: Sql
  /** The server's own pool. */
  readonly pool: Sql
  readonly config: Config
  readonly provider: StandInProvider
  readonly dataDir: string
  /** The file store, accessed without the server. */
  readonly stored: StoredFiles
  /** The log of the server. Unless a test expects errors, it must be empty. */
  readonly logged: readonly string[]
  close(): Promise<void>
}

export interface StackOptions {
  /**
   * Settings to override. `PUBLIC_URL` may contain port 0, which is replaced by the real one: `http://127.0.0.1:0/ev`
   * runs the stack below a base path.
   */
  readonly env?: Readonly<Record<string, string>>
  /**
   * Runs another server with the database, the files and the provider of this stack, which must outlive it. It shares
   * the process of the test; `startSecondProcess` starts a server in its own process.
   */
  readonly beside?: Stack
  /** The test changes the age of stored files, which not every store supports. */
  readonly agesFiles?: boolean
  /** Called for each SQL statement of the server, including `begin ` and `commit`. */
  readonly onStatement?: (text: string) => void
  /** Called for each password that the server hashes. */
  readonly onHash?: () => void
  /** Called when the server has to end. */
  readonly onLost?: (problem: Error) => void
  /** Limits to override. */
  readonly limits?: Partial<Limits>
  /** Collections other than those of the product. */
  readonly schema?: Schema
}

const SETTINGS = {
  // The tests send more requests a minute than people may.
  RATE_LIMITS: 'off',
  // Tests use no other hosts.
  MAP_STYLE_URL: 'none',
  GEOCODER_URL: 'none',
  MAP_LINKS: 'none',
}

/** No proxy is in front of most stacks. */
const SHORT_LIMITS: Partial<Limits> = { leaveMs: 0 }

/** Starts the product with an empty database, an empty data folder and its own port. */
export const startStack = async (options: StackOptions = {}): Promise<Stack> => {
  const ground =
    options.beside === undefined ? await breakGround(options.agesFiles) : share(options.beside)
  const port = String(await freePort())
  const settings = readConfig({
    ...SETTINGS,
    PORT: port,
    DATA_DIR: ground.dataDir,
    DATABASE_URL: ground.databaseUrl,
    ...ground.env,
    // A test with its own database bypasses the pooler of the run.
    ...(options.env?.['DATABASE_URL'] !== undefined && { DATABASE_DIRECT_URL: '' }),
    ...options.env,
    ...(options.env?.['PUBLIC_URL'] && {
      PUBLIC_URL: options.env['PUBLIC_URL'].replace(/:0(?=\/|$)/, `:${port}`),
    }),
  })
  const { config, provider = options.beside?.provider } = await withProvider(settings)
  if (provider === undefined) throw new Error('A stack signs in at its own provider.')
  const logged: string[] = []
  const server = await serve(config, {
    webDir: await webDirFor(ground.dataDir),
    log: (text) => logged.push(text),
    ...(options.onStatement && { onStatement: options.onStatement }),
    ...(options.onHash && { onHash: options.onHash }),
    ...(options.onLost && { onLost: options.onLost }),
    limits: { ...SHORT_LIMITS, ...options.limits },
    schema: options.schema,
  })
  const sql = await openDatabase({ url: ground.databaseUrl }, { max: 2 })

  return {
    url: server.url,
    sql,
    pool: server.sql,
    config,
    provider,
    dataDir: ground.dataDir,
    stored: ground.stored,
    logged,
    close: async () => {
      await sql.end({ timeout: 1 })
      await server.close()
      if (options.beside === undefined) await provider.close()
      await ground.clear()
    },
  }
}

/** The database, files and provider of a stack. */
interface Ground {
  readonly dataDir: string
  readonly databaseUrl: string
  readonly stored: StoredFiles
  readonly env: Readonly<Record<string, string>>
  clear(): Promise<void>
}

/** The PostgreSQL for the databases of stacks: the one of the run, or a hosted one. */
const findPostgres = async (): Promise<{
  admin: Sql
  urlOf: (database: string) => string
  template: string
}> => {
  const hosted = process.env['VOLTLEAF_TEST_IS_HOSTED'] && process.env[HOSTED.server]
  if (hosted) {
    const url = process.env[HOSTED.admin]?.replace('DATABASE', 'postgres') ?? ''
    const urlOf = (database: string): string => hosted.replace('DATABASE', database)
    return { admin: connect({ url }, { max: 1 }), urlOf, template: 'template1' }
  }
  const socketFolder = await postgresSocketFolder()
  const place = { socketPath: join(socketFolder, '.s.PGSQL.5432'), user: 'voltleaf' }
  return {
    admin: connect({ ...place, database: 'postgres' }, { max: 1 }),
    urlOf: (database) =>
      `postgres://voltleaf@localhost/${database}?host=${encodeURIComponent(socketFolder)}`,
    template: MIGRATED_DATABASE,
  }
}

const breakGround = async (mustAge = false): Promise<Ground> => {
  const { admin, urlOf, template } = await findPostgres()
  const database = `stack_${randomBytes(6).toString('hex')}`
  await admin`create database ${admin(database)} template ${admin(template)} owner voltleaf`
  const leaveWorkers = await attachWorkers(database)
  const dataDir = await makeTemporaryFolder('stack')
  const stored = await newStoredFiles(dataDir, mustAge)
  const databaseUrl = urlOf(database)
  const pooler = process.env['VOLTLEAF_TEST_POOLED'] && process.env[POOLER]
  return {
    dataDir,
    stored,
    databaseUrl,
    env: {
      ...stored.env,
      ...(pooler && {
        DATABASE_URL: pooler.replace('DATABASE', database),
        DATABASE_DIRECT_URL: databaseUrl,
      }),
    },
    clear: async () => {
      await stored.clear()
      await admin`drop database ${admin(database)} with (force)`
      await leaveWorkers()
      await admin.end({ timeout: 1 })
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The settings of another server with the database, the files and the provider of a stack. */
export const settingsBeside = ({ dataDir, config, provider }: Stack): Record<string, string> => ({
  ...SETTINGS,
  DATA_DIR: dataDir,
  DATABASE_URL: config.databaseUrl ?? '',
  DATABASE_DIRECT_URL: config.databaseDirectUrl ?? '',
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  ...fileSettings(config),
})

/** The URL of the database of a stack, bypassing any pooler. */
export const directUrlOf = ({ config }: Stack): string =>
  config.databaseDirectUrl ?? config.databaseUrl ?? ''

/** The settings that select the file store of a stack. */
export const fileSettings = ({ s3 }: Config): Record<string, string> =>
  s3 === undefined
    ? {}
    : {
        S3_ENDPOINT: s3.endpoint,
        S3_BUCKET: s3.bucket,
        S3_REGION: s3.region,
        S3_ACCESS_KEY_ID: s3.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      }

const share = (stack: Stack): Ground => ({
  dataDir: stack.dataDir,
  stored: stack.stored,
  databaseUrl: directUrlOf(stack),
  env: settingsBeside(stack),
  clear: async () => {},
})

/** The built app; for runs without a build, which only test the API, a page that says so. */
export const webDirFor = async (dataDir: string): Promise<string> => {
  const built = join(import.meta.dirname, '../../web/dist')
  if (existsSync(join(built, 'index.html'))) return built
  const folder = join(dataDir, 'no-web')
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><head><!--settings--><title>The web app is not built</title></head>',
  )
  return folder
}

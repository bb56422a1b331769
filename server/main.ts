import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Schema } from '#domain/collection.ts'

import { createApp } from './app.ts'
import { LIMITS, type Limits } from './limits.ts'
import { withListeningPort, type Config } from './config.ts'
import { connect, type ConnectionOptions, type DatabasePlace } from './db/connect.ts'
import { openDatabase, type OpenOptions } from './db/open.ts'
import { openReplicas, primaryAlone } from './db/replicas.ts'
import type { Sql } from './db/sql.ts'
import { startEmbeddedDatabase } from './db/embedded.ts'
import { upgrade } from './db/migrate.ts'
import { preparePooler } from './db/pooled.ts'
import { demandDedicatedSessions, sharedSessions } from './db/dedicated-sessions.ts'
import { prettyLine } from './log/log.ts'
import { codeOf, StartupError } from './problem.ts'
import type { Tracing } from './tracing/tracing.ts'

/** A server that is listening. */
export interface RunningServer {
  /** The public URL, base path included. */
  readonly url: string
  /** Its connection pool; closed by `close`. */
  readonly sql: Sql
  /**
   * Reports that the server is not ready for `stopDelayS`, then stops accepting requests, waits for pending ones (at
   * most 25 s) and closes the database.
   */
  close(): Promise<void>
}

export interface ServeOptions {
  /** The built web app. */
  readonly webDir?: string
  /** Receives each line of the log, a JSON object; by default, lines go to the standard output. */
  readonly log?: (line: string) => void
  /** Releases the port that `reservePort` holds. */
  readonly releasePort?: () => Promise<void>
  /** Called if the server cannot continue; the caller should then close it. */
  readonly onLost?: (problem: StartupError) => void
  /** Puts middleware between the socket and the app, such as development tools. */
  readonly openFront?: (app: App) => Promise<Front>
  /** Sends traces of requests; closed with the server. */
  readonly tracing?: Tracing | undefined
  /** Called for each SQL statement; for tests that count them. */
  readonly onStatement?: (text: string) => void
  /** Called for each hashed password; for tests that count them. */
  readonly onHash?: () => void
  /** Limits to override in tests. */
  readonly limits?: Partial<Limits>
  /** Collections other than those of the product; for tests of declarations. */
  readonly schema?: Schema | undefined
}

/** Receives every request first, and passes those of the app to `app.routing`. */
export interface Front {
  readonly answer: RequestListener
  close(): Promise<void>
}

export type App = Awaited<ReturnType<typeof createApp>>

const root = join(import.meta.dirname, '..')

/**
 * Opens the database (the embedded one unless `databaseUrl` is set), migrates it and listens. The `port` must not be 0:
 * see `reservePort`.
 * @throws {StartupError} if something outside the program prevents the start; nothing is left running
 */
export const serve = async (config: Config, options: ServeOptions = {}): Promise<RunningServer> => {
  const closers: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer()
  }
  const { tracing } = options
  if (tracing) closers.push(() => tracing.close())
  try {
    const embedded = config.databaseUrl
      ? undefined
      : await startEmbeddedDatabase({
          dataDir: config.dataDir,
          ...(options.onLost && { onLost: options.onLost }),
        })
    if (embedded) closers.push(() => embedded.stop())

    const { databaseUrl: url = '', databaseDirectUrl: directUrl } = config
    const place = embedded?.place ?? { url, ...(directUrl !== undefined && { directUrl }) }
    const limits = { ...LIMITS, ...options.limits }
    const log = options.log ?? printTo(config)
    await prepareDatabase(place, options.schema, {
      waitMs: limits.databaseStartMs,
      onWait: warnIn(log),
      statementMs: limits.statementMs,
    })
    const connection: ConnectionOptions = {
      timeouts: { connectMs: limits.databaseConnectMs, answerMs: limits.databaseAnswerMs },
      statementMs: limits.statementMs,
      ...(options.onStatement && { onStatement: options.onStatement }),
      ...(tracing && { trace: (text, work) => tracing.statement(text, work) }),
    }
    const sql = connect(place, {
      ...connection,
      ...('url' in place && {
        onShared: () => options.onLost?.(sharedSessions(directUrl ?? url, 'transaction')),
      }),
    })
    closers.push(() => sql.end({ timeout: 5 }))
    const { databaseReplicaUrls: urls } = config
    const replicas =
      urls.length === 0
        ? primaryAlone(sql)
        : await openReplicas({
            primary: sql,
            urls,
            connection,
            maxLagMs: limits.replicaLagMs,
            maxOutageMs: limits.replicaOutageMs,
            onChange: warnIn(log),
          })
    closers.push(() => replicas.end())

    const app = await createApp({
      config,
      sql,
      replicas,
      schema: options.schema,
      tokenSecret: await readTokenSecret(config, sql),
      webDir: options.webDir ?? join(root, 'web/dist'),
      log,
      usage,
      limits,
      onHash: options.onHash,
      tracing,
      onUnsound: (cause) =>
        options.onLost?.(
          new StartupError('The database driver failed; restart the server.', { cause }),
        ),
    })
    closers.push(() => drain(app, limits.drainMs + config.stopDelayS * 1000))
    await app.ready()
    if (options.openFront) {
      const front = await options.openFront(app)
      closers.push(() => front.close())
      // oxlint-disable-next-line typescript/unbound-method -- the very function that the server listens with
      app.server.off('request', app.routing).on('request', front.answer)
    }
    // The framework's own message contains the address, which must not be logged.
    const listenTextResolver = () => 'listening'
    const { host, port } = config
    await options.releasePort?.()
    await app.listen({ host, port, listenTextResolver }).catch((error: unknown) => {
      throw explainListenError(error, config)
    })
    await embedded?.announce(config.publicUrl)
    return { url: config.publicUrl, sql, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Waits for the database, checks it and migrates it, bypassing any pooler. */
const prepareDatabase = async (
  place: DatabasePlace,
  schema: Schema | undefined,
  { statementMs, ...waiting }: Pick<OpenOptions, 'waitMs' | 'onWait' | 'statementMs'>,
): Promise<void> => {
  const directUrl = 'url' in place ? (place.directUrl ?? place.url) : undefined
  const direct = directUrl === undefined ? place : { url: directUrl }
  const sql = await openDatabase(direct, { max: 1, ...waiting })
  try {
    if (directUrl !== undefined) await demandDedicatedSessions(directUrl)
    await upgrade(sql, schema)
    if ('url' in place && place.directUrl !== undefined)
      await preparePooler(
        sql,
        { url: place.url, directUrl: place.directUrl },
        { ...waiting, ...(statementMs !== undefined && { statementMs }) },
      )
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Logs a sentence before the server's logger exists. */
const warnIn =
  (log: (line: string) => void) =>
  (msg: string): void =>
    log(JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg }))

/**
 * Replaces port 0 in the settings with a free port, and holds it until `releasePort`: a start takes seconds, in which
 * the system would assign a port that is only known to be free to another program.
 */
export const reservePort = async (
  config: Config,
): Promise<{ config: Config; releasePort: () => Promise<void> }> => {
  if (config.port !== 0) return { config, releasePort: async () => {} }
  const holder = createServer((socket) => socket.destroy())
  const port = await new Promise<number>((resolve, reject) => {
    holder.once('error', reject)
    holder.listen(0, config.host, () => {
      const address = holder.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  // A start that fails must not keep the process running.
  holder.unref()
  return {
    config: withListeningPort(config, port),
    releasePort: () => new Promise((resolve) => holder.close(() => resolve())),
  }
}

/** Closes the app; requests that take longer than the timeout are aborted. */
const drain = async (app: App, timeoutMs: number): Promise<void> => {
  const limit = setTimeout(() => app.server.closeAllConnections(), timeoutMs)
  try {
    await app.close()
  } finally {
    clearTimeout(limit)
  }
}

/** Prints readable lines on a terminal, and JSON elsewhere. */
const printTo = ({ production }: Config): ((line: string) => void) => {
  const isForPeople = process.stdout.isTTY && !production
  return (line) => console.log(isForPeople ? prettyLine(line) : line)
}

const usage = () => {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { residentBytes: rss, heapBytes: heapUsed, cpuSeconds: (user + system) / 1e6 }
}

/** Processes that share a database share the secret, which the first one generates. */
const readTokenSecret = async (config: Config, sql: Sql): Promise<Uint8Array> => {
  if (config.tokenSecret !== undefined) return new TextEncoder().encode(config.tokenSecret)
  await sql`
    insert into settings (name, value)
    values ('token_secret', ${randomBytes(32).toString('hex')})
    on conflict (name) do nothing`
  const [row] = await sql<[{ value: string }]>`
    select value from settings where name = 'token_secret'`
  return new TextEncoder().encode(row.value)
}

const explainListenError = (error: unknown, { host, port }: Config): unknown => {
  const sentence = {
    EADDRINUSE: `Another program already listens on ${host}:${port}: stop it, or choose another port ("PORT=${port + 1} npm start").`,
    EACCES: `Only root may listen on port ${port}: choose one above 1023 ("PORT=8090 npm start").`,
    EADDRNOTAVAIL: `HOST=${host} is not an address of this computer: choose one that is, such as 127.0.0.1.`,
    ENOTFOUND: `The host name HOST=${host} does not exist: choose an address of this computer, such as 127.0.0.1.`,
  }[codeOf(error) ?? '']
  return sentence === undefined ? error : new StartupError(sentence, { cause: error })
}

import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { StartProblem } from '../problem.ts'
import { createDialer, type Patience } from './sockets.ts'

/** A pool of connections; statements are written as tagged templates. */
export type Sql = postgres.Sql

/** What statements are sent through: a pool, or a transaction of it. */
export type Runner = Sql | postgres.TransactionSql

/** Where a database is: an address, or the Unix socket of the embedded one. */
export type DatabasePlace =
  | { readonly url: string }
  | { readonly socketPath: string; readonly user: string; readonly database: string }

/** Settings of the driver that every connection of ours shares. */
export interface ConnectionOptions {
  /** Connections at most. */
  readonly max?: number
  /** Never close an idle or old connection: it holds a lock. */
  readonly keepOpen?: boolean
  /**
   * How long to wait before a connection is given up; without it, as long as the network allows. Where
   * the address asks for TLS the driver connects by itself, and the system's limits hold.
   */
  readonly patience?: Patience
  /** What a statement may take, in milliseconds. */
  readonly statementMs?: number
  /** By which the database knows connections of this process; see `ownership.ts`. */
  readonly process?: string | undefined
  /** Called when a connection has been closed, by whomever. */
  readonly onClosed?: () => void
  /** Called once for each statement sent, `begin` and `commit` included; for tests that count. */
  readonly onStatement?: (text: string) => void
}

/** Two cores gain nothing from more: one connection already pipelines. */
const POOL_SIZE = 6
/** What a program may take that waits by itself; migrations lift it. */
const STATEMENT_MS = 15_000
/** A server that has come to be a copy, or another one behind the same name, is left by then. */
const LIFETIME_S = 300
/** After a failure, where the driver connects by itself. */
const PAUSE_S = 0.25
const OLDEST_MAJOR = 15
const ANSWER_MS = 10_000

/**
 * Opens the pool and makes sure that the server behind it answers and is new enough.
 * @throws {StartProblem} with one sentence when it cannot be reached or used.
 */
export const openDatabase = async (
  place: DatabasePlace,
  options: ConnectionOptions = {},
): Promise<Sql> => {
  const sql = connect(place, options)
  const limit = new AbortController()
  try {
    const asked = sql<[{ version: number; encoding: string }]>`
      select current_setting('server_version_num')::int / 10000 as version,
        current_setting('server_encoding') as encoding`
    // The driver would try for ever where something else than PostgreSQL listens.
    const [row] = await Promise.race([asked, noAnswer(limit.signal)])
    if (row.version < OLDEST_MAJOR) {
      throw new StartProblem(
        `The database is PostgreSQL ${row.version}; DATABASE_URL must point at ${OLDEST_MAJOR} or newer.`,
      )
    }
    if (row.encoding !== 'UTF8') {
      throw new StartProblem(
        `The database stores text as ${row.encoding}; create one with "encoding 'UTF8'" and point DATABASE_URL at it.`,
      )
    }
    return sql
  } catch (error) {
    void sql.end({ timeout: 0 })
    if (!('url' in place) || !isConnectionError(error)) throw error
    throw new StartProblem(
      `The database at DATABASE_URL (${withoutPassword(place.url)}) cannot be used: ${error.message || error.code}.`,
      { cause: error },
    )
  } finally {
    limit.abort()
  }
}

const noAnswer = async (signal: AbortSignal): Promise<never> => {
  await sleep(ANSWER_MS, undefined, { signal })
  throw Object.assign(new Error('no PostgreSQL answers there'), { code: 'ETIMEDOUT' })
}

/** Settings of the database without which a power cut takes back what was answered (decisions 5.5). */
const LASTING = ['fsync', 'full_page_writes', 'synchronous_commit']

/** Which of the settings that make answered writes last are off: by name, none of them as a rule. */
export const settingsThatLose = async (sql: Sql): Promise<readonly string[]> => {
  const rows = await sql<{ name: string }[]>`
    select name from pg_settings where name = any(${LASTING}) and setting = 'off' order by name`
  return rows.map(({ name }) => name)
}

/** How it stands with the database: its connections of ours by state, and how long this took. */
export interface State {
  readonly connections: readonly { readonly state: string; readonly count: number }[]
  readonly seconds: number
}

const STATE_PATIENCE_MS = 500

/** Looks at the connections of all our processes; undefined when there is no answer soon. */
export const askState = async (sql: Sql): Promise<State | undefined> => {
  const start = performance.now()
  const limit = new AbortController()
  const asked = sql<{ state: string; count: number }[]>`
    select coalesce(state, 'unknown') as state, count(*)::int as count from pg_stat_activity
    where application_name = 'voltleaf' and datname = current_database() group by 1 order by 1`
  try {
    const late = sleep(STATE_PATIENCE_MS, undefined, { signal: limit.signal })
    const connections = await Promise.race([asked, late])
    return connections && { connections, seconds: (performance.now() - start) / 1000 }
  } catch {
    return undefined
  } finally {
    limit.abort()
  }
}

/** A pool that has not connected yet. */
export const connect = (place: DatabasePlace, options: ConnectionOptions = {}): Sql => {
  const { onStatement, patience } = options
  const shared = {
    max: options.max ?? POOL_SIZE,
    onnotice: () => {},
    connect_timeout: 10,
    connection: {
      application_name: 'voltleaf',
      TimeZone: 'UTC',
      // No plan of ours depends on the values; to plan a list anew takes longer than to read it.
      plan_cache_mode: 'force_generic_plan',
      statement_timeout: options.statementMs ?? STATEMENT_MS,
      ...(options.process !== undefined && { 'voltleaf.process': options.process }),
    },
    ...(options.onClosed && { onclose: options.onClosed }),
    max_lifetime: LIFETIME_S,
    backoff: () => PAUSE_S,
    ...(options.keepOpen && { idle_timeout: 0, max_lifetime: null }),
    ...(patience && !asksForTls(place) && { socket: createDialer(patience), backoff: () => 0 }),
    ...(onStatement && { debug: (_: number, text: string) => onStatement(text) }),
  }
  if ('url' in place) {
    const { url, path } = splitAddress(place.url)
    return postgres(url, path === undefined ? shared : { ...shared, path, host: 'localhost' })
  }
  const { socketPath, user, database } = place
  // The host keeps a PGHOST of the environment out; the path decides.
  return postgres({ ...shared, path: socketPath, host: 'localhost', user, database, ssl: false })
}

/**
 * One more connection like those of a pool, which hears what is notified on the channels that it
 * listens on. It stays closed once it is; the driver's own `listen` would come back without a word.
 */
export const connectToHear = (
  pool: Sql,
  events: { readonly heard: (text: string) => void; readonly closed: () => void },
): Sql => {
  const options: postgres.Options<Record<string, never>> & Record<string, unknown> = {
    ...(pool.options as object),
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    debug: false,
    onnotify: (_: string, text: string) => events.heard(text),
    onclose: () => events.closed(),
  }
  return postgres(options)
}

/** A folder as `?host=` means the Unix socket in it, as in PostgreSQL's own programs. */
const splitAddress = (address: string): { url: string; path?: string } => {
  if (!URL.canParse(address)) return { url: address }
  const url = new URL(address)
  const folder = url.searchParams.get('host')
  if (!folder?.startsWith('/')) return { url: address }
  url.searchParams.delete('host')
  return { url: url.href, path: `${folder}/.s.PGSQL.${url.port || '5432'}` }
}

const asksForTls = (place: DatabasePlace): boolean =>
  'url' in place &&
  URL.canParse(place.url) &&
  (new URL(place.url).searchParams.get('sslmode') ?? 'disable') !== 'disable'

const isConnectionError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error

const withoutPassword = (address: string): string => {
  if (!URL.canParse(address)) return 'an address that cannot be read'
  const url = new URL(address)
  url.password = ''
  url.search = ''
  return url.href
}

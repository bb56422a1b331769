import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { StartupError } from '../problem.ts'
import { readAddress, type Address } from './address.ts'
import { createDialer } from './dialer.ts'
import type { Patience } from './sockets.ts'
import type { Sql } from './sql.ts'

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
  /** How long to wait before a connection is given up; without it, for an answer as long as the network allows. */
  readonly patience?: Patience
  /** What a statement may take, in milliseconds. */
  readonly statementMs?: number
  /** Called when two connections turn out to have one session: the database must not be used any more. */
  readonly onShared?: () => void
  /** Called once for each statement sent, `begin` and `commit` included; for tests that count. */
  readonly onStatement?: (text: string) => void
}

/** Two cores gain nothing from more: one connection already pipelines. */
const POOL_SIZE = 6
/** What a program may take that waits by itself; migrations lift it. */
const STATEMENT_MS = 15_000
/** A server that has come to be a copy, or another one behind the same name, is left by then. */
export const LIFETIME_S = 300
const TIMEOUT: Patience = { connectMs: 10_000 }
const OLDEST_MAJOR = 15

export interface OpenOptions extends ConnectionOptions {
  /** How long to wait for a database that is not up yet; without it, not at all. */
  readonly waitMs?: number
  /** Called once when it has to be waited for, with a sentence. */
  readonly onWait?: (sentence: string) => void
}

/**
 * Opens the pool and makes sure that the server behind it answers and is new enough.
 * @throws {StartupError} with one sentence when it cannot be reached or used.
 */
export const openDatabase = async (
  place: DatabasePlace,
  options: OpenOptions = {},
): Promise<Sql> => {
  const sql = connect(place, options)
  try {
    const row = await firstAnswer(sql, addressOf(place).shown, options)
    if (row.version < OLDEST_MAJOR) {
      throw new StartupError(
        `The database is PostgreSQL ${row.version}; DATABASE_URL must point at ${OLDEST_MAJOR} or newer.`,
      )
    }
    if (row.encoding !== 'UTF8') {
      throw new StartupError(
        `The database stores text as ${row.encoding}; create one with "encoding 'UTF8'" and point DATABASE_URL at it.`,
      )
    }
    return sql
  } catch (error) {
    void sql.end({ timeout: 0 })
    if (!('url' in place) || !isConnectionError(error)) throw error
    throw new StartupError(
      `The database at DATABASE_URL (${readAddress(place.url).shown}) cannot be used: ${error.message || error.code}.`,
      { cause: error },
    )
  }
}

/** What a database says or does that is about to come up, or whose host is. */
const NOT_YET =
  /^(57P0[123]|53300|ECONNREFUSED|ECONNRESET|ENOENT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|CONNECT_TIMEOUT|CONNECT_READ_ONLY)$/
const RETRY_MS = 500

/** Asks until the database answers, or says that it never will, or the time is over. */
const firstAnswer = async (
  sql: Sql,
  shown: string,
  { waitMs = 0, onWait }: OpenOptions,
): Promise<{ version: number; encoding: string }> => {
  const deadline = performance.now() + waitMs
  for (let isFirst = true; ; isFirst = false) {
    try {
      const [row] = await sql<[{ version: number; encoding: string }]>`
        select current_setting('server_version_num')::int / 10000 as version,
          current_setting('server_encoding') as encoding`
      return row
    } catch (error) {
      const isLate = performance.now() >= deadline
      if (isLate || !isConnectionError(error) || !NOT_YET.test(error.code)) throw error
      if (isFirst)
        onWait?.(
          `The database at DATABASE_URL (${shown}) does not answer yet (${error.code}); waiting for it, ${waitMs / 1000} s at most.`,
        )
      await sleep(RETRY_MS)
    }
  }
}

/** Settings of the database without which a power cut takes back what was answered (record interface 9.5). */
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

const STATE_TIMEOUT_MS = 500

/** Looks at the connections of all our processes; undefined when there is no answer soon. */
export const askState = async (sql: Sql): Promise<State | undefined> => {
  const start = performance.now()
  const limit = new AbortController()
  const asked = sql<{ state: string; count: number }[]>`
    select coalesce(state, 'unknown') as state, count(*)::int as count from pg_stat_activity
    where application_name = 'voltleaf' and datname = current_database() group by 1 order by 1`
  try {
    const late = sleep(STATE_TIMEOUT_MS, undefined, { signal: limit.signal })
    const connections = await Promise.race([asked, late])
    return connections && { connections, seconds: (performance.now() - start) / 1000 }
  } catch {
    return undefined
  } finally {
    limit.abort()
  }
}

/** A pool that has not connected yet. @throws {StartupError} for an address that cannot be read */
export const connect = (place: DatabasePlace, options: ConnectionOptions = {}): Sql => {
  const { onStatement, onShared, patience = TIMEOUT } = options
  const address = addressOf(place)
  return postgres(address.url, {
    max: options.max ?? POOL_SIZE,
    onnotice: () => {},
    // All of that is the dialer's.
    host: 'localhost',
    ssl: false,
    socket: createDialer(address, {
      patience,
      settings: {
        // No plan of ours depends on the values; to plan a list anew takes longer than to read it.
        plan_cache_mode: 'force_generic_plan',
        statement_timeout: String(options.statementMs ?? STATEMENT_MS),
      },
      ...(onShared && { onShared }),
    }),
    backoff: () => 0,
    connection: { application_name: 'voltleaf', TimeZone: 'UTC' },
    max_lifetime: LIFETIME_S,
    ...(options.keepOpen && { idle_timeout: 0, max_lifetime: null }),
    ...(onStatement && { debug: (_: number, text: string) => onStatement(text) }),
  } as postgres.Options<Record<string, never>>) as unknown as Sql
}

const addressOf = (place: DatabasePlace): Address => {
  if ('url' in place) return readAddress(place.url)
  const { socketPath, user, database } = place
  const url = `postgres://${encodeURIComponent(user)}@localhost/${encodeURIComponent(database)}`
  return { hosts: [{ path: socketPath }], target: 'any', url, shown: socketPath }
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
    ...(pool as unknown as { options: object }).options,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    debug: false,
    onnotify: (_: string, text: string) => events.heard(text),
    onclose: () => events.closed(),
  }
  return postgres(options) as unknown as Sql
}

const isConnectionError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error

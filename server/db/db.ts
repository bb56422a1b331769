import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { StartProblem } from '../problem.ts'

/** A pool of connections; statements are written as tagged templates. */
export type Sql = postgres.Sql

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
  /** Called once for each statement sent, `begin` and `commit` included; for tests that count. */
  readonly onStatement?: (text: string) => void
}

/** Two cores gain nothing from more: one connection already pipelines. */
const POOL_SIZE = 6
/** A question that costs more is refused, also when whoever asked has gone. Migrations lift it. */
const STATEMENT_TIMEOUT_MS = 15_000
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

/** A pool that has not connected yet. */
export const connect = (place: DatabasePlace, options: ConnectionOptions = {}): Sql => {
  const { onStatement } = options
  const shared = {
    max: options.max ?? POOL_SIZE,
    onnotice: () => {},
    connect_timeout: 10,
    connection: {
      application_name: 'voltleaf',
      TimeZone: 'UTC',
      statement_timeout: STATEMENT_TIMEOUT_MS,
    },
    ...(options.keepOpen && { idle_timeout: 0, max_lifetime: null }),
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

const isConnectionError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error

const withoutPassword = (address: string): string => {
  if (!URL.canParse(address)) return 'an address that cannot be read'
  const url = new URL(address)
  url.password = ''
  url.search = ''
  return url.href
}

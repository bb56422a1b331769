import { dirname } from 'node:path'

import { readAddress, type Address } from '../database-address.ts'
import { LIMITS } from '../limits.ts'
import { createDialer, type Timeouts } from './dialer.ts'
import { createPool, type PoolOptions } from './pool.ts'
import type { EndOptions, SessionEvents, SessionOptions, Sql } from './sql.ts'

export { APPLICATION_NAME } from './dialer.ts'

/** The location of a database: an address, or the Unix socket of the embedded one. */
export type DatabasePlace =
  | {
      readonly url: string
      /** The same database without the pooler in transaction mode that `url` leads through. */
      readonly directUrl?: string
    }
  | { readonly socketPath: string; readonly user: string; readonly database: string }

export interface ConnectionOptions {
  /** Maximum number of connections. */
  readonly max?: number
  /** Never replaces the connection: it holds a lock. */
  readonly keepOpen?: boolean
  readonly timeouts?: Timeouts
  /** Timeout of a statement. */
  readonly statementMs?: number
  /** Called when two connections share one session: the database must not be used any more. */
  readonly onShared?: () => void
  /** Called for each statement sent, including `begin` and `commit`; for tests that count them. */
  readonly onStatement?: (text: string) => void
  /** Runs each statement, to measure it. */
  readonly trace?: PoolOptions['trace']
}

/** Two cores gain nothing from more: connections are pipelined. */
const POOL_SIZE = 6
/** Direct connections beside a pooler: session locks are rare and short, and listening uses a dedicated connection. */
const DIRECT_SIZE = 2
/**
 * The maximum age of a connection, so that the pool leaves a server that has become a standby, or was replaced
 * behind its name.
 */
export const LIFETIME_S = 300
const TIMEOUTS: Timeouts = { connectMs: 10_000 }

/** The settings of every session; migrations lift the timeout of statements. */
export const sessionSettings = (
  statementMs = LIMITS.statementMs,
): Readonly<Record<string, string>> => ({
  TimeZone: 'UTC',
  // No plan depends on the values, and planning a list takes longer than reading it.
  plan_cache_mode: 'force_generic_plan',
  // Wrong cost estimates make it compile for longer than a statement takes.
  jit: 'off',
  statement_timeout: String(statementMs),
})

/**
 * Creates a pool, which connects lazily. With a `directUrl`, statements and transactions go through the pooler;
 * functions that need a session (`reserve`, `openSession`) bypass it.
 * @throws {StartupError} for an invalid address
 */
export const connect = (place: DatabasePlace, options: ConnectionOptions = {}): Sql => {
  const { onStatement, onShared, trace, timeouts = TIMEOUTS } = options
  const directUrl = 'url' in place ? place.directUrl : undefined
  const dial = createDialer(addressOf(place), {
    connectMs: timeouts.connectMs,
    settings: sessionSettings(options.statementMs),
    ...(directUrl === undefined ? onShared && { onShared } : { isPooled: true }),
  })
  const pool = createPool(dial, {
    max: options.max ?? POOL_SIZE,
    ...(timeouts.answerMs !== undefined && { answerMs: timeouts.answerMs }),
    ...(!options.keepOpen && { lifetimeMs: LIFETIME_S * 1000 }),
    ...(onStatement && { onStatement }),
    ...(trace && { trace }),
  })
  if (directUrl === undefined) return pool
  const end = pool.end.bind(pool)
  const direct = connect({ url: directUrl }, { ...options, max: DIRECT_SIZE })
  return Object.assign(pool, {
    reserve: () => direct.reserve(),
    openSession: (events: SessionEvents, session?: SessionOptions) =>
      direct.openSession(events, session),
    end: async (how?: EndOptions) => void (await Promise.all([end(how), direct.end(how)])),
  })
}

/** For messages: without a password. */
export const nameOf = (place: DatabasePlace): string => addressOf(place).shown

const addressOf = (place: DatabasePlace): Address => {
  if ('url' in place) return readAddress(place.url)
  const { socketPath, user, database } = place
  const host = { host: dirname(socketPath), port: Number(/\d+$/.exec(socketPath)?.[0]) }
  return { hosts: [host], target: 'any', user, database, settings: {}, shown: socketPath }
}

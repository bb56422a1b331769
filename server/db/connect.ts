import { dirname } from 'node:path'

import { readAddress, type Address } from './address.ts'
import { createDialer, type Timeouts } from './dialer.ts'
import { createPool } from './pool.ts'
import type { Sql } from './sql.ts'

/** Where a database is: an address, or the Unix socket of the embedded one. */
export type DatabasePlace =
  | { readonly url: string }
  | { readonly socketPath: string; readonly user: string; readonly database: string }

export interface ConnectionOptions {
  /** Connections at most. */
  readonly max?: number
  /** Never replaces a connection by a new one: it holds a lock. */
  readonly keepOpen?: boolean
  readonly timeouts?: Timeouts
  /** What a statement may take. */
  readonly statementMs?: number
  /** Called when two connections turn out to have one session: the database must not be used any more. */
  readonly onShared?: () => void
  /** Called once for each statement sent, `begin` and `commit` included; for tests that count. */
  readonly onStatement?: (text: string) => void
}

/** Two cores gain nothing from more: each connection takes statements before it has answered others. */
const POOL_SIZE = 6
/** What a program may take that waits by itself; migrations lift it. */
const STATEMENT_MS = 15_000
/** A server that has come to be a standby, or another one behind the same name, is left by then. */
export const LIFETIME_S = 300
const TIMEOUTS: Timeouts = { connectMs: 10_000 }

/** A pool that has not connected yet. @throws {StartupError} for an address that cannot be read */
export const connect = (place: DatabasePlace, options: ConnectionOptions = {}): Sql => {
  const { onStatement, onShared, timeouts = TIMEOUTS } = options
  const dial = createDialer(addressOf(place), {
    connectMs: timeouts.connectMs,
    settings: {
      TimeZone: 'UTC',
      // No plan depends on the values, and planning a list takes longer than reading it.
      plan_cache_mode: 'force_generic_plan',
      statement_timeout: String(options.statementMs ?? STATEMENT_MS),
    },
    ...(onShared && { onShared }),
  })
  return createPool(dial, {
    max: options.max ?? POOL_SIZE,
    ...(timeouts.answerMs !== undefined && { answerMs: timeouts.answerMs }),
    ...(!options.keepOpen && { lifetimeMs: LIFETIME_S * 1000 }),
    ...(onStatement && { onStatement }),
  })
}

/** For people: without a password. */
export const nameOf = (place: DatabasePlace): string => addressOf(place).shown

const addressOf = (place: DatabasePlace): Address => {
  if ('url' in place) return readAddress(place.url)
  const { socketPath, user, database } = place
  const host = { host: dirname(socketPath), port: Number(/\d+$/.exec(socketPath)?.[0]) }
  return { hosts: [host], target: 'any', user, database, settings: {}, shown: socketPath }
}

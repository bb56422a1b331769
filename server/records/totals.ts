import type { Collection } from '#domain/collection.ts'
import { RECORDED } from '#domain/change.ts'

import type { Caller } from '../caller.ts'
import type { Statement } from './sql.ts'
import { dependsOnTime, looksAt } from './steady.ts'

/** A total as it was in a snapshot of the database. */
interface Counted {
  readonly total: number
  /** `pg_snapshot` as text. */
  readonly snapshot: string
  /** In milliseconds since 1970. */
  readonly at: number
}

/** The totals that this process has counted (decision 0032). */
export interface Totals {
  /**
   * The total of a list as SQL: a number from before when no change of the caller's records has been
   * committed since, else `count`. What decides is in the same statement, and so true for every process.
   */
  expression(statement: Statement, list: List, count: string): string
  /** Keeps what a statement with that expression answered. */
  keep(list: List, total: number, snapshot: string): void
}

/** Of which list a total is. */
export interface List {
  readonly caller: Caller
  readonly collection: Collection
  /** As the caller wrote it. */
  readonly filter: string
}

/** Fewer are counted as quickly as it is found out that they need not be. */
const FEWEST = 1000
const MAX_KEPT = 1000
/** Long before the trail forgets what has come since. */
const MAX_AGE_MS = 60 * 60 * 1000

export const createTotals = (): Totals => {
  const kept = new Map<string, Counted>()
  const keyOf = ({ caller, collection, filter }: List): string | undefined =>
    caller.id !== null &&
    !caller.superuser &&
    RECORDED.some((name) => name === collection.name) &&
    // This may change without a note in the trail.
    !looksAt(filter, 'updated') &&
    !dependsOnTime(filter)
      ? `${caller.id} ${collection.name} ${filter}`
      : undefined
  return {
    expression: (statement, list, count) => {
      const counted = kept.get(keyOf(list) ?? '')
      if (counted === undefined || Date.now() - counted.at > MAX_AGE_MS) return count
      const owner = statement.bind(list.caller.id, 'text')
      const session = statement.bind(list.caller.sessionId, 'text')
      const snapshot = statement.bind(counted.snapshot, 'pg_snapshot')
      // Whose session has ended has nothing, and is counted to have nothing.
      return (
        `case when exists (select 1 from sessions s where s.id = ${session}` +
        ` and s."user" = ${owner} and s.expires > now())` +
        ` and not exists (select 1 from changes c where c.owner = ${owner}` +
        ` and c.xid >= pg_snapshot_xmin(${snapshot})` +
        ` and not pg_visible_in_snapshot(c.xid, ${snapshot}))` +
        ` then ${statement.bind(String(counted.total), 'bigint')} else ${count} end`
      )
    },
    keep: (list, total, snapshot) => {
      const key = keyOf(list)
      if (key === undefined) return
      kept.delete(key)
      if (total < FEWEST) return
      const [oldest] = kept.keys()
      if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest)
      kept.set(key, { total, snapshot, at: Date.now() })
    },
  }
}

import { putRecent } from '../lru.ts'

/** Decides which of the statements whose text depends on requests are prepared by name. */
export interface StatementCache {
  /** Records the use of a statement. @returns whether it is frequent enough to be prepared */
  shouldPrepare(text: string, by: string): boolean
}

export interface StatementCacheOptions {
  /** Maximum number of prepared statements, and of new ones within `windowMs`. */
  readonly max: number
  /** Maximum number of new ones within `windowMs` per caller. */
  readonly maxPerCaller: number
  /** The lifetime of a connection, with which its prepared statements end. */
  readonly windowMs: number
  /** Longer texts are never prepared. */
  readonly maxLength: number
  readonly now?: () => number
}

/** The use on which a statement is prepared. */
const MIN_USES = 3

/**
 * A prepared statement takes memory of the database on each connection until the connection is closed. So only
 * frequent statements, such as those of the app, are prepared, and only a bounded number: the least recently used
 * ones are evicted, at a bounded rate.
 */
export const createStatementCache = (options: StatementCacheOptions): StatementCache => {
  const { max, maxPerCaller, windowMs, maxLength, now = Date.now } = options
  const prepared = new Map<string, true>()
  const uses = new Map<string, number>()
  let windowEnds = 0
  /** The number of statements that each caller has added in this window. */
  let added = new Map<string, number>()
  let left = max

  const admit = (text: string, by: string): boolean => {
    if (now() >= windowEnds) {
      windowEnds = now() + windowMs
      added = new Map()
      left = max
    }
    const own = added.get(by) ?? 0
    if (left === 0 || own >= maxPerCaller) return false
    left--
    added.set(by, own + 1)
    uses.delete(text)
    putRecent(prepared, text, true, max)
    return true
  }
  return {
    shouldPrepare: (text, by) => {
      if (text.length > maxLength) return false
      if (prepared.has(text)) {
        putRecent(prepared, text, true, max)
        return true
      }
      const times = (uses.get(text) ?? 0) + 1
      putRecent(uses, text, times, 4 * max)
      return times >= MIN_USES && admit(text, by)
    },
  }
}

import type { FastifyInstance, FastifyRequest } from 'fastify'

import { DUPLICATE_LIMITS } from '#domain/duplicate.ts'
import { ApiError } from '#domain/error.ts'
import { GEOCODE_LIMITS } from '#domain/geocode.ts'

import { callerOf } from '../caller.ts'
import type { Sql } from '../db/sql.ts'
import { addressKey } from '../http/address.ts'
import type { RouteRateLimit } from '../http/route-config.ts'
import { putRecent } from '../lru.ts'
import { withTimeout } from '../timeout.ts'

interface RateLimit {
  readonly name: RouteRateLimit | 'writes' | 'public reads' | 'others'
  readonly perMinute: number
  /** The key by which requests are counted. Those of an ended session are counted by address. */
  readonly countedBy: 'address' | 'account'
  /**
   * `exact`: never exceeded across all processes. `approximate`: synchronized between processes once a second. It costs
   * a request no statement, so it is for addresses only: the session is not checked.
   */
  readonly accuracy: 'exact' | 'approximate'
}

/** The limits of all requests per minute (spec 12). */
const RATE_LIMITS: readonly RateLimit[] = [
  { name: 'sign-in', perMinute: 30, countedBy: 'address', accuracy: 'exact' },
  { name: 'mails', perMinute: 10, countedBy: 'address', accuracy: 'exact' },
  {
    name: 'geocoding',
    perMinute: GEOCODE_LIMITS.perMinute,
    countedBy: 'account',
    accuracy: 'exact',
  },
  {
    name: 'duplicates',
    perMinute: DUPLICATE_LIMITS.perMinute,
    countedBy: 'account',
    accuracy: 'exact',
  },
  { name: 'reports', perMinute: 20, countedBy: 'address', accuracy: 'approximate' },
  { name: 'writes', perMinute: 600, countedBy: 'account', accuracy: 'exact' },
  { name: 'public reads', perMinute: 3000, countedBy: 'address', accuracy: 'approximate' },
  { name: 'others', perMinute: 3000, countedBy: 'address', accuracy: 'approximate' },
]

/** The names of the limits, by which refusals are counted. */
export const RATE_LIMIT_NAMES: readonly string[] = RATE_LIMITS.map(({ name }) => name)

const nameOfLimit = ({ method, routeOptions: { config } }: FastifyRequest): RateLimit['name'] => {
  if (config.rateLimit !== undefined) return config.rateLimit
  if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) return 'writes'
  return config.kind === 'publicRead' ? 'public reads' : 'others'
}

/** The limit of a request; undefined if it has none. */
const limitOf = (request: FastifyRequest): RateLimit | undefined => {
  if (request.routeOptions.config.kind === 'monitoring') return undefined
  const limit = nameOfLimit(request)
  return RATE_LIMITS.find(({ name }) => name === limit)
}

export interface RateLimitDeps {
  readonly sql: Sql
  /** Called with the name of the limit for each refused request. */
  readonly onRefused: (name: string) => void
  /** Called if the counts cannot be shared; each process then counts alone. */
  readonly onProblem: (error: unknown) => void
}

/** Responds with 429 and `Retry-After` to requests over a limit, counted across all processes. */
export const limitRates = (app: FastifyInstance, deps: RateLimitDeps): void => {
  const counts = new Counts(deps)
  const ticker = setInterval(() => void counts.tick(), TICK_MS).unref()
  const counterOf = (request: FastifyRequest, { name, countedBy }: RateLimit): Counter => {
    const { id, sessionId } = callerOf(request)
    const ofAccount = { key: `${name} ${id}`, sessionId }
    return countedBy === 'account' && id !== null && !counts.hasEnded(ofAccount)
      ? ofAccount
      : { key: `${name} ${addressKey(request.ip)}`, sessionId: null }
  }
  const take = async (request: FastifyRequest, limit: RateLimit): Promise<number | undefined> => {
    const counter = counterOf(request, limit)
    const waitMs = await counts.take(limit, counter)
    return counts.hasEnded(counter) ? take(request, limit) : waitMs
  }
  const refusal = ({ name }: RateLimit, waitMs: number): ApiError => {
    deps.onRefused(name)
    return new ApiError(429, undefined, {}, { retryAfterS: Math.ceil(waitMs / 1000) })
  }
  // The counts of this process are checked before a body is read.
  app.addHook('onRequest', (request, _reply, done) => {
    const limit = limitOf(request)
    if (limit === undefined) return done()
    const counter = counterOf(request, limit)
    const waitMs =
      limit.accuracy === 'approximate' ? counts.count(limit, counter) : counts.waitMs(counter)
    done(waitMs === undefined ? undefined : refusal(limit, waitMs))
  })
  // The database is queried once the request is admitted, which bounds the number of queries.
  app.addHook('preValidation', async (request) => {
    const limit = limitOf(request)
    if (limit?.accuracy !== 'exact') return
    const waitMs = await take(request, limit)
    if (waitMs !== undefined) throw refusal(limit, waitMs)
  })
  app.addHook('onClose', async () => {
    clearInterval(ticker)
    await counts.tick(0)
  })
}

/** Removes the counts of past minutes. */
export const sweepRateCounts = async (sql: Sql): Promise<void> => {
  await sql`delete from rate_counts where started < now() - interval '5 minutes'`
}

const WINDOW_S = 60
const TICK_MS = 1000
/** Maximum number of tokens that a process reserves for one key. */
const MAX_RESERVED = 20
/** A process reserves at most this fraction of the remaining tokens, so that the last ones stay shared. */
const PART = 30
/**
 * The timeout of the database, and how long a process counts alone after it. Requests with an exact limit need the
 * database anyway, so a shorter timeout would gain nothing.
 */
const TIMEOUT_MS = 10_000
const CIRCUIT_OPEN_MS = 5000
/** Maximum number of keys in memory; a flood from many addresses must not fill it. */
const MAX_KEYS = 100_000

/**
 * Identifies what a request is counted by. All processes share the key. The tokens that a process has reserved belong
 * to one session, so that an ended session uses up no tokens of its account.
 */
interface Counter {
  readonly key: string
  /** Absent for an address. */
  readonly sessionId: string | null
}

const nameOf = ({ key, sessionId }: Counter): string =>
  sessionId === null ? key : `${key} ${sessionId}`

/** The state of one counter in this process. Times are those of `performance.now()`. */
interface Count extends Counter {
  readonly limit: RateLimit
  /** The end of the minute, as counted by the database. */
  until: number
  /** Its beginning, needed to return tokens. */
  started: string | undefined
  /** Exact: tokens reserved and not used yet. Approximate: requests admitted and not reported yet. */
  outstanding: number
  /** The usage of all processes. */
  used: number
  /** No tokens are left until then, so the database is not queried. */
  emptyUntil: number
  lastUsed: number
  waiting: number
  reserving: Promise<void> | undefined
  /** The session was not live when tokens were requested. */
  hasEnded: boolean
}

/** With concurrent transactions, the window of one may begin after `now()` of the other. */
const withinWindowMs = (leftS: number): number => Math.min(Math.max(0, leftS), WINDOW_S) * 1000

interface Taken {
  readonly granted: number
  readonly used: number
  readonly left_s: number
  readonly started: string
}

/**
 * The counts of this process, and its share of the counts in the table `rate_counts`. For an exact limit, it reserves
 * tokens in the database, several at a time while many are left, and returns unused ones. So most requests cost no
 * statement, and the limit is never exceeded.
 */
class Counts {
  readonly #counts = new Map<string, Count>()
  readonly #deps: RateLimitDeps
  #circuitOpenUntil = 0

  constructor(deps: RateLimitDeps) {
    this.#deps = deps
  }

  /** Counts a request without the database. @returns milliseconds to wait if the limit is reached */
  count(limit: RateLimit, counter: Counter): number | undefined {
    const count = this.#find(limit, counter)
    count.lastUsed = performance.now()
    if (count.used + count.outstanding >= limit.perMinute) return count.until - count.lastUsed
    count.outstanding += 1
    return undefined
  }

  /** Milliseconds to wait if an exact limit is known to be reached. Counts nothing. */
  waitMs(counter: Counter): number | undefined {
    const now = performance.now()
    const count = this.#counts.get(nameOf(counter))
    return count !== undefined && count.outstanding === 0 && count.emptyUntil > now
      ? Math.max(1, count.until - now)
      : undefined
  }

  /** Whether the session is known to have ended. */
  hasEnded(counter: Counter): boolean {
    return this.#counts.get(nameOf(counter))?.hasEnded === true
  }

  #find(limit: RateLimit, counter: Counter): Count {
    const now = performance.now()
    const name = nameOf(counter)
    const known = this.#counts.get(name)
    if (known !== undefined && (known.until > now || known.reserving !== undefined)) return known
    const fresh: Count = {
      ...counter,
      limit,
      until: now + WINDOW_S * 1000,
      started: undefined,
      outstanding: 0,
      used: 0,
      emptyUntil: 0,
      lastUsed: now,
      waiting: 0,
      reserving: undefined,
      hasEnded: false,
    }
    putRecent(this.#counts, name, fresh, MAX_KEYS)
    return fresh
  }

  /**
   * Counts a request across all processes, unless its session has ended.
   * @returns milliseconds to wait if the limit is reached
   */
  async take(limit: RateLimit, counter: Counter): Promise<number | undefined> {
    const count = this.#find(limit, counter)
    for (;;) {
      if (count.hasEnded) return undefined
      const now = performance.now()
      count.lastUsed = now
      if (count.outstanding > 0) {
        count.outstanding -= 1
        return undefined
      }
      if (count.emptyUntil > now) return Math.max(1, count.until - now)
      count.waiting += 1
      count.reserving ??= this.#reserve(count).finally(() => (count.reserving = undefined))
      await count.reserving
      count.waiting -= 1
    }
  }

  async #reserve(count: Count): Promise<void> {
    const { limit, key, sessionId } = count
    const left = limit.perMinute - count.used
    const reserved = Math.min(MAX_RESERVED, Math.floor(left / PART))
    const wanted = Math.max(1, reserved, Math.min(count.waiting, limit.perMinute))
    const rows = await this.#query((sql) =>
      sessionId === null
        ? sql<Taken[]>`
            select granted, used, left_s, started::text
            from take_tokens(${key}, ${wanted}::int, ${limit.perMinute}::int, ${WINDOW_S}::float8)`
        : sql<Taken[]>`
            select t.granted, t.used, t.left_s, t.started::text
            from sessions s, lateral take_tokens(
              ${`${limit.name} `} || coalesce(s."user", s.superuser),
              ${wanted}::int, ${limit.perMinute}::int, ${WINDOW_S}::float8) t
            where s.id = ${sessionId} and s.expires > now()`,
    )
    const now = performance.now()
    const [taken] = rows ?? []
    count.hasEnded = rows !== undefined && taken === undefined
    if (count.hasEnded) return
    if (taken === undefined) {
      // Without the database, this process counts alone.
      if (count.until <= now) Object.assign(count, { until: now + WINDOW_S * 1000, used: 0 })
      const granted = Math.max(0, Math.min(wanted, limit.perMinute - count.used))
      Object.assign(count, { outstanding: granted, used: count.used + granted, started: undefined })
    } else {
      const used = Math.min(taken.used, limit.perMinute)
      const until = now + withinWindowMs(taken.left_s)
      Object.assign(count, { outstanding: taken.granted, used, until, started: taken.started })
    }
    if (count.outstanding === 0) count.emptyUntil = Math.min(now + TICK_MS, count.until)
  }

  /** Reports admitted requests, and returns tokens that were not used for `idleMs`. */
  async tick(idleMs = TICK_MS): Promise<void> {
    const now = performance.now()
    const reported: [string, Count, number][] = []
    const returned: [string, Count, number][] = []
    for (const [name, count] of this.#counts) {
      if (count.outstanding > 0 && count.limit.accuracy === 'approximate')
        reported.push([count.key, count, count.outstanding])
      else if (
        count.outstanding > 0 &&
        count.lastUsed <= now - idleMs &&
        count.started !== undefined
      )
        returned.push([count.key, count, count.outstanding])
      else if (count.until <= now && count.reserving === undefined) this.#counts.delete(name)
    }
    await this.#report(reported)
    await this.#giveBack(returned)
  }

  async #report(reported: readonly [string, Count, number][]): Promise<void> {
    if (reported.length === 0) return
    for (const [, count, outstanding] of reported) {
      count.outstanding -= outstanding
      count.used += outstanding
    }
    // In the same order in every process, which avoids deadlocks.
    const sorted = reported.toSorted(([one], [other]) => (one < other ? -1 : 1))
    const keys = sorted.map(([key]) => key)
    const amounts = sorted.map(([, , outstanding]) => outstanding)
    const limits = sorted.map(([, { limit }]) => limit.perMinute)
    const rows = await this.#query(
      (sql) => sql<(Taken & { key: string })[]>`
        select k.key, t.granted, t.used, t.left_s, t.started::text
        from unnest(${keys}::text[], ${amounts}::int[], ${limits}::int[]) as k(key, held, most),
          lateral take_tokens(k.key, k.held, k.most, ${WINDOW_S}::float8) t`,
    )
    const now = performance.now()
    for (const { key, used, left_s: leftS } of rows ?? []) {
      const count = this.#counts.get(key)
      if (count !== undefined) Object.assign(count, { used, until: now + withinWindowMs(leftS) })
    }
  }

  async #giveBack(returned: readonly [string, Count, number][]): Promise<void> {
    if (returned.length === 0) return
    const starts = returned.map(([, { started }]) => started ?? '')
    for (const [, count, outstanding] of returned) {
      count.outstanding -= outstanding
      count.used -= outstanding
    }
    const keys = returned.map(([key]) => key)
    const amounts = returned.map(([, , outstanding]) => outstanding)
    const limits = returned.map(([, { limit }]) => limit.perMinute)
    await this.#query(
      (sql) => sql`
        update rate_counts c set used = least(c.used, k.most) - k.held
        from (
          select key, started, most, sum(held)::int as held
          from unnest(${keys}::text[], ${amounts}::int[], ${limits}::int[], ${starts}::text[])
            as each(key, held, most, started) group by 1, 2, 3) k
        where c.key = k.key and c.started = k.started::timestamptz`,
    )
  }

  /** Undefined after a timeout of the database. */
  async #query<T>(ask: (sql: Sql) => Promise<T>): Promise<T | undefined> {
    if (performance.now() < this.#circuitOpenUntil) return undefined
    try {
      return await withTimeout(TIMEOUT_MS, ask(this.#deps.sql))
    } catch (error) {
      this.#circuitOpenUntil = performance.now() + CIRCUIT_OPEN_MS
      this.#deps.onProblem(error)
      return undefined
    }
  }
}

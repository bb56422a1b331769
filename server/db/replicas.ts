import { setTimeout as sleep } from 'node:timers/promises'

import { StartupError } from '../problem.ts'
import { withTimeout } from '../timeout.ts'
import { readAddress } from '../database-address.ts'
import { connect, type ConnectionOptions } from './connect.ts'
import { QUERY_CANCELED } from './errors.ts'
import type { Runner, Sql } from './sql.ts'

/** Reads what may be a little old: from a replica that is close enough to the primary, or from the primary. */
export interface Replicas {
  /**
   * Runs a read, and runs it again on the primary if the replica fails.
   * @param after the answer must not be older than this position; `Infinity`: it comes from the primary
   */
  read<T>(work: (sql: Sql) => Promise<T>, after?: number): Promise<Answer<T>>
  /** Whether a replica answers reads now. */
  isUsable(): boolean
  states(): readonly ReplicaState[]
  /** The reads so far, by what answered them; empty without replicas. */
  reads(): Readonly<Record<string, number>>
  /** Closes the connections to the replicas. */
  end(): Promise<void>
}

export interface Answer<T> {
  readonly value: T
  /**
   * A position in the write-ahead log, in bytes: nothing in the answer was committed behind it. Undefined without
   * replicas, or if it cannot be told.
   */
  readonly position: () => Promise<number | undefined>
}

/** A replica for the metrics. */
interface ReplicaState {
  readonly replica: string
  /** How far it is behind the primary; undefined if it does not answer. */
  readonly lagS: number | undefined
  readonly isUsable: boolean
}

export interface ReplicasOptions {
  readonly primary: Sql
  readonly urls: readonly string[]
  readonly connection: ConnectionOptions
  /** A replica that is further behind the primary is not read. */
  readonly maxLagMs: number
  /** How long replicas are read while the primary does not answer, and nobody can tell how far they are behind. */
  readonly maxOutageMs: number
  /** Called with a sentence when a replica fails, and when it is back. */
  readonly onChange: (sentence: string) => void
}

const LOOK_MS = 250
/** A server that does not answer for this long does not answer reads either. */
const LOOK_TIMEOUT_MS = 2000
/** A look at a replica counts until the next one is overdue. */
const LOOK_LASTS_MS = LOOK_MS + LOOK_TIMEOUT_MS
/** Looks at the primary that are remembered: of 100 seconds. */
const MAX_MARKS = 400

/** What a look at a server finds. */
interface Sight {
  /** Names the installation of PostgreSQL, which replicas share with their primary, and the database in it. */
  readonly identity: string
  readonly isStandby: boolean
  readonly position: number
}

/** Positions are compared as numbers of bytes; a replica sees nothing of what it has not replayed. */
const REPLAYED = `pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
  else pg_current_wal_flush_lsn() end, '0/0')::float8`
/** At least what a statement before could see: a commit shows a moment before the position of its replay moves on. */
const RECEIVED = `pg_wal_lsn_diff(case when pg_is_in_recovery()
  then greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) else pg_current_wal_flush_lsn() end, '0/0')::float8`

const lookAt = async (sql: Runner): Promise<Sight> => {
  const asked = sql.unsafe<[Sight]>(
    `select (pg_control_system()).system_identifier || ' ' || current_database() as identity,
      pg_is_in_recovery() as "isStandby", ${REPLAYED} as position`,
    [],
    { prepare: true },
  )
  const [sight] = await withTimeout(LOOK_TIMEOUT_MS, asked)
  return sight
}

const positionOf = async (sql: Runner): Promise<number | undefined> => {
  const asked = sql.unsafe<[{ position: number | null }]>(`select ${RECEIVED} as position`, [], {
    prepare: true,
  })
  const [row] = await asked.catch(() => [])
  return row?.position ?? undefined
}

/** The remembered positions of the primary, by which the lag of a replica is measured. */
class Marks {
  /** The oldest first. Times are those of `performance.now()`, from before the look. */
  #marks: { readonly atMs: number; readonly position: number }[] = []

  get lastMs(): number {
    return this.#marks.at(-1)?.atMs ?? -Infinity
  }

  add(atMs: number, position: number): void {
    this.#marks = [...this.#marks, { atMs, position }].slice(-MAX_MARKS)
  }

  /** How old the state at a position was at the last look at the primary. */
  lagMs(position: number): number {
    const reached = this.#marks.findLast((mark) => mark.position <= position)
    return this.lastMs - (reached?.atMs ?? -Infinity)
  }
}

/** One replica, with what the last look at it found. */
class Replica {
  readonly shown: string
  readonly #open: (max?: number) => Sql
  readonly #identity: string
  #sql: Sql
  /** A connection of its own, so that a look never waits behind reads. */
  #looks: Sql
  #seen: (Sight & { readonly atMs: number; readonly lagMs: number }) | undefined
  /** Why the last look failed. */
  problem: StartupError | undefined
  /** Whether the address led to another database. */
  isStranger = false

  constructor(url: string, identity: string, connection: ConnectionOptions) {
    this.shown = readAddress(url).shown
    this.#identity = identity
    this.#open = (max) => connect({ url }, { ...connection, ...(max !== undefined && { max }) })
    this.#sql = this.#open()
    this.#looks = this.#open(1)
  }

  get sql(): Sql {
    return this.#sql
  }

  get lagMs(): number | undefined {
    return this.#seen?.lagMs
  }

  get isStandby(): boolean {
    return this.#seen?.isStandby === true
  }

  async look(marks: Marks): Promise<void> {
    try {
      const sight = await lookAt(this.#looks)
      this.isStranger = sight.identity !== this.#identity
      if (this.isStranger) throw notAReplica(this.shown)
      this.#seen = { ...sight, atMs: performance.now(), lagMs: marks.lagMs(sight.position) }
      this.problem = undefined
    } catch (error) {
      // Reads that a silent server has not answered are broken off, and run again elsewhere.
      if (this.#seen !== undefined) this.#reopen()
      this.#seen = undefined
      this.problem = error instanceof StartupError ? error : doesNotAnswer(this.shown, error)
    }
  }

  /** Whether it answered the last look, and was near enough to the primary. */
  isUsable(maxLagMs: number): boolean {
    const { atMs, lagMs } = this.#seen ?? { atMs: -Infinity, lagMs: Infinity }
    return performance.now() - atMs <= LOOK_LASTS_MS && lagMs <= maxLagMs
  }

  hasReached(position: number): boolean {
    return (this.#seen?.position ?? -Infinity) >= position
  }

  async end(timeout = 1): Promise<void> {
    await Promise.all([this.#sql, this.#looks].map((pool) => pool.end({ timeout })))
  }

  #reopen(): void {
    void this.end(0)
    this.#sql = this.#open()
    this.#looks = this.#open(1)
  }
}

/**
 * Opens the replicas of a database, and looks at them and at the primary all the time. A process stays with one replica while it is usable, and each begins with any of them.
 * @throws {StartupError} if one that answers is no replica of this database
 */
export const openReplicas = async (options: ReplicasOptions): Promise<Replicas> => {
  const { primary, urls, connection, maxLagMs, maxOutageMs, onChange } = options
  const { identity } = await lookAt(primary)
  const replicas = urls.map((url) => new Replica(url, identity, connection))
  const marks = new Marks()
  const counts = { replica: 0, primary: 0 }

  const lookAtPrimary = async (): Promise<void> => {
    const atMs = performance.now()
    const sight = await lookAt(primary).catch(() => undefined)
    // During a failover a standby may answer, which knows less than the primary.
    if (sight?.isStandby === false) marks.add(atMs, sight.position)
  }
  const lookAtReplica = async (replica: Replica): Promise<void> => {
    const before = stateOf(replica)
    await replica.look(marks)
    // Once an outage: its causes differ, as a server that stops is refused a moment later.
    if (stateOf(replica) !== before)
      onChange(replica.problem?.message ?? `${replica.shown} answers.`)
  }
  /** The usable replicas; a server that has become the primary only if there is no other. */
  const usable = (): readonly Replica[] => {
    if (performance.now() - marks.lastMs > maxOutageMs) return []
    const all = replicas.filter((replica) => replica.isUsable(maxLagMs))
    const standbys = all.filter(({ isStandby }) => isStandby)
    return standbys.length > 0 ? standbys : all
  }
  let current = replicas[Math.floor(Math.random() * replicas.length)]
  const choose = async (after: number): Promise<Replica | undefined> => {
    const found = usable()
    if (after === Infinity || found.length === 0) return undefined
    if (current === undefined || !found.includes(current)) current = found[0]
    // What the caller has seen may be newer than the last look.
    if (current?.hasReached(after) === false) await lookAtReplica(current)
    return [current, ...found].find((each) => each?.hasReached(after))
  }
  const answer = async <T>(
    from: keyof typeof counts,
    sql: Sql,
    work: (sql: Sql) => Promise<T>,
  ): Promise<Answer<T>> => {
    const value = await work(sql)
    counts[from] += 1
    return { value, position: () => positionOf(sql) }
  }

  await lookAtPrimary()
  await Promise.all(replicas.map(lookAtReplica))
  const stranger = replicas.find(({ isStranger }) => isStranger)
  const watch = watchAll([lookAtPrimary, ...replicas.map((each) => () => lookAtReplica(each))])
  const end = async (): Promise<void> => {
    await watch.end()
    await Promise.all(replicas.map((replica) => replica.end()))
  }
  if (stranger?.problem !== undefined) {
    await end()
    throw stranger.problem
  }
  return {
    read: async (work, after = 0) => {
      const replica = await choose(after)
      try {
        if (replica !== undefined) return await answer('replica', replica.sql, work)
      } catch (error) {
        if (!isWorthAnotherTry(error)) throw error
      }
      return answer('primary', primary, work)
    },
    isUsable: () => usable().length > 0,
    states: () =>
      replicas.map((replica) => ({
        replica: replica.shown,
        lagS: replica.lagMs === undefined ? undefined : replica.lagMs / 1000,
        isUsable: usable().includes(replica),
      })),
    reads: () => counts,
    end,
  }
}

/** Every read is the primary's. */
export const primaryAlone = (primary: Sql): Replicas => ({
  read: async (work) => ({ value: await work(primary), position: async () => undefined }),
  isUsable: () => false,
  states: () => [],
  reads: () => ({}),
  end: async () => {},
})

/** Calls each again and again, `LOOK_MS` after it has finished. */
const watchAll = (looks: readonly (() => Promise<void>)[]): { end: () => Promise<void> } => {
  const over = new AbortController()
  const running = looks.map(async (look) => {
    while (!over.signal.aborted) {
      await sleep(LOOK_MS, undefined, { signal: over.signal, ref: false }).catch(() => {})
      if (!over.signal.aborted) await look()
    }
  })
  return {
    end: async () => {
      over.abort()
      await Promise.all(running)
    },
  }
}

const stateOf = ({ problem, isStranger }: Replica): 'answers' | 'away' | 'stranger' =>
  problem === undefined ? 'answers' : isStranger ? 'stranger' : 'away'

/**
 * Whether a read may succeed on another server: this one has gone, or lacks a table yet, or ended the read for its replay. A
 * read that takes too long takes as long elsewhere.
 */
const isWorthAnotherTry = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code !== QUERY_CANCELED

const notAReplica = (shown: string): StartupError =>
  new StartupError(
    `${shown}, in DATABASE_REPLICA_URLS, is no replica of the database at DATABASE_URL: it must follow it by streaming replication, and be the same database.`,
  )

const doesNotAnswer = (shown: string, cause: unknown): StartupError =>
  new StartupError(
    `The replica ${shown} does not answer (${cause instanceof Error ? cause.message : ''}); public reads go elsewhere.`,
    { cause },
  )

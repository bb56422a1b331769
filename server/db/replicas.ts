import { setTimeout as sleep } from 'node:timers/promises'

import { StartupError } from '../problem.ts'
import { withTimeout } from '../timeout.ts'
import { readAddress } from '../database-address.ts'
import { connect, type ConnectionOptions } from './connect.ts'
import { QUERY_CANCELED } from './errors.ts'
import type { Runner, Sql } from './sql.ts'

/** Runs reads that may be slightly stale: on a replica that is close enough to the primary, or on the primary. */
export interface Replicas {
  /**
   * Runs a read, and repeats it on the primary if the replica fails.
   * @param after the answer must not be older than this position; `Infinity` reads from the primary
   */
  read<T>(work: (sql: Sql) => Promise<T>, after?: number): Promise<Answer<T>>
  /** Whether a replica answers reads now. */
  isUsable(): boolean
  states(): readonly ReplicaState[]
  /** The number of reads so far, by the server that answered them; empty without replicas. */
  reads(): Readonly<Record<string, number>>
  /** Closes the connections to the replicas. */
  end(): Promise<void>
}

export interface Answer<T> {
  readonly value: T
  /**
   * A position in the write-ahead log, in bytes: the answer contains nothing that was committed after it. Undefined
   * without replicas, or if the position is unknown.
   */
  readonly position: () => Promise<number | undefined>
}

/** A replica for the metrics. */
interface ReplicaState {
  readonly replica: string
  /** The lag behind the primary; undefined if the replica does not answer. */
  readonly lagS: number | undefined
  readonly isUsable: boolean
}

export interface ReplicasOptions {
  readonly primary: Sql
  readonly urls: readonly string[]
  readonly connection: ConnectionOptions
  /** A replica with a larger lag is not read. */
  readonly maxLagMs: number
  /** How long replicas are read while the primary does not answer, and their lag is unknown. */
  readonly maxOutageMs: number
  /** Called with a sentence when a replica fails, and when it recovers. */
  readonly onChange: (sentence: string) => void
}

const PROBE_INTERVAL_MS = 250
/** A server that does not answer a probe within this time does not answer reads either. */
const PROBE_TIMEOUT_MS = 2000
/** The result of a probe is valid until the next probe is overdue. */
const PROBE_VALID_MS = PROBE_INTERVAL_MS + PROBE_TIMEOUT_MS
/** The number of remembered probes of the primary: 100 seconds. */
const MAX_POSITIONS = 400

/** The result of a probe. */
interface ProbeResult {
  /** Identifies the installation of PostgreSQL, which replicas share with their primary, and the database in it. */
  readonly identity: string
  readonly isStandby: boolean
  readonly position: number
}

/** Positions are compared as numbers of bytes. A replica sees nothing that it has not replayed. */
const REPLAYED = `pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
  else pg_current_wal_flush_lsn() end, '0/0')::float8`
/**
 * At least the position that a preceding statement saw: a commit becomes visible shortly before the replay position
 * advances.
 */
const RECEIVED = `pg_wal_lsn_diff(case when pg_is_in_recovery()
  then greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) else pg_current_wal_flush_lsn() end, '0/0')::float8`

const probe = async (sql: Runner): Promise<ProbeResult> => {
  const query = sql.unsafe<[ProbeResult]>(
    `select (pg_control_system()).system_identifier || ' ' || current_database() as identity,
      pg_is_in_recovery() as "isStandby", ${REPLAYED} as position`,
    [],
    { prepare: true },
  )
  const [result] = await withTimeout(PROBE_TIMEOUT_MS, query)
  return result
}

const positionOf = async (sql: Runner): Promise<number | undefined> => {
  const query = sql.unsafe<[{ position: number | null }]>(`select ${RECEIVED} as position`, [], {
    prepare: true,
  })
  const [row] = await query.catch(() => [])
  return row?.position ?? undefined
}

/** The remembered positions of the primary, from which the lag of a replica is computed. */
class PositionHistory {
  /** The oldest first. Times are those of `performance.now()` before the probe. */
  #positions: { readonly atMs: number; readonly position: number }[] = []

  get lastMs(): number {
    return this.#positions.at(-1)?.atMs ?? -Infinity
  }

  add(atMs: number, position: number): void {
    this.#positions = [...this.#positions, { atMs, position }].slice(-MAX_POSITIONS)
  }

  /** The age of the state at a position when the primary was last probed. */
  lagMs(position: number): number {
    const reached = this.#positions.findLast((each) => each.position <= position)
    return this.lastMs - (reached?.atMs ?? -Infinity)
  }
}

/** One replica, with the result of its last probe. */
class Replica {
  readonly shown: string
  readonly #open: (max?: number) => Sql
  readonly #identity: string
  #sql: Sql
  /** A dedicated connection, so that a probe never waits behind reads. */
  #probeSql: Sql
  #lastProbe: (ProbeResult & { readonly atMs: number; readonly lagMs: number }) | undefined
  /** Why the last probe failed. */
  problem: StartupError | undefined
  /** Whether the address led to another database. */
  isOtherDatabase = false

  constructor(url: string, identity: string, connection: ConnectionOptions) {
    this.shown = readAddress(url).shown
    this.#identity = identity
    this.#open = (max) => connect({ url }, { ...connection, ...(max !== undefined && { max }) })
    this.#sql = this.#open()
    this.#probeSql = this.#open(1)
  }

  get sql(): Sql {
    return this.#sql
  }

  get lagMs(): number | undefined {
    return this.#lastProbe?.lagMs
  }

  get isStandby(): boolean {
    return this.#lastProbe?.isStandby === true
  }

  async probe(history: PositionHistory): Promise<void> {
    try {
      const result = await probe(this.#probeSql)
      this.isOtherDatabase = result.identity !== this.#identity
      if (this.isOtherDatabase) throw notAReplica(this.shown)
      this.#lastProbe = {
        ...result,
        atMs: performance.now(),
        lagMs: history.lagMs(result.position),
      }
      this.problem = undefined
    } catch (error) {
      // Aborts reads that an unresponsive server has not answered; they run again elsewhere.
      if (this.#lastProbe !== undefined) this.#reopen()
      this.#lastProbe = undefined
      this.problem = error instanceof StartupError ? error : doesNotAnswer(this.shown, error)
    }
  }

  /** Whether it answered the last probe with a small enough lag. */
  isUsable(maxLagMs: number): boolean {
    const { atMs, lagMs } = this.#lastProbe ?? { atMs: -Infinity, lagMs: Infinity }
    return performance.now() - atMs <= PROBE_VALID_MS && lagMs <= maxLagMs
  }

  hasReached(position: number): boolean {
    return (this.#lastProbe?.position ?? -Infinity) >= position
  }

  async end(timeout = 1): Promise<void> {
    await Promise.all([this.#sql, this.#probeSql].map((pool) => pool.end({ timeout })))
  }

  #reopen(): void {
    void this.end(0)
    this.#sql = this.#open()
    this.#probeSql = this.#open(1)
  }
}

/**
 * Opens the replicas of a database, and probes them and the primary continuously. A process stays with one replica
 * while it is usable; each process begins with a random one.
 * @throws {StartupError} if one that answers is no replica of this database
 */
export const openReplicas = async (options: ReplicasOptions): Promise<Replicas> => {
  const { primary, urls, connection, maxLagMs, maxOutageMs, onChange } = options
  const { identity } = await probe(primary)
  const replicas = urls.map((url) => new Replica(url, identity, connection))
  const history = new PositionHistory()
  const counts = { replica: 0, primary: 0 }

  const probePrimary = async (): Promise<void> => {
    const atMs = performance.now()
    const result = await probe(primary).catch(() => undefined)
    // During a failover a standby may answer, which may be behind the primary.
    if (result?.isStandby === false) history.add(atMs, result.position)
  }
  const probeReplica = async (replica: Replica): Promise<void> => {
    const before = stateOf(replica)
    await replica.probe(history)
    // Reported once per outage, whose errors vary: a server that stops, for example, refuses connections a moment
    // later.
    if (stateOf(replica) !== before)
      onChange(replica.problem?.message ?? `${replica.shown} answers.`)
  }
  /** The usable replicas. A server that has become the primary is included only if there is no other. */
  const usable = (): readonly Replica[] => {
    if (performance.now() - history.lastMs > maxOutageMs) return []
    const all = replicas.filter((replica) => replica.isUsable(maxLagMs))
    const standbys = all.filter(({ isStandby }) => isStandby)
    return standbys.length > 0 ? standbys : all
  }
  let current = replicas[Math.floor(Math.random() * replicas.length)]
  const choose = async (after: number): Promise<Replica | undefined> => {
    const found = usable()
    if (after === Infinity || found.length === 0) return undefined
    if (current === undefined || !found.includes(current)) current = found[0]
    // The caller may have seen a newer position than the last probe.
    if (current?.hasReached(after) === false) await probeReplica(current)
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

  await probePrimary()
  await Promise.all(replicas.map(probeReplica))
  const otherDatabase = replicas.find(({ isOtherDatabase }) => isOtherDatabase)
  const polling = pollAll([probePrimary, ...replicas.map((each) => () => probeReplica(each))])
  const end = async (): Promise<void> => {
    await polling.end()
    await Promise.all(replicas.map((replica) => replica.end()))
  }
  if (otherDatabase?.problem !== undefined) {
    await end()
    throw otherDatabase.problem
  }
  return {
    read: async (work, after = 0) => {
      const replica = await choose(after)
      try {
        if (replica !== undefined) return await answer('replica', replica.sql, work)
      } catch (error) {
        if (!isRetryable(error)) throw error
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

/** Runs every read on the primary. */
export const primaryAlone = (primary: Sql): Replicas => ({
  read: async (work) => ({ value: await work(primary), position: async () => undefined }),
  isUsable: () => false,
  states: () => [],
  reads: () => ({}),
  end: async () => {},
})

/** Calls each function repeatedly, `PROBE_INTERVAL_MS` after its last call has finished. */
const pollAll = (probes: readonly (() => Promise<void>)[]): { end: () => Promise<void> } => {
  const ended = new AbortController()
  const running = probes.map(async (run) => {
    while (!ended.signal.aborted) {
      await sleep(PROBE_INTERVAL_MS, undefined, { signal: ended.signal, ref: false }).catch(
        () => {},
      )
      if (!ended.signal.aborted) await run()
    }
  })
  return {
    end: async () => {
      ended.abort()
      await Promise.all(running)
    },
  }
}

const stateOf = ({
  problem,
  isOtherDatabase,
}: Replica): 'answers' | 'unavailable' | 'otherDatabase' =>
  problem === undefined ? 'answers' : isOtherDatabase ? 'otherDatabase' : 'unavailable'

/**
 * Whether a read may succeed on another server: this one is down, lacks a table so far, or cancelled the read for its
 * replay. A read that takes too long would take as long elsewhere.
 */
const isRetryable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code !== QUERY_CANCELED

const notAReplica = (shown: string): StartupError =>
  new StartupError(
    `${shown} in DATABASE_REPLICA_URLS is not a replica of the database at DATABASE_URL: it must be the same database and follow it by streaming replication.`,
  )

const doesNotAnswer = (shown: string, cause: unknown): StartupError =>
  new StartupError(
    `The replica ${shown} does not answer (${cause instanceof Error ? cause.message : ''}); public reads go elsewhere.`,
    { cause },
  )

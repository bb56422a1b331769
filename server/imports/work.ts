import { ENDED, WORKED_ON, type ImportState, type MissingChoice } from '#domain/import.ts'
import type { Mapping } from '#domain/import-source.ts'

import { retryConflicts } from '../db/conflicts.ts'
import { randomText } from '../db/random.ts'
import type { Runner, Sql, Transaction } from '../db/sql.ts'

/** An import that this process works on, in its state at the takeover. */
export interface Work {
  readonly import: string
  readonly business: string
  /** The user who owns the business. */
  readonly owner: string
  readonly state: ImportState
  readonly source: string
  readonly format: string
  /** The name of the stored file; empty if there is none. */
  readonly file: string
  readonly feed: string
  readonly missing: MissingChoice
  readonly done: number
  readonly total: number
  /** The number of the last row that was planned, applied or undone. */
  readonly position: number
  readonly url: string
  readonly token: string
  /** The user wants to review the plan, whatever the feed's rules are. */
  readonly isReview: boolean
  readonly mapping: Mapping | null
  readonly lease: string
  /** The import was interrupted too often without progress. */
  readonly hasTooManyInterruptions: boolean
  /** Aborted when this process should hand the import over. */
  readonly stop: AbortSignal
}

/** Another process has taken over the import, the import was deleted, or this process is stopping. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process works on the import.')
    this.name = 'LeaseLost'
  }
}

/** Longer than the time between two batches. During a batch, no other process can take over. */
const LEASE_S = 20
/** After more interruptions than this without progress that the next attempt continues from, an import fails. */
export const MAX_INTERRUPTIONS = 20

/** Identifies an import that a process resumes after it lost its connection. */
export interface ResumedImport {
  readonly import: string
  readonly lease: string
}

/** The kinds of work: `fetch` downloads, and mostly waits for another server; `work` is everything else. */
export type Kind = 'fetch' | 'work'

/** Whether the content of an import still has to be downloaded. */
export const isToFetch = ({ state, url, file }: Pick<Work, 'state' | 'url' | 'file'>): boolean =>
  state === 'READING' && url !== '' && file === ''

/** The SQL version of `isToFetch`. */
const isFetch = (sql: Runner, imported: string, work: string) =>
  sql`${sql(imported)}.state = 'READING' and ${sql(work)}.url <> '' and ${sql(imported)}.file = ''`

/**
 * Takes over an import that waits or whose process has disappeared. Each business has at most one of each kind in
 * progress, so that one owner's imports do not block those of others. One statement.
 */
export const takeOver = async (
  sql: Sql,
  stop: AbortSignal,
  which: Kind | ResumedImport,
): Promise<Work | undefined> => {
  if (stop.aborted) return undefined
  const [only, kind] = typeof which === 'string' ? [undefined, which] : [which, null]
  const lease = only?.lease ?? randomText(15)
  const [taken] = await sql<Omit<Work, 'stop'>[]>`
    update import_work w set lease = ${lease}, leased_until = now() + ${LEASE_S} * interval '1 second',
      interruptions = w.interruptions + 1
    from imports i join businesses b on b.id = i.business
    where i.id = w.import and w.import = (
      select n.import from import_work n join imports m on m.id = n.import
      where (n.leased_until <= now() or n.lease = ${only?.lease ?? ''} and n.lease <> '')
        and m.state = any(${[...WORKED_ON]})
        and (${kind}::text is null or (${kind} = 'fetch') = (${isFetch(sql, 'm', 'n')}))
        and (${only?.import ?? null}::text is null or n.import = ${only?.import ?? null})
        and not exists (
          select from imports o join import_work h on h.import = o.id
          where o.business = m.business and o.id <> m.id and o.state = any(${[...WORKED_ON]})
            and h.lease <> '' and h.leased_until > now()
            and (${isFetch(sql, 'o', 'h')}) = (${isFetch(sql, 'm', 'n')}))
      order by n.leased_until limit 1 for update of n skip locked)
    returning i.id as import, i.business, b."user" as owner, i.state, i.source, i.format, i.file, i.feed, i.missing,
      i.total, i.done, w.position, w.url, w.token, w.is_review as "isReview", w.mapping, w.lease,
      w.interruptions > ${MAX_INTERRUPTIONS} as "hasTooManyInterruptions"`
  return taken && { ...taken, stop }
}

/** Releases the lease, so that another process can continue immediately. */
export const release = async (sql: Sql, { import: id, lease }: Work): Promise<void> => {
  await sql`update import_work set leased_until = now(), interruptions = 0
    where import = ${id} and lease = ${lease}`
}

/** Releases the lease after a pause: the failure may not be caused by the import. */
export const releaseAfterPause = async (sql: Sql, { import: id, lease }: Work): Promise<void> => {
  await sql`update import_work set leased_until = now()
      + least(${PAUSE_S.first} * 2 ^ (interruptions - 1), ${PAUSE_S.longest}) * interval '1 second'
    where import = ${id} and lease = ${lease}`
}

/** Doubles with each interruption, so that a storage that is unreachable for some minutes does not end an import. */
const PAUSE_S = { first: 5, longest: 60 }

/** Attempts per batch after a serialization failure or deadlock. */
const ATTEMPTS = 5

const RENEW_MS = 5_000

/** Renews the lease during long work outside of a batch. */
export const withLeaseRenewal = async <T>(
  sql: Sql,
  work: Work,
  run: () => Promise<T>,
): Promise<T> => {
  const renewal = setInterval(() => {
    // If the renewal fails, the next batch renews the lease.
    void batch(sql, work, async () => {}).catch(() => {})
  }, RENEW_MS)
  try {
    return await run()
  } finally {
    clearInterval(renewal)
  }
}

/** The progress that a batch records. */
export interface BatchProgress {
  readonly position?: number
  readonly done?: number
  readonly total?: number
}

/**
 * Runs a batch in one transaction, which commits only if this process holds the lease. Renews the lease.
 * @throws {LeaseLost}
 */
export const batch = async <T>(
  sql: Sql,
  work: Work,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T> => {
  return retryConflicts(ATTEMPTS, () =>
    sql.begin(async (transaction) => {
      // Locks the import before its work, in the same order as a deletion.
      const held = await transaction`
      with locked as materialized (select id from imports where id = ${work.import} for no key update)
      update import_work w set leased_until = now() + ${LEASE_S} * interval '1 second'
      from locked l where w.import = l.id and w.lease = ${work.lease} returning 1 as held`
      if (held.length === 0 || work.stop.aborted) throw new LeaseLost()
      return run(transaction)
    }),
  )
}

/** Records the progress of an import for its owner and, with a position, for the process that continues it. */
export const note = async (
  runner: Runner,
  { import: id }: Work,
  { position, done, total }: BatchProgress,
): Promise<void> => {
  if (position !== undefined)
    await runner`update import_work set position = ${position}, interruptions = 0 where import = ${id}`
  if (done !== undefined || total !== undefined)
    await runner`
      update imports set done = coalesce(${done ?? null}, done), total = coalesce(${total ?? null}, total),
        updated = now(), version = nextval('record_version')
      where id = ${id}`
}

/** The current time in the wire format. */
export const nowText = (runner: Runner) =>
  runner`to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS"Z"')`

/** Moves an import to its next state. The record shows its columns only in the states in which users view them. */
export const moveOn = async (
  runner: Runner,
  { import: id }: Work,
  state: ImportState,
): Promise<void> => {
  await runner`
    update imports i set state = ${state}, updated = now(), version = nextval('record_version'),
      columns = case when ${state} in ('MAPPING', 'PLANNED') then w.columns else 'null' end,
      finished = case when ${ENDED.some((each) => each === state)}
        then ${nowText(runner)} else finished end
    from import_work w where i.id = ${id} and w.import = i.id`
}

/** Deletes the token of an address, and the address, of which `source` has what is not secret. */
export const forgetSecrets = async (runner: Runner, { import: id }: Work): Promise<void> => {
  await runner`
    update import_work w set token = '', url = case when w.url = '' then '' else i.source end
    from imports i where i.id = w.import and w.import = ${id}`
}

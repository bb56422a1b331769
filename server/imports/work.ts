import type { ImportState, MissingChoice } from '#domain/import.ts'
import type { Mapping } from '#domain/import-source.ts'

import { randomText } from '../db/random.ts'
import type { Runner, Sql, Transaction } from '../db/sql.ts'
import { codeOf } from '../problem.ts'

/** An import that this process works on, as it was when the process took it over. */
export interface Work {
  readonly import: string
  readonly business: string
  /** The user who owns the business. */
  readonly owner: string
  readonly state: ImportState
  readonly source: string
  readonly format: string
  /** The name of its stored file; empty if there is none. */
  readonly file: string
  readonly feed: string
  readonly missing: MissingChoice
  readonly done: number
  readonly total: number
  /** The last row that was planned, applied or undone. */
  readonly position: number
  readonly url: string
  readonly token: string
  /** A person wants to see the plan, whatever the rules of its feed. */
  readonly isReview: boolean
  readonly mapping: Mapping | null
  readonly lease: string
  /** Too many processes have left it without a batch in between. */
  readonly isHopeless: boolean
  /** Aborted when this process should leave the import to others. */
  readonly stop: AbortSignal
}

/** Another process has taken the import over, the import was deleted, or this process stops. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process works on the import.')
    this.name = 'LeaseLost'
  }
}

/** The states that a process moves on from without a person. */
const WORKING = ['READING', 'RUNNING', 'UNDOING'] as const satisfies readonly ImportState[]

/** Longer than a process takes between two batches; while a batch is under way, nobody takes over. */
const LEASE_S = 20
/** After so many interruptions without a batch in between, an import has failed. */
export const MAX_INTERRUPTIONS = 20

/** One import, for a process that takes it over again after it has lost its connection. */
export interface Own {
  readonly import: string
  readonly lease: string
}

/** What is done with an import: an address is fetched, which is mostly waiting for another server; all else is work. */
export type Kind = 'fetch' | 'work'

/** Whether the content of an import has to be fetched from its address. */
export const isToFetch = ({ state, url, file }: Pick<Work, 'state' | 'url' | 'file'>): boolean =>
  state === 'READING' && url !== '' && file === ''

/** The same of an import and its work in a statement. */
const isFetch = (sql: Runner, imported: string, work: string) =>
  sql`${sql(imported)}.state = 'READING' and ${sql(work)}.url <> '' and ${sql(imported)}.file = ''`

/**
 * Takes over an import that waits, or whose process has disappeared: one of each kind of a business at a time, so that nobody has to
 * wait for all that another owner has brought in. One statement.
 */
export const takeOver = async (
  sql: Sql,
  stop: AbortSignal,
  which: Kind | Own,
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
        and m.state = any(${[...WORKING]})
        and (${kind}::text is null or (${kind} = 'fetch') = (${isFetch(sql, 'm', 'n')}))
        and (${only?.import ?? null}::text is null or n.import = ${only?.import ?? null})
        and not exists (
          select from imports o join import_work h on h.import = o.id
          where o.business = m.business and o.id <> m.id and o.state = any(${[...WORKING]})
            and h.lease <> '' and h.leased_until > now()
            and (${isFetch(sql, 'o', 'h')}) = (${isFetch(sql, 'm', 'n')}))
      order by n.leased_until limit 1 for update of n skip locked)
    returning i.id as import, i.business, b."user" as owner, i.state, i.source, i.format, i.file, i.feed, i.missing,
      i.total, i.done, w.position, w.url, w.token, w.is_review as "isReview", w.mapping, w.lease,
      w.interruptions > ${MAX_INTERRUPTIONS} as "isHopeless"`
  return taken && { ...taken, stop }
}

/** Lets others go on at once. */
export const release = async (sql: Sql, { import: id, lease }: Work): Promise<void> => {
  await sql`update import_work set leased_until = now(), interruptions = 0
    where import = ${id} and lease = ${lease}`
}

/** Lets others go on after a while: something has failed that may not be the fault of the import. */
export const retreat = async (sql: Sql, { import: id, lease }: Work): Promise<void> => {
  await sql`update import_work set leased_until = now() + ${PAUSE_S} * interval '1 second'
    where import = ${id} and lease = ${lease}`
}

const PAUSE_S = 5

/** A batch that was in the way of another transaction is tried again. */
const ATTEMPTS = 5

const RENEW_MS = 5_000

/** Keeps the lease while something takes long that is no batch. */
export const keeping = async <T>(sql: Sql, work: Work, run: () => Promise<T>): Promise<T> => {
  const renewal = setInterval(() => {
    // Should it fail, the next batch does.
    void batch(sql, work, async () => {}).catch(() => {})
  }, RENEW_MS)
  try {
    return await run()
  } finally {
    clearInterval(renewal)
  }
}

/** What a batch notes about its import. */
export interface Noted {
  readonly position?: number
  readonly done?: number
  readonly total?: number
}

/**
 * Runs a batch in one transaction, which commits only while this process holds the lease; the lease is renewed.
 * @throws {LeaseLost}
 */
export const batch = async <T>(
  sql: Sql,
  work: Work,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T> => {
  const attempt = () =>
    sql.begin(async (transaction) => {
      // The import before its work, in the order in which a deletion locks them.
      const held = await transaction`
      with locked as materialized (select id from imports where id = ${work.import} for no key update)
      update import_work w set leased_until = now() + ${LEASE_S} * interval '1 second', interruptions = 0
      from locked l where w.import = l.id and w.lease = ${work.lease} returning 1 as held`
      if (held.length === 0 || work.stop.aborted) throw new LeaseLost()
      return run(transaction)
    })
  for (let left = ATTEMPTS; ; left -= 1)
    try {
      return await attempt()
    } catch (error) {
      const isInTheWay = codeOf(error)?.startsWith('40') === true
      if (left === 1 || !isInTheWay) throw error
    }
}

/** Notes how far an import is, for its owner and for whoever goes on. */
export const note = async (
  runner: Runner,
  { import: id }: Work,
  { position, done, total }: Noted,
): Promise<void> => {
  if (position !== undefined)
    await runner`update import_work set position = ${position} where import = ${id}`
  if (done !== undefined || total !== undefined)
    await runner`
      update imports set done = coalesce(${done ?? null}, done), total = coalesce(${total ?? null}, total),
        updated = now(), version = nextval('record_version')
      where id = ${id}`
}

/** Now, as on the wire. */
export const nowText = (runner: Runner) =>
  runner`to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS"Z"')`

/** Moves an import on to its next state. Its columns are in the record only while somebody may look at them. */
export const moveOn = async (
  runner: Runner,
  { import: id }: Work,
  state: ImportState,
): Promise<void> => {
  await runner`
    update imports i set state = ${state}, updated = now(), version = nextval('record_version'),
      columns = case when ${state} in ('MAPPING', 'PLANNED') then w.columns else 'null' end,
      finished = case when ${state} in ('DONE', 'UNDONE', 'FAILED')
        then ${nowText(runner)} else finished end
    from import_work w where i.id = ${id} and w.import = i.id`
}

/** Forgets the token of an address, and what is secret in the address itself: nobody reads it again. */
export const forgetSecrets = async (runner: Runner, { import: id }: Work): Promise<void> => {
  await runner`
    update import_work w set token = '', url = case when w.url = '' then '' else i.source end
    from imports i where i.id = w.import and w.import = ${id}`
}

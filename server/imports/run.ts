import { OF_IMPORT } from '#domain/change.ts'
import { isRemoval, WHOLE, type ImportedStation, type MissingChoice } from '#domain/import.ts'

import { actFor, stopActing } from '../auth/auth.ts'
import type { Caller } from '../caller.ts'
import type { Runner, Sql, Transaction } from '../db/sql.ts'
import { orderedId } from '../db/stable-id.ts'
import type { Row } from '../records/records.ts'
import {
  lockRows,
  noWrites,
  performWrites,
  writeRowsAtomically,
  type RecordWrites,
  type WriteResult,
} from './apply.ts'
import { noteCounts } from './counts.ts'
import { noteRun } from './feeds.ts'
import { findLinked } from './linked.ts'
import { readAhead } from './read-ahead.ts'
import { LINKED_BATCH, noteOutcomes, readBatch, type DueRow, type RowOutcome } from './rows.ts'
import { noteSources } from './sources.ts'
import { newConnectorIds } from './station.ts'
import { createTariffs } from './tariffs.ts'
import { batch, moveOn, note, type Work } from './work.ts'

/** Runs batches on behalf of the owner of an import until `runNext` returns false. */
export const asOwner = async (
  sql: Sql,
  work: Work,
  runNext: (caller: Caller) => Promise<boolean>,
): Promise<void> => {
  const correlationId = OF_IMPORT[work.state === 'UNDOING' ? 'undo' : 'run'] + work.import
  let caller = await actFor(sql, work.owner, correlationId)
  try {
    while (await runNext(caller)) caller = await actFor(sql, work.owner, correlationId, caller)
  } finally {
    await stopActing(sql, caller).catch(() => {})
  }
}

/** Applies a plan in atomic batches. An interrupted run continues where it stopped. */
export const runPlan = async (sql: Sql, work: Work): Promise<void> => {
  let { done } = work
  if (work.total === 0) await countDue(sql, work)
  const batches = readAhead(readDue(sql, work))
  try {
    await asOwner(sql, work, async (caller) => {
      const { value: next } = await batches.next()
      if (next === undefined) return false
      const { rows, position } = next
      await batch(sql, work, async (transaction) => {
        await noteOutcomes(
          transaction,
          work.import,
          await applyRows(transaction, caller, work, rows),
        )
        await note(transaction, work, { position, done: done + rows.length })
      })
      done += rows.length
      return true
    })
  } finally {
    await batches.return(undefined)
  }
  await noteSources(sql, work, work.isReview)
  await batch(sql, work, async (transaction) => {
    // The orphan collector deletes the file.
    await transaction`update imports set file = '' where id = ${work.import}`
    await moveOn(transaction, work, 'DONE')
    await noteRun(transaction, work)
    await noteCounts(transaction, work.import)
  })
}

const due = (runner: Runner, { import: id, missing }: Work) => runner`
  import = ${id} and state = 'PENDING' and included
    and action = any(${missing === 'REMOVE' ? ['NEW', 'CHANGED', 'MISSING'] : ['NEW', 'CHANGED']})`

const countDue = (sql: Sql, work: Work): Promise<void> =>
  batch(sql, work, async (transaction) => {
    // A missing site keeps a reference that no other site takes.
    await transaction`
      with taken as materialized (
        select distinct reference from import_rows
        where ${due(transaction, work)} and action in ('NEW', 'CHANGED') and reference <> '')
      update import_rows set changes = changes - 1, updated = now(), version = nextval('record_version')
      where ${due(transaction, work)} and action = 'MISSING' and changes #>> '{1,field}' = 'reference'
        and changes #>> '{1,before}' not in (select reference from taken)`
    const [{ count }] = await transaction<[{ count: number }]>`
      select count(*)::int as count from import_rows where ${due(transaction, work)}`
    await note(transaction, work, { total: count, done: 0 })
  })

interface DueBatch {
  readonly rows: readonly DueRow[]
  /** The number up to which all rows except linked ones are done after the batch. */
  readonly position: number
}

/**
 * Reads the rows that remain to be applied, in batches, linked rows first. No other process changes them during the
 * run.
 */
const readDue = async function* (sql: Sql, work: Work): AsyncGenerator<DueBatch, undefined> {
  const linked = await findLinked(sql, due(sql, work))
  for (const numbers of linked)
    for (let after: number | undefined = 0; after !== undefined;) {
      const rows: readonly DueRow[] = await readBatch(
        sql,
        sql`${due(sql, work)} and number > ${after} and number = any(${numbers})`,
        { limits: LINKED_BATCH },
      )
      after = rows.at(-1)?.number
      if (after !== undefined) yield { rows, position: work.position }
    }
  for (let after: number | undefined = work.position; after !== undefined;) {
    const rows: readonly DueRow[] = await readBatch(
      sql,
      sql`${due(sql, work)} and number > ${after} and number <> all(${linked.flat()})`,
    )
    after = rows.at(-1)?.number
    if (after !== undefined) yield { rows, position: after }
  }
}

const applyRows = async (
  transaction: Transaction,
  caller: Caller,
  work: Work,
  rows: readonly DueRow[],
): Promise<ReadonlyMap<number, RowOutcome>> => {
  const { locked, stale } = await lockRows(transaction, caller, rows)
  const current = rows.filter(({ number }) => !stale.has(number))
  const unpriced = await createTariffs(transaction, caller, work, current)
  const fresh = current.filter(({ number }) => !unpriced.has(number))
  const siteOf = (row: DueRow): string => row.site || orderedId(work.import, row.number)
  const result = await writeRowsAtomically(transaction, fresh, (some) => {
    const writes = noWrites()
    for (const row of some) addWrites(writes, row, siteOf(row), work, locked)
    return performWrites(transaction, caller, writes)
  })
  await noteRemovals(
    transaction,
    fresh.filter(({ number }) => !result.problems.has(number)),
  )
  const outcome = { ...result, problems: new Map([...unpriced, ...result.problems]) }
  return new Map(
    rows.map((row) => [
      row.number,
      outcomeOf(row, siteOf(row), work.missing, stale.has(row.number), locked, outcome),
    ]),
  )
}

const addWrites = (
  writes: RecordWrites,
  row: DueRow,
  site: string,
  { business, missing }: Pick<Work, 'business' | 'missing'>,
  locked: ReadonlyMap<string, Row>,
): void => {
  if (row.action === 'NEW' && row.station !== null)
    addCreation(writes, row.number, site, row.station, business)
  else addChanges(writes, row, site, missing, locked)
}

const addCreation = (
  { sites, connectors }: RecordWrites,
  row: number,
  id: string,
  station: ImportedStation,
  business: string,
): void => {
  sites.push({ row, prefix: '', id, fields: { ...station.site, business } })
  const ids = newConnectorIds(id, station)
  for (const [index, fields] of station.connectors.entries())
    connectors.push({
      row,
      prefix: `connectors[${index}].`,
      id: ids[index] ?? '',
      fields: { ...fields, site: id },
    })
}

const addChanges = (
  writes: RecordWrites,
  { number, changes }: DueRow,
  site: string,
  missing: MissingChoice,
  locked: ReadonlyMap<string, Row>,
): void => {
  const groups = Map.groupBy(changes ?? [], ({ record }) => record)
  for (const [id, group] of groups) {
    const [first] = group
    if (first?.field === WHOLE) {
      if (!isRemoval(first))
        writes.connectors.push({
          row: number,
          prefix: 'connectors[].',
          id,
          fields: { ...(first.after as object), site },
        })
      else if (missing === 'REMOVE') writes.removedConnectors.push(id)
      continue
    }
    const current = locked.get(id)
    if (current === undefined) continue
    const fields = Object.fromEntries(group.map(({ field, after }) => [field, after]))
    const [list, prefix] = id === site ? [writes.sites, ''] : [writes.connectors, 'connectors[].']
    list.push({ row: number, prefix, id, fields, current })
  }
}

const outcomeOf = (
  row: DueRow,
  site: string,
  missing: MissingChoice,
  isStale: boolean,
  locked: ReadonlyMap<string, Row>,
  { versions, problems }: WriteResult,
): RowOutcome => {
  if (isStale) {
    const code = locked.has(row.site) ? 'changed_since_plan' : 'site_gone'
    return { state: 'SKIPPED', site: row.site, problem: { code }, records: row.records }
  }
  const problem = problems.get(row.number)
  if (problem !== undefined)
    return { state: 'FAILED', site: row.site, problem, records: row.records }
  const isGone = (id: string): boolean =>
    missing === 'REMOVE' && row.changes?.some((one) => one.record === id && isRemoval(one)) === true
  const written =
    row.action === 'NEW'
      ? [site, ...(row.station === null ? [] : newConnectorIds(site, row.station))]
      : [
          ...Object.keys(row.records ?? {}),
          ...(row.changes ?? []).filter(({ field }) => field === WHOLE).map(({ record }) => record),
        ]
  const records = Object.fromEntries(
    written.flatMap((id) => {
      const version = versions.get(id) ?? row.records?.[id]
      return version === undefined || isGone(id) ? [] : [[id, version]]
    }),
  )
  return { state: 'APPLIED', site, problem: null, records }
}

/** Records the status of sites before their removal, so that it can be restored if the source contains them again. */
const noteRemovals = async (transaction: Transaction, rows: readonly DueRow[]): Promise<void> => {
  const removed = rows.filter(({ action }) => action === 'MISSING')
  if (removed.length === 0) return
  const before = removed.map(({ changes }) => changes?.[0]?.before as string)
  await transaction`
    update site_sources o set former_status = r.status
    from unnest(${removed.map(({ site }) => site)}::text[], ${before}::text[]) r(site, status)
    where o.site = r.site`
}

import { isRemoval, WHOLE, type ImportProblem } from '#domain/import.ts'

import type { Caller } from '../caller.ts'
import type { Runner, Sql, Transaction } from '../db/sql.ts'
import type { Row } from '../records/records.ts'
import {
  lockRows,
  noWrites,
  performWrites,
  writeRowsAtomically,
  type RecordWrites,
} from './apply.ts'
import { noteCounts } from './counts.ts'
import { findLinked } from './linked.ts'
import { LINKED_BATCH, noteOutcomes, readBatch, type DueRow, type RowOutcome } from './rows.ts'
import { asOwner } from './run.ts'
import { removeTariffs } from './tariffs.ts'
import { batch, moveOn, note, type Work } from './work.ts'

/**
 * Undoes a run in batches, except for records that were changed since. An interrupted undo continues where it stopped.
 */
export const undoRun = async (sql: Sql, work: Work): Promise<void> => {
  let { done } = work
  if (work.total === 0) await countApplied(sql, work)
  const linked = [...(await findLinked(sql, applied(sql, work)))]
  await asOwner(sql, work, (caller) => {
    const numbers = linked.pop()
    return batch(sql, work, async (transaction) => {
      const rows = await readApplied(transaction, work, numbers)
      if (rows.length === 0 && numbers === undefined) {
        await removeTariffs(transaction, caller, work)
        await moveOn(transaction, work, 'UNDONE')
        await noteCounts(transaction, work.import)
        return 0
      }
      await noteOutcomes(transaction, work.import, await undoRows(transaction, caller, rows))
      await note(transaction, work, {
        position: rows.at(-1)?.number ?? work.position,
        done: done + rows.length,
      })
      return rows.length
    }).then((count) => {
      done += count
      return count > 0 || numbers !== undefined
    })
  })
}

const applied = (runner: Runner, { import: id }: Work) => runner`
  import = ${id} and state = 'APPLIED'`

const countApplied = (sql: Sql, work: Work): Promise<void> =>
  batch(sql, work, async (transaction) => {
    const [{ count }] = await transaction<[{ count: number }]>`
      select count(*)::int as count from import_rows where ${applied(transaction, work)}`
    await note(transaction, work, { total: count, done: 0 })
  })

/** The applied rows with these numbers; without numbers, a batch of them, the last one first. */
const readApplied = (
  runner: Runner,
  work: Work,
  numbers: readonly number[] | undefined,
): Promise<DueRow[]> =>
  numbers === undefined
    ? readBatch(runner, applied(runner, work), { isLastFirst: true })
    : readBatch(runner, runner`${applied(runner, work)} and number = any(${numbers})`, {
        isLastFirst: true,
        limits: LINKED_BATCH,
      })

const undoRows = async (
  transaction: Transaction,
  caller: Caller,
  rows: readonly DueRow[],
): Promise<ReadonlyMap<number, RowOutcome>> => {
  const { locked } = await lockRows(transaction, caller, rows)
  const grown = await findGrown(transaction, rows)
  const kept = new Map(rows.map((row) => [row.number, keptOf(row, locked, grown)]))
  const keptIn = ({ number }: DueRow): ReadonlySet<string> => kept.get(number) ?? NONE
  const { problems } = await writeRowsAtomically(transaction, rows, (some) => {
    const writes = noWrites()
    for (const row of some) addReversal(writes, row, locked, keptIn(row))
    return performWrites(transaction, caller, writes)
  })
  return new Map(
    rows.map((row) => [
      row.number,
      outcomeOf(row, keptIn(row), locked.has(row.site), problems.get(row.number)),
    ]),
  )
}

const NONE: ReadonlySet<string> = new Set()

/**
 * The records of a row that stay because they were changed since. A new site is kept or removed as a whole: without the
 * connectors of the run, the owner's changes would be incomplete.
 */
const keptOf = (
  { action, site, records }: DueRow,
  locked: ReadonlyMap<string, Row>,
  grown: ReadonlySet<string>,
): ReadonlySet<string> => {
  const all = Object.entries(records ?? {})
  const changed = all.filter(([id, version]) => String(locked.get(id)?.['version']) !== version)
  const isWhole = !locked.has(site) || (action === 'NEW' && (changed.length > 0 || grown.has(site)))
  return new Set((isWhole ? all : changed).map(([id]) => id).concat(isWhole ? site : []))
}

/** Returns the new sites to which connectors were added since the run. */
const findGrown = async (runner: Runner, rows: readonly DueRow[]): Promise<ReadonlySet<string>> => {
  const created = rows.filter(({ action }) => action === 'NEW')
  const known = created.flatMap(({ records }) => Object.keys(records ?? {}))
  const found = await runner<{ site: string }[]>`
    select distinct c.site from connectors c
    where c.site = any(${created.map(({ site }) => site)}) and c.id <> all(${known})`
  return new Set(found.map(({ site }) => site))
}

const addReversal = (
  writes: RecordWrites,
  { number, action, site, changes }: DueRow,
  locked: ReadonlyMap<string, Row>,
  kept: ReadonlySet<string>,
): void => {
  if (action === 'NEW') {
    if (!kept.has(site)) writes.removedSites.push(site)
    return
  }
  if (!locked.has(site)) return
  for (const [id, group] of Map.groupBy(changes ?? [], ({ record }) => record)) {
    if (kept.has(id)) continue
    const [first] = group
    const current = locked.get(id)
    if (first?.field === WHOLE) {
      if (first.before === null) writes.removedConnectors.push(id)
      // Connectors that the run did not remove stay unchanged.
      else if (current === undefined)
        writes.connectors.push({
          row: number,
          prefix: 'connectors[].',
          id,
          fields: { ...(first.before as object), site },
        })
      continue
    }
    if (current === undefined) continue
    const fields = Object.fromEntries(group.map(({ field, before }) => [field, before]))
    const [list, prefix] = id === site ? [writes.sites, ''] : [writes.connectors, 'connectors[].']
    list.push({ row: number, prefix, id, fields, current })
  }
}

/** The records that a run has written. A connector that the run kept instead of removing still has its version. */
const writtenOf = ({ action, site, changes, records }: DueRow): readonly string[] =>
  action === 'NEW'
    ? [site]
    : (changes ?? [])
        .filter((one) => !isRemoval(one) || records?.[one.record] === undefined)
        .map(({ record }) => record)

const outcomeOf = (
  row: DueRow,
  kept: ReadonlySet<string>,
  isThere: boolean,
  problem: ImportProblem | undefined,
): RowOutcome => {
  const { site, action, records } = row
  if (problem !== undefined) return { state: 'KEPT', site, problem, records }
  const written = writtenOf(row)
  const left = isThere ? written.filter((id) => kept.has(id)) : written
  // The owner has already deleted the new site, or has changed only records that the run did not write.
  if (left.length === 0 || (!isThere && action === 'NEW'))
    return { state: 'UNDONE', site, problem: null, records: null }
  const code = !isThere
    ? 'site_gone'
    : left.length === written.length
      ? 'changed_since_run'
      : 'partly_changed_since_run'
  return { state: 'KEPT', site, problem: { code }, records }
}

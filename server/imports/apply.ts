import { COLLECTIONS } from '#domain/collections.ts'
import { ApiError, type FieldError } from '#domain/error.ts'
import type { ImportProblem } from '#domain/import.ts'

import type { Caller } from '../caller.ts'
import { isRefusal } from '../db/errors.ts'
import type { Runner } from '../db/sql.ts'
import {
  asFieldError,
  checkMany,
  lockMany,
  removeMany,
  writeMany,
  type BulkOutcome,
  type BulkWrite,
  type Row,
} from '../records/records.ts'
import type { DueRow } from './rows.ts'

const { sites, connectors, tariffs } = COLLECTIONS

/** A write that belongs to a row of an import. */
interface RowWrite extends BulkWrite {
  readonly row: number
  /** The prefix of field names in errors; empty for fields of a site. */
  readonly prefix: string
}

/** The writes and deletions that a set of rows needs. */
export interface RecordWrites {
  readonly sites: RowWrite[]
  readonly connectors: RowWrite[]
  readonly removedSites: string[]
  readonly removedConnectors: string[]
}

export const noWrites = (): RecordWrites => ({
  sites: [],
  connectors: [],
  removedSites: [],
  removedConnectors: [],
})

/** The versions of the written records, and the problems of rows whose writes were refused. */
export interface WriteResult {
  readonly versions: ReadonlyMap<string, string>
  readonly problems: ReadonlyMap<number, ImportProblem>
}

/** Performs the writes and deletions. If a row has a problem, the caller has to roll back. */
export const performWrites = async (
  runner: Runner,
  caller: Caller,
  writes: RecordWrites,
): Promise<WriteResult> => {
  const versions = new Map<string, string>()
  const problems = new Map<number, ImportProblem>()
  // Deletes connectors before it creates new ones, since a reference may move from one to another.
  if (writes.removedConnectors.length > 0)
    await removeMany(runner, caller, connectors, writes.removedConnectors)
  if (writes.removedSites.length > 0) await removeMany(runner, caller, sites, writes.removedSites)
  const note = (some: readonly RowWrite[], outcomes: ReadonlyMap<string, BulkOutcome>): void => {
    for (const { id, row, prefix } of some) {
      const outcome = outcomes.get(id)
      if (outcome === undefined) throw new Error('A record of an import was not written.')
      if (outcome.errors === undefined) versions.set(id, outcome.version)
      else problems.set(row, invalid(outcome.errors, prefix))
    }
  }
  const checkedSites = await checkMany(sites, writes.sites)
  // The connectors are checked while the database writes the sites.
  const [written, checked] = await Promise.all([
    writeMany(runner, caller, sites, checkedSites),
    checkMany(connectors, writes.connectors),
  ])
  note(writes.sites, written)
  const left = writes.connectors.filter(({ row }) => !problems.has(row))
  if (problems.size === 0 && checked.refused.size === 0)
    note(left, await writeMany(runner, caller, connectors, checked))
  else
    note(
      left.filter(({ id }) => checked.refused.has(id)),
      checked.refused,
    )
  return { versions, problems }
}

const invalid = (errors: Readonly<Record<string, FieldError>>, prefix = ''): ImportProblem => ({
  code: 'fields_invalid',
  fields: Object.fromEntries(Object.entries(errors).map(([name, error]) => [prefix + name, error])),
})

/**
 * Applies rows, each completely or not at all. If the checks or the database refuse a row, the changes are rolled back,
 * the row is left out and the others are applied without it.
 */
export const writeRowsAtomically = async <R extends { readonly number: number }>(
  runner: Runner,
  rows: readonly R[],
  write: (rows: readonly R[]) => Promise<WriteResult>,
): Promise<WriteResult> => {
  if (rows.length === 0) return { versions: new Map(), problems: new Map() }
  await runner.unsafe('savepoint rows')
  try {
    const result = await write(rows)
    if (result.problems.size === 0) {
      await runner.unsafe('release savepoint rows')
      return result
    }
    await runner.unsafe('rollback to savepoint rows')
    const others = rows.filter(({ number }) => !result.problems.has(number))
    const { versions, problems } = await writeRowsAtomically(runner, others, write)
    return { versions, problems: new Map([...result.problems, ...problems]) }
  } catch (error) {
    if (!isRefusal(error) || !isOfRow(error)) throw error
    await runner.unsafe('rollback to savepoint rows')
    const [one] = rows
    if (rows.length === 1 && one !== undefined)
      return { versions: new Map(), problems: new Map([[one.number, refused(error)]]) }
    const middle = Math.ceil(rows.length / 2)
    const first = await writeRowsAtomically(runner, rows.slice(0, middle), write)
    const second = await writeRowsAtomically(runner, rows.slice(middle), write)
    return {
      versions: new Map([...first.versions, ...second.versions]),
      problems: new Map([...first.problems, ...second.problems]),
    }
  }
}

/** Whether the values caused the refusal. Other errors, such as a deadlock, end the whole batch. */
const isOfRow = (error: unknown): boolean =>
  /^2[23]/.test(String((error as { code?: string }).code))

/** The problem that the database reports for a row, such as a duplicate reference. */
const refused = (error: unknown): ImportProblem => {
  for (const collection of [sites, connectors, tariffs]) {
    const failure = asFieldError(error, collection, '')
    const prefix = collection === connectors ? 'connectors[].' : ''
    if (failure instanceof ApiError)
      return invalid(failure.data as Record<string, FieldError>, prefix)
  }
  throw error
}

/** Locks the records of rows, and finds rows whose records have changed since their versions were noted. */
export const lockRows = async (
  runner: Runner,
  caller: Caller,
  rows: readonly DueRow[],
): Promise<{ readonly locked: ReadonlyMap<string, Row>; readonly stale: ReadonlySet<number> }> => {
  const ids = rows.flatMap(({ records }) => Object.keys(records ?? {}))
  if (ids.length === 0) return { locked: new Map(), stale: new Set() }
  const locked = new Map([
    ...(await lockMany(runner, caller, sites, ids)),
    ...(await lockMany(runner, caller, connectors, ids)),
  ])
  const isStale = ({ records }: DueRow): boolean =>
    Object.entries(records ?? {}).some(
      ([id, version]) => String(locked.get(id)?.['version']) !== version,
    )
  return { locked, stale: new Set(rows.filter(isStale).map(({ number }) => number)) }
}

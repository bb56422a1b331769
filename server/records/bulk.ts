import { setImmediate as turn } from 'node:timers/promises'

import type { LinkedCollection } from '#domain/collection.ts'
import { relationTarget } from '#domain/collections.ts'
import type { FieldError } from '#domain/error.ts'
import type { Field } from '#domain/field.ts'
import type { Value } from '#domain/schema.ts'

import type { Caller } from '../caller.ts'
import { columnType, identifier, mayBeNull } from '../db/columns.ts'
import type { Runner } from '../db/sql.ts'
import { accessOf } from './access.ts'
import { fillIn } from './filled-in.ts'
import { actsAs, Scope, Statement, type Access } from './sql.ts'
import { readChanges, type Row } from './values.ts'
import {
  checkConstraints,
  isReferredTo,
  isRestricted,
  ownerAllows,
  ownTarget,
  refers,
} from './write.ts'

/** A record to write, as a caller would submit it; with the locked row, an update. */
export interface BulkWrite {
  readonly id: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly current?: Row
}

/** The new version of a record, or the errors of its values. */
export type BulkOutcome =
  | { readonly version: string; readonly errors?: undefined }
  | { readonly errors: Readonly<Record<string, FieldError>> }

/** Checked writes, and the errors of refused ones. */
export interface CheckedWrites {
  readonly checked: readonly Checked[]
  readonly refused: ReadonlyMap<string, BulkOutcome>
}

/** A checked write. */
interface Checked {
  readonly id: string
  readonly isNew: boolean
  readonly values: ReadonlyMap<string, Value>
  readonly filledIn: readonly string[]
}

/** The number of writes that are checked before other tasks get a turn. */
const TURN = 100

/** Checks writes of a collection by the rules of a single write. No statement. */
export const checkMany = async (
  collection: LinkedCollection,
  writes: readonly BulkWrite[],
): Promise<CheckedWrites> => {
  const refused = new Map<string, BulkOutcome>()
  const checked: Checked[] = []
  for (const [index, { id, fields, current }] of writes.entries()) {
    if (index % TURN === 0) await turn()
    const submission = { fields: new Map(Object.entries(fields)), uploads: [] }
    const { values, errors } = await readChanges(collection, submission, current, false)
    if (Object.keys(errors).length > 0) {
      refused.set(id, { errors })
      continue
    }
    const filled = await fillIn(collection, values, current)
    checked.push({
      id,
      isNew: current === undefined,
      values: new Map([...values, ...filled]),
      filledIn: [...filled.keys()],
    })
  }
  return { checked, refused }
}

/**
 * Writes many records of a collection with few statements, with the rules and checks of a single write (decision 0115).
 * Skips records with invalid values, and records that the caller may not write, which are missing from the result. The
 * caller provides the transaction and handles errors of the database.
 */
export const writeMany = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  { checked, refused }: CheckedWrites,
): Promise<ReadonlyMap<string, BulkOutcome>> => {
  const outcomes = new Map(refused)
  // The filled-in fields are set for a whole statement.
  const groups = Map.groupBy(checked, ({ isNew, filledIn }) => `${isNew} ${filledIn.join()}`)
  for (const group of groups.values()) {
    const put = group[0]?.isNew ? insertMany : updateMany
    for (const { id, version } of await put(runner, caller, collection, group))
      outcomes.set(id, { version })
    if (group.some(({ values }) => refers(collection, values))) await checkConstraints(runner)
  }
  return outcomes
}

type Written = { readonly id: string; readonly version: string }

const insertMany = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  rows: readonly Checked[],
): Promise<readonly Written[]> => {
  const fields = Object.entries(collection.fields).filter(
    ([, { kind }]) => kind !== 'autodate' && kind !== 'files',
  )
  const statement = new Statement('fixed')
  const access = accessOf(statement, caller)
  const source = recordset(statement, fields, rows.map(asRow))
  const columns = ['id', ...fields.map(([name]) => identifier(name))]
  const values = ['r.id', ...fields.map(([name]) => valueOf(collection, name, access))]
  return statement.run<Written>(
    runner,
    `insert into ${identifier(collection.name)} (${columns.join(', ')})` +
      ` select ${values.join(', ')} from ${source}` +
      ` where ${ownerAllows(collection, access, columnOf)} and ${actsAs(statement, caller, rows[0]?.filledIn)}` +
      ` returning id, version::text`,
  )
}

/** Every row gets all columns that any of the rows changes; unchanged columns keep their values. */
const updateMany = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  rows: readonly Checked[],
): Promise<readonly Written[]> => {
  const names = new Set(rows.flatMap(({ values }) => [...values.keys()]))
  const fields = Object.entries(collection.fields).filter(([name]) => names.has(name))
  const [relation = ''] = collection.owner?.split('.') ?? []
  if (names.has(relation)) throw new TypeError('Many records cannot be moved at once.')
  const statement = new Statement({ adHocOf: caller })
  const access = accessOf(statement, caller)
  const said = rows.map((row) => ({ ...asRow(row), said: [...row.values.keys()] }))
  const source = recordset(statement, fields, said)
  const sets = fields.map(([name]) => {
    const column = identifier(name)
    return `${column} = case when r.said ? '${name}' then ${valueOf(collection, name, access)} else t.${column} end`
  })
  return statement.run<Written>(
    runner,
    `update ${identifier(collection.name)} t set version = nextval('record_version'), updated = now(),` +
      ` ${sets.join(', ')} from ${source} where t.id = r.id` +
      ` and ${actsAs(statement, caller, rows[0]?.filledIn)} returning t.id, t.version::text`,
  )
}

const asRow = ({ id, values }: Checked): object => ({ id, ...Object.fromEntries(values) })

/** The rows as one parameter. In an update, `said` contains the names of the fields that a row has values for. */
const recordset = (
  statement: Statement,
  fields: readonly (readonly [string, Field])[],
  rows: readonly object[],
): string => {
  const columns = fields.map(([name, field]) => `${identifier(name)} ${columnType(field)}`)
  return `jsonb_to_recordset(${statement.bind(JSON.stringify(rows), 'jsonb')}) r(id text, said jsonb, ${columns.join(', ')})`
}

/** The submitted value of a field. */
const columnOf = (name: string): string => `r.${identifier(name)}`

const valueOf = (collection: LinkedCollection, name: string, access: Access): string => {
  const field = collection.fields[name]
  const column = columnOf(name)
  if (field === undefined) throw new TypeError(`no field: ${name}`)
  if (field.kind === 'json') return `coalesce(${column}, 'null')`
  const target = relationTarget(collection, name)
  if (!isRestricted(field) || target === undefined)
    return mayBeNull(field) ? `nullif(${column}, '')` : column
  return `case when ${column} <> '' then ${ownTarget(target, access, column)} end`
}

/** Reads and locks the stored rows that the caller may change, by id. One statement. */
export const lockMany = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Row>> => {
  const statement = new Statement('fixed')
  const scope = new Scope(collection, 't')
  const owned = scope.reachedBy(accessOf(statement, caller), 'change')
  const rows = await statement.run<Row>(
    runner,
    `select t.* from ${identifier(collection.name)} t${scope.joins}` +
      ` where t.id = any(${statement.bind(ids, 'text[]')}) and ${owned} order by t.id for no key update of t`,
  )
  return new Map(rows.map((row) => [String(row['id']), row]))
}

/** Deletes records of the caller. One statement. @returns the ids of those that existed */
export const removeMany = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const statement = new Statement('fixed')
  const scope = new Scope(collection, 't')
  const owned = scope.reachedBy(accessOf(statement, caller), 'remove')
  const table = identifier(collection.name)
  const rows = await statement.run<{ id: string }>(
    runner,
    `delete from ${table} where id in (select t.id from ${table} t${scope.joins}` +
      ` where t.id = any(${statement.bind(ids, 'text[]')}) and ${owned})` +
      ` and ${actsAs(statement, caller)} returning id`,
  )
  if (isReferredTo(collection)) await checkConstraints(runner)
  return new Set(rows.map(({ id }) => id))
}

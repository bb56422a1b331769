import type { LinkedCollection } from '#domain/collection.ts'
import { relationTarget } from '#domain/collections.ts'
import { ApiError, fieldError, type FieldError } from '#domain/error.ts'
import { emptyValue, type Field } from '#domain/field.ts'
import { CASCADE_TIMEOUT_MS } from '#domain/limits.ts'
import type { Value } from '#domain/schema.ts'

import type { Caller } from '../caller.ts'
import { accessOf } from './access.ts'
import { accountColumn, type NewPassword } from '../auth/auth.ts'
import { columnType, identifier, mayBeNull } from '../db/columns.ts'
import { UNIQUE_VIOLATION } from '../db/errors.ts'
import type { Runner } from '../db/sql.ts'
import type { Row } from './values.ts'
import { isWhole, plainText, selectOne, type Answer, type View } from './read.ts'
import { actsAs, Scope, Statement, type Access, type Bindable } from './sql.ts'

/** Values by column. */
export type Values = ReadonlyMap<string, Value>

/** What is written into a row. */
export interface Content {
  readonly values: Values
  /** Those of them that the server has filled in. */
  readonly filledIn: readonly string[]
  readonly secret?: NewPassword | undefined
}

/** One statement. @throws ApiError 400 without field errors if the parent is not the caller's */
export const insert = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  id: string,
  { values, filledIn, secret }: Content,
  view: View,
): Promise<Answer> => {
  const statement = new Statement(isWhole(view) ? 'fixed' : { adHocOf: caller })
  const access = accessOf(statement, caller)
  const columns = ['id']
  const expressions = [statement.bind(id, 'text')]
  for (const [name, field] of Object.entries(collection.fields)) {
    if (field.kind === 'autodate') continue
    columns.push(identifier(name))
    const value = values.get(name) ?? emptyValue(field)
    expressions.push(bindValue(statement, collection, name, field, value, access))
  }
  const allowed = ownerAllows(collection, access, (relation) =>
    statement.bind((values.get(relation) ?? '') as string, 'text'),
  )
  const inserted =
    `with t as (insert into ${identifier(collection.name)} (${columns.join(', ')})` +
    ` select ${expressions.join(', ')} where ${allowed} and ${actsAs(statement, caller, filledIn)} returning *)` +
    setPassword(statement, collection, secret)
  try {
    return await selectOne(runner, statement, collection, access, view, 't', 'true', inserted)
  } catch (error) {
    // A parent of another owner and a missing one get the same error.
    if (error instanceof ApiError && error.status === 404)
      throw new ApiError(400, 'Failed to create record.')
    throw error
  }
}

const bindValue = (
  statement: Statement,
  collection: LinkedCollection,
  name: string,
  field: Field,
  value: Value,
  access: Access,
): string => {
  if (mayBeNull(field) && value === '') return statement.bind(null, 'text')
  const target = relationTarget(collection, name)
  if (isRestricted(field) && target !== undefined)
    return ownTarget(target, access, statement.bind(value as string, 'text'))
  const bound = field.kind === 'json' ? JSON.stringify(value) : (value as Bindable)
  return statement.bind(bound, columnType(field))
}

/** The id in `value`. A record of another owner counts as missing: the foreign key refuses the empty id. */
export const ownTarget = (target: LinkedCollection, access: Access, value: string): string => {
  const scope = new Scope(target, 'q')
  const reached = scope.reachedBy(access, 'change')
  return `coalesce((select q.id from ${identifier(target.name)} q${scope.joins} where q.id = ${value} and ${reached}), '')`
}

/** True if a record would belong to the caller. @param valueOf the SQL of the value of a relation */
export const ownerAllows = (
  collection: LinkedCollection,
  access: Access,
  valueOf: (relation: string) => string,
): string => {
  if (access.superuser || collection.owner === null) return access.rules()
  const [relation = '', ...rest] = collection.owner.split('.')
  const value = valueOf(relation)
  const parent = relationTarget(collection, relation)
  if (rest.length === 0 || parent === undefined) return access.owns(value)
  const scope = new Scope(parent, 'p')
  const owned = scope.reachedBy(access)
  // Not `exists`: many rows would be joined to everything that the owner has (decision 0140).
  return `(select true from ${identifier(parent.name)} p${scope.joins} where p.id = ${value} and ${owned})`
}

/**
 * Reads and locks the stored row; undefined if there is none for the caller. Ids never change, so the lock does
 * not block records that reference it. If the write may cascade, the rest of the transaction gets the timeout of such
 * writes. A write that waits here for another one does not.
 */
export const lock = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  id: string,
  action: 'change' | 'remove',
): Promise<Row | undefined> => {
  const statement = new Statement('fixed')
  const scope = new Scope(collection, 't')
  const owned = scope.reachedBy(accessOf(statement, caller), action)
  const { cascades } = collection
  const [row] = await statement.run<Row>(
    runner,
    `select t.* from ${identifier(collection.name)} t${scope.joins}` +
      ` where t.id = ${statement.bind(id, 'text')} and ${owned}` +
      (cascades
        ? ` and set_config('statement_timeout', '${CASCADE_TIMEOUT_MS}', true) <> ''`
        : '') +
      ' for no key update of t',
    cascades && { answerMs: CASCADE_TIMEOUT_MS + ANSWER_DELAY_MS },
  )
  return row
}

/** The database's response to a statement that has timed out takes at most this long. */
const ANSWER_DELAY_MS = 5000

/** Whether a relation keeps its target from being deleted. */
export const isRestricted = (field: Field): boolean =>
  field.kind === 'relation' && field.onDelete === 'restrict'

/** Checks the relations of a written record, before the end of the transaction. */
export const checkRelations = async (
  runner: Runner,
  collection: LinkedCollection,
  values: Values,
): Promise<void> => {
  if (refers(collection, values)) await checkConstraints(runner)
}

/** Whether a record with these values keeps another one from being deleted. */
export const refers = ({ fields }: LinkedCollection, values: Values): boolean =>
  Object.entries(fields).some(
    ([name, field]) => isRestricted(field) && (values.get(name) ?? '') !== '',
  )

/** Runs deferred constraint checks now. Outside of a transaction they have already run. */
export const checkConstraints = async (runner: Runner): Promise<void> => {
  await runner.unsafe('set constraints all immediate; set constraints all deferred')
}

/** Updates a locked row. @throws ApiError 404 if the caller would lose access to it */
export const change = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  id: string,
  { values, filledIn, secret }: Content,
  view: View,
): Promise<Answer> => {
  const statement = new Statement({ adHocOf: caller })
  const access = accessOf(statement, caller)
  const assignments = [`version = nextval('record_version')`, 'updated = now()']
  for (const [name, value] of values) {
    const field = collection.fields[name]
    if (field === undefined) throw new TypeError(`no field: ${name}`)
    assignments.push(
      `${identifier(name)} = ${bindValue(statement, collection, name, field, value, access)}`,
    )
  }
  // After a move, the record must still belong to the caller.
  const [relation = ''] = collection.owner?.split('.') ?? []
  const moved = values.get(relation)
  const allowed =
    moved === undefined
      ? 'true'
      : ownerAllows(collection, access, () => statement.bind(moved as string, 'text'))
  const updated =
    `with t as (update ${identifier(collection.name)} r set ${assignments.join(', ')}` +
    ` where id = ${statement.bind(id, 'text')} and ${allowed}` +
    ` and ${stillHas(statement, collection, secret)} and ${actsAs(statement, caller, filledIn)} returning *)` +
    setPassword(statement, collection, secret)
  return selectOne(runner, statement, collection, access, view, 't', 'true', updated)
}

/** Sets the password of the written account `t`, as another part of the `with` of the statement. */
const setPassword = (
  statement: Statement,
  collection: LinkedCollection,
  secret: NewPassword | undefined,
): string => {
  if (secret?.hash === undefined) return ' '
  const account = identifier(accountColumn(collection))
  return (
    `, secret as (insert into passwords (${account}, hash)` +
    ` select t.id, ${statement.bind(secret.hash, 'text')} from t` +
    ` on conflict (${account}) do update set hash = excluded.hash) `
  )
}

/** True while the row `r` has the password that its owner has confirmed. */
const stillHas = (
  statement: Statement,
  collection: LinkedCollection,
  secret: NewPassword | undefined,
): string =>
  secret?.replaces === undefined
    ? 'true'
    : `exists (select 1 from passwords p where p.${identifier(accountColumn(collection))} = r.id` +
      ` and p.hash = ${statement.bind(secret.replaces, 'text')})`

/**
 * Deletes a record and, by cascade, the records that reference it, except with `restrict`. One statement.
 * @throws ApiError 404; 400 if a record with `restrict` references it; 409 if the server is working on it
 */
export const remove = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  id: string,
): Promise<void> => {
  const statement = new Statement('fixed')
  const scope = new Scope(collection, 't')
  const owned = scope.reachedBy(accessOf(statement, caller), 'remove')
  const table = identifier(collection.name)
  const { undeletable } = collection
  // On the row to delete, not in the subquery: PostgreSQL checks it again after it has waited for a concurrent change.
  const mayGo =
    undeletable === undefined
      ? 'true'
      : `${identifier(undeletable.field)} <> all(${statement.bind(undeletable.values, 'text[]')})`
  const removed = await statement
    .run(
      runner,
      `delete from ${table} where ${mayGo} and id in (select t.id from ${table} t${scope.joins}` +
        ` where t.id = ${statement.bind(plainText(id), 'text')} and ${owned})` +
        ` and ${actsAs(statement, caller)} returning id`,
    )
    .then(async (rows) => {
      if (isReferredTo(collection)) await checkConstraints(runner)
      return rows
    })
    .catch((error: unknown) => {
      throw asInUse(error)
    })
  if (removed.length > 0) return
  if (undeletable === undefined) throw new ApiError(404)
  const kept = await lock(runner, caller, collection, plainText(id), 'remove')
  if (kept === undefined) throw new ApiError(404)
  throw new ApiError(409, `The record is ${String(kept[undeletable.field])}.`)
}

/** Whether the deletion of one record may delete any number of others. */
export const removesMany = (collection: LinkedCollection): boolean =>
  collection.cascades === true && !isReferredTo(collection)

/** Whether a relation with `restrict` points to the collection. */
export const isReferredTo = ({ name, schema }: LinkedCollection): boolean =>
  schema.collections.some(({ fields }) =>
    Object.values(fields).some(
      (field) => field.kind === 'relation' && field.to === name && isRestricted(field),
    ),
  )

const asInUse = (error: unknown): unknown => {
  const { code, table = '' } = error as { code?: string; table?: string }
  return code === FOREIGN_KEY_VIOLATION
    ? new ApiError(400, 'Failed to delete record.', {
        id: fieldError('validation_record_in_use', { collection: table }),
      })
    : error
}

/** Whether an `If-Match` header contains the version of a row. */
export const matches = (ifMatch: string, row: Row): boolean =>
  ifMatch.trim() === '*' ||
  ifMatch.split(',').some((etag) => /^\s*"(\d+)[.-]/.exec(etag)?.[1] === String(row['version']))

/** @throws ApiError 400 with all field errors, if there are any */
export const refuse = (message: string, errors: Readonly<Record<string, FieldError>>): void => {
  if (Object.keys(errors).length > 0) throw new ApiError(400, message, errors)
}

const FOREIGN_KEY_VIOLATION = '23503'
const CHECK_VIOLATION = '23514'

/** Converts a constraint violation to the error of its field. */
export const asFieldError = (
  error: unknown,
  collection: LinkedCollection,
  message: string,
): unknown => {
  const { code, constraint = '' } = error as {
    code?: string
    constraint?: string
  }
  const field =
    constraint === `${collection.name}_pkey`
      ? 'id'
      : Object.keys(collection.fields).find((name) =>
          constraint.startsWith(`${collection.name}_${name}_`),
        )
  if (constraint === 'account_id_is_free')
    return new ApiError(400, message, { id: fieldError('validation_invalid_auth_id') })
  if (field === undefined) return error
  const declared = collection.fields[field]
  if (code === CHECK_VIOLATION && declared?.kind === 'relation')
    return new ApiError(400, message, {
      [field]:
        declared.maxDistinct === undefined
          ? fieldError('validation_too_many_referring', { max: declared.maxReferring ?? 0 })
          : fieldError('validation_too_many_distinct', { max: declared.maxDistinct.max }),
    })
  if (code === UNIQUE_VIOLATION)
    return new ApiError(400, message, { [field]: fieldError('validation_not_unique') })
  if (code === FOREIGN_KEY_VIOLATION)
    return new ApiError(400, message, { [field]: fieldError('validation_missing_rel_records') })
  return error
}

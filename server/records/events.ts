import type { Collection } from '#domain/collection.ts'

import type { Caller } from '../caller.ts'
import type { Runner } from '../db/sql.ts'
import { filterCondition } from './filter.ts'
import { projectRecord, readExpands, parseFields, type FieldSelection } from './projection.ts'
import { accessOf, identifier, Scope, Statement, type Access } from './sql.ts'

/** What a subscriber asked for along with a topic (record interface 6.3). */
export interface EventQuery {
  readonly filter: string
  readonly expand: string
  readonly fields: string
}

/** A write: which record, and which version it left or took away. */
export interface EventKey {
  readonly id: string
  readonly version: string
  readonly isDeleted: boolean
}

/** The state of a record at a write, as JSON that the database has built. */
export interface EventRecord extends EventKey {
  readonly body: string
}

/**
 * Of some writes those that the caller may see and asked for, with the record as it was then; of a
 * deleted one the last state. The rule holds for the owner of that moment, and for the session of
 * now; one that ended with its user still counts. One statement.
 * @throws ApiError 400 for a query that cannot be read
 */
export const readEvents = async (
  runner: Runner,
  caller: Caller,
  collection: Collection,
  query: EventQuery,
  keys: readonly EventKey[],
): Promise<EventRecord[]> => {
  const isPlain = query.filter === '' && query.fields === '' && query.expand === ''
  const statement = new Statement(isPlain ? 'fixed' : { adHocOf: caller })
  const scope = new Scope(collection, 't')
  const access = accessWithEnded(statement, caller)
  const ids = statement.bind(
    keys.map(({ id }) => id),
    'text[]',
  )
  const versions = statement.bind(
    keys.map(({ version }) => version),
    'text[]',
  )
  const from =
    `(select r.*, s.is_deleted, s.owner as record_owner from record_states s` +
    `, jsonb_populate_record(null::${identifier(collection.name)}, s.record) r` +
    ` where s.collection = ${statement.bind(collection.name, 'text')}` +
    ` and s.id = any(${ids}) and s.version = any(${versions}::bigint[])) t`
  const owned = access.superuser ? access.rules() : access.owns('t.record_owner')
  const filter = filterCondition({ statement, scope, access }, query.filter)
  const expands = readExpands(collection, query.expand)
  // It is put together from what was noted of the write: the kept JSON is that of the row.
  const picks = parseFields(query.fields) ?? EVERYTHING
  const projection = projectRecord(statement, collection, 't', access, picks, expands)
  const rows = await statement.run<{ id: string; version: string; gone: boolean; body: string }>(
    runner,
    `select t.id, t.version::text, t.is_deleted as gone, ${projection.json} as body` +
      ` from ${from}${scope.joins}${projection.joins} where ${owned}` +
      (filter === undefined ? '' : ` and ${filter}`),
  )
  return rows.map(({ id, version, gone, body }) => ({ id, version, isDeleted: gone, body }))
}

const EVERYTHING: FieldSelection = new Map([['*', undefined]])

const accessWithEnded = (statement: Statement, caller: Caller): Access => {
  const access = accessOf(statement, caller)
  if (access.superuser) return access
  const session = statement.bind(caller.sessionId, 'text')
  const ended =
    `(select u.id from record_states u where u.collection = 'users' and u.is_deleted` +
    ` and ${session} = any(u.sessions) limit 1)`
  return { ...access, owns: (column) => `(${access.owns(column)} or ${column} = ${ended})` }
}

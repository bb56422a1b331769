import type { Collection } from '#domain/collection.ts'

import type { Caller } from '../auth/auth.ts'
import { filterCondition } from './filter.ts'
import { projectRecord, readExpands, readPicks } from './projection.ts'
import { accessOf, identifier, Scope, Statement, type Access, type Runner } from './sql.ts'

/** What a subscriber asked for along with a topic (record interface 6.3). */
export interface EventQuery {
  readonly filter: string
  readonly expand: string
  readonly fields: string
}

/** The state of a record that was written or deleted, as JSON that the database has built. */
export interface EventRecord {
  readonly id: string
  readonly version: bigint
  readonly body: string
}

/**
 * Those of the records that the caller may see and asked for, as they are now. One statement.
 * @throws ApiError 400 for a query that cannot be read
 */
export const readChanged = (
  runner: Runner,
  caller: Caller,
  collection: Collection,
  query: EventQuery,
  ids: readonly string[],
): Promise<EventRecord[]> => {
  const statement = new Statement()
  const scope = new Scope(collection, 't')
  const access = accessOf(statement, caller)
  const from = identifier(collection.name)
  return select(runner, statement, scope, access, query, ids, from, scope.reachedBy(access))
}

/**
 * The same for records that are gone: in the last state that they had, by the rule that held then.
 * A session that ended with its user still counts. One statement.
 * @throws ApiError 400 for a query that cannot be read
 */
export const readDeleted = (
  runner: Runner,
  caller: Caller,
  collection: Collection,
  query: EventQuery,
  ids: readonly string[],
): Promise<EventRecord[]> => {
  const statement = new Statement()
  const scope = new Scope(collection, 't')
  const access = accessToDeleted(statement, caller)
  const table = identifier(collection.name)
  const from =
    `(select r.*, d.owner as record_owner from deleted_records d` +
    `, jsonb_populate_record(null::${table}, d.record) r` +
    ` where d.collection = ${statement.bind(collection.name, 'text')})`
  const owned = access.superuser ? access.rules() : access.owns('t.record_owner')
  return select(runner, statement, scope, access, query, ids, from, owned)
}

const select = async (
  runner: Runner,
  statement: Statement,
  scope: Scope,
  access: Access,
  query: EventQuery,
  ids: readonly string[],
  from: string,
  owned: string,
): Promise<EventRecord[]> => {
  const { collection } = scope
  const filter = filterCondition({ statement, scope, access }, query.filter)
  const expands = readExpands(collection, query.expand)
  const picks = readPicks(query.fields)
  const projection = projectRecord(statement, collection, 't', access, picks, expands)
  const asked = `t.id = any(${statement.bind(ids, 'text[]')})`
  const where = [asked, owned, ...(filter === undefined ? [] : [filter])].join(' and ')
  const rows = await statement.run<{ id: string; version: string; body: string }>(
    runner,
    `select t.id, t.version::text, ${projection.json}::text as body` +
      ` from ${from} t${scope.joins}${projection.joins} where ${where} order by t.version`,
  )
  return rows.map(({ id, version, body }) => ({ id, version: BigInt(version), body }))
}

const accessToDeleted = (statement: Statement, caller: Caller): Access => {
  const access = accessOf(statement, caller)
  if (access.superuser) return access
  const session = statement.bind(caller.sessionId, 'text')
  const ended = `(select u.id from deleted_records u where u.collection = 'users' and ${session} = any(u.sessions) limit 1)`
  return { ...access, owns: (column) => `(${access.owns(column)} or ${column} = ${ended})` }
}

import { CHANGES_KEPT_DAYS } from '#domain/change.ts'
import type { LinkedCollection } from '#domain/collection.ts'
import { ApiError } from '#domain/error.ts'
import { MAX_ANSWER_BYTES } from '#domain/limits.ts'

import type { Caller } from '../caller.ts'
import { identifier } from '../db/columns.ts'
import type { Runner, Sql } from '../db/sql.ts'
import { accessOf } from './access.ts'
import { filterCondition } from './filter.ts'
import { projectRecord, readExpands, parseFields, type FieldSelection } from './projection.ts'
import { recordEtag } from './read.ts'
import { Scope, Statement } from './sql.ts'

/** The options of a subscription (record interface 6.3). */
export interface EventQuery {
  readonly filter: string
  readonly expand: string
  readonly fields: string
}

/** A record after the change of an entry. */
export interface EventRecord {
  /** The id of the entry. */
  readonly entry: string
  /** JSON that the database has built. */
  readonly body: string
  /** The version that a write of the record may require (`If-Match`). */
  readonly etag: string
}

/**
 * Checks the query of a subscription.
 * @throws ApiError 400 or 403, as for a list
 */
export const checkEventQuery = (
  collection: LinkedCollection,
  caller: Caller,
  query: EventQuery,
): void => {
  const statement = new Statement({ adHocOf: caller })
  const access = accessOf(statement, caller)
  filterCondition({ statement, scope: new Scope(collection, 't'), access }, query.filter)
  parseFields(query.fields)
  readExpands(collection, query.expand, true)
}

/**
 * Reads entries of the change log: those that the caller may see and the query matches, with the record as it was
 * written, or the last state of a deleted record. The access rule applies to the owner at that moment, and to the
 * current session; a session that ended with its account still counts. One statement.
 * @throws ApiError 400 for an invalid query, 503 if the expanded records are too large
 */
export const readEvents = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  query: EventQuery,
  entries: readonly string[],
): Promise<EventRecord[]> => {
  const isPlain = query.filter === '' && query.fields === '' && query.expand === ''
  const statement = new Statement(isPlain ? 'fixed' : { adHocOf: caller })
  const scope = new Scope(collection, 't')
  const access = accessOf(statement, caller)
  const from =
    `(select r.*, c.id as entry, c.owner as entry_owner, c.ended_sessions from change_log c` +
    `, jsonb_populate_record(null::${identifier(collection.name)}, c.state) r` +
    ` where c.id = any(${statement.bind(entries, 'text[]')})` +
    ` and c.collection = ${statement.bind(collection.name, 'text')}) t`
  const { read } = collection.access
  const readable = access.superuser
    ? access.rules()
    : [
        access.owns('t.entry_owner'),
        `${statement.bind(caller.sessionId, 'text')} = any(t.ended_sessions)`,
        ...(typeof read === 'object' ? [access.isPublic(scope, read)] : []),
      ].join(' or ')
  const filter = filterCondition({ statement, scope, access }, query.filter)
  const expands = readExpands(collection, query.expand, true)
  // The log does not contain the stored JSON of the row.
  const picks = parseFields(query.fields) ?? EVERYTHING
  const projection = projectRecord(statement, collection, 't', access, picks, expands)
  const text =
    `select t.entry, t.version::text, ${projection.json} as body` +
    ` from ${from}${scope.joins}${projection.joins} where (${readable})` +
    (filter === undefined ? '' : ` and ${filter}`)
  const bounded =
    expands.size === 0
      ? text
      : 'select a.entry, a.version,' +
        ` case when sum(octet_length(a.body)) over () <= ${MAX_ANSWER_BYTES} then a.body end as body` +
        ` from (${text} offset 0) a`
  const rows = await statement.run<{ entry: string; version: string; body: string | null }>(
    runner,
    bounded,
  )
  return rows.map(({ entry, version, body }) => {
    if (body === null) throw new ApiError(503, 'The events are too large.')
    return { entry, body, etag: recordEtag(collection, version) }
  })
}

const EVERYTHING: FieldSelection = new Map([['*', undefined]])

/** The number of changes per statement, so that no statement takes long. */
const PORTION = 5000

/** Deletes expired changes. Their ids increase with time, so the oldest come first. */
export const sweepChanges = async (sql: Sql): Promise<void> => {
  let removed: number
  do {
    const [row] = await sql<[{ count: number }]>`
      with removed as (
        delete from change_log where created < now() - ${CHANGES_KEPT_DAYS} * interval '1 day'
          and id in (select id from change_log order by id limit ${PORTION}) returning 1)
      select count(*)::int as count from removed`
    removed = row.count
  } while (removed === PORTION)
}

import { crc32 } from 'node:zlib'

import { TRUTHS } from '#domain/schema.ts'
import { DEFAULT_PER_PAGE, MAX_ANSWER_BYTES, MAX_PER_PAGE } from '#domain/limits.ts'
import { isId, isPublic, type LinkedCollection, type Schema } from '#domain/collection.ts'
import { ApiError, fieldError, SOMETHING_WENT_WRONG } from '#domain/error.ts'

import { fileFields, type FilesField } from '#domain/field.ts'
import type { Caller } from '../caller.ts'
import { identifier, literal } from '../db/columns.ts'
import type { Runner } from '../db/sql.ts'
import { accessOf } from './access.ts'
import { filterCondition, sortOrder } from './filter.ts'
import { projectRecord, readExpands, type FieldSelection } from './projection.ts'
import { Scope, Statement, type Access } from './sql.ts'

/** The selected part of a record. */
export interface View {
  readonly picks: FieldSelection | undefined
  readonly expand: string
}

/** Whether a view is exactly the whole record. */
export const isWhole = ({ picks, expand }: View): boolean => picks === undefined && expand === ''

/** A page of a list (record interface 1.3). */
export interface Page extends View {
  readonly filter: string
  readonly sort: string
  readonly page: string | undefined
  readonly perPage: string | undefined
  readonly skipTotal: string | undefined
}

/** JSON as the database built it, and the version of its rows. */
export interface Answer {
  readonly body: string
  readonly etag: string
}

interface ListRow {
  /** Null if it is too large. */
  readonly items: string | null
  readonly versions: string
  readonly total: string
}

/** The result of an aggregate over no rows. */
const emptyRow = (skipTotal: boolean): ListRow => ({
  items: '[]',
  versions: '',
  total: skipTotal ? '-1' : '0',
})

/** One statement, none for a guest. @throws ApiError 400 for an invalid query */
export const list = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  query: Page,
): Promise<Answer> => {
  const page = Math.max(1, readInteger(query.page, 'page') || 1)
  const requested = readInteger(query.perPage, 'perPage')
  const perPage =
    requested > 0 ? Math.min(requested, collection.maxPerPage ?? MAX_PER_PAGE) : DEFAULT_PER_PAGE
  const skipTotal = readBoolean(query.skipTotal, 'skipTotal')
  const isPlain = query.filter === '' && query.sort === '' && isWhole(query)
  const statement = new Statement(isPlain ? 'fixed' : { adHocOf: caller })
  const scope = new Scope(collection, 't')
  const access = accessOf(statement, caller)
  const filter = filterCondition({ statement, scope, access }, query.filter)
  const where = [scope.reachedBy(access), ...(filter === undefined ? [] : [filter])].join(' and ')
  const order = sortOrder({ statement, scope, access }, query.sort)
  const expands = readExpands(collection, query.expand, true)
  const projection = projectRecord(statement, collection, 't', access, query.picks, expands)
  const from = `${identifier(collection.name)} t${scope.joins}`
  const offset = statement.bind(String((page - 1) * perPage), 'bigint')
  // The page is selected before any JSON is built: of a hundred thousand rows only twenty become JSON.
  const cut =
    `select t.* from ${from} where ${where}` +
    ` order by ${order} limit ${statement.bind(String(perPage), 'bigint')} offset ${offset}`
  // Aggregates keep the order of their subquery, unless something is joined to it.
  const inOrder = projection.joins === '' ? '' : ' order by r.place'
  const rows =
    inOrder === ''
      ? `select ${projection.json} as json, ${projection.versions} as versions from (${cut}) t`
      : `select ${projection.json} as json, ${projection.versions} as versions, t.place` +
        ` from (select c.*, row_number() over () as place from (${cut}) c) t${projection.joins}`
  const count = `(select count(*) from ${from} where ${where})`
  const total = skipTotal ? '(-1)' : count
  const text =
    `select '[' || coalesce(string_agg(r.json, ','${inOrder}), '') || ']' as items,` +
    ` coalesce(md5(string_agg(r.versions, ','${inOrder})), '') as versions,` +
    ` ${total}::text as total from (${rows}) r`
  const bounded = `select ${boundedText('a.items')} as items, a.versions, a.total from (${text}) a`
  const [row = emptyRow(skipTotal)] = isEmptyFor(caller, collection)
    ? []
    : await statement.run<ListRow>(runner, bounded)
  if (row.items === null) throw tooLarge()
  const totalItems = Number(row.total)
  const totalPages = skipTotal ? -1 : Math.ceil(totalItems / perPage)
  return {
    body: `{"items":${row.items},"page":${page},"perPage":${perPage},"totalItems":${totalItems},"totalPages":${totalPages}}`,
    etag: `"${row.versions}-${totalItems}-${revisionOf(collection.schema)}"`,
  }
}

/** Guests own nothing: once the query is validated, the result is known without the database. */
const isEmptyFor = (caller: Caller, collection: LinkedCollection): boolean =>
  caller.sessionId === null && !isPublic(collection)

/** One statement, none for a guest. @throws ApiError 404 */
export const get = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  id: string,
  view: View,
): Promise<Answer> => {
  if (isEmptyFor(caller, collection)) {
    // A malformed query is reported to guests as well.
    readExpands(collection, view.expand, false)
    throw new ApiError(404)
  }
  const statement = new Statement(isWhole(view) ? 'fixed' : { adHocOf: caller })
  const scope = new Scope(collection, 't')
  const access = accessOf(statement, caller)
  const owned = scope.reachedBy(access)
  const place = statement.bind(plainText(id), 'text')
  const from = `${identifier(collection.name)} t${scope.joins}`
  return selectOne(
    runner,
    statement,
    collection,
    access,
    view,
    from,
    `t.id = ${place} and ${owned}`,
  )
}

/** Reads the one row of `from` and `where`. @throws ApiError 404 */
export const selectOne = async (
  runner: Runner,
  statement: Statement,
  collection: LinkedCollection,
  access: Access,
  view: View,
  from: string,
  where: string,
  before = '',
): Promise<Answer> => {
  const expands = readExpands(collection, view.expand, false)
  const projection = projectRecord(statement, collection, 't', access, view.picks, expands)
  const text = `select ${projection.json} as body, ${projection.versions} as versions from ${from}${projection.joins} where ${where}`
  // Without expanded records no record is too large. The offset keeps the JSON from being built twice.
  const bounded =
    expands.size === 0
      ? text
      : `select ${boundedText('a.body')} as body, a.versions from (${text} offset 0) a`
  const [row] = await statement.run<{ body: string | null; versions: string }>(
    runner,
    before + bounded,
  )
  if (row === undefined) throw new ApiError(404)
  if (row.body === null) throw tooLarge()
  return { body: row.body, etag: recordEtag(collection, row.versions) }
}

/** SQL for a text that is null if it is too large to be sent, so that it does not leave the database. */
const boundedText = (column: string): string =>
  `case when octet_length(${column}) <= ${MAX_ANSWER_BYTES} then ${column} end`

/** The error of a response that is too large. */
export const tooLarge = (): ApiError =>
  new ApiError(400, 'The response is too large: request less.')

/** Changes with the declarations of records, so that a cached response is not taken for a current one. */
const revisionOf = (schema: Schema): string => {
  const known = revisions.get(schema) ?? crc32(JSON.stringify(schema.declarations)).toString(36)
  revisions.set(schema, known)
  return known
}
const revisions = new WeakMap<Schema, string>()

/** A record's own version, then those of expanded records, then the schema's. `If-Match` compares the first part. */
export const recordEtag = ({ schema }: LinkedCollection, versions: string): string => {
  const [own = '', ...expanded] = versions.split('(')
  const below = expanded.length === 0 ? '' : `.${crc32(expanded.join('(')).toString(36)}`
  return `"${own}${below}-${revisionOf(schema)}"`
}

/** PostgreSQL rejects U+0000 in text; an invalid id becomes the empty one, which no record has. */
export const plainText = (id: string): string => (isId(id) ? id : '')

const readInteger = (text: string | undefined, name: string): number => {
  if (text === undefined || text === '') return 0
  const value = Number(text)
  if (/^[+-]?\d+$/.test(text) && Number.isSafeInteger(value) && Math.abs(value) < 2 ** 31)
    return value
  throw new ApiError(400, SOMETHING_WENT_WRONG, { [name]: fieldError('validation_not_a_number') })
}

const readBoolean = (text: string | undefined, name: string): boolean => {
  if (text === undefined || text === '') return false
  if (TRUTHS.has(text)) return true
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false
  throw new ApiError(400, SOMETHING_WENT_WRONG, {
    [name]: fieldError('validation_invalid_value', { value: text.slice(0, 100) }),
  })
}

/**
 * Finds the field of a record that references a file; undefined if none does. The unguessable name gives access to
 * the file, unless the field is protected: then the caller must be able to read the record (record interface 4.2,
 * 4.4). One statement.
 */
export const findFileField = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  id: string,
  name: string,
): Promise<FilesField | undefined> => {
  const fields = fileFields(collection)
  if (fields.length === 0 || name.includes('\0')) return undefined
  const statement = new Statement('fixed')
  const scope = new Scope(collection, 't')
  const wanted = statement.bind(name, 'text')
  const access = accessOf(statement, caller)
  const cases = fields.map(([key, field]) => {
    const column = `t.${identifier(key)}`
    const held = field.single ? `${column} = ${wanted}` : `${wanted} = any(${column})`
    const allowed = field.protected ? ` and ${scope.reachedBy(access)}` : ''
    return `when ${held}${allowed} then ${literal(key)}`
  })
  const [row] = await statement.run<{ field: string | null }>(
    runner,
    `select case ${cases.join(' ')} end as field` +
      ` from ${identifier(collection.name)} t${scope.joins}` +
      ` where t.id = ${statement.bind(plainText(id), 'text')}`,
  )
  const found = fields.find(([key]) => key === row?.field)
  return found?.[1]
}

import type { Collection } from '#domain/collection.ts'
import { isList, type Field } from '#domain/field.ts'

export type SqlType = 'text' | 'text[]' | 'float8' | 'boolean' | 'bigint' | 'jsonb' | 'timestamptz'

/** A declared name as an SQL identifier. */
export const identifier = (name: string): string => `"${name}"`

/** A declared name as an SQL text literal. */
export const literal = (name: string): string => `'${name}'`

/** The type of a field's column. */
export const columnType = (field: Field): SqlType => {
  if (isList(field)) return 'text[]'
  switch (field.kind) {
    case 'number':
      return 'float8'
    case 'bool':
      return 'boolean'
    case 'json':
      return 'jsonb'
    case 'autodate':
      return 'timestamptz'
    default:
      return 'text'
  }
}

/** An empty optional relation is null: the foreign key requires it. */
export const mayBeNull = (field: Field): boolean => field.kind === 'relation' && !field.required

/** Dates on the wire: `YYYY-MM-DD HH:MM:SS.mmmZ`, UTC (record interface 1.2). */
export const dateText = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS"Z"')`

/** JSON as parts to concatenate: constants, or SQL expressions of text. */
export type Json = readonly (string | Constant)[]
interface Constant {
  readonly text: string
}
/** A part of JSON that is the same in every row. */
export const verbatim = (text: string): Constant => ({ text })

/**
 * An object with members. PostgreSQL's own functions for objects take half as long again, because they look up the
 * output function of each value for every row.
 */
export const jsonText = (members: readonly Json[]): string =>
  concatenate([verbatim('{'), ...separate(members), verbatim('}')])

/** Appends members to an object that is already text. */
export const extendJson = (json: string, members: readonly Json[]): string =>
  members.length === 0
    ? json
    : concatenate([`left(${json}, -1)`, verbatim(','), ...separate(members), verbatim('}')])

const separate = (members: readonly Json[]): Json =>
  members.flatMap((member, index) => (index === 0 ? member : [verbatim(','), ...member]))

/** Joins adjacent constants, because each part costs a step per row. */
const concatenate = (json: Json): string => {
  const parts: (string | Constant)[] = []
  for (const part of json) {
    const last = parts.at(-1)
    if (typeof part === 'object' && typeof last === 'object')
      parts[parts.length - 1] = verbatim(last.text + part.text)
    else parts.push(part)
  }
  return parts.map((part) => (typeof part === 'object' ? literal(part.text) : part)).join(' || ')
}

/** A key of a record: its value as JSON, and as SQL if that is text. */
export interface Column {
  readonly key: string
  readonly json: Json
  readonly plain?: string
}

/**
 * The keys of a record, in the order of the wire.
 * @param columnOf the SQL of a column
 */
export const recordColumns = (
  collection: Collection,
  columnOf: (name: string) => string,
): readonly Column[] => [
  { key: 'id', json: quoted(columnOf('id')), plain: columnOf('id') },
  constantColumn('collectionId', collection.id),
  constantColumn('collectionName', collection.name),
  ...Object.entries(collection.fields).map(([key, field]) => {
    const column = columnOf(key)
    const json = fieldJson(field, column)
    if (field.kind === 'autodate') return { key, json, plain: dateText(column) }
    return columnType(field) === 'text' ? { key, json, plain: column } : { key, json }
  }),
]

const constantColumn = (key: string, value: string): Column => ({
  key,
  json: [verbatim(`"${value}"`)],
  plain: `${literal(value)}::text`,
})

const fieldJson = (field: Field, column: string): Json => {
  if (isList(field)) return [`case when ${column} = '{}' then '[]' else ${jsonOf(column)} end`]
  switch (field.kind) {
    case 'autodate':
      return quoted(dateText(column))
    case 'relation':
      return quoted(mayBeNull(field) ? `coalesce(${column}, '')` : column)
    case 'number':
    case 'bool':
    case 'json':
      return [`coalesce(${column}::text, 'null')`]
    default:
      return [jsonOf(column)]
  }
}

/** The SQL expression for the JSON of a value of any type. */
export const jsonOf = (value: string): string => `coalesce(to_json(${value})::text, 'null')`

/** Digits and lowercase letters, as in ids and dates, need only quotation marks. */
const quoted = (value: string): Json => [verbatim('"'), value, verbatim('"')]

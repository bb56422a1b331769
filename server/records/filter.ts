import { QUERY_LIMITS } from '#domain/limits.ts'
import { ApiError, fieldError, SOMETHING_WENT_WRONG } from '#domain/error.ts'
import { isList, type Field } from '#domain/field.ts'
import {
  FilterError,
  parseFilter,
  readFieldPath,
  type FieldPath,
  type Filter,
  type Operand,
  type Operator,
  type Term,
} from '#domain/filter.ts'

import { findRows, type Condition } from './condition.ts'
import {
  normalizedForDate,
  callSide,
  columnSide,
  constantSide,
  isOfAnyRow,
  macroValue,
  type Side,
} from './operand.ts'
import { addRow, Joins, type Access, type Many, type Scope, type Statement } from './sql.ts'

/** The statement and the scope of a compiled filter or sort. */
export interface QueryContext {
  readonly statement: Statement
  readonly scope: Scope
  readonly access: Access
}

/**
 * Compiles a filter to a condition over a scope. All input becomes a bound parameter or a declared name.
 * @throws ApiError 400 with the position of the error (record interface 9.7), 403 for identifiers that only rules
 * may use
 */
export const filterCondition = (context: QueryContext, text: string): string | undefined => {
  refuseRules(text, context.access)
  try {
    const filter = parseFilter(text)
    if (filter === undefined) return undefined
    const shared = new Joins(`${context.scope.alias}_any`)
    return findRows(shared, compile(context, filter, shared))
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    const params = { position: error.position, reason: error.message }
    throw queryError('filter', fieldError('validation_invalid_filter', params))
  }
}

/**
 * Compiles `sort` to the items of an ORDER BY. The last one is the id, so that pages never overlap, in the
 * direction of the item before it, so that an index can be scanned in either direction. A path to many rows sorts
 * by the smallest value.
 * @throws ApiError 400 for an unsortable field
 */
export const sortOrder = (context: QueryContext, text: string): string => {
  refuseRules(text, context.access)
  const { scope, access } = context
  const items = text.trim() === '' ? [] : text.split(',').map((item) => item.trim())
  if (items.length > QUERY_LIMITS.sortItems) throw sortError(text)
  const order = items.map((item) => {
    const [, sign, name = ''] = /^([+-]?)(.*)$/s.exec(item) ?? []
    const direction = sign === '-' ? 'desc' : 'asc'
    if (name === '@random') return 'random()'
    if (name === '@rowid') return insertionOrder(scope, direction)
    const many: Many = {
      joins: new Joins(`${scope.alias}_sort`),
      operand: '',
      access,
      rows: new Set(),
    }
    const path = readFieldPath(name)
    const field = path && resolveField(context, path, many)
    if (field === undefined) throw sortError(item)
    const { side, nullable } = field
    const value = field.value()
    // For a column without nulls, an index matches only an ORDER BY without a nulls clause.
    if (many.rows.size === 0) return `${value} ${direction}${nullable ? ' nulls first' : ''}`
    // Booleans have no minimum.
    const sortable = side.bool === undefined ? value : side.number?.()
    return `(select min(${sortable}) from (select 1) one${many.joins.text}) ${direction} nulls first`
  })
  if (order.length === 0) return insertionOrder(scope, 'asc')
  const last = items.at(-1)?.startsWith('-') === true ? 'desc' : 'asc'
  return [...order, `${scope.alias}.id ${last}`].join(', ')
}

const insertionOrder = (scope: Scope, direction: string): string =>
  `${scope.alias}.created ${direction}, ${scope.alias}.id ${direction}`

const sortError = (value: string): ApiError =>
  queryError('sort', fieldError('validation_invalid_sort', { value: value.slice(0, 255) }))

/** The error of an invalid query parameter, by its name. */
export const queryError = (name: string, error: ReturnType<typeof fieldError>): ApiError =>
  new ApiError(400, SOMETHING_WENT_WRONG, { [name]: error })

/** Even inside quotes: the record interface (1.4) checks the plain text. */
const refuseRules = (text: string, access: Access): void => {
  const rule = ['@collection.', '@request.'].find((name) => text.includes(name))
  if (rule !== undefined && !access.superuser)
    throw new ApiError(403, `Only superusers can filter by ${rule}`)
}

const compile = (context: QueryContext, filter: Filter, shared: Joins): Condition => {
  if (filter.kind === 'term') return compileTerm(context, filter, shared)
  const items = filter.items.map((item) => compile(context, item, shared))
  return { kind: filter.kind, items, rows: new Set(items.flatMap(({ rows }) => [...rows])) }
}

/**
 * A term over many rows tests each of them. Without `?` all have to satisfy it, independently of other terms; with
 * `?` one has to, the same for all such terms. A relation without a target is one missing value.
 */
const compileTerm = (context: QueryContext, term: Term, shared: Joins): Condition => {
  const { statement, scope, access } = context
  const isAny = term.any || isOfAnyRow(term.left) || isOfAnyRow(term.right)
  const joins = isAny ? shared : new Joins(`${scope.alias}_all`)
  const rows = new Set<string>()
  const read = (operand: Operand, name: string) =>
    readSide(context, operand, { joins, operand: isAny ? '' : name, access, rows })
  const [left, right] = [read(term.left, 'left'), read(term.right, 'right')]
  const sql = compare(
    statement,
    normalizedForDate(statement, left, right),
    term.operator,
    normalizedForDate(statement, right, left),
  )
  if (isAny || rows.size === 0) return { kind: 'term', sql, rows }
  const counterexample = `select 1 from (select 1) one${joins.text} where not (${sql})`
  return { kind: 'term', sql: `not exists (${counterexample})`, rows: new Set() }
}

const readSide = (context: QueryContext, operand: Operand, many: Many): Side => {
  switch (operand.kind) {
    case 'path': {
      const field = resolveField(context, operand, many)
      if (field !== undefined) return field.side
      throw new FilterError(`Unknown field ${operand.path.join('.')}.`, operand.position)
    }
    case 'call':
      return callSide(context.statement, operand, (argument) => readSide(context, argument, many))
    case 'macro':
      return constantSide(context.statement, macroValue(operand.name, new Date()))
    case 'null':
      return constantSide(context.statement, null)
    default:
      return constantSide(context.statement, operand.value)
  }
}

/** A field for a comparison, and as the value to sort by, which may bind parameters. */
interface ResolvedField {
  readonly side: Side
  readonly value: () => string
  readonly nullable: boolean
}

/** Resolves a field by its path, and applies the modifier; undefined for an unknown field. */
const resolveField = (
  { statement, scope }: QueryContext,
  { path, modifier }: Omit<FieldPath, 'position'>,
  many: Many,
): ResolvedField | undefined => {
  if (path.length > QUERY_LIMITS.pathHops + 1) return undefined
  const target = scope.resolve(path, many)
  if (target === undefined || scope.backRelations > QUERY_LIMITS.backRelations) return undefined
  const { column, field, nullable } = target
  const isSingle = field === 'id' || !isList(field)
  const whole = columnSide(statement, target)
  if (modifier === 'lower') {
    const value = () => `lower(${whole.text()} ${WITH_LOCALE}) ${BY_BYTES}`
    return { side: { text: value, nullable }, value, nullable }
  }
  if (modifier === 'length' && field !== 'id' && HAS_LENGTH.has(field.kind)) {
    const count = isSingle
      ? `(coalesce(${column}, '') <> '')::int`
      : `coalesce(cardinality(${column}), 0)`
    const side = { text: () => `${count}::text`, number: () => `${count}::float8` }
    return { side, value: () => count, nullable: false }
  }
  if (modifier === 'each' && !isSingle) {
    const alias = addRow(
      many,
      `${path.join('.')}:each`,
      (each) => `left join lateral unnest(${column}) ${each}(value) on true`,
    )
    const value = () => `${alias}.value`
    return { side: { text: value, nullable: true }, value, nullable: true }
  }
  // JSON is sorted only by a value at a path: whole JSON has no meaningful order.
  const value = whole.isJson ? () => `${whole.text()} ${BY_BYTES}` : () => column
  return { side: whole, value, nullable }
}

/** Columns compare by bytes, where only ASCII has case; the locale of the database has case for all letters. */
const WITH_LOCALE = 'collate "default"'
const BY_BYTES = 'collate "C"'

/** The kinds of field with several values, or none (record interface 3.1.4). */
const HAS_LENGTH: ReadonlySet<Field['kind']> = new Set(['files', 'select', 'relation'])

/**
 * A condition that is never null. A missing value equals the empty text, and is neither less, greater, like nor
 * unlike anything.
 */
const compare = (statement: Statement, left: Side, operator: Operator, right: Side): string => {
  if (operator === '=') return equals(left, right)
  if (operator === '!=') return `not (${equals(left, right)})`
  const condition =
    left.constant === null || right.constant === null
      ? undefined
      : operator === '~' || operator === '!~'
        ? like(statement, left, operator === '~' ? 'ilike' : 'not ilike', right)
        : inOrder(left, operator, right)
  if (condition === undefined) return 'false'
  return left.nullable || right.nullable ? `coalesce(${condition}, false)` : condition
}

const inOrder = (left: Side, operator: Operator, right: Side): string | undefined => {
  const pair = comparable(left, right)
  // Otherwise values of the caller and of JSON have the collation of the database, which may be that of a country.
  return (
    pair && `${pair.left} ${operator} ${pair.right}${pair.type === 'text' ? ` ${BY_BYTES}` : ''}`
  )
}

const equals = (left: Side, right: Side): string => {
  if (left.isJson || right.isJson) return equalsJson(left, right)
  const pair = comparable(left, right)
  const nullable = left.nullable || right.nullable
  if (pair === undefined) {
    // Only a missing value is both a number and empty.
    const missing = [left, right].find((side) => side.nullable && side.number !== undefined)
    const isEmpty = [left, right].some(({ constant }) => constant === null || constant === '')
    return missing?.number !== undefined && isEmpty ? `${missing.number()} is null` : 'false'
  }
  if (!nullable) return `${pair.left} = ${pair.right}`
  return pair.type === 'text'
    ? `coalesce(${pair.left}, '') = coalesce(${pair.right}, '')`
    : `${pair.left} is not distinct from ${pair.right}`
}

const equalsJson = (left: Side, right: Side): string => {
  const other = left.isJson ? right : left
  if (other.constant === null) return `${(left.isJson ? left : right).text()} is null`
  const pair = comparable(left, right)
  return pair === undefined ? 'false' : `${pair.left} is not distinct from ${pair.right}`
}

interface Pair {
  readonly type: 'text' | 'number' | 'bool'
  readonly left: string
  readonly right: string
}

/**
 * The two sides in one type: booleans with booleans, numbers with numbers, else text. Undefined if a number is
 * compared with a value that is not one.
 */
const comparable = (left: Side, right: Side): Pair | undefined => {
  if (left.bool !== undefined && right.bool !== undefined)
    return { type: 'bool', left: left.bool(), right: right.bool() }
  const asText = (): Pair => ({ type: 'text', left: left.text(), right: right.text() })
  const isNumber = (side: Side) =>
    side.number !== undefined && typeof side.constant !== 'string' && !side.isJson
  if (!isNumber(left) && !isNumber(right)) return asText()
  if (left.number !== undefined && right.number !== undefined)
    return { type: 'number', left: left.number(), right: right.number() }
  const isTextColumn = (side: Side) => side.constant === undefined && side.number === undefined
  return isTextColumn(left) || isTextColumn(right) ? asText() : undefined
}

/** A constant without an unescaped `%` matches anywhere (record interface 3.1.3), and so does a field. */
const like = (
  statement: Statement,
  left: Side,
  sign: 'ilike' | 'not ilike',
  right: Side,
): string => {
  const value = `${left.text()} ${WITH_LOCALE}`
  if (right.constant !== undefined)
    return `${value} ${sign} ${statement.bind(likePattern(String(right.constant)), 'text')}`
  const escaped = `replace(replace(replace(${right.text()}, '\\', '\\\\'), '%', '\\%'), '_', '\\_')`
  return `${value} ${sign} ('%' || ${escaped} || '%') ${WITH_LOCALE}`
}

/**
 * A text as a pattern of SQL. In both forms `\%` and `\_` are literal, and in a pattern, where a backslash could
 * not precede a wildcard otherwise, `\\` is one backslash. Any other backslash, `%` and `_` are literal.
 */
const likePattern = (text: string): string => {
  const isPattern = /(?:^|[^\\])(?:\\\\)*%/.test(text)
  return isPattern
    ? text.replace(/\\([\\%_])?/g, (found, escaped) => (escaped === undefined ? '\\\\' : found))
    : `%${text.replace(/\\[%_]|[\\%_]/g, (found) => (found.length > 1 ? found : `\\${found}`))}%`
}

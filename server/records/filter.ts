import { QUERY_LIMITS } from '#domain/api.ts'
import { ApiError, fieldError, SOMETHING_WENT_WRONG } from '#domain/error.ts'
import {
  FilterError,
  parseFilter,
  type FieldPath,
  type Filter,
  type Operand,
  type Operator,
  type Term,
} from '#domain/filter.ts'

import { callSide } from './functions.ts'
import { macroValue } from './macros.ts'
import { besideDate, columnSide, constantSide, type Side } from './side.ts'
import { Joins, type Access, type Scope, type Statement, type Target } from './sql.ts'

/** What a filter or a sort is compiled into, and for whom. */
export interface QueryContext {
  readonly statement: Statement
  readonly scope: Scope
  readonly access: Access
}

/**
 * Compiles a filter to a condition over a scope. Everything that the caller wrote becomes a bound
 * parameter or a declared name.
 * @throws ApiError 400 that says where the filter went wrong (decisions 5.7), 403 for what only
 *   rules may ask
 */
export const filterCondition = (context: QueryContext, text: string): string | undefined => {
  refuseRules(text, context.access)
  try {
    const filter = parseFilter(text)
    return filter === undefined ? undefined : compile(context, filter)
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    const params = { position: error.position, reason: error.message }
    throw queryError('filter', fieldError('validation_invalid_filter', params))
  }
}

/**
 * Compiles `sort` to the items of an ORDER BY; ends with the id, so that pages never overlap, in the
 * direction of what is before it, so that an index can be read from either end. Of a path that
 * leads to many rows the smallest value counts.
 * @throws ApiError 400 for a field that cannot be sorted by
 */
export const sortOrder = (context: QueryContext, text: string): string => {
  refuseRules(text, context.access)
  const { scope } = context
  const items = text.trim() === '' ? [] : text.split(',').map((item) => item.trim())
  if (items.length > QUERY_LIMITS.sortItems) throw sortError(text)
  const order = items.map((item) => {
    const [, sign, name = ''] = /^([+-]?)(.*)$/s.exec(item) ?? []
    const direction = sign === '-' ? 'desc' : 'asc'
    if (name === '@random') return 'random()'
    if (name === '@rowid') return insertionOrder(scope, direction)
    const many = new Joins()
    const target = resolvePath(context, name.split('.'), many, `${scope.alias}_s`)
    if (target === undefined) throw sortError(item)
    // An index is in the order of a column without nulls only when nulls are not spoken of.
    if (many.isEmpty) return `${target.column} ${direction}${target.nullable ? ' nulls first' : ''}`
    return `(select min(${target.column}) from (select 1) one${many.text}) ${direction} nulls first`
  })
  if (order.length === 0) return insertionOrder(scope, 'asc')
  const last = items.at(-1)?.startsWith('-') === true ? 'desc' : 'asc'
  return [...order, `${scope.alias}.id ${last}`].join(', ')
}

const insertionOrder = (scope: Scope, direction: string): string =>
  `${scope.alias}.created ${direction}, ${scope.alias}.id ${direction}`

const sortError = (value: string): ApiError =>
  queryError('sort', fieldError('validation_invalid_sort', { value: value.slice(0, 255) }))

/** A query that cannot be read, by the name of the parameter. */
export const queryError = (name: string, error: ReturnType<typeof fieldError>): ApiError =>
  new ApiError(400, SOMETHING_WENT_WRONG, { [name]: error })

/** Even inside quotes: the record interface (1.4) looks at the text alone. */
const refuseRules = (text: string, access: Access): void => {
  const rule = ['@collection.', '@request.'].find((name) => text.includes(name))
  if (rule !== undefined && !access.superuser)
    throw new ApiError(403, `Only superusers can filter by ${rule}`)
}

const compile = (context: QueryContext, filter: Filter): string => {
  if (filter.kind === 'term') return compileTerm(context, filter)
  const items = filter.items.map((item) => compile(context, item))
  return `(${items.join(filter.kind === 'and' ? ' and ' : ' or ')})`
}

/**
 * A term over many values looks at each of them: with `?` one has to satisfy it, without all. A
 * relation that leads nowhere is one missing value.
 */
const compileTerm = (context: QueryContext, term: Term): string => {
  const many = new Joins()
  const left = readSide(context, term.left, many, 'l')
  const right = readSide(context, term.right, many, 'r')
  const condition = compare(
    context.statement,
    besideDate(context.statement, left, right),
    term.operator,
    besideDate(context.statement, right, left),
  )
  if (many.isEmpty) return condition
  const values = `(select 1) one${many.text}`
  return term.any
    ? `exists (select 1 from ${values} where ${condition})`
    : `not exists (select 1 from ${values} where not (${condition}))`
}

const resolvePath = (
  { scope, access }: QueryContext,
  path: readonly string[],
  joins: Joins,
  prefix: string,
): Target | undefined => {
  if (path.length > QUERY_LIMITS.pathHops + 1) return undefined
  const target = scope.resolve(path, { joins, prefix, access })
  return scope.backRelations > QUERY_LIMITS.backRelations ? undefined : target
}

const readSide = (context: QueryContext, operand: Operand, many: Joins, name: string): Side => {
  switch (operand.kind) {
    case 'path':
      return pathSide(context, operand, many, name)
    case 'call': {
      let index = 0
      return callSide(context.statement, operand, (argument) => {
        index += 1
        return readSide(context, argument, many, `${name}${index}`)
      })
    }
    case 'macro':
      return constantSide(context.statement, macroValue(operand.name, new Date()))
    case 'null':
      return constantSide(context.statement, null)
    default:
      return constantSide(context.statement, operand.value)
  }
}

const pathSide = (context: QueryContext, operand: FieldPath, many: Joins, name: string): Side => {
  const { path, position, modifier } = operand
  const prefix = `${context.scope.alias}_${name}`
  const target = resolvePath(context, path, many, prefix)
  if (target === undefined) throw new FilterError(`Unknown field ${path.join('.')}.`, position)
  const { column, field, nullable } = target
  const isList = field !== 'id' && field.kind === 'files' && !field.single
  if (modifier === 'lower') {
    const side = columnSide(target)
    return { text: () => `lower(${side.text()})`, nullable }
  }
  if (modifier === 'length' && isList) {
    const length = () => `cardinality(${column})::float8`
    return { text: () => `cardinality(${column})::text`, number: length, nullable }
  }
  if (modifier === 'each' && isList) {
    const alias = `${prefix}_each`
    many.add(alias, `left join lateral unnest(${column}) ${alias}(value) on true`)
    return { text: () => `${alias}.value`, nullable: true }
  }
  return columnSide(target)
}

/** A condition that is never null: what is missing is empty, and neither less nor greater. */
const compare = (statement: Statement, left: Side, operator: Operator, right: Side): string => {
  switch (operator) {
    case '=':
      return equals(left, right)
    case '!=':
      return `not (${equals(left, right)})`
    case '~':
      return like(statement, left, right)
    case '!~':
      return `not (${like(statement, left, right)})`
    default: {
      const pair = comparable(left, right)
      if (pair === undefined) return 'false'
      const condition = `${pair.left} ${operator} ${pair.right}`
      return left.nullable || right.nullable ? `coalesce(${condition}, false)` : condition
    }
  }
}

const equals = (left: Side, right: Side): string => {
  const pair = comparable(left, right)
  const nullable = left.nullable || right.nullable
  if (pair === undefined) {
    // Nothing but a missing value is both a number and empty.
    const missing = [left, right].find((side) => side.nullable && side.number !== undefined)
    const isEmpty = left.constant === null || right.constant === null
    return missing?.number !== undefined && isEmpty ? `${missing.number()} is null` : 'false'
  }
  if (!nullable) return `${pair.left} = ${pair.right}`
  return pair.type === 'text'
    ? `coalesce(${pair.left}, '') = coalesce(${pair.right}, '')`
    : `${pair.left} is not distinct from ${pair.right}`
}

interface Pair {
  readonly type: 'text' | 'number' | 'bool'
  readonly left: string
  readonly right: string
}

/**
 * The two sides in one type: truth values with truth values, numbers with numbers, else text.
 * Undefined when a number is compared with what is none.
 */
const comparable = (left: Side, right: Side): Pair | undefined => {
  if (left.bool !== undefined && right.bool !== undefined)
    return { type: 'bool', left: left.bool(), right: right.bool() }
  const asText = (): Pair => ({ type: 'text', left: left.text(), right: right.text() })
  const isNumber = (side: Side) => side.number !== undefined && typeof side.constant !== 'string'
  if (!isNumber(left) && !isNumber(right)) return asText()
  if (left.number !== undefined && right.number !== undefined)
    return { type: 'number', left: left.number(), right: right.number() }
  const isTextColumn = (side: Side) => side.constant === undefined && side.number === undefined
  return isTextColumn(left) || isTextColumn(right) ? asText() : undefined
}

/** LIKE: a constant without an unescaped `%` is looked for anywhere (record interface 3.1.3). */
const like = (statement: Statement, left: Side, right: Side): string => {
  const value = left.nullable ? `coalesce(${left.text()}, '')` : left.text()
  if (right.constant === undefined) {
    const wanted = right.nullable ? `coalesce(${right.text()}, '')` : right.text()
    const escaped = `replace(replace(replace(${wanted}, '\\', '\\\\'), '%', '\\%'), '_', '\\_')`
    return `${value} ilike '%' || ${escaped} || '%'`
  }
  const text = String(right.constant ?? '')
  return `${value} ilike ${statement.bind(likePattern(text), 'text')}`
}

/**
 * A text as a pattern of SQL. In both forms `\%` and `\_` are literal, and in a pattern, where a
 * backslash could not stand in front of a wildcard otherwise, `\\` is one backslash. Any other
 * backslash, `%` and `_` stand for themselves.
 */
const likePattern = (text: string): string => {
  const isPattern = /(?:^|[^\\])(?:\\\\)*%/.test(text)
  return isPattern
    ? text.replace(/\\([\\%_])?/g, (found, escaped) => (escaped === undefined ? '\\\\' : found))
    : `%${text.replace(/\\[%_]|[\\%_]/g, (found) => (found.length > 1 ? found : `\\${found}`))}%`
}

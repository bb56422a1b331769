import { QUERY_LIMITS } from '#domain/api.ts'
import { ApiError, fieldError, SOMETHING_WENT_WRONG } from '#domain/error.ts'
import type { Field } from '#domain/field.ts'
import {
  FilterError,
  parseFilter,
  type Filter,
  type Operand,
  type Operator,
} from '#domain/filter.ts'

import { dateText, type Scope, type Statement } from './sql.ts'

/**
 * Compiles a filter to a condition over a scope. Everything that the caller wrote becomes a bound
 * parameter or a declared name.
 * @throws ApiError 400 that says where the filter went wrong (decisions 5.7)
 */
export const filterCondition = (
  statement: Statement,
  scope: Scope,
  text: string,
): string | undefined => {
  try {
    const filter = parseFilter(text)
    return filter === undefined ? undefined : compile(statement, scope, filter)
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    throw queryError(
      'filter',
      fieldError('validation_invalid_filter', { position: error.position, reason: error.message }),
    )
  }
}

/**
 * Compiles `sort` to the items of an ORDER BY; ends with the id, so that pages never overlap.
 * @throws ApiError 400 for a field that cannot be sorted by
 */
export const sortOrder = (scope: Scope, text: string): string => {
  const items = text.trim() === '' ? [] : text.split(',').map((item) => item.trim())
  if (items.length > QUERY_LIMITS.sortItems) throw sortError(text)
  const order = items.map((item) => {
    const [, sign, name = ''] = /^([+-]?)(.*)$/s.exec(item) ?? []
    const direction = sign === '-' ? 'desc' : 'asc'
    if (name === '@random') return 'random()'
    if (name === '@rowid') return insertionOrder(scope, direction)
    const target = resolvePath(scope, name.split('.'))
    if (target === undefined) throw sortError(item)
    return `${target.column} ${direction}`
  })
  if (order.length === 0) return insertionOrder(scope, 'asc')
  return [...order, `${scope.alias}.id asc`].join(', ')
}

const insertionOrder = (scope: Scope, direction: string): string =>
  `${scope.alias}.created ${direction}, ${scope.alias}.id ${direction}`

const sortError = (value: string): ApiError =>
  queryError('sort', fieldError('validation_invalid_sort', { value: value.slice(0, 255) }))

export const queryError = (name: string, error: ReturnType<typeof fieldError>): ApiError =>
  new ApiError(400, SOMETHING_WENT_WRONG, { [name]: error })

const compile = (statement: Statement, scope: Scope, filter: Filter): string => {
  if (filter.kind === 'term') return compileTerm(statement, scope, filter)
  const items = filter.items.map((item) => compile(statement, scope, item))
  return `(${items.join(filter.kind === 'and' ? ' and ' : ' or ')})`
}

const resolvePath = (scope: Scope, path: readonly string[]) =>
  path.length > QUERY_LIMITS.pathHops + 1 ? undefined : scope.resolve(path)

/** One side of a comparison. A parameter is bound only by the form that is used. */
interface Side {
  readonly text: () => string
  readonly number?: () => string
  readonly bool?: () => string
  /** The constant, when it is one; null for null and the empty text, which stand for each other. */
  readonly constant?: string | number | boolean | null
}

const readSide = (statement: Statement, scope: Scope, operand: Operand): Side => {
  switch (operand.kind) {
    case 'path': {
      if (operand.path[0]?.startsWith('@'))
        throw new ApiError(403, `Only superusers can filter by ${operand.path[0]}.`)
      const target = resolvePath(scope, operand.path)
      if (target === undefined)
        throw new FilterError(`Unknown field ${operand.path.join('.')}.`, operand.position)
      return columnSide(target.column, target.field)
    }
    case 'null':
      return { text: () => statement.bind('', 'text'), constant: null }
    case 'text': {
      if (operand.value.includes('\0') || !operand.value.isWellFormed())
        throw new FilterError('The text holds a character that cannot be stored.', 0)
      // A date is compared in the layout of the wire, whichever separator was written.
      const value = operand.value.replace(/^(\d{4}-\d\d-\d\d)T/, '$1 ')
      const number = value.trim() === '' ? Number.NaN : Number(value)
      return {
        text: () => statement.bind(value, 'text'),
        constant: value === '' ? null : value,
        ...(Number.isFinite(number) && { number: () => statement.bind(number, 'float8') }),
      }
    }
    case 'number': {
      const { value } = operand
      return {
        text: () => statement.bind(String(value), 'text'),
        number: () => statement.bind(value, 'float8'),
        constant: value,
        ...((value === 0 || value === 1) && { bool: () => statement.bind(value === 1, 'boolean') }),
      }
    }
    case 'bool': {
      const { value } = operand
      return {
        text: () => statement.bind(String(value), 'text'),
        number: () => statement.bind(Number(value), 'float8'),
        bool: () => statement.bind(value, 'boolean'),
        constant: value,
      }
    }
  }
}

const columnSide = (column: string, field: Field | 'id'): Side => {
  if (field === 'id') return { text: () => column }
  switch (field.kind) {
    case 'number':
      return { text: () => `${column}::text`, number: () => column }
    case 'bool':
      return {
        text: () => `${column}::text`,
        number: () => `${column}::int::float8`,
        bool: () => column,
      }
    case 'autodate':
      return { text: () => dateText(column) }
    case 'files':
      return { text: () => (field.single ? column : `array_to_json(${column})::text`) }
    default:
      return { text: () => column }
  }
}

const compileTerm = (
  statement: Statement,
  scope: Scope,
  { left: leftOperand, operator, right: rightOperand }: Extract<Filter, { kind: 'term' }>,
): string => {
  const left = readSide(statement, scope, leftOperand)
  const right = readSide(statement, scope, rightOperand)
  if (operator === '~' || operator === '!~') return like(statement, left, right, operator)
  const pair = comparable(left, right)
  if (pair === undefined) return operator === '!=' ? 'true' : 'false'
  // Null-safe: a missing related row is different from everything.
  const sign = operator === '!=' ? 'is distinct from' : operator
  return `${pair[0]} ${sign} ${pair[1]}`
}

/**
 * The two sides in one type: numbers with numbers, truth values with truth values, else text.
 * Undefined when a number is compared with what is none.
 */
const comparable = (left: Side, right: Side): readonly [string, string] | undefined => {
  if (left.bool !== undefined && right.bool !== undefined) return [left.bool(), right.bool()]
  const asText = () => [left.text(), right.text()] as const
  const isNumber = (side: Side) => side.number !== undefined && typeof side.constant !== 'string'
  if (!isNumber(left) && !isNumber(right)) return asText()
  if (left.number !== undefined && right.number !== undefined)
    return [left.number(), right.number()]
  const isTextColumn = (side: Side) => side.constant === undefined && side.number === undefined
  return isTextColumn(left) || isTextColumn(right) ? asText() : undefined
}

/** LIKE: a constant without an unescaped `%` is looked for anywhere, as it stands (record interface 3.1.3). */
const like = (statement: Statement, left: Side, right: Side, operator: Operator): string => {
  const negation = operator === '!~' ? 'not ' : ''
  if (right.constant === undefined) {
    const escaped = `replace(replace(replace(${right.text()}, '\\', '\\\\'), '%', '\\%'), '_', '\\_')`
    return `(${left.text()} ${negation}ilike '%' || ${escaped} || '%')`
  }
  const text = String(right.constant ?? '')
  const pattern = /(^|[^\\])(\\\\)*%/.test(text)
    ? text.replace(/\\$/, '\\\\')
    : `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return `(${left.text()} ${negation}ilike ${statement.bind(pattern, 'text')})`
}

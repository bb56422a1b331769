import { FilterError } from '#domain/filter.ts'

import { dateText, type Statement, type Target } from './sql.ts'

/** One side of a comparison. A parameter is bound only by the form that is used. */
export interface Side {
  readonly text: () => string
  readonly number?: () => string
  readonly bool?: () => string
  /** As a timestamp in UTC, where it is a date. */
  readonly date?: () => string
  /** The SQL may be null, where a row on the way is missing. */
  readonly nullable?: boolean
  /** The constant, when it is one. */
  readonly constant?: string | number | boolean | null
}

/** The side of a value that the caller wrote. */
export const constantSide = (
  statement: Statement,
  value: string | number | boolean | null,
): Side => {
  if (value === null) return { text: () => statement.bind('', 'text'), constant: null }
  const text = () => statement.bind(String(value), 'text')
  if (typeof value === 'string') return textSide(statement, value)
  const number = () => statement.bind(Number(value), 'float8')
  const isTruth = typeof value === 'boolean' || value === 0 || value === 1
  return {
    text,
    number,
    constant: value,
    ...(isTruth && { bool: () => statement.bind(Boolean(value), 'boolean') }),
  }
}

const textSide = (statement: Statement, value: string): Side => {
  if (value.includes('\0') || !value.isWellFormed())
    throw new FilterError('The text holds a character that cannot be stored.', 0)
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return {
    text: () => statement.bind(value, 'text'),
    constant: value,
    ...(Number.isFinite(number) && { number: () => statement.bind(number, 'float8') }),
  }
}

/** A text beside a date is compared in the layout of the wire, whichever separator was written. */
export const besideDate = (statement: Statement, side: Side, other: Side): Side =>
  other.date === undefined || typeof side.constant !== 'string'
    ? side
    : textSide(statement, side.constant.replace(/^(\d{4}-\d\d-\d\d)T/, '$1 '))

/** The side of a column. */
export const columnSide = ({ column, field, nullable }: Target): Side => {
  if (field === 'id') return { text: () => column, nullable }
  switch (field.kind) {
    case 'number':
      return { text: () => `${column}::text`, number: () => column, nullable }
    case 'bool':
      return {
        text: () => `${column}::text`,
        number: () => `${column}::int::float8`,
        bool: () => column,
        nullable,
      }
    case 'autodate':
      return {
        text: () => dateText(column),
        date: () => `(${column} at time zone 'UTC')`,
        nullable,
      }
    case 'files':
      return {
        text: () => (field.single ? column : `array_to_json(${column})::text`),
        nullable,
      }
    case 'json':
      return { text: () => `${column}::text`, nullable }
    default:
      return { text: () => column, nullable }
  }
}

import { FilterError, type Call, type Macro, type Operand } from '#domain/filter.ts'

import { isList } from '#domain/field.ts'
import { parseDate, wireDate } from '#domain/date.ts'
import { dateText } from '../db/columns.ts'
import type { Statement, Target } from './sql.ts'

/** One side of a comparison. A parameter is bound only by the form that is used. */
export interface Side {
  readonly text: () => string
  readonly number?: () => string
  readonly bool?: () => string
  /** As a timestamp in UTC, for a date. */
  readonly date?: () => string
  /** The SQL may be null, if a row on the path is missing. */
  readonly nullable?: boolean
  /** A JSON value: a missing one is not empty, and only `null` equals it. */
  readonly isJson?: boolean
  readonly constant?: string | number | boolean | null
}

/** The side of a literal. */
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
    throw new FilterError('The text contains a character that cannot be stored.', 0)
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return {
    text: () => statement.bind(value, 'text'),
    constant: value,
    ...(Number.isFinite(number) && { number: () => statement.bind(number, 'float8') }),
  }
}

/** A text compared with a date is normalized to the layout of the wire. */
export const normalizedForDate = (statement: Statement, side: Side, other: Side): Side =>
  other.date === undefined || typeof side.constant !== 'string'
    ? side
    : textSide(statement, asOnWire(side.constant))

/** A time with a zone is that moment. Any other text may be the beginning of a date, and keeps its length. */
const asOnWire = (text: string): string => {
  const moment = /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? parseDate(text) : undefined
  return moment === undefined ? text.replace(/^(\d{4}-\d\d-\d\d)T/, '$1 ') : wireDate(moment)
}

/** The side of a column. */
export const columnSide = (statement: Statement, target: Target): Side => {
  const { column, field, nullable } = target
  if (field === 'id') return { text: () => column, nullable }
  if (isList(field)) return { text: () => `array_to_json(${column})::text`, nullable }
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
    case 'date':
      return { text: () => column, date: () => `nullif(${column}, '')::timestamp`, nullable }
    case 'json':
      return jsonSide(statement, column, target.keys ?? [])
    default:
      return { text: () => column, nullable }
  }
}

/** The JSON value at a path; among numbers a boolean counts as 1 or 0 (record interface 3.1.4). */
const jsonSide = (statement: Statement, column: string, keys: readonly string[]): Side => {
  const at = (): string =>
    keys.length === 0 ? column : `(${column} #> ${statement.bind(keys, 'text[]')})`
  return {
    text: () => `(${at()} #>> '{}')`,
    number: () =>
      `(select case jsonb_typeof(v) when 'number' then v::float8 when 'boolean' then v::boolean::int end` +
      ` from (select ${at()} as v) j)`,
    nullable: true,
    isJson: true,
  }
}

/**
 * The value of a macro at a moment, in UTC (record interface 3.1.4): a date in the layout of the wire, or a
 * number.
 */
export const macroValue = (macro: Macro, now: Date): string | number => {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  switch (macro) {
    case '@now':
      return wireDate(now)
    case '@yesterday':
      return wireDate(new Date(now.getTime() - DAY_MS))
    case '@tomorrow':
      return wireDate(new Date(now.getTime() + DAY_MS))
    case '@todayStart':
      return wireDate(new Date(Date.UTC(year, month, day)))
    case '@todayEnd':
      return wireDate(new Date(Date.UTC(year, month, day + 1) - 1))
    case '@monthStart':
      return wireDate(new Date(Date.UTC(year, month)))
    case '@monthEnd':
      return wireDate(new Date(Date.UTC(year, month + 1) - 1))
    case '@yearStart':
      return wireDate(new Date(Date.UTC(year, 0)))
    case '@yearEnd':
      return wireDate(new Date(Date.UTC(year + 1, 0) - 1))
    case '@second':
      return now.getUTCSeconds()
    case '@minute':
      return now.getUTCMinutes()
    case '@hour':
      return now.getUTCHours()
    case '@day':
      return day
    case '@month':
      return month + 1
    case '@year':
      return year
    case '@weekday':
      return now.getUTCDay()
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

type ReadSide = (operand: Operand) => Side

/**
 * Compiles a function of the filter language (record interface 3.1.5).
 * @throws FilterError for an unknown function, or invalid arguments
 */
export const callSide = (statement: Statement, call: Call, readSide: ReadSide): Side => {
  switch (call.name) {
    case 'geoDistance':
      return geoDistance(call, readSide)
    case 'strftime':
      return strftime(statement, call, readSide)
    default:
      throw new FilterError(`Unknown function ${call.name}.`, call.position)
  }
}

/** Over many rows, a distance is satisfied by any one of them, with or without `?` (record interface 3.1.5). */
export const isOfAnyRow = (operand: Operand): boolean =>
  operand.kind === 'call' && operand.name === 'geoDistance'

const EARTH_RADIUS_KM = 6371

/** Great-circle distance in kilometres between (lonA, latA) and (lonB, latB). */
const geoDistance = (call: Call, readSide: ReadSide): Side => {
  if (call.args.length !== 4)
    throw new FilterError('geoDistance takes four arguments.', call.position)
  const sides = call.args.map((argument) => {
    const side =
      argument.kind === 'path' || argument.kind === 'number' ? readSide(argument) : undefined
    if (side?.number === undefined)
      throw new FilterError('geoDistance takes numbers and number fields.', call.position)
    return side
  })
  const nullable = sides.some((side) => side.nullable === true)
  const number = (): string => {
    const [lonA, latA, lonB, latB] = sides.map((side) => side.number?.() ?? '0')
    return `(${EARTH_RADIUS_KM} * great_circle(${latA}, ${lonA}, ${latB}, ${lonB}))`
  }
  return { text: () => `${number()}::text`, number, nullable }
}

/** The format codes of SQLite, mapped to those of PostgreSQL. */
const FORMATS: Readonly<Record<string, string>> = {
  d: `to_char(t, 'DD')`,
  e: `to_char(t, 'FMDD')`,
  f: `to_char(t, 'SS.MS')`,
  F: `to_char(t, 'YYYY-MM-DD')`,
  G: `to_char(t, 'IYYY')`,
  H: `to_char(t, 'HH24')`,
  I: `to_char(t, 'HH12')`,
  j: `to_char(t, 'DDD')`,
  m: `to_char(t, 'MM')`,
  M: `to_char(t, 'MI')`,
  p: `to_char(t, 'AM')`,
  P: `to_char(t, 'am')`,
  R: `to_char(t, 'HH24:MI')`,
  s: `extract(epoch from date_trunc('second', t))::bigint::text`,
  S: `to_char(t, 'SS')`,
  T: `to_char(t, 'HH24:MI:SS')`,
  u: `to_char(t, 'ID')`,
  V: `to_char(t, 'IW')`,
  w: `extract(dow from t)::int::text`,
  Y: `to_char(t, 'YYYY')`,
  '%': `'%'`,
}

const SHIFT = /^([+-]?\d{1,6})\s+(second|minute|hour|day|month|year)s?$/
/** The maximum shift of a date; beyond it, years exceed four digits. */
const MAX_SHIFT_YEARS = 2000
const YEARS: Readonly<Record<string, number>> = {
  second: 1 / 31_557_600,
  minute: 1 / 525_960,
  hour: 1 / 8766,
  day: 1 / 365.25,
  month: 1 / 12,
  year: 1,
}

/** A date as text: `strftime(format[, value[, modifier…]])`; the empty text for an invalid date. */
const strftime = (statement: Statement, call: Call, readSide: ReadSide): Side => {
  const [format, value, ...modifiers] = call.args
  if (format?.kind !== 'text') throw new FilterError('strftime takes a format.', call.position)
  const parts = format.value.match(/%.?|[^%]+/gs) ?? []
  const moment = readMoment(statement, value, readSide)
  const shifted = modifiers.reduce<string>((date, modifier) => {
    if (modifier.kind !== 'text')
      throw new FilterError('The modifiers of strftime are texts.', call.position)
    return shift(date, modifier.value.trim().toLowerCase(), call.position)
  }, moment)
  const years = modifiers.reduce((sum, modifier) => {
    const [, count = '0', unit = ''] =
      SHIFT.exec(modifier.kind === 'text' ? modifier.value.trim() : '') ?? []
    return sum + Math.abs(Number(count)) * (YEARS[unit] ?? 0)
  }, 0)
  if (years > MAX_SHIFT_YEARS) throw new FilterError('The date is moved too far.', call.position)
  const text = (): string => {
    const pieces = parts.map((part) => {
      if (!part.startsWith('%')) return statement.bind(plain(part, call.position), 'text')
      const sql = FORMATS[part.slice(1)]
      if (sql === undefined) throw new FilterError(`Unknown format ${part}.`, call.position)
      return sql
    })
    const whole = pieces.length === 0 ? `''` : pieces.join(' || ')
    return `(select coalesce(${whole}, '') from (select ${shifted} as t) moment)`
  }
  return { text }
}

const plain = (text: string, position: number): string => {
  if (text.includes('\0') || !text.isWellFormed())
    throw new FilterError('The text contains a character that cannot be stored.', position)
  return text
}

const shift = (date: string, modifier: string, position: number): string => {
  const [, count, unit] = SHIFT.exec(modifier) ?? []
  if (count !== undefined && unit !== undefined)
    return `(${date} + interval '${Number(count)} ${unit}')`
  const [, start] = /^start of (day|month|year)$/.exec(modifier) ?? []
  if (start !== undefined) return `date_trunc('${start}', ${date})`
  if (modifier === 'utc' || modifier === 'localtime') return date
  throw new FilterError(`Unknown modifier ${modifier.slice(0, 50)}.`, position)
}

/** The value of strftime as a timestamp in UTC; null for an invalid date. */
const readMoment = (
  statement: Statement,
  value: Operand | undefined,
  readSide: ReadSide,
): string => {
  if (value === undefined) return `(now() at time zone 'UTC')`
  const side = readSide(value)
  if (side.constant === undefined) return side.date?.() ?? 'null::timestamp'
  const text = String(side.constant ?? '')
  const date = text === 'now' ? new Date() : parseDate(text)
  return date === undefined
    ? 'null::timestamp'
    : `${statement.bind(wireDate(date), 'text')}::timestamp`
}

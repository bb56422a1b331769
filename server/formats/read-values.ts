import { saysNothing, type Values } from './station.ts'

/** What a source says in one place, of whatever type. */
export type Raw = Readonly<Record<string, unknown>>

export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Without what PostgreSQL stores in no text: U+0000 and halves of surrogate pairs. */
export const storable = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()

/** More than the longest text of a field. */
const MAX_TEXT_LENGTH = 2500

/** A text that takes no long time to read: without its end beyond all fields, and without long gaps. */
export const bounded = (text: string): string =>
  text.length <= MIN_LONG_LENGTH
    ? text
    : text
        .slice(0, MAX_SCANNED_LENGTH)
        .replaceAll(/\s{20,}/g, ' ')
        .slice(0, MAX_TEXT_LENGTH)
        .toWellFormed()
const MIN_LONG_LENGTH = 40
/** A text of megabytes may stand in a thousand plugs. */
const MAX_SCANNED_LENGTH = 20_000

/** The texts of a value, bounded. */
export const boundedValue = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(boundedValue)
    : typeof value === 'string'
      ? bounded(value)
      : value

/** Longer JSON in a text is no value of a field. */
const MAX_JSON_LENGTH = 100_000

/** Whether a value may be JSON in a text. */
export const isJsonText = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_JSON_LENGTH && /^\s*[[{]/.test(value)

/** The elements of a list that are objects; a single object counts as a list of one. */
export const rawList = (value: unknown): readonly Raw[] =>
  (Array.isArray(value) ? value : [value]).filter(isRaw)

/** A text or a number as text, trimmed; otherwise empty. Of texts in several languages, the first. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return textOf(value[0])
  return isRaw(value) && 'text' in value ? textOf(value['text']) : ''
}

/** A number, or a text that is one in the way of JSON; otherwise undefined. */
export const numberOf = (value: unknown): number | undefined => {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value.trim() !== ''
        ? Number(value)
        : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** Such ids are counted from 1 within each parent. */
const COUNTED = /^\d{1,3}$/

/** An id that is told from those of other parents; empty if nothing tells it. */
export const idWithin = (parent: string, id: string): string =>
  !COUNTED.test(id) ? id : parent === '' ? '' : `${parent}:${id}`

/** The texts of a list, or of a single text. */
export const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map(textOf).filter((text) => text !== '')

/** Without values that say nothing. */
export const known = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !saysNothing(value)))

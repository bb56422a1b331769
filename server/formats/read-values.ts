import { isEmptyInput, type Values } from './station.ts'

/** An object in a source, with values of any type. */
export type Raw = Readonly<Record<string, unknown>>

/** Whether a value of a source is an object. */
export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Removes characters that PostgreSQL cannot store: U+0000 and unpaired surrogates. */
export const storable = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()

/** Longer than the longest text field. */
const MAX_TEXT_LENGTH = 2500

/** Bounds the time for reading a text: truncates it beyond the maximum of all fields, and shortens long whitespace. */
export const bounded = (text: string): string =>
  text.length <= MIN_LONG_LENGTH
    ? text
    : text
        .slice(0, MAX_SCANNED_LENGTH)
        .replaceAll(/\s{20,}/g, ' ')
        .slice(0, MAX_TEXT_LENGTH)
        .toWellFormed()
const MIN_LONG_LENGTH = 40
/** Bounds the scan, since a text of megabytes may occur in a thousand plugs. */
const MAX_SCANNED_LENGTH = 20_000

/** Applies `bounded` to the texts in a value. */
export const boundedValue = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(boundedValue)
    : typeof value === 'string'
      ? bounded(value)
      : value

/** Longer JSON texts are not valid in any field. */
const MAX_JSON_LENGTH = 100_000

/** Whether a value may be JSON text. */
export const isJsonText = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_JSON_LENGTH && /^\s*[[{]/.test(value)

/** The elements of a list that are objects; a single object counts as a list of one. */
export const rawList = (value: unknown): readonly Raw[] =>
  (Array.isArray(value) ? value : [value]).filter(isRaw)

/** A text or a number as trimmed text; otherwise empty. Of several languages, the first. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return textOf(value[0])
  return isRaw(value) && 'text' in value ? textOf(value['text']) : ''
}

/** A number, or a text that is a number in JSON syntax; otherwise undefined. */
export const numberOf = (value: unknown): number | undefined => {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value.trim() !== ''
        ? Number(value)
        : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** A power in W as kW. A value that is not a number stays unchanged for the repair. */
export const kilowattsOf = (watts: unknown): unknown => {
  const number = numberOf(watts)
  return number === undefined ? watts : number / 1000
}

/** IDs like these are counted from 1 within each parent. */
const COUNTED = /^\d{1,3}$/

/** Makes an ID unique across parents; empty if that is impossible. */
export const idWithin = (parent: string, id: string): string =>
  !COUNTED.test(id) ? id : parent === '' ? '' : `${parent}:${id}`

/** The texts of a list, or of a single text. */
export const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map(textOf).filter((text) => text !== '')

/** Removes empty values. */
export const omitEmpty = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmptyInput(value)))

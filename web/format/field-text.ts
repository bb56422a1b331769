import type { Collection } from '#domain/collection.ts'
import { emptyValue, initialValue, isBlankZero, isList, type Field } from '#domain/field.ts'
import type { OpeningHours } from '#domain/hours.ts'
import { parseJson } from '#domain/json.ts'
import { inputNames, isSameValue, type InputName, type InputOf } from '#domain/record.ts'
import type { Value } from '#domain/schema.ts'
import { formatDecimal, parseDecimal } from './decimal.ts'

/** The values of a form's fields, as text. */
export type TextsOf<C extends Collection> = Record<InputName<C>, string>

const unitOf = (field: Field | undefined): string | undefined =>
  field?.kind === 'number' ? field.unit : undefined

/** The text of a number with the unit of its field, if it has one, on one line. */
export const withUnit = (field: Field | undefined, text: string): string => {
  const unit = unitOf(field)
  return unit === undefined ? text : `${text}\u00A0${unit}`
}

/**
 * Parses a typed number, with or without its unit: "7,4" or "7.4 kW". Undefined if it is not a number.
 */
export const parseNumber = (field: Field, text: string): number | undefined => {
  const unit = unitOf(field)
  const typed = text.trim()
  return parseDecimal(
    unit !== undefined && typed.toLowerCase().endsWith(unit.toLowerCase())
      ? typed.slice(0, -unit.length)
      : typed,
  )
}

/** Returns whether the text of a field is JSON: lists and JSON fields. */
const isJsonText = (field: Field): boolean => isList(field) || field.kind === 'json'

/** Formats a value as text, numbers by locale; an empty value is an empty text. */
const textOf = (field: Field, value: unknown, locale: string): string => {
  if (isJsonText(field))
    return isSameValue(value ?? emptyValue(field), emptyValue(field)) ? '' : JSON.stringify(value)
  if (value === 0 && isBlankZero(field)) return ''
  if (typeof value === 'number') return formatDecimal(value, locale)
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''
}

/** Parses the text of a field; undefined if it is invalid. */
export const parseText = (field: Field, text: string): Value | undefined => {
  if (isJsonText(field))
    return text.trim() === '' ? emptyValue(field) : (parseJson(text) as object | undefined)
  if (field.kind === 'number') return parseNumber(field, text)
  return field.kind === 'bool' ? text === 'true' : text.trim()
}

/** The opening hours of a form, where they are JSON. A missing time is an empty text. */
export const readHours = (text: string): OpeningHours | undefined =>
  text === '' ? undefined : (JSON.parse(text) as OpeningHours)

const mapInputs = <C extends Collection>(
  collection: C,
  value: (field: Field, name: InputName<C>) => unknown,
) =>
  Object.fromEntries(
    inputNames(collection).map((name) => [name, value(collection.fields[name] as Field, name)]),
  )

/** Formats a record as the texts of its form. */
export const textsOf = <C extends Collection>(
  collection: C,
  record: Partial<InputOf<C>>,
  locale: string,
): TextsOf<C> => {
  const values: Readonly<Record<string, unknown>> = record
  return mapInputs(collection, (field, name) => textOf(field, values[name], locale)) as TextsOf<C>
}

/** The texts of an empty form, with the preselected values. */
export const blankTexts = <C extends Collection>(collection: C): TextsOf<C> =>
  mapInputs(collection, (field) => String(initialValue(field) || '')) as TextsOf<C>

/** The input of a schema from the texts of a form. The schema rejects what `parseText` cannot read. */
export const schemaInput = <C extends Collection>(collection: C, texts: TextsOf<C>) =>
  mapInputs(collection, (field, name) => {
    const text = texts[name]
    const isNumber = field.kind === 'number' && text.trim() !== ''
    return parseText(field, text) ?? (isNumber ? Number.NaN : text)
  })

/** Parses the validated texts of a form. */
export const readTexts = <C extends Collection>(
  collection: C,
  texts: TextsOf<C>,
): Required<InputOf<C>> =>
  mapInputs(
    collection,
    (field, name) => parseText(field, texts[name]) ?? emptyValue(field),
  ) as Required<InputOf<C>>

/** Returns whether two texts of a field have the same value. Number formats differ by language. */
export const isSameText = (field: Field | undefined, one: string, other: string): boolean => {
  if (one.trim() === other.trim()) return true
  if (field !== undefined && isJsonText(field))
    return isSameValue(parseText(field, one), parseText(field, other))
  if (field?.kind === 'bool') return parseText(field, one) === parseText(field, other)
  if (field?.kind !== 'number') return false
  const number = parseNumber(field, one)
  return number !== undefined && number === parseNumber(field, other)
}

import type { Collection } from '#domain/collection.ts'
import { emptyValue, initialValue, isBlankZero, isList, type Field } from '#domain/field.ts'
import type { OpeningHours } from '#domain/hours.ts'
import { inputNames, isSameValue, type InputName, type InputOf } from '#domain/record.ts'
import type { Value } from '#domain/schema.ts'
import { formatDecimal, parseDecimal } from './decimal.ts'

/** What stands in the fields of a form: text, whatever it will become. */
export type TextsOf<C extends Collection> = Record<InputName<C>, string>

/** Reads a number as it is typed, with or without its unit: "7,4" or "7.4 kW". Undefined if it is none. */
export const parseNumber = (field: Field, text: string): number | undefined => {
  const unit = field.kind === 'number' ? field.unit : undefined
  const typed = text.trim()
  return parseDecimal(
    unit !== undefined && typed.toLowerCase().endsWith(unit.toLowerCase())
      ? typed.slice(0, -unit.length)
      : typed,
  )
}

/** Whether the text of a field is JSON: of a list, and of what is declared as JSON. */
const isJsonText = (field: Field): boolean => isList(field) || field.kind === 'json'

/** A value as text, numbers as the language writes them; nothing is an empty text. */
const textOf = (field: Field, value: unknown, locale: string): string => {
  if (isJsonText(field))
    return isSameValue(value ?? emptyValue(field), emptyValue(field)) ? '' : JSON.stringify(value)
  if (value === 0 && isBlankZero(field)) return ''
  if (typeof value === 'number') return formatDecimal(value, locale)
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''
}

/** The value that a text stands for; undefined if it stands for none. */
export const parseText = (field: Field, text: string): Value | undefined => {
  if (isJsonText(field)) return text.trim() === '' ? emptyValue(field) : parseJson(text)
  if (field.kind === 'number') return parseNumber(field, text)
  return field.kind === 'bool' ? text === 'true' : text.trim()
}

/** The opening hours in a form, where they stand as JSON. A time that is missing is an empty text. */
export const readHours = (text: string): OpeningHours | undefined =>
  text === '' ? undefined : (JSON.parse(text) as OpeningHours)

const parseJson = (text: string): object | undefined => {
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}

const mapInputs = <C extends Collection>(
  collection: C,
  value: (field: Field, name: InputName<C>) => unknown,
) =>
  Object.fromEntries(
    inputNames(collection).map((name) => [name, value(collection.fields[name] as Field, name)]),
  )

/** A record as text for the fields of its form. */
export const textsOf = <C extends Collection>(
  collection: C,
  record: Partial<InputOf<C>>,
  locale: string,
): TextsOf<C> => {
  const values: Readonly<Record<string, unknown>> = record
  return mapInputs(collection, (field, name) => textOf(field, values[name], locale)) as TextsOf<C>
}

/** The texts of a form in which nothing was entered: what is chosen by itself is. */
export const blankTexts = <C extends Collection>(collection: C): TextsOf<C> =>
  mapInputs(collection, (field) => String(initialValue(field) || '')) as TextsOf<C>

/** What a schema reads from the texts of a form; what is no number is left for it to refuse. */
export const schemaInput = <C extends Collection>(collection: C, texts: TextsOf<C>) =>
  mapInputs(collection, (field, name) => parseText(field, texts[name]) ?? texts[name])

/** What the texts of a form say that was found to be right. */
export const readTexts = <C extends Collection>(
  collection: C,
  texts: TextsOf<C>,
): Required<InputOf<C>> =>
  mapInputs(
    collection,
    (field, name) => parseText(field, texts[name]) ?? emptyValue(field),
  ) as Required<InputOf<C>>

/** Do two texts of a field mean the same? Languages write numbers differently. */
export const isSameText = (field: Field | undefined, one: string, other: string): boolean => {
  if (one.trim() === other.trim()) return true
  if (field !== undefined && isJsonText(field))
    return isSameValue(parseText(field, one), parseText(field, other))
  if (field?.kind === 'bool') return parseText(field, one) === parseText(field, other)
  if (field?.kind !== 'number') return false
  const number = parseNumber(field, one)
  return number !== undefined && number === parseNumber(field, other)
}

import type { LinkedCollection } from '#domain/collection.ts'
import { COUNTRIES } from '#domain/country.ts'
import { fieldError, withSentence, type FieldError } from '#domain/error.ts'
import {
  emptyValue,
  initialValue,
  isList,
  type Field,
  type FilesField,
  type FromPosition,
  type JsonField,
} from '#domain/field.ts'
import { isSameValue } from '#domain/record.ts'
import { isTimeZone } from '#domain/hours/zone.ts'
import {
  findContradictions,
  isValueField,
  readId,
  readShape,
  readValue,
  toList,
  type Value,
} from '#domain/schema.ts'

import type { Submission, Upload } from '../http/body.ts'
import { readSent } from '../http/read-fields.ts'

/** A stored record, by column. */
export type Row = Readonly<Record<string, unknown>>

/** The changes of a write to a record's columns, or its errors. */
export interface Changes {
  readonly values: ReadonlyMap<string, Value>
  readonly errors: Readonly<Record<string, FieldError>>
}

/** An upload that was stored under a name. */
export interface Stored {
  readonly field: string
  readonly place: 'end' | 'start'
  readonly name: string
}

/**
 * Reads the submitted values of fields without files (record interface 2.2, 2.3). Ignores unknown keys, and dates
 * that the server sets. On a create, `current` is undefined and missing fields get their defaults; an update
 * changes only the submitted fields.
 */
export const readChanges = async (
  collection: LinkedCollection,
  submission: Submission,
  current: Row | undefined,
  superuser: boolean,
): Promise<Changes> => {
  const values = new Map<string, Value>()
  const errors: Record<string, FieldError> = {}
  for (const [name, field] of Object.entries(collection.fields)) {
    if (!isValueField(field) || field.kind === 'autodate') continue
    const sent = submittedValue(submission, name, field, current)
    if (sent === undefined && current !== undefined) continue
    const byDefault = current === undefined && 'default' in field ? field.default : undefined
    // A required field refuses "", as in PocketBase.
    const isAbsent = sent === undefined || sent === null || (sent === '' && !field.required)
    const plain = readSent(field, isAbsent ? (byDefault ?? sent) : sent)
    const reading =
      field.kind === 'json' && plain.error === undefined
        ? await readShape(field, plain.value)
        : plain
    if (reading.error !== undefined) {
      errors[name] = withSentence(reading.error)
      continue
    }
    const error =
      nothingError(field, sent, current) ??
      codeError(field, reading.value, current?.[name]) ??
      (superuser ? undefined : ownerError(field, reading.value, current?.[name])) ??
      guardError(field, reading.value, current, name, superuser)
    if (error !== undefined) errors[name] = error
    else if (reading.value !== undefined) values.set(name, reading.value)
  }
  for (const [name, error] of findContradictions(collection, values, current))
    errors[name] ??= withSentence(error)
  const wrongId = idError(submission, current)
  if (wrongId !== undefined) errors['id'] = wrongId
  return { values, errors }
}

/** The bare name takes precedence over the alias (spec 3); numbers and lists can be incremented and decremented. */
const submittedValue = (
  { fields }: Submission,
  name: string,
  field: Field,
  current: Row | undefined,
): unknown => {
  const sent = (key: string): unknown =>
    fields.has(key) || field.alias === undefined
      ? fields.get(key)
      : fields.get(key.replace(name, field.alias))
  const bare = sent(name)
  if (field.kind === 'json' && field.keyedBy !== undefined) {
    const added = sent(`${name}+`)
    return added === undefined ? bare : withEntries(field, bare ?? current?.[name], added)
  }
  if (field.kind !== 'number' && !isList(field)) return bare
  const first = field.kind === 'number' ? undefined : sent(`+${name}`)
  const [added, removed] = [sent(`${name}+`), sent(`${name}-`)]
  if (first === undefined && added === undefined && removed === undefined) return bare
  const from = bare === undefined ? current?.[name] : bare
  if (field.kind === 'number') return operand(from) + operand(added) - operand(removed)
  const without = new Set(toList(removed))
  return [first, from, added].flatMap(toList).filter((value) => !without.has(value))
}

/** Whether a value can have entries, unlike a text, a number or a boolean. */
const hasEntries = (value: Value | undefined): value is Readonly<Record<string, unknown>> | null =>
  typeof value === 'object'

/** An object with some entries set, and without those that are set to `""`. Validation rejects other values. */
const withEntries = (field: JsonField, from: unknown, added: unknown): unknown => {
  const [before, entries] = [readValue(field, from).value, readValue(field, added).value]
  if (!hasEntries(before)) return from
  if (!hasEntries(entries)) return added
  const all = { ...before, ...entries }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** A number for a sum, regardless of limits; NaN, which is refused, if it is not a number. */
const operand = (sent: unknown): number => {
  const { value } = readValue({ kind: 'number' }, sent)
  return typeof value === 'number' ? value : Number.NaN
}

/**
 * On an update, a field with a default cannot be emptied: clients that send `null` or `""` for values that they do not
 * have would hide a site or remove a licence, although a create with the same values sets the default.
 */
const nothingError = (
  field: Field,
  sent: unknown,
  current: Row | undefined,
): FieldError | undefined =>
  (sent === null || sent === '') && current !== undefined && 'default' in field && field.default
    ? fieldError('validation_required')
    : undefined

/**
 * A code has to exist: a time zone in this runtime, which also computes with it, a country in ISO 3166-1. The current
 * value may be kept.
 */
const codeError = (field: Field, value: Value, current: unknown): FieldError | undefined =>
  field.kind !== 'text' ||
  field.fromPosition === undefined ||
  typeof value !== 'string' ||
  value === '' ||
  value === current ||
  IS_CODE[field.fromPosition](value)
    ? undefined
    : fieldError('validation_invalid_format', { example: field.format?.example ?? '' })

const IS_CODE: Readonly<Record<FromPosition, (value: string) => boolean>> = {
  timeZone: isTimeZone,
  country: (value) => COUNTRIES.includes(value),
}

/** An owner may set only the values for owners, but may keep any other current value. */
const ownerError = (field: Field, value: Value, current: unknown): FieldError | undefined =>
  field.kind !== 'select' ||
  field.ownerValues === undefined ||
  value === current ||
  field.ownerValues.some((own) => own === value)
    ? undefined
    : fieldError('validation_invalid_value', { value: value as string })

/** A field that never changes, or that only superusers may change, may be sent with its current value. */
const guardError = (
  field: Field,
  value: Value,
  current: Row | undefined,
  name: string,
  superuser: boolean,
): FieldError | undefined => {
  const isGuarded = (field.fixed && current !== undefined) || (field.managed && !superuser)
  const former = current === undefined ? initialValue(field) : (current[name] ?? emptyValue(field))
  return isGuarded && !isSameValue(value, former)
    ? fieldError('validation_values_mismatch')
    : undefined
}

const idError = ({ fields }: Submission, current: Row | undefined): FieldError | undefined => {
  const sent = fields.get('id')
  if (current !== undefined)
    return sent === undefined || sent === '' || sent === current['id']
      ? undefined
      : fieldError('validation_pk_change')
  const reading = readId(sent)
  return 'error' in reading ? withSentence(reading.error) : undefined
}

/**
 * The names in a file field after a write (record interface 2.4, 9.1): uploads are appended; a list of stored
 * names sets the order and removes the names that it omits; `+` before or after the key prepends or appends names,
 * `-` removes names. Undefined if the write does not change the field.
 */
export const readFileNames = (
  name: string,
  field: FilesField,
  { fields }: Submission,
  stored: readonly Stored[],
  current: readonly string[],
): { names: readonly string[] } | { error: FieldError } | undefined => {
  const uploads = stored.filter((upload) => upload.field === name)
  const keys = [name, `+${name}`, `${name}+`, `${name}-`]
  if (uploads.length === 0 && !keys.some((key) => fields.has(key))) return undefined
  const kept = fields.has(name) ? toNames(fields.get(name)) : current
  const [first, last] = [toNames(fields.get(`+${name}`)), toNames(fields.get(`${name}+`))]
  const unknown = [...first, ...kept, ...last].filter((held) => !current.includes(held))
  if (unknown.length > 0)
    return { error: fieldError('validation_invalid_file', { invalidFiles: unknown }) }
  const at = (place: Stored['place']) =>
    uploads.filter((upload) => upload.place === place).map((upload) => upload.name)
  const removed = new Set(toNames(fields.get(`${name}-`)))
  const all = new Set([...first, ...at('start'), ...kept, ...last, ...at('end')])
  const names = [...all].filter((held) => !removed.has(held))
  if (field.single) return { names: names.slice(-1) }
  if (names.length > field.maxCount)
    return { error: fieldError('validation_too_many_files', { maxSelect: field.maxCount }) }
  return { names }
}

/**
 * A list of names: an array, one name, or a JSON array as text; empty values and duplicates are dropped. A value
 * that is not a name stays in the list, so that it is refused.
 */
const toNames = (sent: unknown): readonly string[] => {
  const list = typeof sent === 'string' && sent.startsWith('[') ? parseList(sent) : sent
  const names = (Array.isArray(list) ? list : [list])
    .filter((name) => name !== undefined && name !== null)
    .map((name) => (typeof name === 'string' ? name : JSON.stringify(name)))
  return [...new Set(names)].filter((name) => name !== '')
}

const parseList = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The field of an upload, and the end of the list to which it is added; undefined if there is none. */
export const uploadTarget = (
  collection: LinkedCollection,
  upload: Upload,
): { name: string; field: FilesField; place: Stored['place'] } | undefined => {
  const name = upload.key.replace(/^\+|\+$/g, '')
  const field = Object.hasOwn(collection.fields, name) ? collection.fields[name] : undefined
  if (field?.kind !== 'files') return undefined
  return { name, field, place: upload.key.startsWith('+') ? 'start' : 'end' }
}

import type { LinkedCollection } from '#domain/collection.ts'
import { fieldError, type FieldError } from '#domain/error.ts'
import { emptyValue, type Field, type FilesField } from '#domain/field.ts'
import { readId, readValue, type Value } from '#domain/schema.ts'

import type { Submission, Upload } from '../http/body.ts'

/** A stored record, by column. */
export type Row = Readonly<Record<string, unknown>>

/** What a write does to a record's columns, or what is wrong with it. */
export interface Changes {
  readonly id: string | undefined
  readonly values: ReadonlyMap<string, Value | readonly string[]>
  readonly errors: Readonly<Record<string, FieldError>>
}

/** An upload that was stored under a name. */
export interface Stored {
  readonly field: string
  readonly place: 'end' | 'start'
  readonly name: string
}

/**
 * Reads what a caller sent for the fields that hold no files (record interface 2.2, 2.3). Unknown
 * keys and the dates that the server keeps are ignored. On a create, `current` is undefined and
 * what was not sent gets its default; on an update only what was sent is changed.
 */
export const readChanges = (
  collection: LinkedCollection,
  submission: Submission,
  current: Row | undefined,
  superuser: boolean,
): Changes => {
  const values = new Map<string, Value>()
  const errors: Record<string, FieldError> = {}
  for (const [name, field] of Object.entries(collection.fields)) {
    if (field.kind === 'files' || field.kind === 'json' || field.kind === 'autodate') continue
    const sent = submittedValue(submission, name, field, current)
    if (sent === undefined && current !== undefined) continue
    const byDefault = current === undefined && field.kind === 'select' ? field.default : undefined
    const reading = readValue(field, sent ?? byDefault)
    const error =
      reading.error ??
      (superuser ? undefined : ownerError(field, reading.value, current?.[name])) ??
      guardError(field, reading.value, current, name, superuser)
    if (error !== undefined) errors[name] = error
    else if (reading.value !== undefined) values.set(name, reading.value)
  }
  return { ...readRecordId(submission, current, errors), values, errors }
}

/** The bare name wins over the alias (spec 3); numbers can be added to and subtracted from. */
const submittedValue = (
  { fields }: Submission,
  name: string,
  field: Field,
  current: Row | undefined,
): unknown => {
  const sent = (sign: string): unknown =>
    fields.has(name + sign) || field.alias === undefined
      ? fields.get(name + sign)
      : fields.get(field.alias + sign)
  const bare = sent('')
  if (field.kind !== 'number') return bare
  const [added, subtracted] = [sent('+'), sent('-')]
  if (added === undefined && subtracted === undefined) return bare
  return operand(bare === undefined ? current?.[name] : bare) + operand(added) - operand(subtracted)
}

/** A number that takes part in a sum, limits aside; NaN, which is refused, when it is none. */
const operand = (sent: unknown): number => {
  const { value } = readValue({ kind: 'number' }, sent)
  return typeof value === 'number' ? value : Number.NaN
}

/** An owner chooses among the values that are theirs; what a machine set may stay. */
const ownerError = (field: Field, value: Value, current: unknown): FieldError | undefined =>
  field.kind !== 'select' ||
  field.ownerValues === undefined ||
  value === current ||
  field.ownerValues.includes(String(value))
    ? undefined
    : fieldError('validation_invalid_value', { value: String(value) })

/** What never changes, or only superusers change, may be sent as it is. */
const guardError = (
  field: Field,
  value: Value,
  current: Row | undefined,
  name: string,
  superuser: boolean,
): FieldError | undefined =>
  current !== undefined && (field.fixed || (field.managed && !superuser)) && value !== current[name]
    ? fieldError('validation_values_mismatch')
    : undefined

const readRecordId = (
  submission: Submission,
  current: Row | undefined,
  errors: Record<string, FieldError>,
): { id: string | undefined } => {
  const sent = submission.fields.get('id')
  if (current !== undefined) {
    if (sent !== undefined && sent !== '' && sent !== current['id'])
      errors['id'] = fieldError('validation_pk_change')
    return { id: undefined }
  }
  const reading = readId(sent)
  if (!('error' in reading)) return reading
  errors['id'] = reading.error
  return { id: undefined }
}

/**
 * The names that a field of files holds after a write (record interface 2.4, 9.1):
 * uploads are added; a list of stored names sets the exact order, and what it omits goes; `+` in
 * front or behind puts names there, `-` takes names out. Undefined when the write does not touch
 * the field.
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
 * A list of names: an array, one name, or a JSON array as text; empty values and repeats dropped.
 * What is no name stays in the list, so that it is refused and not taken for an empty list.
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

/** Which field an upload is for, and at which end of the list it goes; undefined when for none. */
export const uploadTarget = (
  collection: LinkedCollection,
  upload: Upload,
): { name: string; field: FilesField; place: Stored['place'] } | undefined => {
  const name = upload.key.replace(/^\+|\+$/g, '')
  const field = Object.hasOwn(collection.fields, name) ? collection.fields[name] : undefined
  if (field?.kind !== 'files') return undefined
  return { name, field, place: upload.key.startsWith('+') ? 'start' : 'end' }
}

/** The columns of a record that was just made and got no value yet. */
export const emptyColumn = (
  collection: LinkedCollection,
  name: string,
): Value | readonly string[] => {
  const field = collection.fields[name]
  if (field === undefined) throw new TypeError(`no field: ${name}`)
  return emptyValue(field)
}

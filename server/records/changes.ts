import type { Collection } from '#domain/collection.ts'
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
  collection: Collection,
  submission: Submission,
  current: Row | undefined,
  superuser: boolean,
): Changes => {
  const values = new Map<string, Value>()
  const errors: Record<string, FieldError> = {}
  for (const [name, field] of Object.entries(collection.fields)) {
    if (field.kind === 'files' || field.kind === 'autodate') continue
    const sent = submittedValue(submission, name, field.alias)
    if (sent === undefined && current !== undefined) continue
    const filled = sent ?? (field.kind === 'select' ? field.default : undefined)
    const reading = readValue(field, filled)
    const error =
      reading.error ??
      (superuser ? undefined : ownerError(field, reading.value, current?.[name])) ??
      guardError(field, reading.value, current, name, superuser)
    if (error !== undefined) errors[name] = error
    else if (reading.value !== undefined) values.set(name, reading.value)
  }
  return { ...readRecordId(submission, current, errors), values, errors }
}

/** The bare name wins over the alias (decisions 4). */
const submittedValue = (submission: Submission, name: string, alias: string | undefined): unknown =>
  submission.fields.has(name) || alias === undefined
    ? submission.fields.get(name)
    : submission.fields.get(alias)

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
 * The names that a field of files holds after a write (record interface 2.4, decisions 5.1):
 * uploads are added; a list of stored names sets the exact order, and what it omits goes; `-`
 * takes names out. Undefined when the write does not touch the field.
 */
export const readFileNames = (
  name: string,
  field: FilesField,
  submission: Submission,
  stored: readonly Stored[],
  current: readonly string[],
): { names: readonly string[] } | { error: FieldError } | undefined => {
  const listed = submission.fields.get(name)
  const removed = toNames(submission.fields.get(`${name}-`))
  const uploads = stored.filter((upload) => upload.field === name)
  if (listed === undefined && removed.length === 0 && uploads.length === 0) return undefined
  const kept = listed === undefined ? current : toNames(listed)
  const unknown = kept.filter((candidate) => !current.includes(candidate))
  if (unknown.length > 0)
    return { error: fieldError('validation_invalid_file', { invalidFiles: unknown }) }
  const at = (place: Stored['place']) =>
    uploads.filter((upload) => upload.place === place).map((upload) => upload.name)
  const names = [...at('start'), ...kept, ...at('end')].filter((kept_) => !removed.includes(kept_))
  if (field.single) return { names: names.slice(-1) }
  if (names.length > field.maxCount)
    return { error: fieldError('validation_too_many_files', { maxSelect: field.maxCount }) }
  return { names }
}

/** A list of names: an array, one name, or a JSON array as text; empty values and repeats dropped. */
const toNames = (sent: unknown): readonly string[] => {
  const list = typeof sent === 'string' && sent.startsWith('[') ? parseList(sent) : sent
  const names = (Array.isArray(list) ? list : [list]).filter((name) => typeof name === 'string')
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
  collection: Collection,
  upload: Upload,
): { name: string; field: FilesField; place: Stored['place'] } | undefined => {
  const name = upload.key.replace(/^\+|\+$/g, '')
  const field = Object.hasOwn(collection.fields, name) ? collection.fields[name] : undefined
  if (field?.kind !== 'files') return undefined
  return { name, field, place: upload.key.startsWith('+') ? 'start' : 'end' }
}

/** The columns of a record that was just made and got no value yet. */
export const emptyColumn = (collection: Collection, name: string): Value | readonly string[] => {
  const field = collection.fields[name]
  if (field === undefined) throw new TypeError(`no field: ${name}`)
  return emptyValue(field)
}

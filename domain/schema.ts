import * as z from 'zod/mini'

import { ID_LENGTH, ID_PATTERN, type Collection } from './collection.ts'
import { fieldError, type FieldError } from './error.ts'
import type { Field, ValueField } from './field.ts'

// Schemas are never compiled with `new Function`: the content security policy forbids it.
z.config({ jitless: true })

/** A value of a field that holds neither files nor JSON. */
export type Value = string | number | boolean

/** The outcome of reading what a client sent for one field. */
export type Reading =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly error: FieldError; readonly value?: undefined }

/**
 * Reads a submitted value: converts it to the type of the field (record interface 1.2) and checks
 * it against the declaration. Numbers that cannot be parsed are refused, never read as 0.
 */
export const readValue = (field: ValueField, input: unknown): Reading => {
  switch (field.kind) {
    case 'number':
      return readNumber(field, input)
    case 'bool':
      return { value: TRUTHS.has(input) || (typeof input === 'number' && input !== 0) }
    default:
      return readText(field, toText(lastOf(field, input)))
  }
}

type NumberField = Extract<Field, { kind: 'number' }>
type TextualField = Exclude<ValueField, NumberField | { kind: 'bool' }>

/** The values that set a flag; in a query, their texts. */
export const TRUTHS: ReadonlySet<unknown> = new Set([true, '1', 't', 'T', 'true', 'TRUE', 'True'])

const bad = (...problem: Parameters<typeof fieldError>): Reading => ({
  error: fieldError(...problem),
})

const toText = (input: unknown): string =>
  typeof input === 'string'
    ? input.trim()
    : typeof input === 'number' || typeof input === 'boolean'
      ? String(input)
      : ''

/** Of several values for one choice or one relation the last counts (record interface 1.2). */
const lastOf = (field: TextualField, input: unknown): unknown =>
  Array.isArray(input) && (field.kind === 'select' || field.kind === 'relation')
    ? input.findLast((value) => value !== '')
    : input

const readText = (field: TextualField, value: string): Reading => {
  if (value === '') return field.required ? bad('validation_required') : { value }
  // PostgreSQL stores neither U+0000 nor lone surrogates.
  if (value.includes('\0') || !value.isWellFormed()) return bad('validation_invalid_format')
  switch (field.kind) {
    case 'select':
      return field.values.includes(value)
        ? { value }
        : bad('validation_invalid_value', { value: value.slice(0, 100) })
    case 'email':
    case 'url':
    case 'text':
      if (longerThan(value, field.max))
        return bad('validation_max_text_constraint', { max: field.max })
      if (field.kind === 'email' && !isEmail(value)) return bad('validation_is_email')
      if (field.kind === 'url' && !isUrl(value)) return bad('validation_invalid_url')
      return { value }
    default:
      return { value }
  }
}

/** Limits count code points, as the record interface 1.5 does. */
const longerThan = (value: string, max: number): boolean =>
  value.length > max && Array.from(value).length > max

/** Longer texts are no numbers that anybody types. */
const MAX_NUMBER_LENGTH = 40
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

const readNumber = (field: NumberField, input: unknown): Reading => {
  const blank =
    input === undefined || input === null || (typeof input === 'string' && !input.trim())
  if (blank) return field.required ? bad('validation_required') : { value: 0 }
  const value =
    typeof input === 'number'
      ? input
      : typeof input === 'boolean'
        ? Number(input)
        : isWrittenNumber(input)
          ? Number(input)
          : Number.NaN
  if (!Number.isFinite(value)) return bad('validation_not_a_number')
  if (field.integer && !Number.isInteger(value)) return bad('validation_only_int_constraint')
  if (field.above !== undefined && value <= field.above)
    return bad('validation_above_number_constraint', { above: field.above })
  if (field.min !== undefined && value < field.min)
    return bad('validation_min_number_constraint', { min: field.min })
  if (field.max !== undefined && value > field.max)
    return bad('validation_max_number_constraint', { max: field.max })
  return { value: value === 0 ? 0 : value }
}

const isWrittenNumber = (input: unknown): input is string =>
  typeof input === 'string' && input.trim().length <= MAX_NUMBER_LENGTH && NUMBER.test(input.trim())

// The parts of an address between its dots, in letters of any script (RFC 5322 dot-atom, RFC 6531).
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?'
const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})+$`, 'u')

/** The rule of the record interface 1.5: no dot at an end or beside another, and a domain with a dot. */
export const isEmail = (value: string): boolean => EMAIL.test(value)

const URL_SCHEMES = /^(ftp|tcp|udp|wss?|https?):\/\//i
const URL_HOST =
  /^(?:[^\s/?#@]+@)?(?:\[[0-9a-f:.]+\]|[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?)*\.?)(?::\d{1,5})?(?:[/?#]\S*)?$/iu

/** The rule of the record interface 1.5: the scheme is optional; without one the host needs a dot. */
const isUrl = (value: string): boolean => {
  if (value.length < 4 || value.startsWith('.')) return false
  const rest = value.replace(URL_SCHEMES, '')
  if (!URL_HOST.test(rest)) return false
  return rest !== value || /^[^/?#:]*\./.test(rest)
}

/** Reads the id that a client chose for a new record; undefined if one has to be generated. */
export const readId = (input: unknown): { id: string | undefined } | { error: FieldError } => {
  const id = toText(input)
  if (id === '') return { id: undefined }
  if (id.length < ID_LENGTH)
    return { error: fieldError('validation_min_text_constraint', { min: ID_LENGTH }) }
  if (id.length > ID_LENGTH)
    return { error: fieldError('validation_max_text_constraint', { max: ID_LENGTH }) }
  if (!ID_PATTERN.test(id)) return { error: fieldError('validation_invalid_format') }
  return { id }
}

/**
 * A schema for some fields of a collection, for forms. It validates as the server does, so the
 * server accepts what a form accepts. Issues carry the field error in `params`.
 */
export const formSchema = (collection: Collection, names: readonly string[]) =>
  z.object(
    Object.fromEntries(
      names.map((name) => {
        const field = collection.fields[name]
        if (field === undefined || field.kind === 'files' || field.kind === 'json')
          throw new TypeError(`no values: ${name}`)
        return [name, z.pipe(z.unknown(), valueSchema(field))]
      }),
    ),
  )

const valueSchema = (field: ValueField) =>
  z.transform((input: unknown, context): Value => {
    const reading = readValue(field, input)
    if (reading.error === undefined) return reading.value
    context.issues.push({
      code: 'custom',
      input,
      message: reading.error.code,
      params: { ...reading.error },
    })
    return z.NEVER
  })

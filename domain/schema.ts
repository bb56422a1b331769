import type * as z from 'zod/mini'

import { ID_LENGTH, ID_PATTERN, type Collection } from './collection.ts'
import { parseDate, wireDate } from './date.ts'
import type { CodedError, FieldErrorCode, FieldErrorParams } from './error.ts'
import {
  isBlankZero,
  type Field,
  type JsonField,
  type SelectField,
  type ValueField,
} from './field.ts'
import { parseJson } from './json.ts'

/** The value of a field without files. A JSON field may have any JSON until `readShape` has validated it. */
export type Value = string | number | boolean | readonly string[] | object | null

/** The result of reading a submitted value. */
export type Reading =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly error: CodedError; readonly value?: undefined }

/**
 * Reads a submitted value: converts it to the type of the field (record interface 1.2) and validates it against the
 * declaration. Numbers that cannot be parsed are refused, never read as 0.
 */
export const readValue = (field: ValueField, input: unknown): Reading => {
  switch (field.kind) {
    case 'number':
      return readNumber(field, input)
    case 'bool':
      return { value: TRUTHS.has(input) || (typeof input === 'number' && input !== 0) }
    case 'json':
      return readJson(field, input)
    case 'select':
      if (field.maxCount !== undefined) return readList(field, field.maxCount, input)
      return readText(field, toText(lastOf(field, input)))
    default:
      return readText(field, toText(lastOf(field, input)))
  }
}

type NumberField = Extract<Field, { kind: 'number' }>
type TextualField = Exclude<ValueField, NumberField | { kind: 'bool' | 'json' }>

/** The values that set a flag; in a query, as text. */
export const TRUTHS: ReadonlySet<unknown> = new Set([true, '1', 't', 'T', 'true', 'TRUE', 'True'])

const bad = (code: FieldErrorCode, params?: FieldErrorParams) => ({
  error: params === undefined ? { code } : { code, params },
})

const toText = (input: unknown): string =>
  typeof input === 'string'
    ? input.trim()
    : typeof input === 'number' || typeof input === 'boolean'
      ? String(input)
      : ''

/** If a single select or relation gets several values, the last one counts (record interface 1.2). */
const lastOf = (field: TextualField, input: unknown): unknown =>
  field.kind === 'select' || field.kind === 'relation' ? toList(input).at(-1) : input

/** A single value is a list of one; empty values and duplicates are removed (record interface 1.2). */
export const toList = (input: unknown): readonly unknown[] => {
  const list =
    typeof input === 'string' && input.startsWith('[') ? (parseJson(input) ?? input) : input
  const all = (Array.isArray(list) ? list : [list]).filter(
    (value) => value !== undefined && value !== null && value !== '',
  )
  return [...new Set<unknown>(all)]
}

const readList = (field: SelectField, maxCount: number, input: unknown): Reading => {
  const values = toList(input).map((value) => toText(value))
  if (values.length === 0) return field.required ? bad('validation_required') : { value: [] }
  const unknown = values.find((value) => !field.values.includes(value))
  if (unknown !== undefined)
    return bad('validation_invalid_value', { value: unknown.slice(0, 100) })
  return values.length > maxCount
    ? bad('validation_too_many_values', { maxSelect: maxCount })
    : { value: values }
}

/** In JSON text: U+0000, or half of a surrogate pair. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** JSON may arrive as text, for example in a form. */
const readJson = (field: JsonField, input: unknown): Reading => {
  const tooLong = bad('validation_json_size_limit', { maxSize: field.maxBytes })
  const text = typeof input === 'string' ? input.trim() : undefined
  if (input === undefined || input === null || text === '' || text === 'null')
    return field.required ? bad('validation_required') : { value: null }
  if (text !== undefined && text.length > field.maxBytes) return tooLong
  const json = text === undefined ? input : parseJson(text)
  if (json === undefined) return bad('validation_invalid_json')
  const written = JSON.stringify(json)
  if (byteLength(written) > field.maxBytes) return tooLong
  return UNSTORABLE.test(written) ? bad('validation_invalid_format') : { value: json as Value }
}

/** The length of a text in bytes of UTF-8. */
const byteLength = (text: string): number =>
  text.replace(/[^\0-\x7f]/gu, (letter) => {
    const point = letter.codePointAt(0) ?? 0
    return point < 0x800 ? '12' : point < 0x10000 ? '123' : '1234'
  }).length

const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}]*$/u

/** Whether a text has no visible character. A required text has one. */
export const isInvisible = (text: string): boolean => INVISIBLE.test(text)

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
      if (field.required && isInvisible(value)) return bad('validation_required')
      if (field.kind === 'text' && field.format?.pattern.test(value) === false)
        return bad('validation_invalid_format', { example: field.format.example })
      if (longerThan(value, field.max))
        return bad('validation_max_text_constraint', { max: field.max })
      if (field.kind === 'email' && !isEmail(value)) return bad('validation_is_email')
      if (field.kind === 'url' && !isUrl(value)) return bad('validation_invalid_url')
      return { value }
    case 'date': {
      const date = parseDate(value)
      return date === undefined
        ? bad('validation_invalid_format', { example: '2026-12-31' })
        : { value: wireDate(date) }
    }
    default:
      return { value }
  }
}

/** Limits count code points, as in the record interface 1.5. */
const longerThan = (value: string, max: number): boolean =>
  value.length > max && Array.from(value).length > max

/** Maximum length of a number as text; no typed number is longer. */
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
  if (value === 0 && isBlankZero(field)) return { value: 0 }
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

/** The rule of the record interface 1.5: no leading, trailing or double dot, and a domain with a dot. */
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

/** Reads the id that a client chose for a new record; undefined if the server has to generate one. */
export const readId = (input: unknown): { id: string | undefined } | { error: CodedError } => {
  const id = toText(input)
  if (id === '') return { id: undefined }
  if (id.length < ID_LENGTH) return bad('validation_min_text_constraint', { min: ID_LENGTH })
  if (id.length > ID_LENGTH) return bad('validation_max_text_constraint', { max: ID_LENGTH })
  if (!ID_PATTERN.test(id)) return bad('validation_invalid_format')
  return { id }
}

/** Whether the field is set with a plain value. */
export const isValueField = (field: Field): field is ValueField =>
  field.kind === 'json' ? field.schema !== undefined : field.kind !== 'files'

const checkOf = (field: Field) => (field.kind === 'json' ? field.check : undefined)

/**
 * The errors of an update or a new record in fields that are compared with others. An error that the write does not
 * cause is not reported.
 */
export const findContradictions = (
  { fields }: Collection,
  changed: ReadonlyMap<string, Value>,
  current: Readonly<Record<string, unknown>> = {},
): readonly (readonly [string, CodedError])[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    let isChanged = false
    const valueOf = (other: string): unknown => {
      isChanged ||= changed.has(other)
      return changed.has(other) ? changed.get(other) : current[other]
    }
    const error = checkOf(field)?.(valueOf(name), valueOf)
    return error !== undefined && isChanged ? [[name, error] as const] : []
  })

/**
 * The validation errors of some fields of a form, by name. The server accepts values without errors here, except for
 * the shape of JSON, which the form control ensures.
 */
export const findErrors = (
  { fields }: Collection,
  names: readonly string[],
  input: Readonly<Record<string, unknown>>,
): readonly (readonly [string, CodedError])[] =>
  names.flatMap((name) => {
    const field = fields[name]
    if (field === undefined || !isValueField(field)) throw new TypeError(`no values: ${name}`)
    const { error = checkOf(field)?.(input[name], (other) => input[other]) } = readValue(
      field,
      input[name],
    )
    return error === undefined ? [] : [[name, error] as const]
  })

/**
 * Validates JSON from `readValue` against the schema of the field.
 * @returns the output of the schema, without unknown keys
 */
export const readShape = async (field: JsonField, value: Value): Promise<Reading> => {
  if (value === null) return { value }
  const schema = await field.schema()
  return parseShape(schema, value)
}

/** Validates JSON against a schema that is already loaded; see `readShape`. */
export const parseShape = (schema: z.ZodMiniType, value: Value): Reading => {
  const { data, error } = schema.safeParse(value)
  const [issue] = error?.issues ?? []
  return issue === undefined
    ? { value: data as object }
    : bad('validation_json_shape', { path: issue.path.join('.'), reason: issue.message })
}

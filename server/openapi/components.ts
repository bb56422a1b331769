import { ID_LENGTH, ID_PATTERN } from '#domain/collection.ts'
import { DATE_LAYOUT } from '#domain/date.ts'
import { FIELD_ERRORS } from '#domain/error.ts'

import { CORRELATION_ID, IDEMPOTENCY_KEY } from '../caller.ts'

/** A JSON value in the document. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }
export type Schema = { readonly [key: string]: Json }

/** Schemas of values. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
export const text: Schema = { type: 'string' }
export const bool: Schema = { type: 'boolean' }
export const number: Schema = { type: 'number' }
/** An object with any keys. Generators take an object without "additionalProperties" to have no keys at all. */
export const anyObject: Schema = { type: 'object', additionalProperties: true }
export const share: Schema = { type: 'number', minimum: 0, maximum: 1 }
export const object = (
  properties: Schema,
  required: readonly string[] = Object.keys(properties),
): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** An object of texts. */
export const strings = (...names: string[]): Schema =>
  object(Object.fromEntries(names.map((key) => [key, text])))

export const ID: Schema = {
  type: 'string',
  minLength: ID_LENGTH,
  maxLength: ID_LENGTH,
  pattern: ID_PATTERN.source,
}
const DATE_PATTERN = '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$'
export const DATE: Schema = {
  type: 'string',
  pattern: DATE_PATTERN,
  examples: ['2026-11-20 09:30:00.000Z'],
}
/** An id or a date, or the empty text. No choice of two schemas: both are texts, which generated readers confuse. */
export const OPTIONAL_ID: Schema = {
  type: 'string',
  pattern: `^$|${ID_PATTERN.source.replace('+', `{${ID_LENGTH}}`)}`,
}
export const OPTIONAL_DATE: Schema = { ...DATE, pattern: `^$|${DATE_PATTERN}` }
/** Without the lookahead for the year 0, which not every language has. */
export const SENT_DATE_PATTERN = `^$|${DATE_LAYOUT.source.replace('(?!0000)', '')}`
/** A date that a client sends, or the empty text. */
export const SENT_DATE: Schema = {
  type: 'string',
  pattern: SENT_DATE_PATTERN,
  description: 'A date, with or without a time; in UTC unless it has an offset.',
}
export const FIELD_ERROR: Schema = {
  type: 'object',
  description: 'The error of one field.',
  properties: {
    code: { type: 'string', examples: Object.keys(FIELD_ERRORS) },
    message: text,
    params: anyObject,
  },
  required: ['code', 'message'],
}
/** An error response whose `data` has its own form. */
export const errorWith = (data: Schema): Schema =>
  object({ status: { type: 'integer' }, message: text, data })
/** An object of errors, by field or index. */
export const errorsBy = (error: Schema = ref('FieldError')): Schema => ({
  type: 'object',
  additionalProperties: error,
})
export const ERROR: Schema = {
  ...errorWith(errorsBy()),
  description:
    'Every response with status 400 or above, unless its operation describes another one. `data` contains the errors of fields by name.',
}

/** Parameters. */
export const query = (name: string, schema: Schema, description: string): Schema => ({
  name,
  in: 'query',
  schema,
  description,
})
export const inPath = (name: string, schema: Schema = text): Schema => ({
  name,
  in: 'path',
  required: true,
  schema,
})
export const inHeader = (name: string, description: string, schema: Schema = text): Schema => ({
  name,
  in: 'header',
  schema,
  description,
})

export const KNOWN_VERSION = inHeader('If-None-Match', 'The ETag of an earlier response.')
export const KEY = inHeader(
  'Idempotency-Key',
  'A second request with the same key gets the response of the first.',
  { type: 'string', pattern: IDEMPOTENCY_KEY.source },
)
export const CORRELATION = inHeader(
  'Correlation-Id',
  'An id that groups several requests; recorded in `changes` as `correlation_id`. Ignored if it does not match the pattern.',
  { type: 'string', pattern: CORRELATION_ID.source },
)

/**
 * A request body in JSON, and in multipart if there is a form.
 * @param required by default, if the body has a key that must be sent
 */
export const bodyOf = (
  schema: Schema,
  {
    form,
    required = Array.isArray(schema['required']) && schema['required'].length > 0,
  }: { readonly form?: Schema | undefined; readonly required?: boolean } = {},
): Schema => ({
  requestBody: {
    required,
    content: {
      'application/json': { schema },
      ...(form && { 'multipart/form-data': { schema: form } }),
    },
  },
})

/** Responses. */
const json = (schema: Schema): Schema => ({ content: { 'application/json': { schema } } })

/** @param own the responses that are not `Error`: the successful ones, and errors with other data */
export const answers = (own: Schema, ...statuses: readonly number[]): Schema => ({
  responses: { ...errorsOf(new Set([...statuses, 429, 503])), ...own },
})

export const errorsOf = (statuses: Iterable<number>, schema: Schema = ref('Error')): Schema =>
  Object.assign({}, ...Array.from(statuses, (status) => errorOf(status, schema))) as Schema

/** The response with an error status. */
export const errorOf = (status: number, schema: Schema): Schema => ({
  [status]: { description: REASONS[status] ?? '', ...retryHeaders(status), ...json(schema) },
})

const header = (description: string, schema: Schema, required: boolean): Schema => ({
  description,
  required,
  schema,
})

/** The headers of an error that a later request may not get. */
const retryHeaders = (status: number): Schema =>
  status === 429 || status === 503
    ? { headers: { 'Retry-After': header('Seconds to wait.', { type: 'integer' }, false) } }
    : {}

const ETAG: Schema = {
  ETag: header('The version of the response; of a record, also for `If-Match`.', text, true),
}

/** The headers of a page of a list in OCPI. */
export const OCPI_PAGE_HEADERS: Schema = {
  'X-Total-Count': header('The number of objects in the list.', { type: 'integer' }, true),
  'X-Limit': header('The maximum number of objects in a page.', { type: 'integer' }, true),
  Link: header('The next page, with `rel="next"`; absent on the last.', text, false),
}

/** The description of each error status, with what the caller can do. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'The request is malformed or invalid; `data` gives the reasons.',
  401: 'The request has no valid session.',
  403: 'Only superusers may do this, it belongs to another collection, or it is not offered.',
  404: 'It does not exist, or belongs to another account.',
  409: 'It is in another state, or the business has another operation in progress; `message` says which.',
  410: 'It was public and has been removed; `data` has its last position.',
  412: 'It has changed since the version in `If-Match`.',
  413: 'The body is too large.',
  422: 'The `Idempotency-Key` was already used for a different request.',
  429: 'Too many requests; `Retry-After` says when to retry.',
  503: 'The server is overloaded, or a dependency cannot be reached; `Retry-After` says when to retry.',
}

export const ok = (description: string, schema: Schema): Schema => ({
  '200': { description, ...json(schema) },
})
export const NOTHING: Schema = { '204': { description: 'Done.' } }

/** A successful response with its version. */
export const withVersion = (success: Schema, headers: Schema = {}): Schema => ({
  ...success,
  '200': { ...(success['200'] as Schema), headers: { ...ETAG, ...headers } },
})

/** A successful response with its version, and the one to a client that has this version. */
export const conditional = (success: Schema, headers?: Schema): Schema => ({
  ...withVersion(success, headers),
  '304': { description: 'The version in `If-None-Match` is still current.', headers: ETAG },
})

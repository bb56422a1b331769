import { ID_LENGTH, ID_PATTERN } from '#domain/collection.ts'
import { FIELD_ERRORS } from '#domain/error.ts'

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

export const ID: Schema = {
  type: 'string',
  minLength: ID_LENGTH,
  maxLength: ID_LENGTH,
  pattern: ID_PATTERN.source,
}
export const DATE: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  examples: ['2026-11-20 09:30:00.000Z'],
}
export const FIELD_ERROR: Schema = {
  type: 'object',
  description: 'What is wrong with one field.',
  properties: {
    code: { type: 'string', examples: Object.keys(FIELD_ERRORS) },
    message: text,
    params: { type: 'object' },
  },
  required: ['code', 'message'],
}
export const ERROR: Schema = {
  type: 'object',
  description: 'Every answer of status 400 and above. `data` holds the errors of fields by name.',
  properties: { status: { type: 'integer' }, message: text, data: { type: 'object' } },
  required: ['status', 'message', 'data'],
  additionalProperties: false,
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

/** Responses. */
export const json = (schema: Schema): Schema => ({ content: { 'application/json': { schema } } })

export const answers = (success: Schema, ...statuses: readonly number[]): Schema => ({
  responses: {
    ...success,
    ...Object.fromEntries(
      [...new Set([...statuses, 429, 503])].map((status) => [
        String(status),
        { description: REASONS[status] ?? '', ...json(ref('Error')) },
      ]),
    ),
  },
})

/** The description of each error status, with what the caller can do. */
export const REASONS: Readonly<Record<number, string>> = {
  400: 'What was sent cannot be read or accepted; `data` says why.',
  401: 'There is no live session.',
  403: 'This is for superusers, for another collection, or not offered.',
  404: 'There is no such thing, or it is somebody else’s.',
  409: 'It is in another state, or something else of the business is under way; `message` says which.',
  410: 'It was public until it was removed; `data` has its last position.',
  412: 'The record was changed since the version named in `If-Match`.',
  413: 'The body is too large.',
  422: 'The `Idempotency-Key` was used for another request.',
  429: 'Too many requests; `Retry-After` says when to go on.',
  503: 'There is too much to do, or what this needs cannot be reached; `Retry-After` says when to try again.',
}

export const ok = (description: string, schema: Schema): Schema => ({
  '200': { description, ...json(schema) },
})
export const NOTHING: Schema = { '204': { description: 'Done.' } }
export const NOT_MODIFIED: Schema = {
  '304': { description: 'The version named in `If-None-Match` is the newest.' },
}

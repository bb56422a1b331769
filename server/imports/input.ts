import * as z from 'zod/mini'

import { ApiError, fieldError, type FieldError } from '#domain/error.ts'
import { feeds, MISSING_CHOICES, ROW_ACTIONS } from '#domain/import.ts'
import { COLUMN_TARGETS } from '#domain/import-source.ts'
import { REPAIR_RULES, type RuleName } from '#domain/repair.ts'

import { INVALID_INPUT, invalidInput } from '../problem.ts'
import type { Submission } from '../http/body.ts'
import { readFields } from '../http/read-fields.ts'
import type { FeedInput } from './feeds.ts'

const RULES = Object.keys(REPAIR_RULES) as RuleName[]
const MAX_NAME_LENGTH = 200
const MAX_COLUMNS = 2000

/** PostgreSQL stores neither U+0000 nor lone surrogates. */
const STORABLE = z.refine<string>(
  (text) => !text.includes('\0') && text.isWellFormed(),
  'must not contain U+0000 or half of a surrogate pair',
)

const ANSWERS = z.partialRecord(z.enum(RULES), z.boolean())

/** The request bodies for an import under review (domain/import.ts). */
export const IMPORT_PATCH = z.strictObject({
  answers: z.optional(ANSWERS),
  missing: z.optional(z.enum(MISSING_CHOICES)),
  included: z.optional(z.boolean()),
  where: z.optional(
    z.strictObject({
      action: z.optional(z.enum(ROW_ACTIONS)),
      doubtful: z.optional(z.boolean()),
      repaired: z.optional(z.boolean()),
      included: z.optional(z.boolean()),
      name: z.optional(z.string().check(z.maxLength(MAX_NAME_LENGTH), STORABLE)),
    }),
  ),
})

export const IMPORT_ROW_PATCH = z.strictObject({
  included: z.optional(z.boolean()),
  site: z.optional(z.string().check(z.regex(/^(?:[a-z0-9]{15})?$/))),
  answers: z.optional(ANSWERS),
})

export const IMPORT_MAPPING = z.strictObject({
  mapping: z
    .array(z.string().check(z.refine((target) => target === '' || COLUMN_TARGETS.includes(target))))
    .check(z.minLength(1), z.maxLength(MAX_COLUMNS)),
})

const MAX_TOKEN_LENGTH = 4096
const TOKEN = z.string().check(z.maxLength(MAX_TOKEN_LENGTH), STORABLE)

const { name, url, missing, apply } = feeds.fields
const FEED_FIELDS = { name, url, missing, apply } as const
const FEED_SECRET = z.object({ token: z.optional(TOKEN) })

/** Reads the input for a new feed. The values follow the rules of the record. @throws ApiError 400 */
export const readFeedInput = (sent: Submission): FeedInput => {
  const unknown = [...sent.fields.keys()].filter(
    (key) => key !== 'token' && !Object.hasOwn(FEED_FIELDS, key),
  )
  if (unknown.length > 0)
    throw invalid(unknown.map((key) => [key, fieldError('validation_in_invalid')]))
  const { token } = readInput(FEED_SECRET, sent)
  const values = readFields(
    FEED_FIELDS,
    (key) => sent.fields.get(key) ?? (key === 'missing' ? missing.default : undefined),
    INVALID_INPUT,
  )
  // Credentials in a URL would be stored and shown as they are; a token is not.
  if (!isWebAddress(values.url) || hasCredentials(values.url))
    throw invalid([['url', fieldError('validation_invalid_url')]])
  return { ...values, token }
}

/** Whether a text has the form of a URL that can be fetched. The target is checked when it is fetched. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\//i.test(text) && URL.canParse(text)

const hasCredentials = (text: string): boolean => {
  const { username, password } = new URL(text)
  return username !== '' || password !== ''
}

/** The token of an import from a URL. */
export const IMPORT_SECRET = z.object({ token: z.nullish(TOKEN) })

export const FEED_TOKEN_INPUT = z.strictObject({ token: TOKEN })

/** @throws ApiError 400 with the first invalid field */
export const readInput = <S extends z.ZodMiniType>(
  schema: S,
  { fields }: Submission,
): z.output<S> => {
  const { data, error } = schema.safeParse(Object.fromEntries(fields))
  const [issue] = error?.issues ?? []
  if (issue === undefined) return data as z.output<S>
  const field = String(issue.path[0] ?? ('keys' in issue ? issue.keys[0] : ''))
  const path = issue.path.join('.')
  throw invalid([[field, fieldError('validation_json_shape', { path, reason: issue.message })]])
}

/** An ApiError 400 with errors per field. */
export const invalid = (errors: readonly (readonly [string, FieldError])[]): ApiError =>
  invalidInput(Object.fromEntries(errors))

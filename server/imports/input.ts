import * as z from 'zod/mini'

import { ApiError, fieldError, type FieldError } from '#domain/error.ts'
import { feeds, MISSING_CHOICES, ROW_ACTIONS } from '#domain/import.ts'
import { COLUMN_TARGETS } from '#domain/import-source.ts'
import { REPAIR_RULES, type RuleName } from '#domain/repair.ts'
import { objectOf, oneOf, trueOrFalse } from '#domain/shape.ts'

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
  'Must not contain U+0000 or half of a surrogate pair.',
)

const textUpTo = (max: number) => {
  const error = `Must be a text of at most ${max} characters.`
  return z.string({ error }).check(z.maxLength(max, { error }), STORABLE)
}

const ANSWERS = z.partialRecord(z.enum(RULES), trueOrFalse(), {
  error: `Must be an object of the rules ${RULES.join(', ')}.`,
})

/** The request bodies for an import under review (domain/import.ts). */
export const IMPORT_PATCH = objectOf({
  answers: z.optional(ANSWERS),
  missing: z.optional(oneOf(MISSING_CHOICES)),
  included: z.optional(trueOrFalse()),
  where: z.optional(
    objectOf({
      action: z.optional(oneOf(ROW_ACTIONS)),
      doubtful: z.optional(trueOrFalse()),
      repaired: z.optional(trueOrFalse()),
      included: z.optional(trueOrFalse()),
      name: z.optional(textUpTo(MAX_NAME_LENGTH)),
    }),
  ),
})

const SITE = { error: 'Must be the id of one of your sites, or empty.' }

export const IMPORT_ROW_PATCH = objectOf({
  included: z.optional(trueOrFalse()),
  site: z.optional(z.string(SITE).check(z.regex(/^(?:[a-z0-9]{15})?$/, SITE))),
  answers: z.optional(ANSWERS),
})

const COLUMNS = { error: `Must be a list of 1 to ${MAX_COLUMNS} targets, one for each column.` }
const TARGET = { error: `Must be empty or one of ${COLUMN_TARGETS.join(', ')}.` }

export const IMPORT_MAPPING = objectOf({
  mapping: z
    .array(
      z
        .string(TARGET)
        .check(z.refine((target) => target === '' || COLUMN_TARGETS.includes(target), TARGET)),
      COLUMNS,
    )
    .check(z.minLength(1, COLUMNS), z.maxLength(MAX_COLUMNS, COLUMNS)),
})

const MAX_TOKEN_LENGTH = 4096
const TOKEN = textUpTo(MAX_TOKEN_LENGTH)

const { name, url, missing, apply } = feeds.fields
const FEED_FIELDS = { name, url, missing, apply } as const
const FEED_SECRET = z.object({ token: z.optional(TOKEN) })

/** Reads the input for a new feed. The values follow the rules of the record. @throws ApiError 400 */
export const readFeedInput = (sent: Submission): FeedInput => {
  refuseUnknown(sent, ['token', ...Object.keys(FEED_FIELDS)])
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

/**
 * Refuses other fields and files than these: a client would believe that they have an effect.
 * @throws ApiError 400 with each of them
 */
export const refuseUnknown = ({ fields, uploads }: Submission, known: readonly string[]): void => {
  const given = [...fields.keys(), ...uploads.map(({ key }) => key)]
  const unknown = given.filter((key) => !known.includes(key))
  if (unknown.length > 0)
    throw invalid(unknown.map((key) => [key, fieldError('validation_in_invalid')]))
}

/** Whether a text has the form of a URL that can be fetched. The target is checked when it is fetched. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\//i.test(text) && URL.canParse(text)

const hasCredentials = (text: string): boolean => {
  const { username, password } = new URL(text)
  return username !== '' || password !== ''
}

const TEXT = z.string({ error: 'Must be a text.' })

/** The fields of a new import. */
export const IMPORT_INPUT = z.object({
  text: z.nullish(TEXT),
  url: z.nullish(TEXT),
  token: z.nullish(TOKEN),
})

export const FEED_TOKEN_INPUT = objectOf({ token: TOKEN })

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

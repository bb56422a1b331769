import * as z from 'zod/mini'

import { ApiError, fieldError } from '#domain/error.ts'
import { FEED_ACTIONS, MISSING_CHOICES, ROW_ACTIONS } from '#domain/import.ts'
import { COLUMN_TARGETS, SOURCE_FORMATS } from '#domain/import-source.ts'
import { REPAIR_RULES, type RuleName } from '#domain/repair.ts'

import type { Submission } from '../http/body.ts'

const RULES = Object.keys(REPAIR_RULES) as RuleName[]
const MAX_NAME_LENGTH = 200
const MAX_COLUMNS = 2000

const ANSWERS = z.partialRecord(z.enum(RULES), z.boolean())

/** The bodies of requests about an import that is planned (domain/import.ts). */
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
      name: z.optional(z.string().check(z.maxLength(MAX_NAME_LENGTH))),
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

const MAX_URL_LENGTH = 2048
const MAX_TOKEN_LENGTH = 4096
const WEB_ADDRESS = z.string().check(
  z.maxLength(MAX_URL_LENGTH),
  z.regex(/^https?:\/\//i),
  z.refine((url) => URL.canParse(url)),
)
const TOKEN = z.string().check(z.maxLength(MAX_TOKEN_LENGTH))

export const FEED_INPUT = z.strictObject({
  name: z.optional(z.string().check(z.maxLength(MAX_NAME_LENGTH))),
  url: WEB_ADDRESS,
  token: z.optional(TOKEN),
  format: z.optional(z.enum(SOURCE_FORMATS)),
  missing: z.optional(z.enum(MISSING_CHOICES)),
  apply: z.optional(z.array(z.enum(FEED_ACTIONS)).check(z.maxLength(FEED_ACTIONS.length))),
})

export const FEED_TOKEN_INPUT = z.strictObject({ token: TOKEN })

/** @throws ApiError 400 with the first field that is not as it should be */
export const readInput = <S extends z.ZodMiniType>(
  schema: S,
  { fields }: Submission,
): z.output<S> => {
  const { data, error } = schema.safeParse(Object.fromEntries(fields))
  const [issue] = error?.issues ?? []
  if (issue === undefined) return data as z.output<S>
  const field = String(issue.path[0] ?? ('keys' in issue ? issue.keys[0] : ''))
  throw new ApiError(400, 'An error occurred while validating the submitted data.', {
    [field]: fieldError('validation_json_shape', {
      path: issue.path.join('.'),
      reason: issue.message,
    }),
  })
}

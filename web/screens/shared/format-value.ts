import { TARIFFS } from '#domain/collection.ts'
import { connectors } from '#domain/connector.ts'
import { isBlankZero, type Field } from '#domain/field.ts'
import type { OpeningHours } from '#domain/hours.ts'
import { sites } from '#domain/site.ts'
import type { Data } from '../../data/log.ts'
import { formatDayTime } from '../../format/date-time.ts'
import { withUnit } from '../../format/field-text.ts'
import { valueLabel } from '../../messages/fields.ts'
import { describeHours } from '../../messages/hours.ts'
import type { Messages } from '../../messages/messages.ts'
import { countryName, referenceName } from './describe-fields.ts'

/** The language of the messages, and the data that values refer to. */
export interface Vocabulary {
  readonly messages: Messages
  readonly locale: string
  readonly data: Data
}

interface NamedValue {
  readonly collection: 'sites' | 'connectors'
  readonly name: string
  /** A value of the field, or another system's value in its place. */
  readonly value: unknown
  readonly timeZone?: string | undefined
}

/** Maximum length of a text in a list; longer texts are truncated. */
const MAX_LETTERS = 240

/** Formats a value of a site or of a connector. Requires the areas `owner`, `choices`, `form` and `hours`. */
export const formatNamedValue = (
  { messages, locale, data }: Vocabulary,
  { collection, name, value, timeZone = '' }: NamedValue,
): string => {
  const declared: Readonly<Record<string, Field>> = { sites, connectors }[collection].fields
  const field = declared[name]
  const isBlank = value === 0 && field !== undefined && isBlankZero(field)
  if (isBlank || isEmpty(value)) return messages.drafts.nothing
  if (typeof value === 'number') {
    const text = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(value)
    return withUnit(field, text)
  }
  if (name === 'country' && typeof value === 'string') return countryName(value, locale)
  if (name === 'tariff' && typeof value === 'string')
    return referenceName(messages, data, { collection: TARIFFS, id: value })
  if (name === 'opening_hours' && typeof value === 'object')
    return describeHours({ messages, locale }, value as OpeningHours, timeZone)
  if (name === 'confirmed' && typeof value === 'string')
    return formatDayTime(Date.parse(value), locale)
  const words = valueLabel(messages, name, value)
  return words.length > MAX_LETTERS ? `${words.slice(0, MAX_LETTERS)}…` : words
}

const isEmpty = (value: unknown): boolean =>
  value === '' ||
  value === null ||
  value === undefined ||
  (Array.isArray(value) && value.length === 0)

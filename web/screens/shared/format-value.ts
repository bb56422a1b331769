import type { Collection } from '#domain/collection.ts'
import { isBlankZero, type Field } from '#domain/field.ts'
import type { OpeningHours } from '#domain/hours.ts'
import { OWNED } from '#domain/owned.ts'
import type { Data } from '../../data/log.ts'
import { formatDayTime } from '../../format/date-time.ts'
import { withUnit } from '../../format/field-text.ts'
import { valueLabel } from '../../messages/fields.ts'
import { describeHours } from '../../messages/hours.ts'
import type { Messages } from '../../messages/messages.ts'
import { plainText } from '../../ui/user-text.tsx'
import { countryName, referenceName } from './describe-fields.ts'

/** The language of the messages, and the data that values refer to. */
export interface Vocabulary {
  readonly messages: Messages
  readonly locale: string
  readonly data: Data
  /** The last known names of deleted records, by id. */
  readonly formerNames?: ReadonlyMap<string, string>
}

interface NamedValue {
  readonly collection: string
  readonly name: string
  /** A value of the field, or another system's value in its place. */
  readonly value: unknown
  readonly timeZone?: string | undefined
}

/** Maximum length of a text in a list; longer texts are truncated. */
const MAX_LETTERS = 240

/**
 * Formats a value of a record as plain text, except prices and photos. Requires the areas `owner`, `choices`, `form`
 * and `hours`.
 */
export const formatNamedValue = (
  { messages, locale, data, formerNames }: Vocabulary,
  { collection, name, value, timeZone = '' }: NamedValue,
): string => {
  const field = fieldOf(collection, name)
  const isBlank = value === 0 && field !== undefined && isBlankZero(field)
  if (isBlank || isEmpty(value)) return messages.drafts.nothing
  if (typeof value === 'number') {
    const text = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(value)
    return withUnit(field, text)
  }
  if (name === 'opening_hours' && typeof value === 'object')
    return describeHours({ messages, locale }, value as OpeningHours, timeZone)
  if (typeof value === 'string') {
    if (name === 'country') return countryName(value, locale)
    if (name === 'confirmed') return formatDayTime(Date.parse(value), locale)
    if (field?.kind === 'relation') {
      const formerName = formerNames?.get(value)
      return plainText(
        referenceName(messages, data, { collection: field.to, id: value, formerName }),
      )
    }
  }
  const words = plainText(valueLabel(messages, name, value))
  return words.length > MAX_LETTERS ? `${words.slice(0, MAX_LETTERS)}…` : words
}

/** The declaration of a field of an owned collection. */
const fieldOf = (collection: string, name: string): Field | undefined => {
  const owned: readonly Collection[] = OWNED
  return owned.find((each) => each.name === collection)?.fields[name]
}

const isEmpty = (value: unknown): boolean =>
  value === '' ||
  value === null ||
  value === undefined ||
  (Array.isArray(value) && value.length === 0)

import type { businesses } from '#domain/business.ts'
import { alpha2Of } from '#domain/country.ts'
import { initialValue, type Field } from '#domain/field.ts'
import { fromPosition } from '#domain/record.ts'
import type { sites } from '#domain/site.ts'
import { recordsIn, type Data } from '../../data/log.ts'
import { parseText, withUnit } from '../../format/field-text.ts'
import { recordMessages, valueLabel } from '../../messages/fields.ts'
import type { Messages } from '../../messages/messages.ts'

/**
 * Summarises some fields of a form in one line. Empty fields and those with the initial value of a new record are
 * omitted.
 */
export const summariseFields = (
  messages: Messages,
  { name: collection, fields }: typeof businesses | typeof sites,
  names: readonly string[],
  texts: readonly (string | undefined)[],
): string => {
  const declared: Readonly<Record<string, Field>> = fields
  const labels: Readonly<Record<string, string>> = messages.fields[collection]
  return names
    .map((name, index) => {
      const field = declared[name]
      return field === undefined
        ? ''
        : summariseField(messages, name, field, labels[name], texts[index] ?? '')
    })
    .filter((words) => words !== '')
    .join(' · ')
}

/** The name of a country (ISO 3166-1 alpha-3), or its code if it is unknown. */
export const countryName = (code: string, locale: string): string => {
  const alpha2 = alpha2Of(code)
  return alpha2 === ''
    ? code
    : (new Intl.DisplayNames(locale, { type: 'region' }).of(alpha2) ?? code)
}

/** The name of a record that a field refers to. For a deleted record, a message with its former name, if known. */
export const referenceName = (
  messages: Messages,
  data: Data,
  { collection, id, formerName = '' }: Reference,
): string => {
  const { name } = (recordsIn(data, collection).find((each) => each.id === id) ?? {}) as {
    name?: unknown
  }
  if (typeof name === 'string') return name
  return recordMessages(messages, collection)?.gone(formerName) ?? id
}

interface Reference {
  readonly collection: string
  readonly id: string
  readonly formerName?: string | undefined
}

const summariseField = (
  messages: Messages,
  name: string,
  field: Field,
  label: string | undefined,
  text: string,
): string => {
  if (field.kind === 'bool') {
    const value = text === 'true'
    if (value === initialValue(field)) return ''
    return value ? `${label}` : messages.about(`${label}`, valueLabel(messages, name, value))
  }
  // These values are shown elsewhere in the form.
  if (
    text === '' ||
    text === 'UNKNOWN' ||
    text === initialValue(field) ||
    // Values derived from the position add nothing.
    fromPosition(field) !== undefined ||
    ['json', 'relation', 'date'].includes(field.kind)
  )
    return ''
  if (field.kind === 'number') return `${label} ${withUnit(field, text)}`
  return valueLabel(messages, name, parseText(field, text))
}

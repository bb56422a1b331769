import { CONNECTOR_DETAILS, CONNECTOR_TRAITS, connectors } from '#domain/connector.ts'
import type { Field } from '#domain/field.ts'
import { sites } from '#domain/site.ts'
import { useStoreState } from '../../data/react.ts'
import { isSameText, parseText, readHours, withUnit } from '../../format/field-text.ts'
import { choiceLabel, valueLabel } from '../../messages/fields.ts'
import { describeHours } from '../../messages/hours.ts'
import { useLanguage } from '../../messages/messages.ts'
import { countryName, referenceName } from '../shared/describe-fields.ts'
import type { ConnectorText, SiteFieldName } from './site-values.ts'

/** Formats field texts for display; an empty one is named as empty. */
const useFormatText = () => {
  const { messages, locale } = useLanguage()
  const { data } = useStoreState()
  return (name: string, field: Field, text: string): string => {
    if (text === '') return messages.drafts.nothing
    if (field.kind === 'relation')
      return referenceName(messages, data, { collection: field.to, id: text })
    if (field.kind === 'number') return withUnit(field, text)
    if (name === 'country') return countryName(text, locale)
    return valueLabel(messages, name, parseText(field, text))
  }
}

interface FieldProps {
  readonly name: SiteFieldName
  /** The text as in the form. */
  readonly text: string
  readonly timeZone: string
}

/** The value of a site's field on one side of a conflict. */
export const FieldValue = ({ name, text, timeZone }: FieldProps) => {
  const language = useLanguage()
  const formatText = useFormatText()
  return name === 'opening_hours' && text !== ''
    ? describeHours(language, readHours(text), timeZone)
    : formatText(name, sites.fields[name], text)
}

interface ConnectorProps {
  /** The connector on this side; undefined if it was removed. */
  readonly row: ConnectorText | undefined
  /** … and on the other side. */
  readonly other: ConnectorText | undefined
}

/** A connector on one side of a conflict: its name, and the fields that differ. */
export const ConnectorValue = ({ row, other }: ConnectorProps) => {
  const { messages } = useLanguage()
  const formatText = useFormatText()
  const labels = messages.fields.connectors
  if (row === undefined) return messages.drafts.removed
  const traits = TRAITS.map((name) => {
    const text = row[name]
    const isPower = name === 'kw_rating' && text !== ''
    return isPower ? messages.facts.power(text) : choiceLabel(messages, name, text)
  })
  const details = CONNECTOR_DETAILS.filter(
    (name) => !isSameText(connectors.fields[name], row[name], other?.[name] ?? ''),
  ).map((name) =>
    messages.about(labels[name], formatText(name, connectors.fields[name], row[name])),
  )
  return [...traits, ...details].filter((part) => part !== '').join(' · ')
}

/** In the order of a form row. */
const TRAITS = [...new Set(['standard', 'current_type', 'format', ...CONNECTOR_TRAITS] as const)]

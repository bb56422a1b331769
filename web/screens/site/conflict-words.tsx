import { Suspense } from 'react'

import { connectors } from '#domain/connector.ts'
import { inputNames } from '#domain/record.ts'
import { late } from '../../browser/lazy-component.ts'
import { parseText } from '../../format/field-text.ts'
import { wordChoice, wordValue } from '../../messages/fields.ts'
import type { Messages } from '../../messages/messages.ts'
import type { Choice } from '../shared/conflict-banner.tsx'
import { choiceOf, keyOf, type Decided, type Elsewhere } from '../shared/remote-changes.ts'
import { rowsOf } from './site-draft.ts'
import { SITE_FORM_FIELDS, type ConnectorText, type SiteText } from './site-values.ts'

/**
 * What there is to choose about a site, whose form says `text`. What reads alike is one choice: four
 * equal connectors share a row.
 */
export const wordConflicts = (
  messages: Messages,
  { conflicts }: Elsewhere,
  text: SiteText,
): readonly Choice[] => {
  const choices = conflicts.map((each) => wordConflict(messages, each, text))
  const alike = Map.groupBy(choices, ({ label, mine, theirs }) =>
    typeof mine === 'string' && typeof theirs === 'string'
      ? [label, mine, theirs].join('\n')
      : label,
  )
  return [...alike.values()].flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : [{ ...first, keys: group.flatMap(({ keys }) => keys) }]
  })
}

const wordConflict = (
  messages: Messages,
  decided: Decided,
  { connectors: rows, time_zone }: SiteText,
): Choice => {
  const { conflict, chosen } = decided
  if (conflict.kind === 'field') {
    const field = SITE_FORM_FIELDS[conflict.name]
    const word = (text: string) => {
      if (field === undefined || text === '' || field.kind === 'number') return text
      if (conflict.name === 'opening_hours')
        return (
          <Suspense>
            <HoursWords text={text} timeZone={time_zone} />
          </Suspense>
        )
      return wordValue(messages, conflict.name, parseText(field, text))
    }
    return {
      ...choiceOf(decided, messages.fields.sites),
      mine: word(String(conflict.mine)),
      theirs: word(String(conflict.theirs)),
    }
  }
  const [mine, theirs] = rowsOf(conflict)
  const position = rows.findIndex((row) => row.ids.includes(conflict.id))
  return {
    keys: [keyOf(conflict)],
    label: messages.connectors.position(position < 0 ? rows.length + 1 : position + 1),
    mine: wordRow(messages, mine),
    theirs: wordRow(messages, theirs),
    chosen,
  }
}

const wordRow = (messages: Messages, row: ConnectorText | undefined): string => {
  if (row === undefined) return messages.drafts.removed
  return ROW_ORDER.map((name) => {
    const text = row[name]
    const isPower = name === 'kw_rating' && text !== ''
    return isPower ? messages.facts.power(text) : wordChoice(messages, name, text)
  })
    .filter((part) => part !== '')
    .join(' · ')
}

/** The traits of a connector, as a row says them. */
const ROW_ORDER = inputNames(connectors, ['standard', 'current_type', 'format'])

/** What only another device changed, and is in the form by now. */
export const wordTaken = (messages: Messages, found: Elsewhere): string[] => {
  const labels: Readonly<Record<string, string>> = messages.fields.sites
  return [
    ...found.mergedFields.map((name) => labels[name] ?? name),
    ...(found.takenRows > 0 ? [messages.facts.connectors(found.takenRows)] : []),
    ...(found.takenPhotos > 0 ? [messages.drafts.photos(found.takenPhotos)] : []),
  ]
}

/** They are in the first scripts of no form. */
const HoursWords = late(async () => (await import('./hours-words.tsx')).HoursWords, ['hours'])

import { connectors } from '#domain/connector.ts'
import { inputNames } from '#domain/record.ts'
import { wordChoice } from '../../messages/fields.ts'
import type { Messages } from '../../messages/messages.ts'
import type { Choice } from '../shared/conflict-banner.tsx'
import { choiceOf, keyOf, type Decided, type Elsewhere } from '../shared/remote-changes.ts'
import { rowsOf, type ConnectorText } from './site-draft.ts'
import type { ConnectorRow } from './site-values.ts'

/** Conflicts that read alike are one choice: four equal connectors share a row. */
interface Choices extends Choice {
  /** The conflicts that it decides, by `keyOf`. */
  readonly keys: readonly string[]
}

/** What there is to choose about a site; `rows` are the connectors as they stand in the form. */
export const wordConflicts = (
  messages: Messages,
  { conflicts }: Elsewhere,
  rows: readonly ConnectorRow[],
): readonly Choices[] => {
  const choices = conflicts.map((each) => wordConflict(messages, each, rows))
  const alike = Map.groupBy(choices, ({ label, mine, theirs }) => [label, mine, theirs].join('\n'))
  return [...alike.values()].flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : [{ ...first, keys: group.map(({ key }) => key) }]
  })
}

const wordConflict = (
  messages: Messages,
  decided: Decided,
  rows: readonly ConnectorRow[],
): Choice => {
  const { conflict, chosen } = decided
  if (conflict.kind === 'field') {
    const { mine, theirs, ...choice } = choiceOf(decided, messages.fields.sites)
    const word = (value: string) => wordChoice(messages, conflict.name, value)
    return { ...choice, mine: word(mine), theirs: word(theirs) }
  }
  const [mine, theirs] = rowsOf(conflict)
  const position = rows.findIndex((row) => row.ids.includes(conflict.id))
  return {
    key: keyOf(conflict),
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

import type { Standard } from '#domain/connector.ts'
import { siteLabels } from '../../messages/labels.ts'
import type { Messages } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'
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
    const choice = choiceOf(decided, siteLabels(messages))
    if (conflict.name !== 'status') return choice
    const status: Readonly<Record<string, string>> = messages.status
    return {
      ...choice,
      mine: status[choice.mine] ?? choice.mine,
      theirs: status[choice.theirs] ?? choice.theirs,
    }
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
  const { standard, format, current_type, kw_rating } = row
  const formats: Readonly<Record<string, string>> = messages.formatShort
  const currents: Readonly<Record<string, string>> = messages.currentShort
  return [
    standard === '' ? '' : shortPlugName(messages, standard as Standard),
    currents[current_type],
    formats[format],
    kw_rating === '' ? '' : messages.facts.power(kw_rating),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' · ')
}

/** What only another device changed, and is in the form by now. */
export const wordTaken = (messages: Messages, found: Elsewhere): string[] => {
  const labels = siteLabels(messages)
  return [
    ...found.mergedFields.map((name) => labels[name] ?? name),
    ...(found.takenRows > 0 ? [messages.facts.connectors(found.takenRows)] : []),
    ...(found.takenPhotos > 0 ? [messages.drafts.photos(found.takenPhotos)] : []),
  ]
}

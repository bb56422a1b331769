import { Suspense } from 'react'

import { CONNECTOR_DETAILS, CONNECTOR_TRAITS } from '#domain/connector.ts'
import { POSITION } from '#domain/record.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import type { Messages } from '../../messages/messages.ts'
import type { Choice } from '../shared/conflict-banner.tsx'
import { keyOf, type TrackedConflict, type RemoteChanges } from '../shared/remote-changes.ts'
import { rowsOf } from './site-draft.ts'
import type { ConnectorText, SiteFieldName, SiteText } from './site-values.ts'

/**
 * Describes the conflicts of a site for the form with the values `text`. Equal ones are one choice, because equal
 * connectors share a row.
 */
export const describeConflicts = (
  messages: Messages,
  { conflicts }: RemoteChanges,
  text: SiteText,
): readonly Choice[] =>
  [...Map.groupBy(conflicts, (each) => likeness(each, text)).values()].flatMap((group) => {
    const [first] = group
    const keys = group.map(({ conflict }) => keyOf(conflict))
    return first === undefined ? [] : [{ ...describeConflict(messages, first, group, text), keys }]
  })

/** A key that is equal for conflicts with the same wording, and for the coordinates of a position. */
const likeness = ({ conflict }: TrackedConflict, { connectors: rows }: SiteText): string => {
  if (conflict.kind === 'field') return String(POSITION.includes(conflict.name) || conflict.name)
  const [mine, theirs] = rowsOf(conflict)
  return JSON.stringify([
    rowAt(rows, conflict.id),
    describedParts(mine, theirs),
    describedParts(theirs, mine),
  ])
}

const rowAt = (rows: SiteText['connectors'], id: string): number =>
  rows.findIndex((row) => row.ids.includes(id))

/** The parts of a connector that its wording includes: its name, and the fields that differ from the other. */
const describedParts = (row: ConnectorText | undefined, other: ConnectorText | undefined) =>
  row && [
    CONNECTOR_TRAITS.map((name) => row[name]),
    CONNECTOR_DETAILS.map((name) => (row[name] === (other?.[name] ?? '') ? null : row[name])),
  ]

const describeConflict = (
  messages: Messages,
  { conflict, chosen }: TrackedConflict,
  group: readonly TrackedConflict[],
  text: SiteText,
): Omit<Choice, 'keys'> => {
  if (conflict.kind === 'field') {
    const fields = group.flatMap(({ conflict: each }) => (each.kind === 'field' ? [each] : []))
    const labels: Readonly<Record<string, string>> = messages.fields.sites
    const value = (side: 'mine' | 'theirs') => (
      <Suspense>
        <FieldValue
          name={conflict.name as SiteFieldName}
          text={fields.map((each) => String(each[side])).join('; ')}
          timeZone={text.time_zone}
        />
      </Suspense>
    )
    return {
      label: fields.map(({ name }) => labels[name] ?? name).join(', '),
      mine: value('mine'),
      theirs: value('theirs'),
      chosen,
    }
  }
  const [mine, theirs] = rowsOf(conflict)
  const at = rowAt(text.connectors, conflict.id)
  const value = (row: ConnectorText | undefined, other: ConnectorText | undefined) => (
    <Suspense>
      <ConnectorValue row={row} other={other} />
    </Suspense>
  )
  return {
    label: messages.connectors.position((at < 0 ? text.connectors.length : at) + 1),
    mine: value(mine, theirs),
    theirs: value(theirs, mine),
    chosen,
  }
}

/** Describes the changes of another device that were merged into the form. */
export const describeMerged = (messages: Messages, found: RemoteChanges): string[] => {
  const labels: Readonly<Record<string, string>> = messages.fields.sites
  return [
    ...found.mergedFields.map((name) => labels[name] ?? name),
    ...(found.mergedRows > 0 ? [messages.facts.connectors(found.mergedRows)] : []),
    ...(found.mergedPhotos > 0 ? [messages.drafts.photos(found.mergedPhotos)] : []),
  ]
}

// Rarely needed, so not in the initial scripts of a form.
const FieldValue = lazyComponent(
  async () => (await import('./conflict-values.tsx')).FieldValue,
  ['hours', 'choices'],
)
const ConnectorValue = lazyComponent(
  async () => (await import('./conflict-values.tsx')).ConnectorValue,
  ['hours', 'choices'],
)

import { CONNECTOR_IDS } from '#domain/connector.ts'
import type { ListedError } from '../../ui/form.ts'
import type { Messages } from '../../messages/messages.ts'
import type { ConnectorRow } from './site-values.ts'

/**
 * Describes the errors of the form for its summary, each with the name of its field. A missing position is one error,
 * although it has two fields.
 */
export const describeErrors = (
  messages: Messages,
  errors: readonly ListedError[],
  rows: readonly ConnectorRow[],
): readonly ListedError[] => {
  const isMissing = (path: string): boolean =>
    errors.some((error) => error.path === path && error.type === 'validation_required')
  const needsPosition = isMissing('latitude') && isMissing('longitude')
  return errors.flatMap((error) => {
    if (needsPosition && error.path === 'longitude') return []
    if (needsPosition && error.path === 'latitude')
      return [{ ...error, message: messages.site.needsPosition }]
    return [{ ...error, message: describeError(messages, error, rows) }]
  })
}

const describeError = (
  messages: Messages,
  { path, type, message }: ListedError,
  rows: readonly ConnectorRow[],
): string => {
  const { connectors, form } = messages
  const [, row, id, trait] = /^connectors\.(\d+)\.(?:details\.(\w+)\.)?(\w+)$/.exec(path) ?? []
  const isNamed = type === 'validation_required' && messages.required[trait ?? path] !== undefined
  const position = row === undefined ? [] : [connectors.position(Number(row) + 1)]
  const { ids = [] } = rows[Number(row)] ?? {}
  const isOfOne = CONNECTOR_IDS.some((name) => name === trait) && ids.length > 1
  const which = isOfOne && id !== undefined ? [connectors.numbered(ids.indexOf(id) + 1)] : []
  const labels: Readonly<Record<string, string>> =
    messages.fields[trait === undefined ? 'sites' : 'connectors']
  const label = isNamed ? [] : [labels[trait ?? path] ?? path]
  const about = [...position, ...which, ...label].join(', ')
  return about === '' ? message : form.problemOf(about, message)
}

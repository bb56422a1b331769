import { CONNECTOR_INPUTS } from '#domain/connector.ts'
import type { Photo, Problem, Refusal, SiteView } from '../../data/state.ts'
import { fieldErrorText, type Messages } from '../../messages/messages.ts'
import { describeFailure, type Failure } from '../shared/failure.ts'
import { detailPath, firstAlike, isDetail, type ConnectorRow } from './site-values.ts'

/** The failure of a save, as the form shows it. */
export interface SiteFailure extends Failure<SiteView> {
  /** Connectors that failed to save: an error for the row, and errors by field. */
  readonly rows: ReadonlyMap<string, RowFailure>
  /** The stored photos after a partial save. */
  readonly progress?: { readonly photos: readonly Photo[] } | undefined
}

export interface RowFailure {
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
}

/** Describes the failure of a save, or of a part of it. */
export const describeSiteFailure = (messages: Messages, refusal: Refusal): SiteFailure => {
  const { action, failures } = refusal
  const failure = describeFailure(messages, refusal)
  if (failures !== undefined)
    return {
      title: messages.failed.saveConnectors,
      text: messages.form.partlySaved,
      fields: {},
      rows: new Map(
        [...failures].map(([id, problem]) => [id, describeRowFailure(messages, problem)]),
      ),
      stalled: [...failures.values()].some(({ kind }) => kind === 'timeout'),
      mayQueue: false,
    }
  if (action === 'savePhotos')
    return {
      ...failure,
      text: messages.photos.partlySaved,
      fields: {},
      rows: NO_ROWS,
      stalled: false,
      mayQueue: false,
    }
  return { ...failure, rows: NO_ROWS }
}

/** Describes the failure of a connector; errors of its site are shown for the row as a whole. */
const describeRowFailure = (messages: Messages, problem: Problem): RowFailure => {
  const fields = Object.fromEntries(
    Object.entries(problem.fields).map(([name, error]) => [
      name,
      fieldErrorText(messages, name, error),
    ]),
  )
  return { text: fields['site'] ?? messages.problems[problem.kind], fields }
}

/** The server's errors for rows of the form, by the paths of their fields. */
export const rowErrors = (
  rows: readonly ConnectorRow[],
  { rows: failures }: Pick<SiteFailure, 'rows'>,
) =>
  rows.flatMap((row, index) =>
    row.ids.flatMap((id) => {
      const { fields = {} } = failures.get(id) ?? {}
      return CONNECTOR_INPUTS.flatMap((name) => {
        const message = fields[name]
        if (message === undefined) return []
        const path = isDetail(name)
          ? detailPath(index, firstAlike(row, id, name), name)
          : (`connectors.${index}.${name}` as const)
        return [[path, message] as const]
      })
    }),
  )

const NO_ROWS: ReadonlyMap<string, RowFailure> = new Map()

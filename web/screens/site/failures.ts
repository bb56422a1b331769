import type { Problem } from '../../data/state.ts'
import { fieldErrorText, type Messages } from '../../messages/messages.ts'
import type { RowFailure } from './site-form.tsx'

/** Words why a connector was not saved. */
export const rowFailure = (messages: Messages, problem: Problem | undefined): RowFailure => ({
  text: messages.problems[problem?.kind ?? 'unexpected'],
  fields: Object.fromEntries(
    Object.entries(problem?.fields ?? {}).map(([name, error]) => [
      name,
      fieldErrorText(messages, name, error),
    ]),
  ),
})

/** The rows that are marked, by connector. */
export const rowFailures = (
  messages: Messages,
  failures: ReadonlyMap<string, Problem>,
): ReadonlyMap<string, RowFailure> =>
  new Map([...failures].map(([id, problem]) => [id, rowFailure(messages, problem)]))

export const NO_ROWS: ReadonlyMap<string, RowFailure> = new Map()

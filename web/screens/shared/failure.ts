import type { Problem, Refusal } from '../../data/state.ts'
import { failureText } from '../../messages/fields.ts'
import { fieldErrorText, type Messages } from '../../messages/messages.ts'

/** The failure of a save, as the form shows it. */
export interface Failure<S = never> {
  readonly title: string
  readonly text: string
  /** Errors of single fields, by name. */
  readonly fields: Readonly<Record<string, string>>
  /** True if the request stalled; the write is queued instead. */
  readonly stalled: boolean
  /** True if the server was not reached; the write may be queued. */
  readonly mayQueue: boolean
  /** The record as another device has changed it. Nothing was saved. */
  readonly newer?: S
}

const UNREACHED: ReadonlySet<Problem['kind']> = new Set(['offline', 'timeout', 'unavailable'])

/** Describes the refusal of a write, with the errors by field of the form. */
export const describeFailure = (
  messages: Messages,
  { action, problem, collection }: Refusal,
): Failure => ({
  title:
    action === 'queue'
      ? messages.drafts.laterFailedTitle
      : failureText(messages, action, collection),
  text:
    action === 'queue'
      ? messages.drafts.laterFailed
      : `${messages.problems[problem.kind]} ${messages.form.notSaved}`,
  stalled: problem.kind === 'timeout',
  mayQueue: UNREACHED.has(problem.kind),
  fields: Object.fromEntries(
    Object.entries(problem.fields).map(([name, error]) => [
      // Multipart bodies use another name for the capacity (spec 3).
      name === 'vehicle' ? 'vehicle_capacity' : name,
      fieldErrorText(messages, name, error),
    ]),
  ),
})

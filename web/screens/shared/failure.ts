import type { Problem, Refusal } from '../../data/state.ts'
import { failureText } from '../../messages/fields.ts'
import { fieldErrorText, type Messages } from '../../messages/messages.ts'

/** What a failed save tells a form. */
export interface Failure<S = never> {
  readonly title: string
  readonly text: string
  /** Sentences for single fields, by their name. */
  readonly fields: Readonly<Record<string, string>>
  /** Nothing got through: it is kept on the device instead. */
  readonly stalled: boolean
  /** The server was not reached: it may be kept on the device and sent later. */
  readonly mayKeep: boolean
  /** The record was changed elsewhere, to this: nothing was saved. */
  readonly newer?: S
}

const UNREACHED: ReadonlySet<Problem['kind']> = new Set(['offline', 'timeout', 'unavailable'])

/** Words why a write was refused; the sentence of each field is ready for its place in the form. */
export const describeFailure = (
  messages: Messages,
  { action, problem, collection }: Refusal,
): Failure => ({
  title:
    action === 'keep'
      ? messages.drafts.laterFailedTitle
      : failureText(messages, action, collection),
  text:
    action === 'keep'
      ? messages.drafts.laterFailed
      : `${messages.problems[problem.kind]} ${messages.form.notSaved}`,
  stalled: problem.kind === 'timeout',
  mayKeep: UNREACHED.has(problem.kind),
  fields: Object.fromEntries(
    Object.entries(problem.fields).map(([name, error]) => [
      // The capacity goes by another name in multipart bodies (spec 3).
      name === 'vehicle' ? 'vehicle_capacity' : name,
      fieldErrorText(messages, name, error),
    ]),
  ),
})

import type { Action, Notice, Problem, Store } from '../../data/state.ts'
import { fieldErrorText, type Messages } from '../../messages/messages.ts'

/** What a failed save tells a form. */
export interface Failure {
  readonly title: string
  readonly text: string
  readonly kind: Problem['kind']
  /** Sentences for single fields, by their name. */
  readonly fields: Readonly<Record<string, string>>
  /** Nothing got through: it is kept on the device instead. */
  readonly stalled: boolean
  /** The server was not reached: it may go later as well. */
  readonly mayGoLater: boolean
}

const UNREACHED: ReadonlySet<Problem['kind']> = new Set(['offline', 'timeout', 'unavailable'])

/** The newest notice about a call, if it failed. */
export const findNotice = (store: Store, ...actions: Action[]): Notice | undefined =>
  store.getNotices().findLast((notice) => actions.includes(notice.action))

/** Forgets what earlier attempts left: a new attempt speaks for itself. */
export const clearNotices = (store: Store, ...actions: Action[]): void => {
  for (const notice of store.getNotices()) {
    if (actions.includes(notice.action)) store.dismiss(notice.id)
  }
}

/** Words the failure of a call; the sentence of each field is ready for its place in the form. */
export const describeFailure = (
  messages: Messages,
  action: Action,
  problem: Problem | undefined,
): Failure => ({
  title: messages.failed[action],
  text: messages.problems[problem?.kind ?? 'unexpected'],
  kind: problem?.kind ?? 'unexpected',
  stalled: problem?.kind === 'timeout',
  mayGoLater: problem !== undefined && UNREACHED.has(problem.kind),
  fields: Object.fromEntries(
    Object.entries(problem?.fields ?? {}).map(([name, error]) => [
      // The capacity goes by another name in multipart bodies (spec 3).
      name === 'vehicle' ? 'vehicle_capacity' : name,
      fieldErrorText(messages, name, error),
    ]),
  ),
})

/** Says that the device could not keep what was to be sent later. */
export const notKept = (messages: Messages): Failure => ({
  title: messages.drafts.laterFailedTitle,
  text: messages.drafts.laterFailed,
  kind: 'unexpected',
  stalled: false,
  mayGoLater: false,
  fields: {},
})

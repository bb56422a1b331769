import type { Action, Notice, Problem } from './state.ts'

/** A data call as the person knows it. */
export interface Call {
  readonly action: Action
  readonly subject?: string
  readonly collection?: Notice['collection']
  readonly retry?: () => void
  /** Nobody asked for it: that it failed is nobody's business. */
  readonly quiet?: boolean
  /** The person waits for it: the loading flag is raised (spec 4). */
  readonly waits?: boolean
  /** Sign-in is the one thing that can be done without a session. */
  readonly anonymous?: boolean
  /** Does somebody look at the result when it is there? By default nobody does. */
  readonly isAwaited?: (() => boolean) | undefined
  /** The form that holds what could not be sent. */
  readonly form?: Notice['form']
}

/** What could not be done and was told nobody else. */
export interface Notices {
  /** The newest is the last. */
  readonly all: () => readonly Notice[]
  readonly notify: (call: Call, problem: Problem, failures?: ReadonlyMap<string, Problem>) => void
  /** Takes away what an earlier call of the same kind about the same subject left. */
  readonly clearNotice: (call: Pick<Call, 'action' | 'subject'>) => void
  readonly dismiss: (noticeId: string) => void
  readonly clear: () => void
}

/** Makes an empty list of notices. */
export const createNotices = (changed: () => void): Notices => {
  let notices: readonly Notice[] = []
  let count = 0
  const keepOnly = (isKept: (notice: Notice) => boolean): void => {
    if (notices.every(isKept)) return
    notices = notices.filter(isKept)
    changed()
  }
  const dismiss: Notices['dismiss'] = (id) => keepOnly((notice) => notice.id !== id)
  const clearNotice: Notices['clearNotice'] = ({ action, subject }) =>
    keepOnly((notice) => notice.action !== action || notice.subject !== subject)
  const notify: Notices['notify'] = (call, problem, failures) => {
    clearNotice(call)
    const id = String(++count)
    const { action, subject, collection, form } = call
    // Sending the same again cannot mend a conflict: the person has to choose.
    const retry = problem.kind === 'conflict' ? undefined : call.retry
    const retryOnce = (): void => {
      dismiss(id)
      retry?.()
    }
    const notice: Notice = {
      id,
      action,
      problem,
      ...(subject === undefined ? {} : { subject }),
      ...(collection === undefined ? {} : { collection }),
      ...(failures === undefined ? {} : { failures }),
      ...(form === undefined ? {} : { form }),
      ...(retry === undefined ? {} : { retry: retryOnce }),
    }
    notices = [...notices, notice]
    changed()
  }
  return { all: () => notices, notify, clearNotice, dismiss, clear: () => keepOnly(() => false) }
}

import type { Action, Notice, Problem } from './state.ts'

/** A data call and how its failure is reported. */
export interface Call {
  readonly action: Action
  readonly subject?: string
  readonly collection?: Notice['collection']
  readonly retry?: () => void
  /** True for background calls: a failure gives no notice. */
  readonly quiet?: boolean
  /** True if a screen waits for it: the loading flag is raised (spec 4). */
  readonly waits?: boolean
  /** True for sign-in, the only call without a session. */
  readonly anonymous?: boolean
  /** Returns whether a screen shows the result; by default none does. */
  readonly isAwaited?: (() => boolean) | undefined
  /** The form that holds the values that could not be sent. */
  readonly form?: Notice['form']
}

/** Failures that no caller has shown. */
export interface Notices {
  /** Oldest first. */
  readonly all: () => readonly Notice[]
  readonly notify: (call: Call, problem: Problem, failures?: ReadonlyMap<string, Problem>) => void
  /** Removes the notice of an earlier call of the same kind about the same subject. */
  readonly clearNotice: (call: Pick<Call, 'action' | 'subject'>) => void
  readonly dismiss: (noticeId: string) => void
  readonly clear: () => void
}

/** Creates an empty list of notices. */
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
    // A retry cannot resolve a conflict: the owner has to choose.
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

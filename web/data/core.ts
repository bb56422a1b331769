import type PocketBase from 'pocketbase'

import { USERS } from '#domain/collection.ts'
import type { User } from '#domain/user.ts'

import type { Environment } from './environment.ts'
import {
  createSend,
  createWrites,
  Failure,
  isCancelled,
  isBug,
  fixedTimeout,
  prepareClient,
  toProblem,
  type Send,
  type Watch,
  type Writes,
} from './client.ts'
import { advance, emptyLog, project, type Data, type LogEvent } from './log.ts'
import { createNotices, type Call, type Notices } from './notices.ts'
import { openSession, type Session } from './session.ts'
import type { Action, Notice, Problem, Refusal, Result, State } from './state.ts'

/** The store as seen by one call. Once its generation is over, the call can no longer change the state. */
export interface SessionScope {
  readonly user: User
  readonly isCurrent: () => boolean
  /** Throws if the generation of the call is over. */
  readonly check: () => void
  readonly dispatch: (event: LogEvent) => void
  /** Applies a confirmed change to the data. */
  readonly confirm: (change: (base: Data) => Data) => void
}

/** The shared parts of the store: the log, the session, the notices, and the way calls are made. */
export interface Core extends Pick<Notices, 'notify' | 'clearNotice' | 'dismiss'> {
  readonly env: Environment
  readonly session: Session
  readonly client: () => Promise<PocketBase>
  readonly writes: Writes
  /** Sends a request with the same timeout handling as those of the client. */
  readonly send: Send
  /** Sets the timeout handling of all later requests. */
  readonly watchBy: (watch: Watch) => void
  readonly getState: () => State
  /** The data as last confirmed by the server. */
  readonly base: () => Data
  readonly rev: () => number
  /** Calls `listener` after every change that screens can see; returns the function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
  /** Notifies listeners of a change outside the state. */
  readonly changed: () => void
  readonly getNotices: () => readonly Notice[]
  readonly scope: () => SessionScope
  /** Starts a new generation and clears all state. */
  readonly reset: (user: User | null, busy?: boolean) => void
  /**
   * Makes a call. It never rejects (spec 8): it resolves to the value or the problem. A problem that no caller
   * awaits becomes a notice, unless the call was cancelled or outlived its session.
   */
  readonly attempt: <T>(
    call: Call,
    work: (client: PocketBase, scope: SessionScope) => Promise<T>,
  ) => Promise<Result<T>>
  /** Converts an error to a problem. Checks the session first, because an ended session explains a refusal better. */
  readonly explain: (error: unknown) => Promise<Problem>
  /** Requests a new token, and returns whether the session is still valid, as far as known. */
  readonly renew: () => Promise<Renewal>
  readonly isExpired: () => boolean
}

/** The outcome of renewing a session. */
type Renewal = 'valid' | 'over' | 'unknown'

/** Creates the core. `adopted` runs after another tab has changed the signed-in user. */
export const createCore = (env: Environment, adopted: () => void): Core => {
  const session = openSession(env, {
    changed: () => followOtherTab(),
    expired: () => expire(),
    due: () => void renew(),
  })
  const writes = createWrites(env)
  let watch = fixedTimeout()
  const sendWatched = createSend(env, (...args) => watch(...args))
  const client = prepareClient(env, session, writes, sendWatched)

  const shared = openState(session.isValid() ? session.user() : null)
  const { changed, dispatch, scope } = shared
  let expired = false

  const notices = createNotices(changed)
  const reset: Core['reset'] = (user, busy = false) => {
    expired = false
    notices.clear()
    dispatch({ type: 'session', user, busy })
  }

  const expire = (): void => {
    expired = true
    changed()
  }

  const followOtherTab = (): void => {
    const user = session.isValid() ? session.user() : null
    const samePerson = user !== null && user.id === shared.getState().user?.id
    if (samePerson) {
      // The other tab renewed the session, or signed in again after it had expired in this one.
      expired = false
      dispatch({ type: 'user', user })
      changed()
    } else if (user !== null || !expired) {
      reset(user)
      adopted()
    }
    // Otherwise the session had already ended in this tab, and the input below the dialog is kept.
  }

  const ended = (): void => {
    if (session.isVerified()) {
      // The session ended while the page was open. The input on the page must not be lost.
      session.revoke()
      expire()
    } else {
      session.clear()
      reset(null)
    }
  }
  const renew = oncePerGeneration(shared.generation, () =>
    renewSession({ session, client, scope, ended }),
  )

  const explain = async (error: unknown): Promise<Problem> => {
    if (isBug(error)) env.report(error)
    const problem = toProblem(error)
    // The server treats a revoked token like a missing one, and returns 404 for records that the user may not see.
    const suspicious =
      problem.status === 401 ||
      problem.status === 403 ||
      problem.status === 404 ||
      (problem.status === 400 && problem.kind !== 'invalid')
    if (!suspicious || (await renew()) !== 'over') return problem
    return { ...problem, kind: 'signedOut' }
  }

  return {
    env,
    session,
    client,
    writes,
    send: sendWatched,
    watchBy: (next) => {
      watch = next
    },
    getState: shared.getState,
    base: shared.base,
    rev: shared.rev,
    subscribe: shared.subscribe,
    changed,
    getNotices: notices.all,
    notify: notices.notify,
    clearNotice: notices.clearNotice,
    dismiss: notices.dismiss,
    scope,
    reset,
    attempt: createAttempt({ session, client, scope, notices, explain }),
    explain,
    renew,
    isExpired: () => expired,
  }
}

/** Creates the log, and notifies listeners when the visible state changes. */
const openState = (user: User | null) => {
  let log = emptyLog(user)
  let state = project(log)
  const listeners = new Set<() => void>()
  const changed = (): void => listeners.forEach((listener) => listener())

  const dispatch = (event: LogEvent): void => {
    const before = { log, state }
    log = advance(log, event)
    state = project(log, before)
    if (state !== before.state) changed()
  }

  const scope = (): SessionScope => {
    const { generation, user: current } = log
    const isCurrent = (): boolean => log.generation === generation
    const inGeneration = (event: LogEvent): void => {
      if (isCurrent()) dispatch(event)
    }
    return {
      // Anonymous calls never read it.
      user: current as User,
      isCurrent,
      check: () => {
        if (!isCurrent()) throw new Outdated()
      },
      dispatch: inGeneration,
      confirm: (change) => inGeneration({ type: 'confirm', change }),
    }
  }

  return {
    getState: (): State => state,
    base: (): Data => log.base,
    rev: (): number => log.rev,
    generation: (): number => log.generation,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    changed,
    dispatch,
    scope,
  }
}

interface Renewing extends Pick<Core, 'session' | 'client' | 'scope'> {
  /** Called when the server no longer accepts the session. */
  readonly ended: () => void
}

const renewSession = async ({ session, client, scope, ended }: Renewing): Promise<Renewal> => {
  const now = scope()
  try {
    const sdk = await client()
    if (!now.isCurrent() || !session.isValid()) return 'unknown'
    const answer = await sdk.collection(USERS).authRefresh<User>({ requestKey: null })
    session.syncFromStorage()
    if (!now.isCurrent()) return 'unknown'
    session.save(answer.token, answer.record)
    now.dispatch({ type: 'user', user: answer.record })
    return 'valid'
  } catch (error) {
    const { status } = toProblem(error)
    if (!now.isCurrent() || (status !== 401 && status !== 403)) return 'unknown'
    ended()
    return 'over'
  }
}

interface Attempting extends Pick<Core, 'session' | 'client' | 'scope' | 'explain'> {
  readonly notices: Notices
}

const createAttempt =
  ({ session, client, scope, notices, explain }: Attempting): Core['attempt'] =>
  async (call, work) => {
    const now = scope()
    const { action } = call
    if (call.waits) now.dispatch({ type: 'busy' })
    try {
      if (!call.anonymous && !session.isValid()) throw new Failure('signedOut')
      const sdk = await client()
      now.check()
      const result = await work(sdk, now)
      if (!now.isCurrent() && !call.anonymous) return outdated(action)
      notices.clearNotice(call)
      return { value: result }
    } catch (error) {
      if (!now.isCurrent()) return outdated(action)
      if (isCancelled(error)) return { problem: new Failure('cancelled').problem, action }
      const problem = call.anonymous || call.quiet ? toProblem(error) : await explain(error)
      if (!now.isCurrent()) return outdated(action)
      if (!call.quiet && call.isAwaited?.() !== true) notices.notify(call, problem)
      return { problem, action }
    } finally {
      if (call.waits) now.dispatch({ type: 'idle' })
    }
  }

/** Runs at most one task at a time per generation; concurrent callers share its outcome. */
const oncePerGeneration = <T>(generation: () => number, task: () => Promise<T>) => {
  let running: { generation: number; outcome: Promise<T> } | undefined
  return (): Promise<T> => {
    if (running?.generation === generation()) return running.outcome
    const mine = { generation: generation(), outcome: task() }
    running = mine
    void mine.outcome.finally(() => {
      if (running === mine) running = undefined
    })
    return mine.outcome
  }
}

/** The result of a call that has outlived its session. */
export const outdated = (action: Action): Refusal => ({
  problem: new Failure('signedOut').problem,
  action,
})

/** Thrown to end a call whose session is over. */
class Outdated extends Error {}

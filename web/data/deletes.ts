import { API } from '#domain/paths.ts'
import { CONNECTORS, SITES } from '#domain/collection.ts'

import type { Scope } from './core.ts'
import { dropConnector, dropSite, onBase, type Op } from './log.ts'
import type { OwnerCore } from './outbox.ts'
import { removeRecord } from './remove.ts'
import type { Store } from './state.ts'

/** How long a deleted site can be brought back. */
const UNDO_MS = 8000

/** While a delete is held, other tabs leave it alone for this long. */
const HOLD_MS = 10 * 60_000

/** Another tab carries a delete out only when the one that began it had its time to. */
const GRACE_MS = 2000

type Deletes = Pick<
  Store,
  'deleteSite' | 'undoDelete' | 'holdDelete' | 'pendingDeletes' | 'subscribePending'
> & {
  /** Deletes that other pages left behind leave the screen before the data comes … */
  readonly hideLeftovers: () => void
  /** … and are carried out once it is there. */
  readonly resumeDeletes: () => Promise<void>
  /** Sends what any page of this user has left, without waiting for answers: the session ends. */
  readonly flush: () => void
  /** Forgets what waits: the session is gone. */
  readonly forget: () => void
}

interface Waiting {
  readonly id: string
  readonly name: string
  readonly op: Op
  readonly scope: Scope
  until: number
  cancelTimer: () => void
}

/** Deleting sites with time to think again: nothing is sent before the undo time has passed. */
export const createDeletes = (core: OwnerCore): Deletes => {
  const { env } = core
  const waiting = new Map<string, Waiting>()
  const leftovers = new Map<string, Waiting>()
  const listeners = new Set<() => void>()
  let snapshot: ReturnType<Store['pendingDeletes']> = []

  const publish = (): void => {
    snapshot = [...waiting.values()].map(({ id, name, until }) => ({ id, name, until }))
    listeners.forEach((listener) => listener())
  }

  const hide = (id: string, name: string): Waiting => {
    const scope = core.scope()
    const op: Op = { apply: dropSite(id) }
    scope.dispatch({ type: 'begin', op })
    return { id, name, op, scope, until: 0, cancelTimer: () => {} }
  }

  const schedule = (each: Waiting): void => {
    each.cancelTimer()
    each.until = env.now() + UNDO_MS
    each.cancelTimer = env.after(UNDO_MS, () => void send(each))
    core.outbox()?.putDelete({ id: each.id, name: each.name, until: each.until })
    publish()
  }

  const deleteSite: Store['deleteSite'] = (id) => {
    const site = core.getState().data?.sites.find((each) => each.id === id)
    if (site === undefined) return
    const each = hide(id, site.name)
    waiting.set(id, each)
    schedule(each)
  }

  const undoDelete: Store['undoDelete'] = (id) => {
    const each = waiting.get(id)
    if (each === undefined) return
    each.cancelTimer()
    waiting.delete(id)
    core.outbox()?.removeDelete(id)
    each.scope.dispatch({ type: 'drop', op: each.op })
    publish()
  }

  const holdDelete: Store['holdDelete'] = (id, held) => {
    const each = waiting.get(id)
    if (each === undefined || held === (each.until === Number.POSITIVE_INFINITY)) return
    if (!held) return schedule(each)
    each.cancelTimer()
    each.until = Number.POSITIVE_INFINITY
    core.outbox()?.putDelete({ id, name: each.name, until: env.now() + HOLD_MS })
    publish()
  }

  const send = async (each: Waiting): Promise<void> => {
    each.cancelTimer()
    waiting.delete(each.id)
    leftovers.delete(each.id)
    publish()
    if (!each.scope.isCurrent()) return
    // Without a connection it stays hidden, and is sent when there is one.
    if (!env.isOnline()) return void leftovers.set(each.id, each)
    const { id, scope, op } = each
    const outbox = core.outbox()
    // What was still to be saved of it is not wanted any more.
    outbox?.removeSave(id)
    outbox?.removeEdit(id)
    const done = await core.attempt(
      {
        action: 'deleteSite',
        subject: id,
        retry: () => void send(hide(id, each.name)),
      },
      async (client) => {
        const site = core.base()?.sites.find((other) => other.id === id)
        const outcomes = await Promise.allSettled(
          (site?.connectors ?? []).map(async (connector) => {
            await removeRecord(core, client, CONNECTORS, connector.id)
            scope.fold(onBase(dropConnector(id, connector.id)))
          }),
        )
        const failed = outcomes.find((outcome) => outcome.status === 'rejected')
        if (failed !== undefined) throw failed.reason
        scope.check()
        await removeRecord(core, client, SITES, id)
        scope.dispatch({ type: 'confirm', op, fold: onBase(dropSite(id)) })
        return true
      },
    )
    // A delete that failed is seen to have failed; sending it later would come as a surprise.
    outbox?.removeDelete(id)
    if (done === undefined) scope.dispatch({ type: 'drop', op })
  }

  const hideLeftovers = (): void => {
    for (const { id, name } of core.outbox()?.deletes() ?? [])
      if (!waiting.has(id) && !leftovers.has(id)) leftovers.set(id, hide(id, name))
  }

  const resumeDeletes = async (): Promise<void> => {
    if (core.base() === null) return
    const kept = new Map(
      core
        .outbox()
        ?.deletes()
        .map((each) => [each.id, each]),
    )
    await Promise.all(
      [...leftovers.values()].map(async (each) => {
        const stillThere = core.base()?.sites.some(({ id }) => id === each.id)
        const waitMs = (kept.get(each.id)?.until ?? 0) - env.now()
        if (kept.has(each.id) && stillThere && waitMs > 0)
          each.cancelTimer = env.after(waitMs + GRACE_MS, () => void sendUnlessUndone(each))
        else if (stillThere) await sendUnlessUndone(each)
        else {
          leftovers.delete(each.id)
          core.outbox()?.removeDelete(each.id)
          each.scope.dispatch({ type: 'drop', op: each.op })
        }
      }),
    )
  }

  const sendUnlessUndone = async (each: Waiting): Promise<void> => {
    if (!each.scope.isCurrent()) return
    if (
      core
        .outbox()
        ?.deletes()
        .some(({ id }) => id === each.id)
    )
      return send(each)
    leftovers.delete(each.id)
    each.scope.dispatch({ type: 'drop', op: each.op })
  }

  /** The site's delete takes its connectors with it, so one small request is enough (spec 10). */
  const sendAtOnce = (all: Iterable<{ id: string }>): void => {
    if (!core.session.isValid()) return
    for (const { id } of all)
      void env
        .fetch(env.origin + env.basePath + API.record(SITES, id), {
          method: 'DELETE',
          headers: { Authorization: core.session.token(), 'Accept-Language': env.language() },
          keepalive: true,
        })
        .catch(() => undefined)
  }

  env.on('hide', () => sendAtOnce(waiting.values()))
  env.on('restore', () => {
    // The page came back from the browser's memory, but its deletes were sent when it left.
    for (const each of waiting.values()) void send(each)
  })

  return {
    deleteSite,
    undoDelete,
    holdDelete,
    pendingDeletes: () => snapshot,
    subscribePending: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    hideLeftovers,
    resumeDeletes,
    flush: () => sendAtOnce(core.outbox()?.deletes() ?? []),
    forget: () => {
      for (const each of [...waiting.values(), ...leftovers.values()]) each.cancelTimer()
      waiting.clear()
      leftovers.clear()
      publish()
    },
  }
}

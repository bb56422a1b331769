import { API } from '#domain/paths.ts'
import { CONNECTORS, SITES } from '#domain/collection.ts'

import type { Core, SessionScope } from './core.ts'
import { dropConnector, dropSite, onBase, type Op } from './log.ts'
import { removeRecord } from './remove.ts'
import type { DeleteSite } from './mutations.ts'
import type { Store } from './state.ts'
import type { SyncQueue } from './sync-queue.ts'

/** How long a deleted site can be brought back. */
const UNDO_MS = 8000

/** While a delete is held, other tabs leave it alone for this long. */
const HOLD_MS = 10 * 60_000

/** Another tab carries a delete out only when the one that began it had its time to. */
const GRACE_MS = 2000

type Deletes = Pick<Store, 'deleteSite' | 'undoDelete' | 'holdDelete' | 'pendingDeletes'> & {
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
  readonly scope: SessionScope
  until: number
  cancelTimer: () => void
}

/** Deleting sites with time to think again: nothing is sent before the undo time has passed. */
export const createDeletes = (core: Core, queue: SyncQueue): Deletes => {
  const { env } = core
  const all = (): readonly DeleteSite[] =>
    queue.all().filter((each): each is DeleteSite => each.kind === 'deleteSite')
  const isQueued = (id: string): boolean => all().some(({ subject }) => subject === id)
  const put = (id: string, name: string, until: number): void => {
    const before = all().find(({ subject }) => subject === id)
    const rest = { isKept: false, isHeld: false, values: null, files: [] } as const
    const common = before ?? { ...rest, id: env.newId(), subject: id, at: env.now() }
    queue.put({ ...common, kind: 'deleteSite', payload: { name, until } })
  }
  const remove = (id: string): void => {
    for (const each of all()) if (each.subject === id) queue.remove(each.id)
  }
  const waiting = new Map<string, Waiting>()
  const leftovers = new Map<string, Waiting>()
  let snapshot: ReturnType<Store['pendingDeletes']> = []

  const publish = (): void => {
    snapshot = [...waiting.values()].map(({ id, name, until }) => ({ id, name, until }))
    core.changed()
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
    put(each.id, each.name, each.until)
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
    remove(id)
    each.scope.dispatch({ type: 'drop', op: each.op })
    publish()
  }

  const holdDelete: Store['holdDelete'] = (id, held) => {
    const each = waiting.get(id)
    if (each === undefined || held === (each.until === Number.POSITIVE_INFINITY)) return
    if (!held) return schedule(each)
    each.cancelTimer()
    each.until = Number.POSITIVE_INFINITY
    put(id, each.name, env.now() + HOLD_MS)
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
    // What was still to be saved of it is not wanted any more.
    for (const { subject, kind, id: mutation } of queue.all())
      if (subject === id && kind !== 'deleteSite') queue.remove(mutation)
    queue.show()
    const { problem } = await core.attempt(
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
      },
    )
    // A delete that failed is seen to have failed; sending it later would come as a surprise.
    remove(id)
    if (problem !== undefined) scope.dispatch({ type: 'drop', op })
  }

  const hideLeftovers = (): void => {
    for (const { subject: id, payload } of all())
      if (!waiting.has(id) && !leftovers.has(id)) leftovers.set(id, hide(id, payload.name))
  }

  const resumeDeletes = async (): Promise<void> => {
    if (core.base() === null) return
    const until = new Map(all().map(({ subject, payload }) => [subject, payload.until]))
    await Promise.all(
      [...leftovers.values()].map(async (each) => {
        const stillThere = core.base()?.sites.some(({ id }) => id === each.id)
        const waitMs = (until.get(each.id) ?? 0) - env.now()
        if (until.has(each.id) && stillThere && waitMs > 0)
          each.cancelTimer = env.after(waitMs + GRACE_MS, () => void sendUnlessUndone(each))
        else if (stillThere) await sendUnlessUndone(each)
        else {
          leftovers.delete(each.id)
          remove(each.id)
          each.scope.dispatch({ type: 'drop', op: each.op })
        }
      }),
    )
  }

  const sendUnlessUndone = async (each: Waiting): Promise<void> => {
    if (!each.scope.isCurrent()) return
    if (isQueued(each.id)) return send(each)
    leftovers.delete(each.id)
    each.scope.dispatch({ type: 'drop', op: each.op })
  }

  /** The site's delete takes its connectors with it, so one small request is enough (spec 10). */
  const sendAtOnce = (sites: Iterable<{ id: string }>): void => {
    if (!core.session.isValid()) return
    for (const { id } of sites)
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
    hideLeftovers,
    resumeDeletes,
    flush: () => sendAtOnce(all().map(({ subject: id }) => ({ id }))),
    forget: () => {
      for (const each of [...waiting.values(), ...leftovers.values()]) each.cancelTimer()
      waiting.clear()
      leftovers.clear()
      publish()
    },
  }
}

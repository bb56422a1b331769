import { API } from '#domain/paths.ts'
import { CONNECTORS, SITES } from '#domain/collection.ts'

import type { Core } from './core.ts'
import { dropConnector, dropSite, onBase } from './log.ts'
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
  /** Carries out what other pages left behind. */
  readonly resumeDeletes: () => Promise<void>
  /** Sends what any page of this user has left, without waiting for answers: the session ends. */
  readonly flush: () => void
  /** Forgets what waits: the session is gone. */
  readonly forget: () => void
}

type Pending = ReturnType<Store['pendingDeletes']>[number]

/**
 * Deleting sites with time to think again: nothing is sent before the undo time has passed. Until then the
 * delete stands in the queue, which hides the site.
 */
export const createDeletes = (core: Core, queue: SyncQueue): Deletes => {
  const { env } = core
  /** Those that this page can still undo. */
  const pending = new Map<string, Pending>()
  const timers = new Map<string, () => void>()
  let snapshot: readonly Pending[] = []

  const set = (id: string, change: Pending | undefined): void => {
    timers.get(id)?.()
    timers.delete(id)
    if (change === undefined) pending.delete(id)
    else pending.set(id, change)
    snapshot = [...pending.values()]
    core.changed()
  }
  const after = (id: string, delayMs: number): void =>
    void timers.set(
      id,
      env.after(delayMs, () => void send(id)),
    )

  const offerUndo = (id: string, name: string): void => {
    const until = env.now() + UNDO_MS
    set(id, { id, name, until })
    after(id, UNDO_MS)
    putDelete(core, queue, id, { name, until })
  }

  const undoDelete = (id: string): void => {
    if (!pending.has(id)) return
    set(id, undefined)
    removeDelete(queue, id)
  }

  const holdDelete: Store['holdDelete'] = (id, held) => {
    const each = pending.get(id)
    if (each === undefined || held === (each.until === Number.POSITIVE_INFINITY)) return
    if (!held) return offerUndo(id, each.name)
    set(id, { ...each, until: Number.POSITIVE_INFINITY })
    putDelete(core, queue, id, { name: each.name, until: env.now() + HOLD_MS })
  }

  /** Sends a delete unless it was undone, maybe by the page that began it. */
  const send = async (id: string): Promise<void> => {
    set(id, undefined)
    const found = deletesIn(queue).find(({ subject }) => subject === id)
    // Without a connection it stays hidden, and is sent when there is one.
    if (found !== undefined && env.isOnline()) await sendDelete(core, queue, found)
  }

  const resumeDeletes = async (): Promise<void> => {
    const { sites } = core.base() ?? {}
    if (sites === undefined) return
    const sending = deletesIn(queue).map(async ({ subject: id, payload }) => {
      const waitMs = payload.until - env.now()
      if (pending.has(id)) return
      if (!sites.some((site) => site.id === id)) removeDelete(queue, id)
      else if (waitMs > 0) after(id, waitMs + GRACE_MS)
      else await send(id)
    })
    await Promise.all(sending)
  }

  env.on('hide', () => sendAtOnce(core, pending.keys()))
  env.on('restore', () => {
    // The page came back from the browser's memory, but its deletes were sent when it left.
    for (const id of pending.keys()) void send(id)
  })

  return {
    deleteSite: (id) => {
      const site = core.getState().data?.sites.find((each) => each.id === id)
      if (site !== undefined) offerUndo(id, site.name)
    },
    undoDelete,
    holdDelete,
    pendingDeletes: () => snapshot,
    resumeDeletes,
    flush: () =>
      sendAtOnce(
        core,
        deletesIn(queue).map(({ subject }) => subject),
      ),
    forget: () => {
      for (const id of [...timers.keys(), ...pending.keys()]) set(id, undefined)
    },
  }
}

const deletesIn = (queue: SyncQueue): readonly DeleteSite[] =>
  queue.all().filter((each): each is DeleteSite => each.kind === 'deleteSite')

const putDelete = (
  { env }: Core,
  queue: SyncQueue,
  id: string,
  payload: DeleteSite['payload'],
): void => {
  const rest = { isKept: false, isHeld: false, values: null, files: [] } as const
  const common = queue.about('deleteSite', id) ?? {
    ...rest,
    id: env.newId(),
    subject: id,
    at: env.now(),
  }
  queue.put({ ...common, kind: 'deleteSite', payload })
  queue.show()
}

const removeDelete = (queue: SyncQueue, id: string): void => {
  for (const each of deletesIn(queue)) if (each.subject === id) queue.remove(each.id)
  queue.show()
}

/** Deletes the connectors of a site, then the site. */
const sendDelete = async (core: Core, queue: SyncQueue, mutation: DeleteSite): Promise<void> => {
  const { subject: id, payload } = mutation
  // What was still to be saved of it is not wanted any more.
  for (const each of queue.all())
    if (each.subject === id && each.kind !== 'deleteSite') queue.remove(each.id)
  queue.show()
  const retry = (): void => {
    putDelete(core, queue, id, payload)
    void sendDelete(core, queue, mutation)
  }
  await core.attempt({ action: 'deleteSite', subject: id, retry }, async (client, scope) => {
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
    scope.fold(onBase(dropSite(id)))
  })
  // A delete that failed is seen to have failed; sending it later would come as a surprise.
  removeDelete(queue, id)
}

/** The site's delete takes its connectors with it, so one small request is enough (spec 10). */
const sendAtOnce = ({ env, session }: Core, ids: Iterable<string>): void => {
  if (!session.isValid()) return
  for (const id of ids)
    void env
      .fetch(env.origin + env.basePath + API.record(SITES, id), {
        method: 'DELETE',
        headers: { Authorization: session.token(), 'Accept-Language': env.language() },
        keepalive: true,
      })
      .catch(() => undefined)
}

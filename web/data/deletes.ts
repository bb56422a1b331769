import { API } from '#domain/paths.ts'
import { CONNECTORS, SITES } from '#domain/collection.ts'

import type { Core } from './core.ts'
import { dropConnector, dropSite, onBase } from './log.ts'
import { removeRecord } from './remove.ts'
import type { DeleteSite } from './mutations.ts'
import type { Store } from './state.ts'
import type { SyncQueue } from './sync-queue.ts'

/** How long a delete can be undone. */
const UNDO_MS = 8000

/** Other tabs leave a held delete alone for this long. */
const HOLD_MS = 10 * 60_000

/** Another tab sends a delete only after the tab that queued it has had time to do so. */
const GRACE_MS = 2000

type Deletes = Pick<Store, 'deleteSite' | 'undoDelete' | 'holdDelete' | 'pendingDeletes'> & {
  /** Sends the deletes left by other pages. */
  readonly resumeDeletes: () => Promise<void>
  /** Sends all deletes of this user, from any page, without waiting for responses: the session ends. */
  readonly flush: () => void
  /** Drops the pending deletes: the session is over. */
  readonly forget: () => void
}

type Pending = ReturnType<Store['pendingDeletes']>[number]

/**
 * Deletes sites with an undo period. Until it has passed, the delete stays in the queue, which hides the site, and
 * nothing is sent.
 */
export const createDeletes = (core: Core, queue: SyncQueue): Deletes => {
  const { env } = core
  /** The deletes that this page can still undo. */
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

  /** Sends a delete unless it was undone, possibly by the page that queued it. */
  const send = async (id: string): Promise<void> => {
    set(id, undefined)
    const found = deletesIn(queue).find(({ subject }) => subject === id)
    // Offline, the site stays hidden; the delete is sent when the connection returns.
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
    // The page was restored from the back/forward cache, but its deletes were sent when it was left.
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
  // Drops the queued updates of the site.
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
  // A failed delete is reported, and not retried later, when it would surprise the owner.
  removeDelete(queue, id)
}

/** Deleting the site deletes its connectors (cascade), so one small request is enough (spec 10). */
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

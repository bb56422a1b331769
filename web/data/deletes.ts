import type { Core } from './core.ts'
import { recordsIn, siteOf } from './log.ts'
import { isDelete, type Delete } from './mutations.ts'
import { referencesTo } from './references.ts'
import { isStored, sendKeepalive, sendDelete } from './send-delete.ts'
import type { Store } from './state.ts'
import type { SyncQueue } from './sync-queue.ts'

/** How long a delete can be undone. */
const UNDO_MS = 8000

/** Other tabs leave a paused delete alone for this long. */
const PAUSE_MS = 10 * 60_000

/** Another tab sends a delete only after the tab that queued it has had time to do so. */
const GRACE_MS = 2000

interface Deletes {
  readonly calls: Pick<
    Store,
    'deleteSite' | 'deleteRecord' | 'undoDelete' | 'pauseDelete' | 'pendingDeletes'
  >
  /** Sends the deletes left by other pages. */
  readonly resumeDeletes: () => Promise<void>
  /** Sends the deletes that this page can still undo, and waits for the responses. */
  readonly finish: () => Promise<void>
  /** Sends all deletes of this user, from any page, without waiting for responses: the session ends. */
  readonly flush: () => void
  /** Drops the pending deletes: the session is over. */
  readonly forget: () => void
}

type Pending = ReturnType<Store['pendingDeletes']>[number]

/**
 * Deletes sites and records of plain collections with an undo period. Until it has passed, the delete stays in the
 * queue, which hides the record, and nothing is sent. `reload` reads the data again.
 */
export const createDeletes = (
  core: Core,
  queue: SyncQueue,
  reload: () => Promise<unknown>,
): Deletes => {
  const { env } = core
  const { pending, set, after, all, clear } = createPending(core, (id) => void send(id))

  const offerUndo = (mutation: Delete): void => {
    const { subject: id, payload } = mutation
    const until = env.now() + UNDO_MS
    set(id, { id, name: payload.name, until })
    after(id, UNDO_MS)
    putDelete(queue, mutation, until)
  }
  const undoDelete = (id: string): void => {
    if (!pending.has(id)) return
    set(id, undefined)
    removeDelete(queue, id)
  }

  const pauseDelete: Store['pauseDelete'] = (id, isPaused) => {
    const each = pending.get(id)
    const mutation = findDelete(queue, id)
    if (each === undefined || mutation === undefined) return
    if (isPaused === (each.until === Number.POSITIVE_INFINITY)) return
    if (!isPaused) return offerUndo(mutation)
    set(id, { ...each, until: Number.POSITIVE_INFINITY })
    putDelete(queue, mutation, env.now() + PAUSE_MS)
  }

  /** Sends a delete unless it was undone, possibly by the page that queued it. */
  const send = async (id: string): Promise<void> => {
    set(id, undefined)
    const found = findDelete(queue, id)
    // Offline, the record stays hidden; the delete is sent when the connection returns.
    if (found === undefined || !env.isOnline()) return
    const retry = (): void => {
      putDelete(queue, found, found.payload.until)
      void send(id)
    }
    // Deleting the record also drops its queued updates.
    if (await sendDelete(core, found, { retry, reload })) forgetAll(queue, id)
    // A failed delete is reported. It is not retried later, because that would surprise the owner.
    else removeDelete(queue, id)
  }

  const resumeDeletes = async (): Promise<void> => {
    if (core.base() === null) return
    for (const mutation of deletesIn(queue)) {
      const { subject: id, payload } = mutation
      const waitMs = payload.until - env.now()
      if (pending.has(id)) continue
      if (!isStored(core, mutation)) {
        forgetAll(queue, id)
        // The data was read while an earlier page's delete was carried out, so references to the record may be stale.
        if (isReferredTo(core, mutation)) await reload()
      } else if (waitMs > 0) after(id, waitMs + GRACE_MS, () => void resumeDeletes())
      // oxlint-disable-next-line no-await-in-loop -- the replacement of one record may be deleted after it
      else await send(id)
    }
  }

  const finish = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- the replacement of one record may be deleted after it
    for (const id of pending.keys()) await send(id)
  }

  const undoable = () => deletesIn(queue).filter(({ subject }) => pending.has(subject))
  env.on('hide', () => sendKeepalive(core, undoable()))
  // The page was restored from the back/forward cache, but its deletes were sent when it was left.
  env.on('restore', () => void finish())

  const calls: Deletes['calls'] = {
    deleteSite: (id) => {
      const site = siteOf(core.getState().data, id)
      if (site === undefined) return
      offerUndo({
        ...begin(core, queue, id),
        kind: 'deleteSite',
        payload: { name: site.name, until: 0 },
      })
    },
    deleteRecord: (...record) => {
      const mutation = recordDelete(core, queue, ...record)
      if (mutation !== undefined) offerUndo(mutation)
    },
    undoDelete,
    pauseDelete,
    pendingDeletes: all,
  }

  return {
    calls,
    resumeDeletes,
    finish,
    flush: () => sendKeepalive(core, deletesIn(queue)),
    forget: clear,
  }
}

/** The deletes that this page can still undo, and their timers. */
const createPending = (core: Core, send: (id: string) => void) => {
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
  const after = (id: string, delayMs: number, task = () => send(id)): void => {
    timers.get(id)?.()
    timers.set(id, core.env.after(delayMs, task))
  }
  const clear = (): void => {
    for (const id of [...timers.keys(), ...pending.keys()]) set(id, undefined)
  }
  return { pending, set, after, all: () => snapshot, clear }
}

/** The fields that all deletes have in common. */
const begin = ({ env }: Core, queue: SyncQueue, id: string) => ({
  isKept: false,
  isHeld: false,
  values: null,
  files: [],
  id: findDelete(queue, id)?.id ?? env.newId(),
  subject: id,
  at: env.now(),
})

const recordDelete = (
  core: Core,
  queue: SyncQueue,
  ...[collection, id, instead]: Parameters<Store['deleteRecord']>
): Delete | undefined => {
  const record = recordsIn(core.getState().data, collection).find((each) => each.id === id)
  if (record === undefined) return undefined
  const { name = '' } = record as { name?: string }
  const payload = { name, until: 0, ...(instead === undefined ? {} : { instead }) }
  return { ...begin(core, queue, id), kind: 'removeRecord', collection, payload }
}

const deletesIn = (queue: SyncQueue): readonly Delete[] => queue.all().filter(isDelete)

const findDelete = (queue: SyncQueue, id: string): Delete | undefined =>
  deletesIn(queue).find(({ subject }) => subject === id)

const putDelete = (queue: SyncQueue, mutation: Delete, until: number): void => {
  queue.put({ ...mutation, payload: { ...mutation.payload, until } })
  queue.show()
}

const removeDelete = (queue: SyncQueue, id: string): void => {
  for (const each of deletesIn(queue)) if (each.subject === id) queue.remove(each.id)
  queue.show()
}

const isReferredTo = (core: Core, mutation: Delete): boolean =>
  mutation.kind === 'removeRecord' &&
  referencesTo(core.base(), mutation.collection, mutation.subject).length > 0

/** Drops all queued writes of a record. */
const forgetAll = (queue: SyncQueue, id: string): void => {
  for (const each of queue.all()) if (each.subject === id) queue.remove(each.id)
  queue.show()
}

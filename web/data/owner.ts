import { createAccount } from './account.ts'
import { createSearchAddresses } from './addresses.ts'
import { createBusinessCalls, sendCreateBusiness, sendUpdateBusiness } from './business.ts'
import type { Core } from './core.ts'
import type { Call } from './notices.ts'
import { createReadChanges } from './changes.ts'
import { createDeletes } from './deletes.ts'
import { createDrafts } from './drafts.ts'
import { createFiles } from './files.ts'
import { createLive } from './live.ts'
import { createDataCache } from './data-cache.ts'
import { createSites } from './sites.ts'
import { createPhotoMemory } from './photo-uploads.ts'
import { fetchData } from './records.ts'
import { sendCreateSite, sendUpdateSite } from './send-site.ts'
import { createStalls } from './stalls.ts'
import type { GuestCalls, SavedWrite, Store } from './state.ts'
import { SyncQueue, type Run } from './sync-queue.ts'

/** How often a load is begun again because the data changed while it was read. */
const REREADS = 3
/** How old the data may be that changes are put together with before they are sent. */
const RECENT_MS = 5000

/** What the store can do while somebody is signed in. */
export type OwnerCalls = Omit<Store, keyof GuestCalls>

/** The part of the store that is about an owner, and what it does by itself. */
export interface Owner {
  readonly calls: OwnerCalls
  /** What a page does first when somebody is signed in. */
  readonly resume: () => Promise<void>
  /** Sends what can still be sent, and forgets the person. */
  readonly leave: () => void
}

/** Makes the part of the store that is about an owner's business, its sites and their connectors. */
export const createOwner = (core: Core, signOut: () => void): Owner => {
  const { env, session } = core
  const stalls = createStalls(env, core.changed)
  core.watchBy(stalls.watch)

  let loadCount = 0
  let loading: Promise<unknown> = Promise.resolve()
  const load: Store['load'] = () => {
    const mine = read({ waits: true, retry: () => void load() })
    loading = mine
    return mine
  }
  /** Reads everything anew without a word, and without getting in the way of who waits. */
  const reload = async (): Promise<void> => {
    await loading
    await read({ quiet: true })
  }
  const read = async (how: Pick<Call, 'waits' | 'quiet' | 'retry'>) => {
    const mine = ++loadCount
    return core.attempt({ action: 'load', ...how }, async (client, scope) => {
      for (let rereads = 0; ; rereads++) {
        const rev = core.rev()
        let fetched = await fetchData(client, scope.user.id)
        // To the server a revoked token is a guest's, and a guest has no business.
        if (fetched === null && !(await isTrusted())) fetched = core.base()
        scope.check()
        // A newer load is on its way, and it knows better.
        if (mine !== loadCount) return core.getState().data
        if (rev === core.rev() || rereads === REREADS) {
          freshness = 'fresh'
          loadedAt = env.now()
          savedAt = undefined
          scope.dispatch({ type: 'loaded', data: fetched })
          return core.getState().data
        }
      }
    })
  }

  /** Has the session been accepted by the server, or is it now? */
  const isTrusted = async (): Promise<boolean> => {
    if (session.isProven() && core.base() === null) return true
    const renewal = await core.renew()
    return renewal === 'valid' || (renewal === 'unknown' && core.base() === null)
  }

  /** Is what the store holds what the server has, as far as it is known? */
  let freshness: 'nothing' | 'saved' | 'fresh' = 'nothing'
  let savedAt: number | undefined
  let loadedAt = Number.NEGATIVE_INFINITY
  const refresh = async (): Promise<boolean> => {
    const isRecent = (): boolean => freshness === 'fresh' && env.now() - loadedAt < RECENT_MS
    if (!isRecent()) await reload()
    return isRecent()
  }

  const resume = async (): Promise<void> => {
    forget()
    if (core.getState().user === null) return
    const scope = core.scope()
    deletes.hideLeftovers()
    queue.show()
    void showCached()
    await load()
    if (!scope.isCurrent()) return
    live.start()
    if (freshness === 'fresh') await finishWork()
  }

  /** What was seen last stands in for what is on its way. */
  const showCached = async (): Promise<void> => {
    const scope = core.scope()
    const saved = await cache.read()
    if (saved === undefined || freshness !== 'nothing' || !scope.isCurrent()) return
    freshness = 'saved'
    savedAt = saved.at
    scope.dispatch({ type: 'loaded', data: saved.data })
  }

  /** Does what an earlier page, or this one without a connection, has left to do. */
  const finishWork = async (): Promise<void> => {
    drafts.sweep()
    await Promise.all([queue.resume(), deletes.resumeDeletes()])
  }

  const forget = (): void => {
    freshness = 'nothing'
    savedAt = undefined
    deletes.forget()
    queue.forget()
    live.stop()
  }

  const live = createLive(core, reload)
  const files = createFiles(env)
  const memory = createPhotoMemory()
  const sending = { core, files, memory, reload }
  const queue: SyncQueue = new SyncQueue(core, files, {
    send: (run) => send(run),
    refresh,
    returnDraft: (...args) => drafts.returnDraft(...args),
    dropDraft: (...args) => drafts.dropUnchanged(...args),
    sweep: () => drafts.sweep(),
  })
  const send = (run: Run): Promise<SavedWrite> => {
    const { mutation } = run
    switch (mutation.kind) {
      case 'createBusiness':
        return sendCreateBusiness(core, { ...run, mutation } as Run<typeof mutation>)
      case 'updateBusiness':
        return sendUpdateBusiness(core, { ...run, mutation } as Run<typeof mutation>)
      case 'createSite':
        return sendCreateSite(sending, { ...run, mutation } as Run<typeof mutation>)
      case 'updateSite':
        return sendUpdateSite(sending, { ...run, mutation } as Run<typeof mutation>)
      case 'deleteSite':
        throw new TypeError('Deletes are sent when their time to undo is over')
    }
  }
  const deletes = createDeletes(core, queue)
  const drafts = createDrafts(core, files, () => queue.all())
  const writing = { core, files, memory, queue, load }
  const sites = createSites(writing)
  const businessCalls = createBusinessCalls(writing)
  const cache = createDataCache(core)
  let lastBase = core.base()
  core.subscribe(() => {
    if (core.base() === lastBase) return
    lastBase = core.base()
    if (freshness === 'fresh') cache.keep()
  })
  env.on('online', () => {
    if (core.getState().user === null || !session.isValid()) return
    void refresh().then((isFresh) => (isFresh ? finishWork() : undefined))
  })
  const leave: Owner['leave'] = () => {
    deletes.flush()
    forget()
    cache.clear()
    queue.clear()
    drafts.clear()
  }

  const account = createAccount(core, signOut)

  const unsent: Store['unsent'] = () => ({
    drafts: drafts.drafts().length,
    changes: queue.all().length,
  })

  const calls: OwnerCalls = {
    ...account,
    isStalled: stalls.isStalled,
    giveUp: stalls.giveUp,
    unsent,
    savedAt: () => savedAt,
    waiting: queue.waiting,
    draft: drafts.draft,
    drafts: drafts.drafts,
    openNewSite: drafts.openNewSite,
    load,
    searchAddresses: createSearchAddresses(core),
    readChanges: createReadChanges(core),
    ...businessCalls,
    ...sites,
    deleteSite: deletes.deleteSite,
    undoDelete: deletes.undoDelete,
    holdDelete: deletes.holdDelete,
    pendingDeletes: deletes.pendingDeletes,
  }
  return { calls, resume, leave }
}

import { createAccount } from './account.ts'
import { createSearchAddresses } from './addresses.ts'
import { createBusinessCalls } from './business.ts'
import type { Call, Core } from './core.ts'
import { createReadChanges } from './changes.ts'
import { createDeletes } from './deletes.ts'
import { createDrafts } from './drafts.ts'
import { createFiles } from './files.ts'
import { createLive } from './live.ts'
import { createSaved } from './data-cache.ts'
import { createSites } from './sites.ts'
import { openOutbox, type OwnerCore } from './outbox.ts'
import { createStalls } from './stalls.ts'
import type { Light, Store } from './state.ts'
import { createWaits } from './waiting.ts'
import { fetchData } from './records.ts'

/** How often a load is begun again because the data changed while it was read. */
const REREADS = 3
/** How old the data may be that changes are put together with before they are sent. */
const RECENT_MS = 5000

/** What the store can do while somebody is signed in, and what it does by itself then. */
export interface Owner extends Omit<Store, keyof Light> {
  /** What a page does first when somebody is signed in. */
  readonly resume: () => Promise<void>
  /** Sends what can still be sent, and forgets the person. */
  readonly leave: () => void
}

/** Makes the part of the store that is about an owner's business, its sites and their connectors. */
export const createOwner = (light: Core, signOut: () => void): Owner => {
  const { env, session } = light
  const core: OwnerCore = {
    ...light,
    outbox: () => {
      const { user } = light.getState()
      return user === null ? undefined : openOutbox(env.localStorage, user.id)
    },
  }

  const stalls = createStalls(env)
  light.watchBy(stalls.watch)

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
    const data = await core.attempt({ action: 'load', ...how }, async (client, scope) => {
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
    return data ?? undefined
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
    waits.show()
    void paintSaved()
    await load()
    if (!scope.isCurrent()) return
    live.start()
    if (freshness === 'fresh') await finishWork()
  }

  /** What was seen last stands in for what is on its way. */
  const paintSaved = async (): Promise<void> => {
    const scope = core.scope()
    const saved = await kept.read()
    if (saved === undefined || freshness !== 'nothing' || !scope.isCurrent()) return
    freshness = 'saved'
    savedAt = saved.at
    scope.dispatch({ type: 'loaded', data: saved.data })
  }

  /** Does what an earlier page, or this one without a connection, has left to do. */
  const finishWork = async (): Promise<void> => {
    drafts.sweep()
    await Promise.all([sites.resumeSaves(), deletes.resumeDeletes(), waits.flush()])
  }

  const forget = (): void => {
    freshness = 'nothing'
    savedAt = undefined
    deletes.forget()
    waits.forget()
    live.stop()
  }

  const live = createLive(core, reload)
  const deletes = createDeletes(core)
  const files = createFiles(env)
  const sites = createSites(core, files, {
    load,
    dropDraft: (...args) => drafts.dropUnchanged(...args),
  })
  const businessCalls = createBusinessCalls(core, files)
  const waits = createWaits(core, files, {
    save: sites.sendSave,
    edit: sites.sendEdit,
    business: businessCalls.sendBusiness,
    refresh,
    returnDraft: (...args) => drafts.returnDraft(...args),
    sweep: () => drafts.sweep(),
  })
  const drafts = createDrafts(core, files, waits.find)
  const kept = createSaved(core)
  let lastBase = core.base()
  core.subscribe(() => {
    if (core.base() === lastBase) return
    lastBase = core.base()
    if (freshness === 'fresh') kept.keep()
  })
  env.on('online', () => {
    if (core.getState().user === null || !session.isValid()) return
    void refresh().then((isFresh) => (isFresh ? finishWork() : undefined))
  })
  const leave: Owner['leave'] = () => {
    deletes.flush()
    forget()
    kept.clear()
    core.outbox()?.clear()
    drafts.clear()
  }

  const account = createAccount(core, signOut)

  const unsent: Store['unsent'] = () => {
    const outbox = core.outbox()
    const counts = [outbox?.saves(), outbox?.edits(), outbox?.deletes()].map(
      (list) => list?.length ?? 0,
    )
    const business = outbox?.business() === undefined ? 0 : 1
    return {
      drafts: drafts.drafts().length,
      changes: counts.reduce((sum, count) => sum + count, business) + core.tracked(),
    }
  }

  return {
    resume,
    leave,
    ...account,
    isStalled: stalls.isStalled,
    subscribeStalled: stalls.subscribe,
    giveUp: stalls.giveUp,
    unsent,
    savedAt: () => savedAt,
    waiting: waits.waiting,
    subscribeWaiting: waits.subscribeWaiting,
    createSiteLater: waits.createSiteLater,
    updateSiteLater: waits.updateSiteLater,
    updateBusinessLater: waits.updateBusinessLater,
    draft: drafts.draft,
    drafts: drafts.drafts,
    subscribeDrafts: drafts.subscribeDrafts,
    openNewSite: drafts.openNewSite,
    load,
    searchAddresses: createSearchAddresses(core),
    readChanges: createReadChanges(core),
    createBusiness: (input) => core.track(businessCalls.createBusiness(input)),
    updateBusiness: (changes) => core.track(businessCalls.updateBusiness(changes)),
    createSite: sites.createSite,
    readSite: sites.readSite,
    updateSite: sites.updateSite,
    orderPhotos: sites.orderPhotos,
    removePhoto: sites.removePhoto,
    saveConnectors: sites.saveConnectors,
    deleteSite: deletes.deleteSite,
    undoDelete: deletes.undoDelete,
    holdDelete: deletes.holdDelete,
    pendingDeletes: deletes.pendingDeletes,
    subscribePending: deletes.subscribePending,
  }
}

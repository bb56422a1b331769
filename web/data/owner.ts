import type { Collection } from '#domain/collection.ts'
import { PLAIN } from '#domain/plain.ts'

import { createAccount } from './account.ts'
import { createSearchAddresses } from './addresses.ts'
import { createBusinessCalls, sendCreateBusiness, sendUpdateBusiness } from './business.ts'
import { Failure } from './client.ts'
import type { Core } from './core.ts'
import { createDeletes } from './deletes.ts'
import { createDrafts } from './drafts.ts'
import { createFiles } from './files.ts'
import { createLive } from './live.ts'
import { createLoading } from './loading.ts'
import { createSites } from './sites.ts'
import { createPhotoMemory } from './photo-uploads.ts'
import { createRecordCalls, sendRecord } from './plain-records.ts'
import type { UpdateSites } from './mutations.ts'
import { sendCreateSite } from './send-create-site.ts'
import type { SiteSending } from './send-site.ts'
import { sendUpdateSite } from './send-update-site.ts'
import { createStalls } from './stalls.ts'
import type { GuestCalls, Problem, SavedWrite, Store } from './state.ts'
import { SyncQueue, type Run } from './sync-queue.ts'
import { createUnfinishedWork } from './unfinished-work.ts'
import { createBulkUpdates } from './update-sites.ts'

/** The calls of a signed-in owner. */
export type OwnerCalls = Omit<Store, keyof GuestCalls>

/** The part of the store for owners, with its background work. */
export interface Owner {
  readonly calls: OwnerCalls
  /** Runs on every page load and sign-in of an owner. */
  readonly resume: () => Promise<void>
  /** Sends what can still be sent, and clears the state of the user. */
  readonly leave: () => void
}

/** Creates the part of the store for an owner's business and its records. */
export const createOwner = (
  core: Core,
  signOut: () => void,
  plain: readonly Collection[] = PLAIN,
): Owner => {
  const stalls = createStalls(core.env, core.changed)
  core.watchBy(stalls.watch)

  const loading = createLoading(core, plain)
  const { load, reload, refresh } = loading

  const resume = async (): Promise<void> => {
    forget()
    if (core.getState().user === null) return
    const scope = core.scope()
    queue.show()
    bulkUpdates.follow()
    void loading.showCached()
    await load()
    if (!scope.isCurrent()) return
    live.start(loading.isFresh())
    await work.finishOnceFresh(loading.isFresh())
  }

  /** Finishes the writes left by an earlier page, or by this one while offline. */
  const finishWork = async (): Promise<void> => {
    drafts.sweep()
    // A queued save may refer to a record that was deleted after it.
    await queue.resume()
    await deletes.resumeDeletes()
  }

  const work = createUnfinishedWork(core, refresh, finishWork)

  const forget = (): void => {
    work.cancel()
    loading.forget()
    deletes.forget()
    queue.forget()
    live.stop()
  }

  const live = createLive(core, loading.catchUp, plain)
  const files = createFiles(core.env)
  const memory = createPhotoMemory()
  const sending = { core, files, memory, reload }
  const queue: SyncQueue = new SyncQueue(core, files, {
    send: (run) => send({ ...sending, plain, sendUpdateSites: bulkUpdates.send }, run),
    refresh: () => refresh(),
    reload,
    returnDraft: (...args) => drafts.returnDraft(...args),
    dropDraft: (...args) => drafts.dropSent(...args),
    sweep: () => drafts.sweep(),
  })
  const bulkUpdates = createBulkUpdates(core, queue, refresh)
  const deletes = createDeletes(core, queue, reload)
  const drafts = createDrafts(core, files, () => queue.all())
  const writing = { core, files, memory, queue, load }
  const sites = createSites(writing)
  const businessCalls = createBusinessCalls(writing)
  const leave: Owner['leave'] = () => {
    deletes.flush()
    bulkUpdates.clear()
    forget()
    loading.clear()
    queue.clear()
    drafts.clear()
  }

  const unsent: Store['unsent'] = () => ({
    drafts: drafts.drafts().length,
    changes: queue.all().length,
  })

  const calls: OwnerCalls = {
    ...createAccount(core, { finish: deletes.finish, signOut }),
    isStalled: stalls.isStalled,
    abortRequests: stalls.abortAll,
    unsent,
    savedAt: loading.savedAt,
    queuedWrites: queue.queuedWrites,
    draft: drafts.draft,
    drafts: drafts.drafts,
    openNew: drafts.openNew,
    load,
    reload,
    searchAddresses: createSearchAddresses(core),
    openImports: async () => (await import('./imports.ts')).createImports(core),
    readChanges: (query) => changes((loaded) => loaded.createReadChanges(core)(query)),
    countChanges: (id) => changes((loaded) => loaded.createCountChanges(core)(id)),
    ...businessCalls,
    ...createRecordCalls(writing, plain),
    ...sites,
    ...bulkUpdates.calls,
    ...deletes.calls,
  }
  return { calls, resume, leave }
}

/** Calls a function of the audit log, whose module is loaded lazily because few screens need it. */
const changes = async <T>(
  call: (loaded: typeof import('./changes.ts')) => Promise<T>,
): Promise<T | Problem> => {
  try {
    return await call(await import('./changes.ts'))
  } catch {
    // Its calls never reject, so the module could not be fetched.
    return new Failure('offline').problem
  }
}

interface Sending extends SiteSending {
  readonly plain: readonly Collection[]
  readonly sendUpdateSites: (run: Run<UpdateSites>) => Promise<SavedWrite>
}

/** Sends a mutation by its kind. */
const send = (sending: Sending, run: Run): Promise<SavedWrite> => {
  const { core, plain, sendUpdateSites } = sending
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
    case 'updateSites':
      return sendUpdateSites({ ...run, mutation } as Run<typeof mutation>)
    case 'deleteSite':
    case 'removeRecord':
      throw new TypeError('Deletes are sent when their time to undo is over')
    default:
      return sendRecord(core, { ...run, mutation } as Run<typeof mutation>, plain)
  }
}

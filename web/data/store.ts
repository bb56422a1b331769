import { BUSINESSES } from '#domain/collection.ts'
import type { Business } from '#domain/business.ts'

import type { Environment } from './browser.ts'
import { isTaken } from './client.ts'
import { createCore, type Call } from './core.ts'
import { createDeletes } from './deletes.ts'
import { createLive } from './live.ts'
import { onBase } from './log.ts'
import { createSignIn, updateUser } from './sign-in.ts'
import { createSites } from './sites.ts'
import type { BusinessInput, BusinessView, Store } from './state.ts'
import {
  answered,
  businessCreateBody,
  businessUpdateBody,
  businessView,
  fetchData,
  FIELDS,
} from './wire.ts'

/** How often a load is begun again because the data changed while it was read. */
const REREADS = 3

/** Makes the data core of the web app; see `Store`. Nothing is sent before `start`. */
export const createStore = (env: Environment): Store => {
  const core = createCore(env, () => {
    void resume()
  })
  const { session } = core

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

  /** What a page does first when somebody is signed in. */
  const resume = async (): Promise<void> => {
    deletes.forget()
    live.stop()
    if (core.getState().user === null) return
    const scope = core.scope()
    deletes.hideLeftovers()
    await load()
    if (!scope.isCurrent()) return
    live.start()
    await Promise.all([sites.resumeSaves(), deletes.resumeDeletes()])
  }

  const live = createLive(core, reload)
  const deletes = createDeletes(core)
  const sites = createSites(core, load)
  const signIn = createSignIn(core, resume)

  const start: Store['start'] = async () => {
    const scope = core.scope()
    if (!session.isValid()) {
      scope.dispatch({ type: 'idle' })
      return
    }
    const renewed = core.renew()
    const resumed = resume()
    // `resume` raised the flag itself; this lowers the one that was raised from the beginning.
    scope.dispatch({ type: 'idle' })
    await Promise.all([renewed, resumed])
  }

  const signOut: Store['signOut'] = () => {
    deletes.flush()
    deletes.forget()
    live.stop()
    core.outbox()?.clear()
    session.clear()
    core.reset(null)
  }

  // Kept until it worked, so that a second attempt finds what the first may have made.
  let newBusiness: { readonly id: string; readonly userId: string | undefined } | undefined
  const createBusiness: Store['createBusiness'] = async (input) => {
    const userId = core.getState().user?.id
    if (newBusiness?.userId !== userId) newBusiness = undefined
    const { id } = (newBusiness ??= { id: env.newId(), userId })
    const done = await core.attempt(
      { action: 'createBusiness', waits: true, retry: () => void createBusiness(input) },
      async (client, scope) => {
        const collection = client.collection(BUSINESSES)
        const body = { id, user: scope.user.id, ...businessCreateBody(input) }
        const savedBefore = async (error: unknown): Promise<Business> => {
          if (!isTaken(error, 'id') && !isTaken(error, 'user')) throw error
          // Only an own earlier attempt has this id; any other business is the real refusal.
          return collection.getOne<Business>(id, { fields: FIELDS.business }).catch(() => {
            throw error
          })
        }
        let fresh = true
        const record = await collection
          .create<Business>(body, { fields: FIELDS.business })
          .catch((error: unknown) => {
            fresh = false
            return savedBefore(error)
          })
        const business = { ...businessView(client, record), sites: [] }
        scope.fold(() => business)
        newBusiness = undefined
        // The person may have gone on typing after the attempt whose answer was lost.
        if (!fresh) await updateBusiness(input)
        return true
      },
    )
    return done === undefined ? undefined : (core.getState().data ?? undefined)
  }

  const updateBusiness = async (changes: BusinessInput): Promise<BusinessView | undefined> => {
    const current = core.getState().data
    const confirmed = core.base()
    if (current === null || confirmed === null) return undefined
    const body = {
      ...businessUpdateBody(confirmed, changes),
      ...businessUpdateBody(current, changes),
    }
    const names = Object.keys(body)
    if (names.length === 0) return current
    const { logo: _, ...texts } = body
    const done = await core.attempt(
      {
        action: 'updateBusiness',
        subject: current.id,
        retry: () => void updateBusiness(changes),
      },
      (client, scope) =>
        scope.optimistically(
          (data) => ({ ...data, ...texts }),
          () =>
            client.collection(BUSINESSES).update<Business>(current.id, body, {
              fields: FIELDS.business,
              requestKey: `update ${BUSINESSES} ${names.sort().join()}`,
            }),
          (record) => {
            const answer = businessView(client, record)
            const { fileSrc } = answer
            return onBase((data) => ({
              ...data,
              ...answered(body, answer),
              ...('logo' in body ? { fileSrc } : {}),
            }))
          },
        ),
    )
    return done === undefined ? undefined : (core.getState().data ?? undefined)
  }

  const unsentCount: Store['unsentCount'] = () => {
    const outbox = core.outbox()
    return (outbox?.saves().length ?? 0) + (outbox?.deletes().length ?? 0) + core.tracked()
  }

  return {
    getState: core.getState,
    subscribe: core.subscribe,
    getNotices: core.getNotices,
    subscribeNotices: core.subscribeNotices,
    dismiss: core.dismiss,
    isSignedIn: session.isValid,
    isExpired: core.isExpired,
    start,
    ...signIn,
    signOut,
    unsentCount,
    load,
    updateUser: (changes) => updateUser(core, changes),
    createBusiness: (input) => core.track(createBusiness(input)),
    updateBusiness: (changes) => core.track(updateBusiness(changes)),
    newId: env.newId,
    createSite: sites.createSite,
    readSite: sites.readSite,
    updateSite: sites.updateSite,
    removePhoto: sites.removePhoto,
    saveConnectors: sites.saveConnectors,
    deleteSite: deletes.deleteSite,
    undoDelete: deletes.undoDelete,
    holdDelete: deletes.holdDelete,
    pendingDeletes: deletes.pendingDeletes,
    subscribePending: deletes.subscribePending,
  }
}

import type { Environment } from './browser.ts'
import { createCore, type Core } from './core.ts'
import type { Owner } from './owner.ts'
import { createSignIn, updateUser } from './sign-in.ts'
import type { Light, Store } from './state.ts'

/** How the part that is about owners is had; a test has it at hand. */
export type OpenOwner = (core: Core, signOut: () => void) => Promise<Owner>

const fetchOwner: OpenOwner = async (core, signOut) =>
  (await import('./owner.ts')).createOwner(core, signOut)

/**
 * Makes the data core of the web app; see `Store`. Nothing is sent before `start`. What owners do
 * is fetched with the first session (`ready`).
 */
export const createStore = (env: Environment, openOwner: OpenOwner = fetchOwner): Store => {
  const core = createCore(env, () => {
    void resume()
  })
  const { session } = core

  let owner: Owner | undefined
  let opening: Promise<Owner> | undefined
  let readiness: Promise<void> | undefined
  const listeners = { waiting: new Set<() => void>(), pending: new Set<() => void>() }
  const open = (): Promise<Owner> =>
    (opening ??= openOwner(core, signOut).then(
      (opened) => {
        owner = opened
        opened.subscribeWaiting(() => listeners.waiting.forEach((listener) => listener()))
        opened.subscribePending(() => listeners.pending.forEach((listener) => listener()))
        return opened
      },
      (error: unknown) => {
        // A dropped connection must not keep it away for good.
        opening = undefined
        readiness = undefined
        throw error
      },
    ))
  const listen = (kind: keyof typeof listeners) => (listener: () => void) => {
    listeners[kind].add(listener)
    return () => void listeners[kind].delete(listener)
  }

  /** What a page does first when somebody is signed in. The person waits from the beginning. */
  const resume = async (): Promise<void> => {
    if (core.getState().user === null) {
      // Whoever was here before is gone, and what was about to be done for them with them.
      await owner?.resume()
      return
    }
    const scope = core.scope()
    scope.dispatch({ type: 'busy' })
    const opened = await open()
    if (!scope.isCurrent()) return
    const resumed = opened.resume()
    // It raised the flag itself; this lowers the one that was raised for its coming.
    scope.dispatch({ type: 'idle' })
    await resumed
  }

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
    owner?.leave()
    session.clear()
    core.reset(null)
  }

  const light: Light = {
    getState: core.getState,
    subscribe: core.subscribe,
    getNotices: core.getNotices,
    subscribeNotices: core.subscribeNotices,
    dismiss: core.dismiss,
    isSignedIn: session.isValid,
    isExpired: core.isExpired,
    isReady: () => owner !== undefined,
    // The same promise each time: a screen that waits for it asks again.
    ready: () => (readiness ??= open().then(() => undefined)),
    start,
    ...signIn,
    signOut,
    updateUser: (changes) => updateUser(core, changes),
    newId: env.newId,
  }
  const there = (): Owner => {
    if (owner === undefined) throw new Error('Nobody has signed in')
    return owner
  }
  return {
    ...light,
    isStalled: () => owner?.isStalled() ?? false,
    subscribeStalled: (listener) => there().subscribeStalled(listener),
    giveUp: () => there().giveUp(),
    // Asked for around every screen, also where nobody has signed in.
    unsent: () => owner?.unsent() ?? { drafts: 0, changes: 0 },
    savedAt: () => owner?.savedAt(),
    waiting: () => owner?.waiting() ?? NOTHING,
    subscribeWaiting: listen('waiting'),
    pendingDeletes: () => owner?.pendingDeletes() ?? NOTHING,
    subscribePending: listen('pending'),
    endSessions: (...args) => there().endSessions(...args),
    exportAddress: (...args) => there().exportAddress(...args),
    deleteAccount: (...args) => there().deleteAccount(...args),
    draft: (...args) => there().draft(...args),
    drafts: (...args) => there().drafts(...args),
    subscribeDrafts: (...args) => there().subscribeDrafts(...args),
    openNewSite: (...args) => there().openNewSite(...args),
    load: (...args) => there().load(...args),
    searchAddresses: (...args) => there().searchAddresses(...args),
    readChanges: (...args) => there().readChanges(...args),
    createBusiness: (...args) => there().createBusiness(...args),
    updateBusiness: (...args) => there().updateBusiness(...args),
    createSite: (...args) => there().createSite(...args),
    readSite: (...args) => there().readSite(...args),
    updateSite: (...args) => there().updateSite(...args),
    deleteSite: (...args) => there().deleteSite(...args),
    undoDelete: (...args) => there().undoDelete(...args),
    holdDelete: (...args) => there().holdDelete(...args),
  }
}

const NOTHING: readonly never[] = []

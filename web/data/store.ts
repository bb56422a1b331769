import type { Environment } from './environment.ts'
import { createCore, type Core } from './core.ts'
import type { Owner, OwnerCalls } from './owner.ts'
import { createSignIn, updateUser } from './sign-in.ts'
import type { GuestCalls, Store } from './state.ts'

/** Loads the part for owners; tests pass their own. */
export type OpenOwner = (core: Core, signOut: () => void) => Promise<Owner>

const fetchOwner: OpenOwner = async (core, signOut) =>
  (await import('./owner.ts')).createOwner(core, signOut)

/**
 * Creates the data core of the web app; see `Store`. Sends nothing before `start`. The calls of owners are loaded
 * with the first session (`ready`).
 */
export const createStore = (env: Environment, openOwner: OpenOwner = fetchOwner): Store => {
  const core = createCore(env, () => {
    void resume()
  })
  const { session } = core

  let owner: Owner | undefined
  let opening: Promise<Owner> | undefined
  let readiness: Promise<void> | undefined
  const open = (): Promise<Owner> =>
    (opening ??= openOwner(core, signOut).then(
      (opened) => {
        owner = opened
        Object.assign(store, opened.calls)
        return opened
      },
      (error: unknown) => {
        // Allows a retry after a dropped connection.
        opening = undefined
        readiness = undefined
        throw error
      },
    ))
  /** Runs on page load and sign-in; the loading flag is raised from the beginning. */
  const resume = async (): Promise<void> => {
    if (core.getState().user === null) {
      // The previous user's pending work is dropped.
      await owner?.resume()
      return
    }
    const scope = core.scope()
    scope.dispatch({ type: 'busy' })
    const opened = await open()
    if (!scope.isCurrent()) return
    const resumed = opened.resume()
    // `resume` raised the flag itself; this lowers the one raised for loading.
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
    // `resume` raised the flag itself; this lowers the initial one.
    scope.dispatch({ type: 'idle' })
    await Promise.all([renewed, resumed])
  }

  const signOut: Store['signOut'] = () => {
    owner?.leave()
    session.clear()
    core.reset(null)
  }

  const guest: GuestCalls = {
    getState: core.getState,
    subscribe: core.subscribe,
    getNotices: core.getNotices,
    dismiss: core.dismiss,
    isSignedIn: session.isValid,
    isExpired: core.isExpired,
    isReady: () => owner !== undefined,
    // The identical promise each time, because a suspended screen calls again.
    ready: () => (readiness ??= open().then(() => undefined)),
    start,
    ...signIn,
    signOut,
    updateUser: (changes) => updateUser(core, changes),
    newId: env.newId,
  }
  // `open` adds the calls of owners before `ready` resolves. Until then, the shell gets defaults.
  const calls: GuestCalls & Partial<OwnerCalls> = { ...guest, ...NOTHING_YET }
  const store = calls as Store
  return store
}

const NONE: readonly never[] = []

/** Defaults of the owner calls while no user is signed in. */
const NOTHING_YET = {
  isStalled: () => false,
  unsent: () => ({ drafts: 0, changes: 0 }),
  savedAt: () => undefined,
  queuedWrites: () => NONE,
  pendingDeletes: () => NONE,
  bulkUpdate: () => undefined,
} satisfies Partial<OwnerCalls>

import type { Environment } from './environment.ts'
import { createCore, type Core } from './core.ts'
import type { Owner, OwnerCalls } from './owner.ts'
import { createSignIn, updateUser } from './sign-in.ts'
import type { GuestCalls, Store } from './state.ts'

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
  const open = (): Promise<Owner> =>
    (opening ??= openOwner(core, signOut).then(
      (opened) => {
        owner = opened
        Object.assign(store, opened.calls)
        return opened
      },
      (error: unknown) => {
        // A dropped connection must not keep it away for good.
        opening = undefined
        readiness = undefined
        throw error
      },
    ))
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

  const guest: GuestCalls = {
    getState: core.getState,
    subscribe: core.subscribe,
    getNotices: core.getNotices,
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
  // What owners do is added by `open`, before `ready` resolves. What the shell asks has an answer before.
  const calls: GuestCalls & Partial<OwnerCalls> = { ...guest, ...NOTHING_YET }
  const store = calls as Store
  return store
}

const NONE: readonly never[] = []

/** What there is to tell of an owner where nobody has signed in. */
const NOTHING_YET = {
  isStalled: () => false,
  unsent: () => ({ drafts: 0, changes: 0 }),
  savedAt: () => undefined,
  waiting: () => NONE,
  pendingDeletes: () => NONE,
  bulkUpdate: () => undefined,
} satisfies Partial<OwnerCalls>

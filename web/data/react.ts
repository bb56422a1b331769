import { createContext, useContext, useSyncExternalStore } from 'react'

import type { Notice, State, Store } from './state.ts'

const StoreContext = createContext<Store | null>(null)

/** Gives the store to everything below: `<StoreProvider value={store}>`. */
export const StoreProvider = StoreContext

/** The store, for making calls. */
export const useStore = (): Store => {
  const store = useContext(StoreContext)
  if (store === null) throw new Error('There is no StoreProvider above')
  return store
}

/**
 * What the store says now, and whenever it changes. It is the same where there is no browser: the
 * build draws with it what comes before the app.
 */
const useFrom = <Value>(read: (store: Store) => Value): Value => {
  const store = useStore()
  const readNow = () => read(store)
  return useSyncExternalStore(store.subscribe, readNow, readNow)
}

/** The state: `data`, `user`, `loading`. */
export const useStoreState = (): State => useFrom((store) => store.getState())

/** Is there a valid session? False as soon as it ends, also while the page is still shown. */
export const useSignedIn = (): boolean => useFrom((store) => store.isSignedIn())

/** Did the session end on its own under this page? */
export const useExpired = (): boolean => useFrom((store) => store.isExpired())

/** What could not be done, newest last. */
export const useNotices = (): readonly Notice[] => useFrom((store) => store.getNotices())

/** Has something that was sent or asked for come to a standstill? */
export const useStalled = (): boolean => useFrom((store) => store.isStalled())

/** Deleted sites that can still be brought back. */
export const usePendingDeletes = (): ReturnType<Store['pendingDeletes']> =>
  useFrom((store) => store.pendingDeletes())

/** The last change of many sites, until it is dismissed. */
export const useBulkUpdate = (): ReturnType<Store['bulkUpdate']> =>
  useFrom((store) => store.bulkUpdate())

/** What was saved without a connection and waits to be sent. */
export const useWaiting = (): ReturnType<Store['waiting']> => useFrom((store) => store.waiting())

/** What stands in forms that were not saved, newest first. */
export const useDrafts = (): ReturnType<Store['drafts']> => useFrom((store) => store.drafts())

/** When the data on the screen was read, in milliseconds, if it comes from this device. */
export const useSavedAt = (): number | undefined => useFrom((store) => store.savedAt())

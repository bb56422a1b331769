import { createContext, useContext, useSyncExternalStore } from 'react'

import type { Notice, State, Store } from './state.ts'

const StoreContext = createContext<Store | null>(null)

/** Provides the store to the tree below: `<StoreProvider value={store}>`. */
export const StoreProvider = StoreContext

/** The store, for calls. */
export const useStore = (): Store => {
  const store = useContext(StoreContext)
  if (store === null) throw new Error('There is no StoreProvider above')
  return store
}

/** Subscribes to a value of the store. The server snapshot is the same, because the build prerenders with it. */
const useFrom = <Value>(read: (store: Store) => Value): Value => {
  const store = useStore()
  const readNow = () => read(store)
  return useSyncExternalStore(store.subscribe, readNow, readNow)
}

/** The state: `data`, `user`, `loading`. */
export const useStoreState = (): State => useFrom((store) => store.getState())

/** Returns whether there is a valid session; becomes false as soon as it ends, even while the page is shown. */
export const useSignedIn = (): boolean => useFrom((store) => store.isSignedIn())

/** Returns whether the session expired under this page. */
export const useExpired = (): boolean => useFrom((store) => store.isExpired())

/** The notices, oldest first. */
export const useNotices = (): readonly Notice[] => useFrom((store) => store.getNotices())

/** Returns whether a request has stalled. */
export const useStalled = (): boolean => useFrom((store) => store.isStalled())

/** The deletes that can still be undone. */
export const usePendingDeletes = (): ReturnType<Store['pendingDeletes']> =>
  useFrom((store) => store.pendingDeletes())

/** The last bulk update, until it is dismissed. */
export const useBulkUpdate = (): ReturnType<Store['bulkUpdate']> =>
  useFrom((store) => store.bulkUpdate())

/** The queued writes that wait for a connection. */
export const useQueuedWrites = (): ReturnType<Store['queuedWrites']> =>
  useFrom((store) => store.queuedWrites())

/** The drafts of unsaved forms, newest first. */
export const useDrafts = (): ReturnType<Store['drafts']> => useFrom((store) => store.drafts())

/** The time of the data on the screen, in milliseconds, if it comes from the cache. */
export const useSavedAt = (): number | undefined => useFrom((store) => store.savedAt())

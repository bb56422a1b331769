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

/** What is read is the same where there is no browser: the build draws with it what comes before the app. */
const useFrom = <Value>(subscribe: (listener: () => void) => () => void, read: () => Value) =>
  useSyncExternalStore(subscribe, read, read)

/** The state: `data`, `user`, `loading`. */
export const useStoreState = (): State => {
  const store = useStore()
  return useFrom(store.subscribe, store.getState)
}

/** Is there a valid session? False as soon as it ends, also while the page is still shown. */
export const useSignedIn = (): boolean => {
  const store = useStore()
  return useFrom(store.subscribe, store.isSignedIn)
}

/** Did the session end on its own under this page? */
export const useExpired = (): boolean => {
  const store = useStore()
  return useFrom(store.subscribe, store.isExpired)
}

/** What could not be done, newest last. */
export const useNotices = (): readonly Notice[] => {
  const store = useStore()
  return useFrom(store.subscribeNotices, store.getNotices)
}

/** Has something that was sent or asked for come to a standstill? */
export const useStalled = (): boolean => {
  const store = useStore()
  return useFrom(store.subscribeStalled, store.isStalled)
}

/** Deleted sites that can still be brought back. */
export const usePendingDeletes = (): ReturnType<Store['pendingDeletes']> => {
  const store = useStore()
  return useFrom(store.subscribePending, store.pendingDeletes)
}

/** What was saved without a connection and waits to be sent. */
export const useWaiting = (): ReturnType<Store['waiting']> => {
  const store = useStore()
  return useFrom(store.subscribeWaiting, store.waiting)
}

/** What stands in forms that were not saved, newest first. */
export const useDrafts = (): ReturnType<Store['drafts']> => {
  const store = useStore()
  return useFrom(store.subscribeDrafts, store.drafts)
}

/** When the data on the screen was read, in milliseconds, if it comes from this device. */
export const useSavedAt = (): number | undefined => {
  const store = useStore()
  return useFrom(store.subscribe, store.savedAt)
}

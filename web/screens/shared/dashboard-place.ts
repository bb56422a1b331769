import type { Store } from '../../data/state.ts'
import { PATHS } from '../../paths.ts'

const KEY = 'voltleaf:dashboard-search'

/** Keeps for this tab how somebody looks at their sites: the query of the dashboard's address. */
export const rememberSearch = (userId: string, search: string): void => {
  try {
    sessionStorage.setItem(KEY, userId + search)
  } catch {
    // Private windows of some browsers refuse storage.
  }
}

/** The dashboard as this user left it in this tab: with its search, filters, order and layout. */
export const dashboardPath = (store: Pick<Store, 'getState'>): string =>
  PATHS.dashboard + recallSearch(store.getState().user?.id ?? '')

const recallSearch = (userId: string): string => {
  try {
    const kept = sessionStorage.getItem(KEY) ?? ''
    return kept.startsWith(`${userId}?`) ? kept.slice(userId.length) : ''
  } catch {
    return ''
  }
}

import type { Store } from '../../data/state.ts'
import { PATHS } from '../../paths.ts'

const KEY = 'voltleaf:dashboard-search'

/** Stores the query of the dashboard for this tab. */
export const rememberSearch = (userId: string, search: string): void => {
  try {
    sessionStorage.setItem(KEY, userId + search)
  } catch {
    // Some browsers refuse storage in private windows.
  }
}

/**
 * The path of the dashboard with the user's last view in this tab: search, filters, order and layout.
 */
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

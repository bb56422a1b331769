import type { Store } from '../../data/state.ts'
import { PATHS } from '../../paths.ts'
import { tabStorage } from '../../storage.ts'

const KEY = 'voltleaf:dashboard-search'

/** Stores the query of the dashboard for this tab. */
export const rememberSearch = (userId: string, search: string): void =>
  void tabStorage.set(KEY, userId + search)

/**
 * The path of the dashboard with the user's last view in this tab: search, filters, order and layout.
 */
export const dashboardPath = (store: Pick<Store, 'getState'>): string => {
  const userId = store.getState().user?.id ?? ''
  const kept = tabStorage.get(KEY) ?? ''
  return PATHS.dashboard + (kept.startsWith(`${userId}?`) ? kept.slice(userId.length) : '')
}

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

const OPENED_KEY = 'voltleaf:opened-site'

/** Stores the site whose form is open in this tab, for going back to its card. */
export const rememberOpened = (id: string): void => void tabStorage.set(OPENED_KEY, id)

/** The site whose form was open before this screen. */
export const openedSite = (): string | undefined => tabStorage.get(OPENED_KEY) ?? undefined

export const forgetOpened = (): void => tabStorage.remove(OPENED_KEY)

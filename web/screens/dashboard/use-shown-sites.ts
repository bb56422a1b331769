import { useDeferredValue, useMemo } from 'react'

import type { SiteStatus } from '#domain/site-values.ts'
import type { BusinessView, SiteView } from '../../data/state.ts'
import type { Language } from '../../messages/messages.ts'
import { findSites } from '../shared/find-sites.ts'
import type { Lack, ListView } from './list-view.ts'
import { countLacks, countStatuses, sortSites, withLack, withStatus } from './overview.ts'
import { unfinishedSites, type SyncStatus } from './sync-status.ts'

/** The available filters, and the number of sites that each would show together with the others. */
export interface Filters {
  readonly total: number
  readonly statuses: ReadonlyMap<SiteStatus, number>
  /** Undefined if no site needs attention. */
  readonly attention: number | undefined
  readonly lacks: ReadonlyMap<Lack, number>
}

interface ShownSites {
  readonly sorted: readonly SiteView[]
  /** The sites that match the search and filters, sorted. */
  readonly shown: readonly SiteView[]
  /** False if no site matches the search, and similar ones are shown. */
  readonly isExact: boolean
  readonly filters: Filters
}

/** The sites of a view. With thousands, the result is deferred, so that typing stays responsive. */
export const useShownSites = (
  business: BusinessView,
  view: ListView,
  work: ReadonlyMap<string, SyncStatus>,
  { locale, messages }: Language,
): ShownSites => {
  const { query, status, lack, sort } = useDeferredValue(view)
  const { sites } = business
  const unfinished = useMemo(() => unfinishedSites(work), [work])
  const sorted = useMemo(() => sortSites(business, sort, locale), [business, sort, locale])
  const found = useMemo(() => findSites(sorted, query, messages), [sorted, query, messages])
  const lacking = useMemo(() => withLack(found.sites, lack), [found, lack])
  const shown = useMemo(
    () => withStatus(lacking, status, unfinished),
    [lacking, status, unfinished],
  )
  const filters = useMemo(() => {
    const count = (some: readonly SiteView[]) => withStatus(some, 'attention', unfinished).length
    return {
      total: lacking.length,
      statuses: countStatuses(sites, lacking),
      attention: count(sites) === 0 ? undefined : count(lacking),
      lacks: countLacks(sites, withStatus(found.sites, status, unfinished)),
    }
  }, [sites, found, lacking, status, unfinished])
  return { sorted, shown, isExact: found.isExact, filters }
}

import { useDeferredValue, useMemo } from 'react'

import type { SiteStatus } from '#domain/site.ts'
import type { SiteView } from '../../data/state.ts'
import type { Language } from '../../messages/messages.ts'
import { findSites } from '../shared/find-sites.ts'
import type { Lack, ListView } from './list-view.ts'
import { countLacks, countStatuses, sortSites, withLack, withStatus } from './overview.ts'
import { unfinishedSites, type SyncStatus } from './sync-status.ts'

/** What there is to filter by, and how many sites each filter would show beside the others. */
export interface Filters {
  readonly total: number
  readonly statuses: ReadonlyMap<SiteStatus, number>
  /** Nothing if no site at all needs attention. */
  readonly attention: number | undefined
  readonly lacks: ReadonlyMap<Lack, number>
}

interface ShownSites {
  /** All sites, in the order of the view. */
  readonly sorted: readonly SiteView[]
  /** What the view asks for, in its order. */
  readonly shown: readonly SiteView[]
  /** False if no site has what is searched, and those that are shown have something similar. */
  readonly isExact: boolean
  readonly filters: Filters
}

/** The sites of a view. Thousands take a moment, in which one goes on typing. */
export const useShownSites = (
  sites: readonly SiteView[],
  view: ListView,
  work: ReadonlyMap<string, SyncStatus>,
  { locale, messages }: Language,
): ShownSites => {
  const query = useDeferredValue(view.query)
  const status = useDeferredValue(view.status)
  const lack = useDeferredValue(view.lack)
  const sort = useDeferredValue(view.sort)
  const unfinished = useMemo(() => unfinishedSites(work), [work])
  const sorted = useMemo(() => sortSites(sites, sort, locale), [sites, sort, locale])
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

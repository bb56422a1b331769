import { useDeferredValue, useMemo } from 'react'

import type { SiteStatus } from '#domain/site.ts'
import type { SiteView } from '../../data/state.ts'
import { findSites } from '../shared/find-sites.ts'
import type { ListView } from './list-view.ts'
import { countStatuses, sortSites, totalsOf, withStatus } from './overview.ts'
import { unfinishedSites, type SiteWork } from './site-work.ts'

interface ShownSites {
  /** All sites, in the order of the view. */
  readonly sorted: readonly SiteView[]
  /** What the view asks for, in its order. */
  readonly shown: readonly SiteView[]
  readonly statuses: ReadonlyMap<SiteStatus, number>
  readonly attention: number
}

/** The sites of a view. Thousands take a moment, in which one goes on typing. */
export const useShownSites = (
  sites: readonly SiteView[],
  view: ListView,
  work: ReadonlyMap<string, SiteWork>,
  locale: string,
): ShownSites => {
  const query = useDeferredValue(view.query)
  const status = useDeferredValue(view.status)
  const sort = useDeferredValue(view.sort)
  const statuses = useMemo(() => countStatuses(sites), [sites])
  const unfinished = useMemo(() => unfinishedSites(work), [work])
  const attention = useMemo(() => totalsOf(sites, unfinished).attention, [sites, unfinished])
  const sorted = useMemo(() => sortSites(sites, sort, locale), [sites, sort, locale])
  const shown = useMemo(
    () => withStatus(findSites(sorted, query), status, unfinished),
    [sorted, query, status, unfinished],
  )
  return { sorted, shown, statuses, attention }
}

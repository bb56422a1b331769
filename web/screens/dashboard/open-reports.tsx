import { MessageSquareWarning } from 'lucide-react'
import { createContext, use } from 'react'
import { Link } from 'react-router'

import { REPORTS } from '#domain/collection.ts'
import { recordsIn } from '../../data/log.ts'
import type { BusinessView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { PATHS, siteReportsPath } from '../../paths.ts'

/** The number of open reports, by site. */
export const OpenReports = createContext<ReadonlyMap<string, number>>(new Map())

export const countOpenReports = (data: BusinessView | null): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  const sites = new Set(data?.sites.map(({ id }) => id))
  for (const { site, state } of recordsIn(data, REPORTS))
    if (state === 'OPEN' && sites.has(site)) counts.set(site, (counts.get(site) ?? 0) + 1)
  return counts
}

/** Links to the open reports about a site, or about all sites. */
export const ReportsLink = ({ site }: { readonly site?: string }) => {
  const { dashboard: text } = useMessages()
  const open = use(OpenReports)
  const count =
    site === undefined
      ? [...open.values()].reduce((sum, each) => sum + each, 0)
      : (open.get(site) ?? 0)
  if (count === 0) return null
  return (
    <Link
      className={
        site === undefined ? 'banner warn reports-link' : 'badge sentence warn reports-link'
      }
      to={site === undefined ? PATHS.reports : siteReportsPath(site)}
    >
      <MessageSquareWarning className="icon" />
      {text.reports(count)}
    </Link>
  )
}

import { TARIFFS } from '#domain/collection.ts'
import type { SiteStatus } from '#domain/site-values.ts'
import { recordsIn } from '../../data/log.ts'
import type { BusinessView, SiteView } from '../../data/state.ts'
import {
  LACKS,
  sortKey,
  type Lack,
  type Sort,
  type SortKey,
  type StatusFilter,
} from './list-view.ts'

/** The totals. `kw` is the sum of the power of all connectors. */
export interface Totals {
  readonly sites: number
  readonly connectors: number
  readonly kw: number
  readonly attention: number
}

export const totalsOf = (
  sites: readonly SiteView[],
  unfinished: ReadonlySet<string> = new Set(),
): Totals => ({
  sites: sites.length,
  connectors: sites.reduce((sum, site) => sum + site.connectors.length, 0),
  kw: sites.reduce((sum, site) => sum + powerOf(site), 0),
  attention: sites.filter((site) => needsAttention(site) || unfinished.has(site.id)).length,
})

/** The total power of the connectors of a site, in kW. */
export const powerOf = (site: SiteView): number =>
  site.connectors.reduce((sum, connector) => sum + connector.kw_rating, 0)

/**
 * The price of a site: the names of its price and its connectors' prices. Without a price, the free text of the site
 * applies to connectors without their own price.
 */
export const priceOf = (site: SiteView, business: BusinessView): string => {
  const [own = site.cost, ...others] = [site, ...site.connectors].map(
    ({ tariff }) => recordsIn(business, TARIFFS).find(({ id }) => id === tariff)?.name,
  )
  return [...new Set([own, ...others])].filter(Boolean).join(', ')
}

/** Returns whether a site needs attention: broken, blocked, or open without connectors. */
export const needsAttention = ({ status, connectors }: SiteView): boolean =>
  status === 'OUTOFORDER' ||
  status === 'BLOCKED' ||
  (connectors.length === 0 && status !== 'PLANNED' && status !== 'REMOVED')

/** The number of `counted` sites by status; statuses that no site of `sites` has are omitted. */
export const countStatuses = (
  sites: readonly SiteView[],
  counted: readonly SiteView[],
): ReadonlyMap<SiteStatus, number> => {
  const counts = new Map<SiteStatus, number>(sites.map(({ status }) => [status, 0]))
  for (const { status } of counted) counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}

const LACKING: Readonly<Record<Lack, (site: SiteView) => boolean>> = {
  photo: ({ photos }) => photos.length === 0,
  cost: ({ cost, tariff, connectors }) =>
    cost + tariff === '' && connectors.every((connector) => connector.tariff === ''),
  connectors: ({ connectors }) => connectors.length === 0,
  contact: ({ contact_email, contact_phone }) => contact_email === '' && contact_phone === '',
}

export const lacks = (site: SiteView, lack: Lack): boolean => LACKING[lack](site)

export const withLack = (sites: readonly SiteView[], lack: Lack | undefined): readonly SiteView[] =>
  lack === undefined ? sites : sites.filter((site) => lacks(site, lack))

/** The number of `counted` sites by missing part; parts that no site of `sites` lacks are omitted. */
export const countLacks = (
  sites: readonly SiteView[],
  counted: readonly SiteView[],
): ReadonlyMap<Lack, number> =>
  new Map(
    LACKS.filter((lack) => sites.some((site) => lacks(site, lack))).map((lack) => [
      lack,
      withLack(counted, lack).length,
    ]),
  )

export const withStatus = (
  sites: readonly SiteView[],
  filter: StatusFilter | undefined,
  unfinished: ReadonlySet<string> = new Set(),
): readonly SiteView[] => {
  if (filter === undefined) return sites
  return sites.filter((site) =>
    filter === 'attention'
      ? needsAttention(site) || unfinished.has(site.id)
      : site.status === filter,
  )
}

/** Sites that need attention first. */
const STATUS_ORDER: readonly SiteStatus[] = [
  'OUTOFORDER',
  'BLOCKED',
  'INOPERATIVE',
  'UNKNOWN',
  'PLANNED',
  'RESERVED',
  'CHARGING',
  'AVAILABLE',
  'REMOVED',
]

/** Sorts the sites, which are ordered oldest first. The sort is stable. */
export const sortSites = (
  business: BusinessView,
  sort: Sort,
  locale: string,
): readonly SiteView[] => {
  const { sites } = business
  const key = sortKey(sort)
  if (key === 'created') return sort === key ? sites : sites.toReversed()
  const collator = new Intl.Collator(locale, { numeric: true })
  const ranks: Readonly<
    Record<Exclude<SortKey, 'created'>, (one: SiteView, other: SiteView) => number>
  > = {
    name: (one, other) => collator.compare(one.name, other.name),
    status: (one, other) => STATUS_ORDER.indexOf(one.status) - STATUS_ORDER.indexOf(other.status),
    connectors: (one, other) => one.connectors.length - other.connectors.length,
    power: (one, other) => powerOf(one) - powerOf(other),
    capacity: (one, other) => one.vehicle_capacity - other.vehicle_capacity,
    cost: (one, other) => collator.compare(priceOf(one, business), priceOf(other, business)),
  }
  const compare = ranks[key]
  return sites.toSorted(sort === key ? compare : (one, other) => compare(other, one))
}

/** Returns the site in place of a removed one: the next in the list, otherwise the previous. */
export const adjacentSite = (
  id: string,
  shown: readonly SiteView[],
  sorted: readonly SiteView[],
): SiteView | undefined => {
  const index = sorted.findIndex((site) => site.id === id)
  const isShown = new Set(shown)
  return (
    sorted.find((site, at) => at > index && isShown.has(site)) ??
    sorted.findLast((site, at) => at < index && isShown.has(site))
  )
}

import type { SiteView } from '../../data/state.ts'

/** From how many sites on a search helps more than it is in the way. */
export const SEARCH_FROM = 4

/** Up to here every site is in the page, for the browser's own search, printing and screen readers. */
export const PLAIN_UP_TO = 150

const folded = new WeakMap<SiteView, string>()

/** What of a site is searched: name and address, folded once however often one types. */
const placeOf = (site: SiteView): string => {
  let place = folded.get(site)
  if (place === undefined) folded.set(site, (place = fold(`${site.name} ${site.address}`)))
  return place
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The sites with every word of `query` in the name or the address; accents and case do not count. */
export const findSites = (sites: readonly SiteView[], query: string): readonly SiteView[] => {
  const words = fold(query).split(/\s+/).filter(Boolean)
  if (words.length === 0) return sites
  return sites.filter((site) => words.every((word) => placeOf(site).includes(word)))
}

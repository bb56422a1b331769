import { distanceM } from '#domain/distance.ts'

import { distanceToLandM, type Land } from '../../map/geometry.ts'
import type { Coordinates } from '../../map/coordinates.ts'

/** A warning about a position. It never prevents saving. */
export type Warning<Site> =
  | { readonly kind: 'swapped'; readonly place: Coordinates }
  | { readonly kind: 'far'; readonly distanceM: number; readonly place: Coordinates }
  | { readonly kind: 'sea' }
  | { readonly kind: 'near'; readonly distanceM: number; readonly site: Site }

interface Known<Site> {
  /** The position of the pin, which may be out of range. */
  readonly place: Coordinates
  /** The position of the address chosen from the suggestions. */
  readonly address: Coordinates | undefined
  /** The owner's other sites. */
  readonly others: readonly Site[]
  /** The land of the world, once it is loaded. */
  readonly land: readonly Land[] | undefined
}

const FAR_FROM_ADDRESS_M = 1000
const SAME_PLACE_M = 50
/** Tolerance of the bundled coastlines. Closer to the coast, a pier is indistinguishable from the sea. */
const OFFSHORE_M = 5000
/** Minimum distance of a swap, which leads to another part of the world. */
const ELSEWHERE_M = 300_000
const HEREABOUTS_M = 100_000

/** The warnings about a position, most relevant first. */
export const findWarnings = <Site extends Coordinates>(known: Known<Site>): Warning<Site>[] => {
  const { place, address, others, land } = known
  const swapped = { latitude: place.longitude, longitude: place.latitude }
  if (isOnEarth(swapped) && looksSwapped(swapped, known))
    return [{ kind: 'swapped', place: swapped }]
  if (!isOnEarth(place)) return []

  const warnings: Warning<Site>[] = []
  const fromAddressM = address === undefined ? 0 : distanceM(place, address)
  const isFar = fromAddressM > FAR_FROM_ADDRESS_M
  if (address !== undefined && isFar) {
    warnings.push({ kind: 'far', distanceM: fromAddressM, place: address })
  }
  // An address implies land, even if it is too small for the bundled coastlines.
  if ((address === undefined || isFar) && isAtSea(place, land)) warnings.push({ kind: 'sea' })
  const near = nearest(place, others)
  if (near !== undefined && near.distanceM <= SAME_PLACE_M) warnings.push({ kind: 'near', ...near })
  return warnings
}

/** Returns whether the position exists. */
export const isOnEarth = ({ latitude, longitude }: Coordinates): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

/** Returns whether the known facts contradict the position, but not the swapped one. */
const looksSwapped = <Site extends Coordinates>(
  swapped: Coordinates,
  { place, address, others, land }: Known<Site>,
): boolean => {
  if (!isOnEarth(place)) return true
  const witnesses = address === undefined ? others : [address]
  if (witnesses.length > 0) {
    const here = nearest(place, witnesses)?.distanceM ?? 0
    const there = nearest(swapped, witnesses)?.distanceM ?? 0
    return here > ELSEWHERE_M && there < HEREABOUTS_M
  }
  return isAtSea(place, land) && !isAtSea(swapped, land)
}

const isAtSea = (place: Coordinates, land: readonly Land[] | undefined): boolean =>
  land !== undefined && distanceToLandM(place, land, OFFSHORE_M) >= OFFSHORE_M

const nearest = <Site extends Coordinates>(
  place: Coordinates,
  sites: readonly Site[],
): { site: Site; distanceM: number } | undefined => {
  let best: { site: Site; distanceM: number } | undefined
  for (const site of sites) {
    const away = distanceM(place, site)
    if (best === undefined || away < best.distanceM) best = { site, distanceM: away }
  }
  return best
}

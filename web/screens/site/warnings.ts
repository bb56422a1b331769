import { distanceM, distanceToLandM, type Land } from '../../map/geometry.ts'
import type { Coordinates } from '../../map/coordinates.ts'

/** Something about a position that may be wrong. It never keeps a site from being saved. */
export type Warning<Site> =
  | { readonly kind: 'swapped'; readonly place: Coordinates }
  | { readonly kind: 'far'; readonly distanceM: number; readonly place: Coordinates }
  | { readonly kind: 'sea' }
  | { readonly kind: 'near'; readonly distanceM: number; readonly site: Site }

interface Known<Site> {
  /** Where the pin is, whether or not there can be such a place. */
  readonly place: Coordinates
  /** Where the address is that was chosen from the suggestions. */
  readonly address: Coordinates | undefined
  /** The owner's other sites. */
  readonly others: readonly Site[]
  /** The land of the world, once it is known. */
  readonly land: readonly Land[] | undefined
}

const FAR_FROM_ADDRESS_M = 1000
const SAME_PLACE_M = 50
/** The bundled coasts are drawn roughly: nearer to them a pier and the sea look alike. */
const OFFSHORE_M = 5000
/** A mistake of this kind leads to another part of the world. */
const ELSEWHERE_M = 300_000
const HEREABOUTS_M = 100_000

/** What is doubtful about a position, the most telling first. */
export const findDoubts = <Site extends Coordinates>(known: Known<Site>): Warning<Site>[] => {
  const { place, address, others, land } = known
  const swapped = { latitude: place.longitude, longitude: place.latitude }
  if (exists(swapped) && looksSwapped(swapped, known)) return [{ kind: 'swapped', place: swapped }]
  if (!exists(place)) return []

  const warnings: Warning<Site>[] = []
  const fromAddressM = address === undefined ? 0 : distanceM(place, address)
  const isFar = fromAddressM > FAR_FROM_ADDRESS_M
  if (address !== undefined && isFar) {
    warnings.push({ kind: 'far', distanceM: fromAddressM, place: address })
  }
  // Where there is an address there is land, be it too small for the bundled coasts.
  if ((address === undefined || isFar) && isAtSea(place, land)) warnings.push({ kind: 'sea' })
  const near = nearest(place, others)
  if (near !== undefined && near.distanceM <= SAME_PLACE_M) warnings.push({ kind: 'near', ...near })
  return warnings
}

const exists = ({ latitude, longitude }: Coordinates): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

/** What is known speaks against the position as it is, and for the other way round. */
const looksSwapped = <Site extends Coordinates>(
  swapped: Coordinates,
  { place, address, others, land }: Known<Site>,
): boolean => {
  if (!exists(place)) return true
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

import countriesUrl from 'world-atlas/countries-110m.json?url'

import type { Coordinates } from './coordinates.ts'
import { boundLand, distanceToLandM, type Land } from './geometry.ts'
import { downloadOnce, readShapes, type Topology } from './topology.ts'

/** A country (ISO 3166-1 alpha-2) and its land. */
export interface Country {
  readonly code: string
  readonly land: readonly Land[]
}

/** Borders and coasts are imprecise, so a place this far outside still counts as in the country. */
const NEAR_M = 50_000

/** Reads the countries of a topology and indexes them for lookups. */
export const readCountries = (topology: Topology): readonly Country[] =>
  readShapes(topology, 'countries').flatMap(({ shape: { id = '' }, polygons }) => {
    // The file has ISO 3166-1 numbers, which `Intl` accepts as regions.
    const code = /^\d{3}$/.test(id) ? new Intl.Locale(`und-${id}`).region : undefined
    return code === undefined || /\d/.test(code) ? [] : [{ code, land: boundLand(polygons) }]
  })

/** The countries of the world (Natural Earth, 1:110 million), from our own origin. */
export const loadCountries = downloadOnce(countriesUrl, readCountries)

/** The country of a place, or the nearest one within reach; undefined at sea. */
export const countryAt = (
  place: Coordinates,
  countries: readonly Country[],
): string | undefined => {
  let best: { code: string; distanceM: number } | undefined
  for (const { code, land } of countries) {
    const distanceM = distanceToLandM(place, land, best?.distanceM ?? NEAR_M)
    if (distanceM < (best?.distanceM ?? NEAR_M)) best = { code, distanceM }
  }
  return best?.code
}

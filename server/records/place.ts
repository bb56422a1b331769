import { alpha3Of } from '#domain/country.ts'
import type { FromPosition } from '#domain/field.ts'

/** The values that follow from a position; empty at sea. */
export type Place = Readonly<Record<FromPosition, string>>

export const NOWHERE: Place = { timeZone: '', country: '' }

/** Finds the country and the time zone of a position, offline. */
export const placeAt = async (latitude: number, longitude: number): Promise<Place> => {
  tables ??= loadTables()
  const { countryAt, zoneAt } = await tables
  const alpha2 = countryAt([longitude, latitude], { level: 'territory' }) ?? ''
  const country = alpha3Of(alpha2)
  if (country === '') return NOWHERE
  const here = zoneAt(latitude, longitude)
  if (isZoneOf(here, alpha2)) return { timeZone: here, country }
  for (const [north, east] of around(latitude, longitude)) {
    const timeZone = zoneAt(north, east)
    if (isZoneOf(timeZone, alpha2)) return { timeZone, country }
  }
  return isAtSea(here) ? NOWHERE : { timeZone: here, country }
}

/** Loads the tables on first use, which takes 70 ms. */
const loadTables = async () => {
  const { iso1A2Code: countryAt } = await import('@rapideditor/country-coder')
  const { default: zoneAt } = await import('@photostructure/tz-lookup')
  return { countryAt, zoneAt }
}
let tables: ReturnType<typeof loadTables> | undefined

const isAtSea = (zone: string): boolean => zone.startsWith('Etc/')

/**
 * Positions around a position. The table of time zones is coarser than the table of countries: the zone across a
 * border, or at sea, may be a few kilometres off.
 */
function* around(latitude: number, longitude: number): Generator<readonly [number, number]> {
  const perDegree = 1 / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01)
  for (const distance of STEPS_DEGREES)
    for (let turn = 0; turn < DIRECTIONS; turn++) {
      const angle = (turn / DIRECTIONS) * 2 * Math.PI
      const north = latitude + distance * Math.cos(angle)
      const east = longitude + distance * perDegree * Math.sin(angle)
      if (Math.abs(north) <= 90) yield [north, ((east + 540) % 360) - 180]
    }
}

const STEPS_DEGREES = [0.02, 0.05, 0.1, 0.2]
const DIRECTIONS = 8

const answers = new Map<string, boolean>()

/** Whether a time zone belongs to a country; `Intl` knows the zones of countries under older names. */
const isZoneOf = (zone: string, alpha2: string): boolean => {
  if (isAtSea(zone)) return false
  const key = `${alpha2} ${zone}`
  const known = answers.get(key)
  if (known !== undefined) return known
  // TypeScript does not declare it yet.
  const region = new Intl.Locale(`und-${alpha2}`) as Intl.Locale & { getTimeZones(): string[] }
  const zones = region.getTimeZones() ?? []
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
  const answer = zones.length === 0 || zones.includes(timeZone)
  answers.set(key, answer)
  return answer
}

import type { OpeningHours } from '#domain/hours.ts'
import { hasExceptions } from '#domain/hours/exceptions.ts'
import { isExactInOsm, printIrve, printOsm } from '#domain/hours/osm.ts'
import { isTimeZone } from '#domain/hours/zone.ts'
import type { PublicSite } from '#domain/public-site.ts'
import { putRecent } from '../lru.ts'

/** The size of a cache for opening hours. The French register has about sixty different ones. */
const MAX_REMEMBERED = 1000

const remembering = <T extends string | boolean>(
  compute: (hours: OpeningHours, zone: string) => T,
): ((hours: OpeningHours, zone: string) => T) => {
  const known = new Map<string, T>()
  return (hours, zone) => {
    const key = zone + JSON.stringify(hours)
    const value = known.get(key) ?? compute(hours, zone)
    putRecent(known, key, value, MAX_REMEMBERED)
    return value
  }
}

const osmText = remembering(printOsm)

const isExact = remembering(isExactInOsm)

const irveText = remembering(printIrve)

type WithHours = Pick<PublicSite, 'opening_hours' | 'time_zone'>

/** At sea, days are in UTC. */
const zoneOf = ({ time_zone: zone }: WithHours): string => (isTimeZone(zone) ? zone : 'UTC')

/** The opening hours of a site in OpenStreetMap syntax; empty if unknown. */
export const osmHours = (site: WithHours): string =>
  site.opening_hours === null ? '' : osmText(site.opening_hours, zoneOf(site))

/** Whether a reader of `osmHours` gets the same opening hours. */
export const areExactInOsm = (site: WithHours): boolean =>
  site.opening_hours === null ||
  !hasExceptions(site.opening_hours) ||
  isExact(site.opening_hours, zoneOf(site))

/** The opening hours of a site in IRVE syntax, without exceptions; empty if unknown. */
export const irveHours = ({ opening_hours: hours }: WithHours): string =>
  hours === null ? '' : irveText(hours, '')

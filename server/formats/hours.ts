import type { OpeningHours } from '#domain/hours.ts'
import { printIrve, printOsm } from '#domain/hours/osm.ts'
import { isTimeZone } from '#domain/hours/zone.ts'
import type { PublicSite } from '#domain/public-site.ts'
import { putRecent } from '../lru.ts'

/** The size of the cache for formatted opening hours. The French register has about sixty different ones. */
const MAX_REMEMBERED = 1000

const remembering = (
  print: (hours: OpeningHours, zone: string) => string,
): ((hours: OpeningHours, zone: string) => string) => {
  const known = new Map<string, string>()
  return (hours, zone) => {
    const key = zone + JSON.stringify(hours)
    const printed = known.get(key) ?? print(hours, zone)
    putRecent(known, key, printed, MAX_REMEMBERED)
    return printed
  }
}

const osmText = remembering(printOsm)

const irveText = remembering(printIrve)

type WithHours = Pick<PublicSite, 'opening_hours' | 'time_zone'>

/** The opening hours of a site in OpenStreetMap syntax; empty if unknown. At sea, days are in UTC. */
export const osmHours = ({ opening_hours: hours, time_zone: zone }: WithHours): string =>
  hours === null ? '' : osmText(hours, isTimeZone(zone) ? zone : 'UTC')

/** The opening hours of a site in IRVE syntax, without exceptions; empty if unknown. */
export const irveHours = ({ opening_hours: hours }: WithHours): string =>
  hours === null ? '' : irveText(hours, '')

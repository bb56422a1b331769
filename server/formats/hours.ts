import type { OpeningHours } from '#domain/hours.ts'
import { printIrve, printOsm } from '#domain/hours/osm.ts'
import { isTimeZone } from '#domain/hours/zone.ts'
import type { PublicSite } from '#domain/public-site.ts'
import { putRecent } from '../lru.ts'

/** How many different opening hours are remembered as they were printed; the register of France has some sixty. */
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

/** The opening hours of a site as OpenStreetMap has them; empty if it says none. At sea, days are those of UTC. */
export const osmHours = ({ opening_hours: hours, time_zone: zone }: WithHours): string =>
  hours === null ? '' : osmText(hours, isTimeZone(zone) ? zone : 'UTC')

/** The opening hours of a site as IRVE has them, without exceptions; empty if it says none. */
export const irveHours = ({ opening_hours: hours }: WithHours): string =>
  hours === null ? '' : irveText(hours, '')

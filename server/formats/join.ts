import { connectors as declared } from '#domain/connector.ts'
import { sites } from '#domain/site.ts'

import { numberOf } from './read-values.ts'
import { isPlaceholder } from './repair/words.ts'
import { saysNothing, type Station, type Values } from './station.ts'

/**
 * What tells which pieces belong to one station: its id, else its name and place, or without a name its address and position;
 * empty if it stands alone.
 */
export const joinKey = ({ reference, site }: Station): string => {
  if (reference !== '' && !isPlaceholder(reference)) return reference
  const parts = [site['name'], site['address'], site['latitude'], site['longitude']].map((value) =>
    typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '',
  )
  const [name, ...place] = parts
  const isKnown = name === '' ? !place.includes('') : place.some((part) => part !== '')
  return isKnown ? JSON.stringify(parts) : ''
}

/**
 * Makes one station of its pieces, in their order. The first value of a field wins, except that lists are united, a
 * flag is set if one piece sets it, a station is as accessible as its most accessible piece, and has places for the cars of all
 * pieces that have no id and speak of themselves alone.
 */
export const joinParts = (pieces: readonly Station[]): Station => ({
  reference: pieces.find(({ reference }) => reference !== '')?.reference ?? '',
  site: { ...joinSites(pieces.map(({ site }) => site)), ...capacityOf(pieces) },
  connectors: withChargePoints(pieces.flatMap(({ connectors }) => connectors)),
  tariffs: [
    ...new Map(
      pieces.flatMap(({ tariffs }) => tariffs).map((tariff) => [tariff.reference, tariff]),
    ).values(),
  ],
})

/** A row with no more places than plugs is about them: registers have a row for each charger, and no id for the place. */
const capacityOf = (pieces: readonly Station[]): Values => {
  const places = pieces.map(({ reference, site, connectors }) => {
    const count = reference === '' ? numberOf(site['vehicle_capacity']) : undefined
    return count !== undefined && count <= connectors.length ? count : undefined
  })
  return pieces.length < 2 || places.includes(undefined)
    ? {}
    : { vehicle_capacity: places.reduce<number>((sum, count) => sum + (count ?? 0), 0) }
}

const EVSE_ID = declared.fields.evse_id.format.pattern

/** The id of the charge point of a connector that does not say otherwise which one it is of. */
const chargePointOf = ({ evse, evse_id: id }: Values): string =>
  saysNothing(evse) && typeof id === 'string' && EVSE_ID.test(id.trim()) ? id.trim() : ''

/** Connectors with the same EVSE id share a charge point: the id is that of the charge point, which would be there twice. */
const withChargePoints = (connectors: readonly Values[]): readonly Values[] => {
  const sharing = Map.groupBy(connectors, chargePointOf)
  return connectors.map((connector) => {
    const evse = chargePointOf(connector)
    return evse !== '' && (sharing.get(evse)?.length ?? 0) > 1 ? { ...connector, evse } : connector
  })
}

/** A list that grows is a set until the end: a hundred thousand pieces may each add to it. */
const joinSites = (all: readonly Values[]): Values => {
  const joined = new Map<string, unknown>()
  for (const site of all)
    for (const [name, value] of Object.entries(site))
      joined.set(name, joinValue(name, joined.get(name), value))
  return Object.fromEntries(
    [...joined].map(([name, value]) => [name, value instanceof Set ? [...value] : value]),
  )
}

/** From the most accessible. */
const WHEELCHAIR: readonly unknown[] = sites.fields.wheelchair.values

const joinValue = (name: string, one: unknown, other: unknown): unknown => {
  if (saysNothing(one)) return other
  if (saysNothing(other)) return one
  if (Array.isArray(one) && Array.isArray(other)) return new Set<unknown>([...one, ...other])
  if (one instanceof Set && Array.isArray(other)) {
    for (const value of other) one.add(value)
    return one
  }
  if (name === 'wheelchair')
    return WHEELCHAIR.find((value) => value === one || value === other) ?? one
  return one === false ? other : one
}

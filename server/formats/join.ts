import { connectors as declared } from '#domain/connector.ts'
import type { Problem } from '#domain/repair.ts'
import { sites } from '#domain/site.ts'

import { numberOf, textOf } from './read-values.ts'
import { foldText, isPlaceholder } from './repair/parse-text.ts'
import { SITE_DEGREES } from './repair/position.ts'
import { isEmptyInput, type Station, type Values } from './station.ts'

/**
 * The key that pieces of the same station share: its ID, or else its name and place, or without a name its address and
 * position. Empty if the piece is a station of its own.
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
 * Joins the pieces of a station in order. The first value of a field wins, with these exceptions: lists are united, a
 * flag is set if one piece sets it, the most accessible piece decides the accessibility, and the capacities are added
 * if no piece has an ID and each concerns only its own plugs.
 */
export const joinParts = (all: readonly Station[]): Station => {
  const pieces = withoutRepetitions(all)
  return {
    reference: pieces.find(({ reference }) => reference !== '')?.reference ?? '',
    site: { ...joinSites(pieces.map(({ site }) => site)), ...capacityOf(pieces) },
    connectors: withChargePoints(withoutCopies(pieces)),
    tariffs: [
      ...new Map(
        pieces.flatMap(({ tariffs }) => tariffs).map((tariff) => [tariff.reference, tariff]),
      ).values(),
    ],
  }
}

/** The pieces without those that repeat a record, as exports of some map programs do. */
const withoutRepetitions = (pieces: readonly Station[]): readonly Station[] => {
  if (pieces.length < 2) return pieces
  const seen = new Set<string>()
  return pieces.filter((piece) => {
    if (piece.record === undefined) return true
    const text = JSON.stringify(piece)
    return !seen.has(text) && seen.add(text)
  })
}

/**
 * The reason why pieces with one ID are not one station: they name several sites in different places. Lists that people
 * number by hand have such IDs, and those of several operators together.
 */
export const contradictionOf = (pieces: readonly Station[]): Problem | undefined => {
  const [first, ...others] = pieces.flatMap(({ site }) => {
    const [latitude, longitude] = ['latitude', 'longitude'].map((name) =>
      numberOf(textOf(site[name]).replace(',', '.')),
    )
    const name = foldText(textOf(site['name']))
    return latitude === undefined || longitude === undefined || name === ''
      ? []
      : [{ latitude, longitude, name }]
  })
  if (first === undefined) return undefined
  const isElsewhere = others.some(
    ({ latitude, longitude, name }) =>
      name !== first.name &&
      (Math.abs(latitude - first.latitude) > SITE_DEGREES ||
        Math.abs(longitude - first.longitude) > SITE_DEGREES),
  )
  return isElsewhere
    ? { code: 'id_of_several_sites', params: { value: pieces[0]?.reference ?? '' } }
    : undefined
}

/**
 * The connectors of all pieces. A piece that repeats a connector with its ID adds none: the pages of a feed overlap if
 * it changes while it is read.
 */
const withoutCopies = (pieces: readonly Station[]): readonly Values[] => {
  if (pieces.length < 2) return pieces.flatMap(({ connectors }) => connectors)
  const seen = new Set<string>()
  return pieces.flatMap(({ connectors }) => {
    const named = connectors.map((connector) =>
      isEmptyInput(connector['reference']) ? '' : JSON.stringify(connector),
    )
    const fresh = connectors.filter((_, index) => !seen.has(named[index] ?? ''))
    for (const text of named) if (text !== '') seen.add(text)
    return fresh
  })
}

/**
 * A row with no more places than plugs concerns only these plugs: some registers have one row per charger and no ID for
 * the site.
 */
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

/** The ID of a connector's charge point, unless the connector names another charge point. */
const chargePointOf = ({ evse, evse_id: id }: Values): string =>
  isEmptyInput(evse) && typeof id === 'string' && EVSE_ID.test(id.trim()) ? id.trim() : ''

/**
 * Connectors with the same EVSE ID share a charge point, since the ID identifies the charge point and must be unique.
 */
const withChargePoints = (connectors: readonly Values[]): readonly Values[] => {
  const sharing = Map.groupBy(connectors, chargePointOf)
  return connectors.map((connector) => {
    const evse = chargePointOf(connector)
    return evse !== '' && (sharing.get(evse)?.length ?? 0) > 1 ? { ...connector, evse } : connector
  })
}

/** Lists are sets until the end, since a hundred thousand pieces may add to the same list. */
const joinSites = (all: readonly Values[]): Values => {
  const joined = new Map<string, unknown>()
  for (const site of all)
    for (const [name, value] of Object.entries(site))
      joined.set(name, joinValue(name, joined.get(name), value))
  return Object.fromEntries(
    [...joined].map(([name, value]) => [name, value instanceof Set ? [...value] : value]),
  )
}

/** The most accessible value first. */
const WHEELCHAIR: readonly unknown[] = sites.fields.wheelchair.values

const joinValue = (name: string, one: unknown, other: unknown): unknown => {
  if (isEmptyInput(one)) return other
  if (isEmptyInput(other)) return one
  if (Array.isArray(one) && Array.isArray(other)) return new Set<unknown>([...one, ...other])
  if (one instanceof Set && Array.isArray(other)) {
    for (const value of other) one.add(value)
    return one
  }
  if (name === 'wheelchair')
    return WHEELCHAIR.find((value) => value === one || value === other) ?? one
  return one === false ? other : one
}

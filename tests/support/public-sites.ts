import { mapPoint, type Box } from '#domain/cell.ts'
import { distanceM, EARTH_RADIUS_M, type Position } from '#domain/distance.ts'
import { openState } from '#domain/hours/open.ts'
import { PLUG_GROUPS } from '#domain/plug-group.ts'
import { publicationOf } from '#domain/publication.ts'
import { NO_FILTER, type SiteFilter } from '#domain/public-read.ts'
import {
  PUBLIC_BUSINESS_FIELDS,
  PUBLIC_CONNECTOR_FIELDS,
  PUBLIC_SITE_FIELDS,
  PUBLIC_TARIFF_FIELDS,
  type PublicSite,
} from '#domain/public-site.ts'
import { STATUSES_WITH_HOURS } from '#domain/site-values.ts'
import { isFree } from '#domain/tariff-element.ts'

import type { Account } from './superuser.ts'

// The expected public data, derived naively from the records.

type Wire = Readonly<Record<string, unknown>> & { readonly id: string; readonly created: string }

const pick = (record: Wire, names: readonly string[]): object =>
  Object.fromEntries(['id', ...names].map((name) => [name, record[name]]))

/** Reads all records as a superuser. @returns the public sites, without `updated` */
export const expectedSites = async ({ client }: Account): Promise<PublicSite[]> => {
  const all = (name: string) => client.collection(name).getFullList<Wire>({ batch: 500 })
  const [sites, connectors, businesses, tariffs] = await Promise.all(
    ['sites', 'connectors', 'businesses', 'tariffs'].map(all),
  )
  const bySite = Map.groupBy(connectors ?? [], (connector) => connector['site'])
  const businessOf = new Map(businesses?.map((business) => [business.id, business]))
  const tariffOf = new Map(tariffs?.map((tariff) => [tariff.id, tariff]))
  return (sites ?? []).flatMap((site) => {
    const business = businessOf.get(String(site['business']))
    if (business === undefined) throw new Error(`${site.id} has no business`)
    const own = (bySite.get(site.id) ?? []).toSorted(
      (one, other) => Number(other['kw_rating']) - Number(one['kw_rating']) || order(one, other),
    )
    const { state } = publicationOf({ ...site, connectors: own } as never, business as never)
    if (state !== 'public' && state !== 'planned') return []
    const named = [...new Set([site, ...own].map((record) => String(record['tariff'])))]
    const prices = named
      .flatMap((id) => tariffOf.get(id) ?? [])
      .toSorted((one, other) => order(one, other))
    return [
      {
        ...pick(site, PUBLIC_SITE_FIELDS),
        business: pick(business, PUBLIC_BUSINESS_FIELDS),
        connectors: own.map((connector) => pick(connector, PUBLIC_CONNECTOR_FIELDS)),
        tariffs: prices.map((tariff) => pick(tariff, PUBLIC_TARIFF_FIELDS)),
      } as unknown as PublicSite,
    ]
  })
}

const order = (one: Wire, other: Wire): number =>
  one.created < other.created || (one.created === other.created && one.id < other.id) ? -1 : 1

const isFreeSite = ({ payment, connectors, tariff, tariffs }: PublicSite): boolean =>
  payment.includes('FREE_OF_CHARGE') ||
  connectors.every((connector) => {
    const price = tariffs.find(({ id }) => id === (connector.tariff || tariff))
    return (
      price !== undefined &&
      isFree({ ...price, min_price: price.min_price ?? undefined, max_price: undefined })
    )
  })

const isOpen = ({ status, opening_hours, time_zone }: PublicSite, now: number): boolean =>
  STATUSES_WITH_HOURS.includes(status) &&
  opening_hours !== null &&
  openState(opening_hours, time_zone, now).isOpen

/** Whether a site matches a filter. */
export const isAskedFor = (site: PublicSite, filter: Partial<SiteFilter>, now: number): boolean => {
  const { plugs, minKw, free, available, openNow, access, business } = {
    ...NO_FILTER,
    ...filter,
  }
  const standards = plugs.flatMap((plug): readonly string[] => PLUG_GROUPS[plug])
  return (
    site.connectors.some(
      ({ standard, kw_rating }) =>
        kw_rating >= minKw && (plugs.length === 0 || standards.includes(standard)),
    ) &&
    (business === undefined || site.business.id === business) &&
    (!free || isFreeSite(site)) &&
    (!available || site.status === 'AVAILABLE') &&
    (!openNow || isOpen(site, now)) &&
    (access.length === 0 || access.some((each) => each === site.access))
  )
}

/** The parameters of a filter. */
export const parametersOf = (filter: Partial<SiteFilter>): string => {
  const { plugs, minKw, free, available, openNow, access, business } = {
    ...NO_FILTER,
    ...filter,
  }
  const pairs = [
    ...plugs.map((plug) => ['plug', plug]),
    ...access.map((each) => ['access', each]),
    ...(minKw > 0 ? [['min_kw', String(minKw)]] : []),
    ...(free ? [['free', 'true']] : []),
    ...(available ? [['available', 'true']] : []),
    ...(openNow ? [['open', 'now']] : []),
    ...(business === undefined ? [] : [['business', business]]),
  ]
  return pairs.map(([name, value]) => `&${name}=${value}`).join('')
}

export const nearestOf = (sites: readonly PublicSite[], at: Position): PublicSite[] =>
  sites
    .map((site) => ({ site, far: distanceM(at, site) }))
    .toSorted((one, other) => one.far - other.far || (one.site.id < other.site.id ? -1 : 1))
    .map(({ site }) => site)

export const isInBox = (
  { west, south, east, north }: Box,
  { latitude, longitude }: Position,
): boolean =>
  latitude >= south &&
  latitude <= north &&
  (west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east)

/** Whether a position is on a tile. */
export const isOnTile = (position: Position, z: number, x: number, y: number): boolean => {
  const point = mapPoint(position)
  const at = (part: number): number => Math.min(2 ** z - 1, Math.max(0, Math.floor(part * 2 ** z)))
  return at(point.x) === x && at(point.y) === y
}

type Direction = readonly [number, number, number]

const directionOf = ({ latitude, longitude }: Position): Direction => {
  const [lat, lng] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180]
  return [Math.cos(lat) * Math.cos(lng), Math.cos(lat) * Math.sin(lng), Math.sin(lat)]
}

/** The point on the great circle between two others, at a fraction of the way. */
const between = (from: Position, to: Position, part: number): Position => {
  const [a, b] = [directionOf(from), directionOf(to)]
  const angle = distanceM(from, to) / EARTH_RADIUS_M
  const weight = (share: number): number =>
    angle === 0 ? share : Math.sin(share * angle) / Math.sin(angle)
  const [x, y, z] = a.map(
    (value, axis) => value * weight(1 - part) + (b[axis] ?? 0) * weight(part),
  ) as [number, number, number]
  return {
    latitude: (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI,
    longitude: (Math.atan2(y, x) * 180) / Math.PI,
  }
}

/**
 * The distance of a site from a line, and the distance along the line to the nearest point, found by a search in each
 * part that comes within `maxM` of the site.
 */
export const fromLine = (
  line: readonly Position[],
  site: Position,
  maxM: number,
): { readonly distanceM: number; readonly alongM: readonly number[] } => {
  const found: { far: number; alongM: number }[] = []
  let best = Infinity
  let before = 0
  for (const [index, to] of line.entries()) {
    const from = line[index - 1] ?? to
    const length = distanceM(from, to)
    before += length
    if (distanceM(from, site) > length + Math.min(best, maxM) + 1) continue
    const far = (part: number): number => distanceM(between(from, to, part), site)
    // Ternary search: along an arc of less than half the Earth, a distance falls and then rises, or rises and then
    // falls.
    let [low, high] = [0, 1]
    for (let step = 0; step < 100; step += 1) {
      const third = (high - low) / 3
      if (far(low + third) < far(high - third)) high -= third
      else low += third
    }
    for (const part of [0, (low + high) / 2, 1]) {
      found.push({ far: far(part), alongM: before - length + part * length })
      best = Math.min(best, far(part))
    }
  }
  return {
    distanceM: best,
    alongM: found.filter(({ far }) => far < best + 0.01).map(({ alongM }) => alongM),
  }
}

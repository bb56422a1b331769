import { PLUG_GROUP_NAMES } from '#domain/plug-group.ts'
import {
  FILTER_PARAMETERS,
  NO_FILTER,
  PUBLIC_READ_LIMITS,
  type SiteFilter,
} from '#domain/public-read.ts'
import type { Center } from '../../map/coordinates.ts'

/** The view of the map screen, which its address contains completely. */
export interface MapView {
  /** Undefined until a place is chosen. */
  readonly center: Center | undefined
  readonly filter: SiteFilter
  /** The text of the last search. */
  readonly query: string
  /** The id of the selected site; empty if there is none. */
  readonly site: string
}

/** Parses the view from the query of an address. Invalid values are omitted. */
export const readView = (search: string): MapView => {
  const params = new URLSearchParams(search)
  const among = <T extends string>(name: string, values: readonly T[]): readonly T[] =>
    values.filter((value) => params.getAll(name).includes(value))
  const isOn = (name: 'free' | 'available' | 'open'): boolean =>
    params.get(name) === FILTER_PARAMETERS[name][0]
  const power = Number(params.get('min_kw'))
  return {
    center: readCenter(params.get('at') ?? ''),
    filter: {
      plugs: among('plug', PLUG_GROUP_NAMES),
      minKw: power > 0 && power <= PUBLIC_READ_LIMITS.maxKw ? power : 0,
      free: isOn('free'),
      available: isOn('available'),
      openNow: isOn('open'),
      access: among('access', FILTER_PARAMETERS.access),
    },
    query: params.get('q') ?? '',
    site: params.get('site') ?? '',
  }
}

/** Writes a view as the query of an address, without unset values. */
export const writeView = ({ center, filter, query, site }: MapView): string => {
  const params = writeFilter(filter)
  if (query !== '') params.set('q', query)
  if (site !== '') params.set('site', site)
  if (center !== undefined) params.set('at', writeCenter(center))
  // A query may contain commas unescaped.
  const text = params.toString().replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}

/** Converts a filter to query parameters, which the screen and the API share. */
export const writeFilter = (filter: SiteFilter): URLSearchParams => {
  const params = new URLSearchParams(filter.plugs.map((plug) => ['plug', plug]))
  if (filter.minKw > 0) params.set('min_kw', String(filter.minKw))
  if (filter.free) params.set('free', FILTER_PARAMETERS.free[0])
  if (filter.available) params.set('available', FILTER_PARAMETERS.available[0])
  if (filter.openNow) params.set('open', FILTER_PARAMETERS.open[0])
  for (const access of filter.access) params.append('access', access)
  return params
}

/** Returns whether a filter excludes any sites. */
export const isFiltered = (filter: SiteFilter): boolean => writeFilter(filter).size > 0

/** Returns a filter by plug and power only. */
export const plugFilter = ({ plugs, minKw }: SiteFilter): SiteFilter => ({
  ...NO_FILTER,
  plugs,
  minKw,
})

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`
const CENTER = new RegExp(`^${NUMBER},${NUMBER},${NUMBER}$`)

const readCenter = (text: string): Center | undefined => {
  const found = CENTER.exec(text)
  if (found === null) return undefined
  const [latitude = 0, longitude = 0, zoom = 0] = found.slice(1).map(Number)
  const isValid =
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 180 &&
    zoom >= 0 &&
    zoom <= PUBLIC_READ_LIMITS.maxZoom
  return isValid ? { latitude, longitude, zoom } : undefined
}

/** Formats a centre with a precision of about one metre. */
const writeCenter = ({ latitude, longitude, zoom }: Center): string =>
  `${round(latitude, 5)},${round(longitude, 5)},${round(zoom, 2)}`

const round = (value: number, decimals: number): number => Number(value.toFixed(decimals))

/** Returns whether two centres are the same in an address. */
export const isSameCenter = (one: Center, other: Center | undefined): boolean =>
  other !== undefined && writeCenter(one) === writeCenter(other)

import { alpha3Of } from '#domain/country.ts'
import { GEOCODE_LIMITS, type GeocodedPlace } from '#domain/geocode.ts'

/** The properties of a place in Photon; each may be missing or have any type. */
type Parts = Readonly<Record<string, unknown>>

/** Countries that write the house number before the street. */
const NUMBER_FIRST = new Set(
  'AU BD BM CA EG FR GB GG HK IE IL IM IN JE KE LK LU MA MC MT MY NG NZ OM PH PK RE SG TH TN US VN ZA'.split(
    ' ',
  ),
)
/** Countries that write the postcode after the town. */
const POSTCODE_LAST = new Set('AU BM CA GB GG HK IE IM IN JE MT NZ SG TH US ZA'.split(' '))

/** Parses a response of Photon (GeoJSON); undefined if it is invalid. Omits places without a position. */
export const readPlaces = (json: string): GeocodedPlace[] | undefined => {
  const features = parse(json)
  if (features === undefined) return undefined
  const places = features.flatMap((feature) => readPlace(feature) ?? [])
  const addresses = places.map(({ address }) => address)
  return places
    .filter(({ address }, index) => addresses.indexOf(address) === index)
    .slice(0, GEOCODE_LIMITS.places)
}

const parse = (json: string): readonly unknown[] | undefined => {
  try {
    const { features } = JSON.parse(json) as { features?: unknown }
    return Array.isArray(features) ? features : undefined
  } catch {
    return undefined
  }
}

const readPlace = (feature: unknown): GeocodedPlace | undefined => {
  const { geometry, properties } = (feature ?? {}) as {
    geometry?: { coordinates?: unknown } | null
    properties?: Parts | null
  }
  const coordinates: unknown = geometry?.coordinates
  if (!Array.isArray(coordinates)) return undefined
  const [longitude, latitude]: unknown[] = coordinates
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return undefined
  if (!(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90)) return undefined
  const part = (...names: readonly string[]): string =>
    names.map((name) => textOf(properties?.[name])).find((text) => text !== '') ?? ''
  const address = addressLine(part)
  const parts = {
    city: townOf(part),
    postal_code: part('postcode'),
    state: part('state'),
    country: alpha3Of(part('countrycode')),
  }
  return address === '' ? undefined : { address, latitude, longitude, parts }
}

/** The first of some parts of an address that is known; empty if none is. */
type Part = (...names: readonly string[]) => string

const townOf = (part: Part): string => part('city', 'locality', 'district', 'county')

const addressLine = (part: Part): string => {
  const country = part('countrycode').toUpperCase()
  const number = part('housenumber')
  const street = part('street')
  const town = townOf(part)
  const line = NUMBER_FIRST.has(country) ? [number, street] : [street, number]
  const place = POSTCODE_LAST.has(country) ? [town, part('postcode')] : [part('postcode'), town]
  const lines = [
    part('name'),
    join(' ', street === '' ? [] : line),
    join(' ', place),
    part('city') === '' ? part('state') : '',
    part('country'),
  ]
  // The name of a street, a town or a country is already part of its address.
  return join(
    ', ',
    lines.filter((text, index) => lines.indexOf(text) === index),
  )
}

const join = (glue: string, texts: readonly string[]): string =>
  texts.filter((text) => text !== '').join(glue)

const MAX_PART = 120

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).replaceAll(/\s+/g, ' ').trim().slice(0, MAX_PART)
    : ''

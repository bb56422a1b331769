import zoneAt from '@photostructure/tz-lookup'
import { iso1A2Code } from '@rapideditor/country-coder'

import { COUNTRIES, alpha3Of } from '#domain/country.ts'
import type { Problem } from '#domain/repair.ts'

import { numberOf, textOf } from '../read-values.ts'
import type { Values } from '../station.ts'
import { rules, type Rule } from './rule.ts'

/** Both coordinates as numbers; undefined if one is not a number. */
const positionOf = (values: Values): readonly [latitude: number, longitude: number] | undefined => {
  const [latitude, longitude] = [numberOf(values['latitude']), numberOf(values['longitude'])]
  return latitude === undefined || longitude === undefined ? undefined : [latitude, longitude]
}

const isOnEarth = (latitude: number, longitude: number): boolean =>
  Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

/** About 10 km: a position with few decimals, or on a pier, still counts as in the country. */
const TOLERANCE_DEGREES = 0.1

/** The maximum distance between the charge points of one site: about 2 km. */
export const SITE_DEGREES = 0.02

const OFFSETS = [0, -TOLERANCE_DEGREES, TOLERANCE_DEGREES]

/** The countries at a position (ISO 3166-1 alpha-3): the territory, and the state to which it belongs. Empty at sea. */
const countryAt = (latitude: number, longitude: number): readonly string[] => {
  if (!isOnEarth(latitude, longitude)) return []
  if (last?.latitude === latitude && last.longitude === longitude) return last.countries
  const point: [number, number] = [longitude, latitude]
  const countries = (['territory', 'country'] as const)
    .map((level) => alpha3Of(iso1A2Code(point, { level }) ?? ''))
    .filter((code) => code !== '')
  last = { latitude, longitude, countries }
  return countries
}

/**
 * Caches the last lookup: several rules ask about the same position in turn, and a lookup takes as long as everything
 * else that they do.
 */
let last:
  | {
      readonly latitude: number
      readonly longitude: number
      readonly countries: readonly string[]
    }
  | undefined

const isIn = (country: string, latitude: number, longitude: number): boolean =>
  isOnEarth(latitude, longitude) &&
  OFFSETS.some((north) =>
    OFFSETS.some((east) => countryAt(latitude + north, longitude + east).includes(country)),
  )

const KNOWN: ReadonlySet<string> = new Set(COUNTRIES)

/** The stated country, if it is valid. */
const stated = (values: Values): string | undefined => {
  const country = textOf(values['country'])
  return KNOWN.has(country) ? country : undefined
}

/** The stated country if the position is in it, or the country of the position if none is stated. */
export const countryThere = (values: Values): string | undefined => {
  const position = positionOf(values)
  const countries = position === undefined ? [] : countryAt(...position)
  const country = textOf(values['country'])
  return country === '' ? countries[0] : countries.find((each) => each === country)
}

/** Degrees with optional minutes and seconds; the hemisphere may come first or last. */
const DEGREES =
  /^\s*([NSEWOŒ])?\s*([+-]?\d{1,3}(?:[.,]\d+)?)\s*[°º]?\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*['’′]\s*)?(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["”″]|''|’’)\s*)?([NSEWO])?\s*$/i

/** Longer texts are not coordinates, and matching them would take long. */
const MAX_DEGREES_LENGTH = 40

/**
 * A decimal that a spreadsheet took for an integer and grouped: "48.856.614". The country determines where the point
 * was.
 */
const GROUPED = /^[+-]?\d{1,3}(?:\.\d{3}){2,}$/

/** Degrees and minutes without signs: "48:51:24", "48 51 24 N", "N48 51.400". Two numbers alone may be anything. */
const UNSIGNED =
  /^([NSEWO]?\s*)([+-]?\d{1,3})(?::|\s+)(\d{1,2}(?:[.,]\d+)?)(?:(?::|\s+)(\d{1,2}(?:[.,]\d+)?))?(\s*[NSEWO]?)$/i

/** The directions as words of four languages. "Ost" and "Est" mean east, and no O that may mean west. */
const DIRECTIONS: readonly (readonly [RegExp, string])[] = [
  [/(?<!\p{L})(?:north|nord|norte)(?!\p{L})/giu, 'N'],
  [/(?<!\p{L})(?:south|süd|sud|sur)(?!\p{L})/giu, 'S'],
  [/(?<!\p{L})(?:east|ost|est|este)(?!\p{L})/giu, 'E'],
  [/(?<!\p{L})(?:west|ouest|oeste)(?!\p{L})/giu, 'W'],
]

const withLetters = (text: string): string =>
  DIRECTIONS.reduce((read, [word, letter]) => read.replace(word, letter), text).trim()

/** Writes degrees with signs, and directions with a letter. */
const withSigns = (text: string): string => {
  const plain = withLetters(text)
  const [, front = '', degrees, minutes, seconds, back = ''] = UNSIGNED.exec(plain) ?? []
  const isClear = plain.includes(':') || seconds !== undefined || `${front}${back}`.trim() !== ''
  return degrees === undefined || !isClear
    ? plain
    : `${front}${degrees}°${minutes}'${seconds === undefined ? '' : `${seconds}"`}${back}`
}

const degreesOf = (text: string): number | undefined => {
  const match = text.length > MAX_DEGREES_LENGTH ? null : DEGREES.exec(withSigns(text))
  if (!match) return undefined
  const [, front, degrees = '', minutes = '0', seconds = '0', back] = match
  const [whole, minute, second] = [degrees, minutes, seconds].map((part) =>
    Number(part.replace(',', '.')),
  )
  const size = Math.abs(whole ?? 0) + (minute ?? 0) / 60 + (second ?? 0) / 3600
  // In French and Spanish, O means west.
  const isNegative = degrees.startsWith('-') || /[SWO]/i.test(front ?? back ?? '')
  const position = isNegative ? -size : size
  // A decimal comma alone does not change the precision.
  return match[3] === undefined && match[4] === undefined ? position : Number(position.toFixed(7))
}

/** The position in the address of a map: of the place if it is stated, otherwise of the middle. */
const IN_ADDRESS = [
  /!3d(-?\d{1,2}\.\d+)!4d(-?\d{1,3}\.\d+)/,
  /@(-?\d{1,2}\.\d+),(-?\d{1,3}\.\d+),/,
] as const

/** Addresses of maps are shorter. */
const MAX_PAIR_LENGTH = 500

/** What separates a latitude and a longitude with their directions: "52° 31' N, 13° 24' E", "N52.52 E13.4". */
const BETWEEN_DIRECTIONS = /(?<=\d[\s°º'’′"”″]*[NS])[\s,;/]+|[\s,;/]+(?=[EWO]\s*\d)/i

/** A single number with a decimal comma. */
const DECIMAL_COMMA = /^[+-]?\d{1,3},\d+$/

/**
 * Reads two numbers in one text: "48.85, 2.35", "48,85; 2,35", "48,85 / 2,35", "POINT(2.35 48.85)", "[2.35, 48.85]", or
 * the address of a map.
 */
const pairOf = (text: string): readonly [number, number] | undefined => {
  if (text.length > MAX_PAIR_LENGTH) return undefined
  const [, north, east] = IN_ADDRESS.map((pattern) => pattern.exec(text)).find(Boolean) ?? []
  if (north !== undefined) return [Number(north), Number(east)]
  const isPoint = /^\s*(?:SRID=\d+;)?\s*POINT\s*\(|^\s*\[/i.test(text)
  const inner = withLetters(text)
    .replace(/^[^\d+-]*?(?=(?<!\p{L})[NS]?\s*[+-]?\d)/iu, '')
    .replace(/[^\d°'’′"”″NSEWO]+$/i, '')
  if (DECIMAL_COMMA.test(inner)) return undefined
  const halves = inner.split(BETWEEN_DIRECTIONS)
  const parts =
    halves.length === 2
      ? halves
      : /[;|/]/.test(inner)
        ? inner.split(/\s*[;|/]\s*/)
        : /\d,\d+\s*,?\s+[+-]?\d+,\d/.test(inner)
          ? inner.split(/,?\s+/)
          : inner.split(/\s*,\s*|\s+(?=[+-]?\d)/)
  if (parts.length !== 2) return undefined
  const [first, second] = parts.map((part) => degreesOf(part))
  if (first === undefined || second === undefined) return undefined
  return isPoint ? [second, first] : [first, second]
}

/** Whether a coordinate has an O: west (ouest, oeste) or east (Ost). */
const SAYS_O = /^\s*[OŒ]\s*\d|\d[\s°º'’′"”″]*O[\s)]*$/i

/** The text that states the longitude, alone or after the latitude. */
const longitudeText = (values: Values): string =>
  textOf(values['longitude']) || textOf(values['latitude'])

const isInhabited = (latitude: number, longitude: number): boolean =>
  isLand(latitude, longitude) && countryAt(latitude, longitude).length > 0

/** Reads the O of a longitude as west, unless only the east is in the country or, without one, on land. */
const withEast = (values: Values, read: Values): Values => {
  const [latitude, west] = positionOf({ ...values, ...read }) ?? [0, 0]
  if (west >= 0 || !SAYS_O.test(longitudeText(values))) return read
  const country = stated(values)
  const fits = (longitude: number): boolean =>
    country === undefined ? isInhabited(latitude, longitude) : isIn(country, latitude, longitude)
  return fits(-west) && !fits(west) ? { ...read, longitude: -west } : read
}

/** Asks about the O of a longitude if no country is stated and there is land in the west and in the east. */
const coordinatesEastLikely: Rule['apply'] = (values) => {
  if (stated(values) !== undefined || !SAYS_O.test(longitudeText(values))) return {}
  const read = { ...coordinatesInOne(values), ...coordinatesInDegrees(values) }
  const [latitude, west] = positionOf({ ...values, ...read }) ?? [0, 0]
  if (west >= 0 || !isInhabited(latitude, -west)) return {}
  return textOf(values['longitude']) === '' ? { ...read, longitude: -west } : { longitude: -west }
}

const coordinatesInOne = (values: Values): Values => {
  const [latitude, longitude] = [textOf(values['latitude']), textOf(values['longitude'])]
  const text = latitude || longitude
  if (
    numberOf(text) !== undefined ||
    (latitude !== '' && longitude !== '' && latitude !== longitude)
  )
    return {}
  const pair = pairOf(text)
  return pair === undefined ? {} : withEast(values, { latitude: pair[0], longitude: pair[1] })
}

const coordinatesInDegrees = (values: Values): Values => {
  const changed: Record<string, unknown> = {}
  for (const name of ['latitude', 'longitude']) {
    const text = textOf(values[name])
    if (text === '' || numberOf(text) !== undefined) continue
    const degrees = GROUPED.test(text) ? Number(text.replaceAll('.', '')) : degreesOf(text)
    if (degrees !== undefined) changed[name] = degrees
  }
  return withEast(values, changed)
}

/** Restores the decimal point of a coordinate such as 48856614. Only the stated country can determine its place. */
const coordinatesScaled: Rule['apply'] = (values) => {
  const [position, country] = [positionOf(values), stated(values)]
  if (position === undefined || country === undefined || isOnEarth(...position)) return {}
  const options = position.map((value, index) => scales(value, index === 0 ? 90 : 180))
  const fitting = (options[0] ?? []).flatMap((latitude) =>
    (options[1] ?? []).flatMap((longitude) =>
      isIn(country, latitude, longitude) ? [{ latitude, longitude }] : [],
    ),
  )
  const [only] = fitting
  if (only === undefined || fitting.length > 1) return {}
  return Object.fromEntries(
    Object.entries(only).filter(([name, value]) => numberOf(values[name]) !== value),
  )
}

const scales = (value: number, max: number): readonly number[] => {
  if (Math.abs(value) <= max) return [value]
  const all = Array.from({ length: 9 }, (_, power) =>
    Number((value / 10 ** (power + 1)).toFixed(9)),
  )
  return all.filter((each) => Math.abs(each) <= max && Math.abs(each) >= 1)
}

/** Countries include their coastal waters here; time zones less so. */
const isLand = (latitude: number, longitude: number): boolean =>
  isOnEarth(latitude, longitude) && !zoneAt(latitude, longitude).startsWith('Etc/')

/** The time zone of the position; undefined without a position. */
export const zoneOf = (values: Values): string | undefined => {
  const position = positionOf(values)
  return position !== undefined && isOnEarth(...position) ? zoneAt(...position) : undefined
}

const turned = (latitude: number, longitude: number): Values => ({
  latitude: longitude,
  longitude: latitude,
})

/** Swaps the coordinates if only then the position is on the land of the stated country, or on Earth at all. */
const coordinatesSwapped: Rule['apply'] = (values) => {
  const [position, country] = [positionOf(values), stated(values)]
  if (position === undefined || position[0] === position[1]) return {}
  const [latitude, longitude] = position
  const fits =
    country === undefined
      ? !isOnEarth(latitude, longitude) && isOnEarth(longitude, latitude)
      : !isIn(country, latitude, longitude) &&
        isLand(longitude, latitude) &&
        countryAt(longitude, latitude).includes(country)
  return fits ? turned(latitude, longitude) : {}
}

/** Where the positions of Central Europe are if they are swapped. */
const MIRROR_OF_EUROPE: ReadonlySet<string> = new Set(['SOM', 'YEM'])

/**
 * Swaps the coordinates if no country is stated, the position is at sea or in the mirror of Europe, and the swapped
 * position is on land.
 */
const coordinatesSwappedLikely: Rule['apply'] = (values) => {
  const position = positionOf(values)
  if (position === undefined || stated(values) !== undefined || isZero(position)) return {}
  const [latitude, longitude] = position
  const isLikely =
    isOnEarth(latitude, longitude) &&
    countryAt(latitude, longitude).every((country) => MIRROR_OF_EUROPE.has(country)) &&
    isInhabited(longitude, latitude)
  return isLikely ? turned(latitude, longitude) : {}
}

/** Uses the positions of the charge points, which feeds often have correct even if that of the location is not. */
const coordinatesOfPlugs: Rule['apply'] = (values, { connectors }) => {
  const position = positionOf(values)
  if (position !== undefined && !isZero(position) && !isSame(values)) return {}
  const all = connectors.flatMap((connector) => {
    const found = positionOf(connector)
    return found === undefined || isZero(found) || !isOnEarth(...found) ? [] : [found]
  })
  const [first] = all
  if (first === undefined || first[0] === first[1]) return {}
  const isOnePlace = all.every((other) =>
    other.every((value, index) => Math.abs(value - (first[index] ?? 0)) < SITE_DEGREES),
  )
  return isOnePlace ? { latitude: first[0], longitude: first[1] } : {}
}

const coordinatesSign: Rule['apply'] = (values) => {
  const [position, country] = [positionOf(values), stated(values)]
  if (position === undefined || country === undefined || isIn(country, ...position)) return {}
  const [latitude, longitude] = position
  const flips = [
    { longitude: -longitude },
    { latitude: -latitude },
    { latitude: -latitude, longitude: -longitude },
  ].filter((flip) => isIn(country, flip.latitude ?? latitude, flip.longitude ?? longitude))
  return (flips.length === 1 && flips[0]) || {}
}

const countryFromPosition: Rule['apply'] = (values) => {
  const [position, text] = [positionOf(values), textOf(values['country'])]
  if (text === '' || stated(values) !== undefined || position === undefined) return {}
  const [territory] = countryAt(...position)
  return { country: territory }
}

const countryOfPosition: Rule['apply'] = (values) => {
  const outside = findOutside(values)
  return outside === undefined || isSame(values) ? {} : { country: outside.found }
}

const isSame = (values: Values): boolean => {
  const position = positionOf(values)
  return position !== undefined && position[0] === position[1] && position[0] !== 0
}

const isZero = ([latitude, longitude]: readonly [number, number]): boolean =>
  Math.abs(latitude) < 0.001 && Math.abs(longitude) < 0.001

const findOutside = (values: Values) => {
  const [position, country] = [positionOf(values), stated(values)]
  if (position === undefined || country === undefined || isZero(position)) return undefined
  const [found] = countryAt(...position)
  if (found === undefined || isIn(country, ...position)) return undefined
  return { found, stated: country }
}

/** The length of an unreadable position in a message. */
const MAX_SHOWN = 60

/** The reason why a position is invalid after all repairs. */
export const positionProblem = (values: Values): Problem | undefined => {
  const position = positionOf(values)
  if (position === undefined) {
    const text = [values['latitude'], values['longitude']].map(textOf).filter(Boolean).join(', ')
    return text === ''
      ? { code: 'position_missing' }
      : { code: 'position_unreadable', params: { value: text.slice(0, MAX_SHOWN).toWellFormed() } }
  }
  const [latitude, longitude] = position
  if (isZero(position)) return { code: 'position_zero' }
  if (!isOnEarth(latitude, longitude))
    return { code: 'position_impossible', params: { latitude, longitude } }
  const country = stated(values)
  if (isSame(values) && country !== undefined && !isIn(country, latitude, longitude))
    return { code: 'position_same', params: { value: latitude } }
  const outside = findOutside(values)
  if (outside) return { code: 'position_outside_country', params: outside }
  if (
    country !== undefined &&
    !isIn(country, latitude, longitude) &&
    countryAt(latitude, longitude).length === 0
  )
    return { code: 'position_at_sea', params: { stated: country } }
  return undefined
}

/** The rules for the position, in the order of application. They need the code of the country. */
export const POSITION_RULES = rules('site', [
  {
    name: 'coordinates_east_likely',
    isCertain: false,
    example: {
      before: { latitude: 53.55, longitude: '9,99 O' },
      after: { longitude: 9.99 },
    },
    apply: coordinatesEastLikely,
  },
  {
    name: 'coordinates_in_one',
    example: {
      before: { latitude: '48.8566, 2.3522' },
      after: { latitude: 48.8566, longitude: 2.3522 },
    },
    apply: coordinatesInOne,
  },
  {
    name: 'coordinates_with_hemisphere',
    example: {
      before: { latitude: `33° 51' 35.9" S`, longitude: '151,2093 E' },
      after: { latitude: -33.8599722, longitude: 151.2093 },
    },
    apply: coordinatesInDegrees,
  },
  {
    name: 'coordinates_of_plugs',
    example: {
      before: { latitude: 47.746575, longitude: 47.746575 },
      after: { latitude: 47.746575, longitude: 26.665509 },
      connectors: [{ latitude: 47.746575, longitude: 26.665509 }],
    },
    apply: coordinatesOfPlugs,
  },
  {
    name: 'coordinates_scaled',
    example: {
      before: { latitude: 48856614, longitude: 2.3522219, country: 'FRA' },
      after: { latitude: 48.856614 },
    },
    apply: coordinatesScaled,
  },
  {
    name: 'coordinates_swapped',
    example: {
      before: { latitude: 2.3522, longitude: 48.8566, country: 'FRA' },
      after: { latitude: 48.8566, longitude: 2.3522 },
    },
    apply: coordinatesSwapped,
  },
  {
    name: 'coordinates_swapped_likely',
    isCertain: false,
    example: {
      before: { latitude: 2.3522, longitude: 48.8566 },
      after: { latitude: 48.8566, longitude: 2.3522 },
    },
    apply: coordinatesSwappedLikely,
  },
  {
    name: 'coordinates_sign',
    isCertain: false,
    example: {
      before: { latitude: 45.5683, longitude: 122.5997, country: 'USA' },
      after: { longitude: -122.5997 },
    },
    apply: coordinatesSign,
  },
  {
    name: 'country_from_position',
    example: {
      before: { latitude: 41.07, longitude: 28.85, country: 'TRY' },
      after: { country: 'TUR' },
    },
    apply: countryFromPosition,
  },
  {
    name: 'country_of_position_likely',
    isCertain: false,
    example: {
      before: { latitude: 40.4168, longitude: -3.7038, country: 'FRA' },
      after: { country: 'ESP' },
    },
    apply: countryOfPosition,
  },
])

import { parseDecimal } from './decimal.ts'

/** A place on the globe, in degrees. */
export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

/**
 * Reads a pair of coordinates out of what people paste: decimal pairs in several spellings,
 * degrees with minutes and seconds, and the links of the usual maps. Undefined when there is none.
 */
export const parseCoordinates = (input: string): Coordinates | undefined => {
  const text = input.trim().replace(/[−–]/g, '-')
  const link = findLink(text)
  return link === undefined ? (fromDegrees(text) ?? fromPair(text)) : fromLink(link)
}

/** Short links of map apps: they hide the place, and only opening them reveals it. */
export const isShortMapLink = (input: string): boolean =>
  /^(https?:\/\/)?(maps\.app\.goo\.gl|goo\.gl\/maps|g\.co\/maps|maps\.apple(\.com)?\/p\/|osm\.org\/go\/)/i.test(
    findLink(input) ?? '',
  )

/** Is there a link in it, whether or not it names a place? */
export const isMapLink = (input: string): boolean => findLink(input) !== undefined

/** Apps share a link together with the name of the place; a browser may leave out the scheme. */
const findLink = (text: string): string | undefined =>
  /https?:\/\/\S+/i.exec(text)?.[0] ??
  /^\s*((geo|maps):|(www\.)?(google\.\w|maps\.|openstreetmap\.org|osm\.org|goo\.gl|g\.co)\S*\/).*/i
    .exec(text)?.[0]
    .trim()

const PAIR = String.raw`\+?(-?\d{1,3}(?:\.\d+)?)[,;/~]\+?(-?\d{1,3}(?:\.\d+)?)`

/** In order: the place itself counts before the centre of the map. */
const LINK_FORMS = [
  /!3d(-?[\d.]+)!4d(-?[\d.]+)/,
  /[?&]mlat=(-?[\d.]+)&mlon=(-?[\d.]+)/,
  new RegExp(`[?&](?:q|query|ll|sll|coordinate|center|destination|daddr|cp)=(?:loc:)?${PAIR}`),
  new RegExp(`^geo:(?!0,0\\b)${PAIR}`),
  /^geo:0,0\?q=(-?[\d.]+),(-?[\d.]+)/,
  new RegExp(`/(?:place|search|dir)/(?:[^/]*/)?${PAIR}`),
  new RegExp(`/@${PAIR}`),
  /#map=[\d.]+\/(-?[\d.]+)\/(-?[\d.]+)/,
]

const fromLink = (link: string): Coordinates | undefined => {
  const text = decode(link).replace(/[ +](?=-?\d)/g, '')
  for (const form of LINK_FORMS) {
    const match = form.exec(text)
    if (match) return place(Number(match[1]), Number(match[2]))
  }
  return undefined
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const NUMBER = String.raw`\d{1,3}(?:[.,]\d+)?`
const ANGLE = String.raw`([+-]?${NUMBER})\s*[°º]?\s*(?:(${NUMBER})\s*['’′]\s*)?(?:(${NUMBER})\s*(?:["”″]|''|’’)\s*)?`
const LETTER_FIRST = new RegExp(String.raw`^\s*([NSEWO])\s*${ANGLE}[\s,;]*`, 'i')
const LETTER_LAST = new RegExp(String.raw`^\s*${ANGLE}([NSEWO])[\s,;]*`, 'i')

/** Angles with a letter for the direction; `O` is west in French and Spanish. */
const fromDegrees = (text: string): Coordinates | undefined => {
  const first = readAngle(text)
  const second = first && readAngle(first.rest)
  if (!first || !second || second.rest.trim() !== '') return undefined
  if (first.isLatitude === second.isLatitude) return undefined
  return first.isLatitude ? place(first.value, second.value) : place(second.value, first.value)
}

const readAngle = (text: string) => {
  const first = LETTER_FIRST.exec(text)
  const last = LETTER_LAST.exec(text)
  const [letter = '', ...angle] = first
    ? first.slice(1, 5)
    : [last?.[4], ...(last?.slice(1, 4) ?? [])]
  const [d, m, s] = [angle[0] ?? '', angle[1] ?? '0', angle[2] ?? '0'].map(parseDecimal)
  if (d === undefined || m === undefined || s === undefined || m >= 60 || s >= 60) return undefined
  const size = Math.abs(d) + m / 60 + s / 3600
  const sign = d < 0 || 'SWO'.includes(letter.toUpperCase()) ? -1 : 1
  return {
    value: sign * size,
    isLatitude: 'NS'.includes(letter.toUpperCase()),
    rest: text.slice((first ?? last)?.[0].length),
  }
}

const fromPair = (text: string): Coordinates | undefined => {
  // One number with a decimal comma, not two numbers.
  if (/^[+-]?\d+,\d+$/.test(text)) return undefined
  const inner = text.replace(/^[([{]\s*|\s*[)\]}]$/g, '').replace(/°/g, '')
  const parts =
    // With dots for decimals a comma parts the two; with commas for decimals, anything else does.
    /^([+-]?\d{1,3}(?:\.\d+)?)\s*[,;\s|/]\s*([+-]?\d{1,3}(?:\.\d+)?)$/.exec(inner) ??
    /^([+-]?\d{1,3}(?:,\d+)?)(?:\s*[;|/]\s*|,?\s+)([+-]?\d{1,3}(?:,\d+)?)$/.exec(inner)
  if (!parts) return undefined
  const [latitude, longitude] = [parts[1] ?? '', parts[2] ?? ''].map(parseDecimal)
  return latitude === undefined || longitude === undefined ? undefined : place(latitude, longitude)
}

/** Pairs in the order longitude, latitude are recognised when the first cannot be a latitude. */
const place = (first: number, second: number): Coordinates | undefined => {
  const [latitude, longitude] = Math.abs(first) > 90 ? [second, first] : [first, second]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    ? { latitude, longitude }
    : undefined
}

/** The numbers in two fields, be they a place or not. */
export const readPlace = (latitude: string, longitude: string): Coordinates | undefined => {
  const found = { latitude: parseDecimal(latitude), longitude: parseDecimal(longitude) }
  return found.latitude === undefined || found.longitude === undefined
    ? undefined
    : { latitude: found.latitude, longitude: found.longitude }
}

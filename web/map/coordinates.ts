import { findMapLink, placeOf, placeOfMapLink, type Coordinates } from '#domain/map-link.ts'
import { parseDecimal } from '../format/decimal.ts'

export type { Coordinates }

/** The middle of a map and its zoom. */
export interface Center extends Coordinates {
  readonly zoom: number
}

/**
 * Parses coordinates from pasted text: decimal pairs in several notations, degrees with minutes and seconds, and links
 * of the usual map services. Undefined if there are none.
 */
export const parseCoordinates = (input: string): Coordinates | undefined => {
  const text = input.trim().replace(/[−–]/g, '-')
  const link = findMapLink(text)
  return link === undefined ? (fromDegrees(text) ?? fromPair(text)) : placeOfMapLink(link)
}

/** The text around a link, as one line; empty if there is no link. */
export const textAroundLink = (input: string): string => {
  const link = findMapLink(input)
  if (link === undefined) return ''
  return input
    .replace(link, '')
    .split(/[\n\r]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(', ')
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
  return first.isLatitude ? placeOf(first.value, second.value) : placeOf(second.value, first.value)
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
    // With decimal dots, a comma separates the two numbers; with decimal commas, anything else does.
    /^([+-]?\d{1,3}(?:\.\d+)?)\s*[,;\s|/]\s*([+-]?\d{1,3}(?:\.\d+)?)$/.exec(inner) ??
    /^([+-]?\d{1,3}(?:,\d+)?)(?:\s*[;|/]\s*|,?\s+)([+-]?\d{1,3}(?:,\d+)?)$/.exec(inner)
  if (!parts) return undefined
  const [latitude, longitude] = [parts[1] ?? '', parts[2] ?? ''].map(parseDecimal)
  return latitude === undefined || longitude === undefined
    ? undefined
    : placeOf(latitude, longitude)
}

/** Parses the numbers of two fields, without validating the range. */
export const readPlace = (latitude: string, longitude: string): Coordinates | undefined => {
  const found = { latitude: parseDecimal(latitude), longitude: parseDecimal(longitude) }
  return found.latitude === undefined || found.longitude === undefined
    ? undefined
    : { latitude: found.latitude, longitude: found.longitude }
}

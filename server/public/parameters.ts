import type { Box } from '#domain/cell.ts'
import type { Position } from '#domain/distance.ts'
import { ID_LENGTH, isId } from '#domain/collection.ts'
import { fieldError, type ApiError, type FieldError } from '#domain/error.ts'
import { LANGUAGES } from '#domain/language.ts'
import {
  BOX_FORM,
  FILTER_PARAMETERS,
  POSITION_FORM,
  PUBLIC_READ_LIMITS,
  type ParameterForm,
  type SiteFilter,
} from '#domain/public-read.ts'
import { areSearchable, MAX_SEARCH_LENGTH, MIN_SEARCH_LENGTH } from '#domain/search-words.ts'
import { mustBeOneOf } from '#domain/shape.ts'

import {
  accepting,
  invalid,
  once,
  Refusal,
  refusal,
  type Given,
  type Read,
} from '../http/parameters.ts'
import { invalidInput, invalidValue, withAccepted } from '../problem.ts'
import type { Key } from './filter.ts'
import type { Scope } from './lists.ts'
import { lengthM } from './route.ts'
import { searchWords } from './search.ts'

const listOf =
  <T extends string>(allowed: readonly T[]): Read<readonly T[]> =>
  (values) => [...new Set(values.map(choiceOf(allowed)))]

const choiceOf = <T extends string>(
  allowed: readonly T[],
  accepted = mustBeOneOf(allowed),
): ((value: string) => T) =>
  accepting(accepted, (value) => {
    const found = allowed.find((each) => each === value)
    if (found === undefined) throw invalid(value)
    return found
  })

/** A condition that applies if it is given; there is no value for its opposite. */
const flag = (allowed: readonly string[]): Read<boolean> => {
  const read = choiceOf(allowed, `Must be ${allowed.join(', ')}, or left out.`)
  return once((value) => read(value) !== '', false)
}

interface Limits {
  readonly min: number
  readonly max: number
}

const numberOf = (value: string, { min, max }: Limits): number => {
  if (!/^-?\d{1,10}(\.\d{1,20})?(e-\d{1,2})?$/.test(value)) throw refusal('validation_not_a_number')
  const number = Number(value)
  if (number < min) throw refusal('validation_min_number_constraint', { min })
  if (number > max) throw refusal('validation_max_number_constraint', { max })
  return number
}

const wholeOf = (value: string, limits: Limits): number => {
  const number = numberOf(value, limits)
  if (!Number.isInteger(number)) throw refusal('validation_only_int_constraint')
  return number
}

const LATITUDE: Limits = { min: -90, max: 90 }
const LONGITUDE: Limits = { min: -180, max: 180 }

const mustBe = ({ parts, example }: ParameterForm, condition = ''): string =>
  `Must be ${parts}${condition}, such as ${example}.`

const positionOf = accepting(mustBe(POSITION_FORM), (value): Position => {
  const [latitude, longitude, ...more] = value.split(',')
  if (latitude === undefined || longitude === undefined || more.length > 0) throw invalid(value)
  return { latitude: numberOf(latitude, LATITUDE), longitude: numberOf(longitude, LONGITUDE) }
})

const boxOf = accepting(mustBe(BOX_FORM, ', with `south` below `north`'), (value): Box => {
  const [west, south, east, north, ...more] = value.split(',')
  if (west === undefined || south === undefined || east === undefined || north === undefined)
    throw invalid(value)
  const box = {
    west: numberOf(west, LONGITUDE),
    south: numberOf(south, LATITUDE),
    east: numberOf(east, LONGITUDE),
    north: numberOf(north, LATITUDE),
  }
  if (more.length > 0 || box.south > box.north) throw invalid(value)
  return box
})

/** PostgreSQL cannot store U+0000 in a text. */
const textOf = accepting('Must be a text without U+0000.', (value) => {
  if (value.includes('\0')) throw invalid(value)
  return value
})

/** The words of a search, at least one. */
const wordsIn = (value: string): readonly string[] => {
  const words = searchWords(textOf(value))
  if (!areSearchable(words))
    throw refusal('validation_min_text_constraint', { min: MIN_SEARCH_LENGTH })
  if (value.length > MAX_SEARCH_LENGTH)
    throw refusal('validation_max_text_constraint', { max: MAX_SEARCH_LENGTH })
  return words
}

/**
 * A cursor contains the kind of its list and the key of the last site of a page; clients must treat it as opaque. The
 * keys of one kind have no meaning in another: a distance is not a power.
 */
export const cursorOf = (kind: Scope['kind'], [key, id]: Key): string =>
  Buffer.from(JSON.stringify([kind, key, id])).toString('base64url')

/** A cursor of a list whose kind the other parameters determine. */
export interface Cursor {
  readonly kind: unknown
  readonly key: Key
  readonly text: string
}

const CURSOR = 'Must be `next` of the previous page of the same list.'

const readCursor = accepting(CURSOR, (value): Cursor => {
  if (value.length > PUBLIC_READ_LIMITS.cursorLength) throw invalid(value)
  try {
    const cursor: unknown = JSON.parse(Buffer.from(value, 'base64url').toString())
    if (Array.isArray(cursor) && cursor.length === 3) {
      const [kind, number, id] = cursor as [unknown, unknown, unknown]
      if (
        typeof number === 'number' &&
        Math.abs(number) <= Number.MAX_SAFE_INTEGER &&
        typeof id === 'string' &&
        isId(id)
      )
        return { kind, key: [number, id], text: value }
    }
  } catch {
    // Not a cursor of this server.
  }
  throw invalid(value)
})

const wrongList = ({ text }: Cursor): FieldError => withAccepted(invalidValue(text), CURSOR)

const cursorIn = (kind: Scope['kind']) =>
  once((value) => {
    const cursor = readCursor(value)
    if (cursor.kind !== kind) throw new Refusal(wrongList(cursor))
    return cursor.key
  }, undefined)

/** The key of a cursor. @throws ApiError 400 for the cursor of a list of another kind */
export const keyOfCursor = (
  cursor: Cursor | undefined,
  { kind }: Pick<Scope, 'kind'>,
): Key | undefined => {
  if (cursor === undefined || cursor.kind === kind) return cursor?.key
  throw invalidInput({ cursor: wrongList(cursor) })
}

const idOf = accepting(`Must be an id: ${ID_LENGTH} lower-case letters and digits.`, (value) => {
  if (!isId(value)) throw invalid(value)
  return value
})

const { plug, access, free, available, open } = FILTER_PARAMETERS

const FILTER = {
  plug: listOf(plug),
  min_kw: once((value) => numberOf(value, { min: 0, max: PUBLIC_READ_LIMITS.maxKw }), 0),
  free: flag(free),
  available: flag(available),
  open: flag(open),
  access: listOf(access),
  business: once(idOf, undefined),
}
const PAGE = {
  limit: once(
    (value) => wholeOf(value, { min: 1, max: PUBLIC_READ_LIMITS.maxSites }),
    PUBLIC_READ_LIMITS.sites,
  ),
  format: once(choiceOf(['json', 'geojson']), 'json' as const),
}
const LIST = {
  ...FILTER,
  ...PAGE,
  cursor: once(readCursor, undefined),
  near: once(positionOf, undefined),
  bbox: once(boxOf, undefined),
  q: once(wordsIn, undefined),
}
const ROUTE = {
  ...FILTER,
  ...PAGE,
  cursor: cursorIn('corridor'),
  within: once(
    (value) => numberOf(value, { min: 1, max: PUBLIC_READ_LIMITS.maxWithin }),
    PUBLIC_READ_LIMITS.within,
  ),
}
const SUGGEST = { q: once(wordsIn, undefined) }

/** The parameters of each public read. */
export const PUBLIC_PARAMETERS = {
  site: {},
  tile: FILTER,
  list: LIST,
  suggest: SUGGEST,
  plainList: {
    ...FILTER,
    cursor: cursorIn('near'),
    near: once(positionOf, undefined),
    q: once((value) => textOf(value).trim().slice(0, MAX_SEARCH_LENGTH), ''),
    lang: once(choiceOf(LANGUAGES), undefined),
  },
  business: { cursor: cursorIn('business') },
  route: ROUTE,
}

/** The parameters that filter a list, and the size and format of a page. */
export type PageParameters = Given<typeof FILTER & typeof PAGE>

/** Parses a line from a request body, a GeoJSON LineString (RFC 7946). @throws ApiError 400 */
export const readLine = (body: unknown): Position[] => {
  const refuse = (path: string, reason: string): ApiError =>
    invalidInput({ line: fieldError('validation_json_shape', { path, reason }) })
  const { type, coordinates } = (body ?? {}) as { type?: unknown; coordinates?: unknown }
  if (type !== 'LineString') throw refuse('type', 'must be "LineString"')
  if (!Array.isArray(coordinates) || coordinates.length === 0)
    throw refuse('coordinates', 'must be a list of [longitude, latitude]')
  const { routePoints, routeKm } = PUBLIC_READ_LIMITS
  if (coordinates.length > routePoints)
    throw refuse('coordinates', `must be at most ${routePoints} points`)
  const line = coordinates.map((point: unknown, index) => {
    const [longitude, latitude] = Array.isArray(point) ? (point as unknown[]) : []
    if (!isWithin(longitude, LONGITUDE) || !isWithin(latitude, LATITUDE))
      throw refuse(`coordinates[${index}]`, 'must be [longitude, latitude] in degrees')
    return { latitude, longitude }
  })
  if (lengthM(line) > routeKm * 1000)
    throw refuse('coordinates', `must be at most ${routeKm} km long`)
  return line
}

const isWithin = (value: unknown, { min, max }: Limits): value is number =>
  typeof value === 'number' && value >= min && value <= max

/** The filter that the parameters describe. */
export const filterOf = (given: Given<typeof FILTER>): SiteFilter => ({
  plugs: given.plug,
  minKw: given.min_kw,
  free: given.free,
  available: given.available,
  openNow: given.open,
  access: given.access,
  business: given.business,
})

import { cellsOfBox, placeOnMap, type Box, type CellRange } from '#domain/cell.ts'
import { EARTH_RADIUS_M, type Position } from '#domain/distance.ts'

import { dateText } from '../db/columns.ts'
import { boundedDoc } from '../db/places.ts'
import { EVERY_PLACE, type Key, type Parameters } from './filter.ts'
import { corridorKeys, type Corridor } from './route.ts'
import { searchQuery } from './search.ts'

/** The sites of a list, and their order. */
export type Scope =
  /** Nearest first. */
  | { readonly kind: 'near'; readonly at: Position }
  /** In the order of their cells. */
  | { readonly kind: 'box'; readonly box: Box }
  /** Most powerful first. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** The sites of the business in the filter, in the order of their cells. */
  | { readonly kind: 'business' }
  /** In the order along the line. */
  | ({ readonly kind: 'corridor' } & Corridor)

/**
 * The rest of a PublicSite, to be appended to the document of a row `d` of `place_docs` in place of its closing brace.
 */
export const REST_JSON = `',"updated":"' || ${dateText('d.updated')} || '"'`

/** Joins the two parts in the server: PostgreSQL would count all characters of a text to remove the last one. */
export const joinJson = ({
  json,
  rest,
}: {
  readonly json: string
  readonly rest: string
}): string => json.slice(0, -1) + rest

/** The common parts of the list queries. */
interface Page {
  readonly parameters: Parameters
  /** A condition on a place `p`. */
  readonly condition: string
  readonly after: Key | undefined
  readonly limit: string
}

/**
 * The query for a page: rows (json, rest, version, key, id, latitude, longitude) after a key, ordered by (key, id). The
 * other columns are looked up by ID behind an optimisation fence (`offset 0`): a generic plan does not know how few
 * keys there are, and would read whole tables. `json` is null where `boundedDoc` omits the document.
 */
export const listQuery = (scope: Scope, page: Page): string => {
  return `
    select ${boundedDoc('d.doc', 'k.key, k.id')} as json, ${REST_JSON}${DISTANCES[scope.kind]} || '}' as rest, d.version::text as version, k.key, k.id, k.latitude, k.longitude
    from (${keysOf(scope, page)}) k
    cross join lateral (select d.doc, d.updated, d.version from place_docs d where d.id = k.id offset 0) d`
}

/** The properties that the JSON of a site takes from its keys `k`. */
const DISTANCES: Readonly<Record<Scope['kind'], string>> = {
  near: ` || ',"distance_m":' || round(k.key)::bigint`,
  box: '',
  words: '',
  business: '',
  corridor: ` || ',"distance_m":' || round(k.distance_m)::bigint || ',"along_m":' || round(k.key)::bigint`,
}

/** The query for (key, id, latitude, longitude), and `distance_m` in a corridor. */
const keysOf = (scope: Scope, page: Page): string => {
  switch (scope.kind) {
    case 'near':
      return nearestKeys(scope.at, page)
    case 'box':
      return boxKeys(scope.box, page)
    case 'business':
      return businessKeys(page)
    case 'words':
      return wordsKeys(scope.words, page)
    case 'corridor':
      return corridorKeys(scope, page.parameters, page)
  }
}

/** The number of circles, each twice as wide as the previous one. The last one covers the world. */
const CIRCLES = 13
const FIRST_RADIUS_M = 1000
/** With a filter, this many times the limit is examined on each side along the curve. */
const FILTERED = 5

/**
 * The sites next to the position along the curve of cells are near it, though not always the nearest. The result
 * contains no site farther away than the farthest of these, so one circle with that radius is searched. If a filter or
 * a later page leaves too few of them, circles are searched from 1 km on, each twice as wide as the previous one, until
 * the limit ends the loop.
 */
const nearestKeys = (at: Position, page: Page): string => {
  const { parameters, condition, after, limit } = page
  const { bind } = parameters
  const [latitude, longitude] = [bind(at.latitude, 'float8'), bind(at.longitude, 'float8')]
  const { cell, x, y } = placeOnMap(at)
  const cells = [cell, x, y].map((number) => bind(number, 'bigint'))
  const [afterKey, afterId] = [bind(after?.[0] ?? -1, 'float8'), bind(after?.[1] ?? '', 'text')]
  const lookedAt = bind(after === undefined ? (condition === EVERY_PLACE ? 1 : FILTERED) : 0, 'int')
  const distance = `${EARTH_RADIUS_M} * great_circle(${latitude}, ${longitude}, p.latitude, p.longitude)`
  const alongCurve = (comparison: string, order: string): string => `
    (select p.* from places p where p.cell ${comparison} ${cells[0]}
      order by p.cell ${order}, p.id ${order} limit ${lookedAt} * ${limit})`
  return `
    select q.key, q.id, q.latitude, q.longitude
    from (
      select case when count(*) = ${limit} then max(n.key) else greatest(${FIRST_RADIUS_M}, 1.5 * ${afterKey}) end as radius_m
      from (
        select ${distance} as key from (${alongCurve('>=', 'asc')} union all ${alongCurve('<', 'desc')}) p
        where ${condition} order by 1 limit ${limit}) n) f
    cross join lateral (
      select case c when 0 then -1 else f.radius_m * 2 ^ (c - 1) end as inner_m,
        case c when ${CIRCLES - 1} then 'Infinity' else f.radius_m * 2 ^ c end as outer_m
      from generate_series(0, ${CIRCLES - 1}) c offset 0) ring
    cross join lateral (
      select d.key, d.id, d.latitude, d.longitude from (
        select p.id, p.latitude, p.longitude, ${distance} as key
        from cells_around(${latitude}, ${longitude}, ${cells.join(', ')}, ring.outer_m) r
        cross join lateral (
          select p.id, p.latitude, p.longitude from places p
          where p.cell between r.first and r.last and ${condition} offset 0) p
        offset 0) d
      where d.key > ring.inner_m and d.key <= ring.outer_m and (d.key, d.id) > (${afterKey}, ${afterId})
      order by d.key, d.id limit ${limit}) q
    limit ${limit}`
}

const rangesOf = ({ bind }: Parameters, ranges: readonly CellRange[]): string => {
  const first = bind(
    ranges.map(({ from }) => from),
    'bigint[]',
  )
  const last = bind(
    ranges.map(({ to }) => to),
    'bigint[]',
  )
  return `unnest(${first}, ${last}) r (first, last)`
}

/** The filter selects the business. */
const businessKeys = ({ parameters: { bind }, condition, after, limit }: Page): string => `
    select p.cell::float8 as key, p.id, p.latitude, p.longitude
    from (select p.cell, p.id, p.latitude, p.longitude from places p where ${condition} offset 0) p
    where (p.cell, p.id) > (${bind(after?.[0] ?? -1, 'bigint')}, ${bind(after?.[1] ?? '', 'text')})
    order by p.cell, p.id limit ${limit}`

/**
 * Avoids a row comparison, from which PostgreSQL would start the index search instead of from the start of each range.
 */
const boxKeys = (box: Box, { parameters, condition, after, limit }: Page): string => {
  const { bind } = parameters
  const [west, east] = [bind(box.west, 'float8'), bind(box.east, 'float8')]
  const [afterCell, afterId] = [bind(after?.[0] ?? -1, 'bigint'), bind(after?.[1] ?? '', 'text')]
  return `
    select p.cell::float8 as key, p.id, p.latitude, p.longitude
    from ${rangesOf(parameters, cellsOfBox(box))} cross join lateral (
      select p.cell, p.id, p.latitude, p.longitude from places p
      where p.cell between greatest(r.first, ${afterCell}) and r.last
        and (p.cell > ${afterCell} or p.id > ${afterId})
        and p.latitude between ${bind(box.south, 'float8')} and ${bind(box.north, 'float8')}
        and case when ${west} <= ${east} then p.longitude between ${west} and ${east}
          else p.longitude >= ${west} or p.longitude <= ${east} end
        and ${condition}
      order by p.cell, p.id limit ${limit}) p
    order by p.cell, p.id limit ${limit}`
}

const wordsKeys = (
  words: readonly string[],
  { parameters, condition, after, limit }: Page,
): string => {
  const { bind } = parameters
  const [afterKey, afterId] = [
    bind(after?.[0] ?? -Infinity, 'float8'),
    bind(after?.[1] ?? '', 'text'),
  ]
  return `
    select p.key, p.id, p.latitude, p.longitude
    from (select -p.max_kw as key, p.id, p.latitude, p.longitude from places p
      where p.words @@ ${searchQuery(parameters, words)} and ${condition} offset 0) p
    where (p.key, p.id) > (${afterKey}, ${afterId})
    order by p.key, p.id limit ${limit}`
}

import { CELL_BITS, cellsOfTile } from '#domain/cell.ts'
import type { Position } from '#domain/distance.ts'
import { isId } from '#domain/collection.ts'
import {
  NO_FILTER,
  PUBLIC_READ_LIMITS,
  type ListedSite,
  type SiteFilter,
  type Suggestion,
} from '#domain/public-read.ts'
import { isPowerClass } from '#domain/plug-group.ts'
import type { PublicSite } from '#domain/public-site.ts'
import { areSearchable, wordsOf } from '#domain/search-words.ts'
import type { BusinessSubject, ListSubject } from '#domain/site-pages.ts'

import { LOCKS } from '../db/locks.ts'
import type { Runner, Sql } from '../db/sql.ts'
import { pageQuery, readQuery } from '../http/parameters.ts'
import {
  createParameters,
  EVERY_PLACE,
  filterCondition,
  type Parameters,
  type Key,
} from './filter.ts'
import { joinJson, listQuery, REST_JSON, type Scope } from './lists.ts'
import { OpenHours, unknownHours, type StoredHours } from './open-hours.ts'
import { cursorOf, filterOf, PUBLIC_PARAMETERS } from './parameters.ts'
import { searchQuery, searchWords, townQuery } from './search.ts'
import { writeTile, type TilePlace, type TilePoint } from './tile.ts'

export { createParameters } from './filter.ts'
export type { Scope } from './lists.ts'
export type { TilePlace } from './tile.ts'

/** A public site, or the last position of a removed one. */
export type PublicAnswer =
  | { readonly kind: 'site'; readonly json: string; readonly version: string }
  | ({ readonly kind: 'removed' } & Position)

/** Finds a site that is public or was public until its removal. One statement. */
export const findPublicSite = async (
  sql: Runner,
  id: string,
): Promise<PublicAnswer | undefined> => {
  if (!isId(id)) return undefined
  const [row] = await sql.unsafe<Found[]>(
    `select d.doc as json, ${REST_JSON} || '}' as rest, d.version::text, 0::float8 as latitude, 0::float8 as longitude
    from place_docs d where d.id = $1
    union all
    select null, null, null, r.latitude, r.longitude from removed_places r where r.id = $1`,
    [id],
    PREPARED,
  )
  if (row === undefined) return undefined
  const { json, rest, version, latitude, longitude } = row
  if (json === null || rest === null || version === null)
    return { kind: 'removed', latitude, longitude }
  return { kind: 'site', json: joinJson({ json, rest }), version }
}

interface Found extends Position {
  readonly json: string | null
  readonly rest: string | null
  readonly version: string | null
}

/** Reads a public site; `removed` is the last position of a site that was public until its removal. One statement. */
export const readPublicSite = async (
  sql: Runner,
  id: string,
): Promise<{ readonly site?: PublicSite; readonly removed?: Position }> => {
  const found = await findPublicSite(sql, id)
  if (found?.kind === 'site') return { site: JSON.parse(found.json) as PublicSite }
  return found === undefined ? {} : { removed: found }
}

/** Reads the sites nearest to a position. One statement. */
export const readNear = async (
  sql: Runner,
  at: Position,
  limit: number,
): Promise<readonly ListedSite[]> => {
  const { rows } = await createPublicReads()(sql).list(
    { kind: 'near', at },
    { filter: NO_FILTER, limit },
  )
  return rows.map(({ json }) => JSON.parse(json) as ListedSite)
}

/**
 * Reads a page of the public sites of a business, and the area of all of them. One statement.
 * @param url the URL of the request; its `cursor` selects the page
 * @returns undefined if the business has no public site
 * @throws ApiError 400
 */
export const readBusinessSites = async (
  sql: Runner,
  business: string,
  url: string,
): Promise<BusinessSites | undefined> => {
  const declared = PUBLIC_PARAMETERS.business
  const { cursor: after } = readQuery(pageQuery(url, declared), declared)
  const limit = PUBLIC_READ_LIMITS.sites
  const parameters = createParameters()
  const condition = filterCondition(parameters, { ...NO_FILTER, business }, undefined)
  const query = listQuery(
    { kind: 'business' },
    { parameters, condition, after, limit: parameters.bind(limit + 1, 'int') },
  )
  const found = await sql.unsafe<(FoundRow & Extent)[]>(
    `select q.*, a.* from (${query}) q cross join (
      select count(*)::int as total, min(p.latitude) as south, max(p.latitude) as north,
        min(p.longitude) as west, max(p.longitude) as east
      from places p where p.business = ${parameters.bind(business, 'text')}) a
    order by q.key, q.id`,
    parameters.values,
    PREPARED,
  )
  const [first] = found
  if (first === undefined) return undefined
  const { total, south, north, west, east } = first
  const { rows, next } = pageOf(found, limit)
  return {
    sites: rows.map((row) => JSON.parse(joinJson(row)) as PublicSite),
    total,
    corners: [
      { latitude: south, longitude: west },
      { latitude: north, longitude: east },
    ],
    next: next === undefined ? null : cursorOf('business', next),
  }
}

interface Extent {
  readonly total: number
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

type BusinessSites = Omit<BusinessSubject, 'kind' | 'business'>

/**
 * Geocodes a search text and finds the sites near the result, as requested by the form of a page. A position in the
 * query replaces the text, for example to choose between towns with the same name. Two statements.
 * @throws ApiError 400
 */
export const searchPlaces = async (
  reads: PublicReads,
  url: string,
): Promise<Omit<ListSubject, 'kind'>> => {
  const query = pageQuery(url, PUBLIC_PARAMETERS.plainList)
  const given = readQuery(query, PUBLIC_PARAMETERS.plainList)
  const { q, near, cursor: after } = given
  const filter = filterOf(given)
  const words = searchWords(q)
  const isSearched = near === undefined && areSearchable(words)
  const places = isSearched ? await reads.suggest(words) : []
  const at = near ?? places[0]
  const limit = PUBLIC_READ_LIMITS.sites
  const { rows, next } =
    at === undefined
      ? { rows: [], next: undefined }
      : await reads.list({ kind: 'near', at }, { filter, after, limit })
  if (next !== undefined) query.set('cursor', cursorOf('near', next))
  return {
    query: q,
    filter,
    places,
    sites: rows.map(({ json }) => JSON.parse(json) as ListedSite),
    next: next === undefined ? null : query.toString(),
  }
}

/** A site of a list: its JSON, the version of its content, and its key in the list. */
export interface ListRow extends Position {
  readonly json: string
  readonly version: string
  readonly id: string
  readonly key: number
}

/** A row of `listQuery`. */
interface FoundRow extends Omit<ListRow, 'json'> {
  readonly json: string | null
  readonly rest: string
}

type WholeRow<Row> = Row & { readonly json: string }

/** A page of a list, and the key after which the next page begins. */
interface Page<Row> {
  readonly rows: readonly Row[]
  readonly next: Key | undefined
}

/** Builds a page: up to `limit` rows, as far as the database sent their documents. */
const pageOf = <Row extends FoundRow>(
  found: readonly Row[],
  limit: number,
): Page<WholeRow<Row>> => {
  const isWhole = (row: Row): row is WholeRow<Row> => row.json !== null
  const rows = found.slice(0, limit).filter(isWhole)
  const last = rows.length < found.length ? rows.at(-1) : undefined
  return { rows, next: last && [last.key, last.id] }
}

const listRow = (row: WholeRow<FoundRow>): ListRow => {
  const { id, key, latitude, longitude, version, rest } = row
  return { json: joinJson(row), version: `${id} ${version} ${rest}`, id, key, latitude, longitude }
}

interface ListOptions {
  readonly filter: SiteFilter
  /** The key after which the page begins. */
  readonly after?: Key | undefined
  readonly limit: number
}

/**
 * The public reads. Each takes one statement, plus one if it encounters unknown opening hours or if no site contains
 * all words of a search.
 */
export interface PublicReads {
  list(scope: Scope, options: ListOptions): Promise<Page<ListRow>>
  tile(place: TilePlace, filter: SiteFilter): Promise<Uint8Array>
  suggest(words: readonly string[]): Promise<readonly Suggestion[]>
}

/**
 * Creates the public reads, which work on any server of the database. All of them share the known opening hours.
 * @param now the current time; for tests
 */
export const createPublicReads = (now: () => number = Date.now) => {
  const openHours = new OpenHours()
  return (sql: Runner): PublicReads => publicReads(sql, openHours, now)
}

const publicReads = (sql: Runner, openHours: OpenHours, now: () => number): PublicReads => {
  type QueryOf = (parameters: Parameters, condition: string) => string

  /** Runs a query with a filter. */
  const run = async <Row extends object>(
    filter: SiteFilter,
    order: string,
    queryOf: QueryOf,
  ): Promise<Row[]> => {
    if (filter.openNow) return runOpen(filter, order, queryOf)
    const parameters = createParameters()
    const query = queryOf(parameters, filterCondition(parameters, filter, undefined))
    const text = `select r.* from (${query}) r order by ${order}`
    return sql.unsafe<Row[]>(text, parameters.values, PREPARED)
  }

  /** Runs a query for sites that are open now, and repeats it if the database returned unknown hours. */
  const runOpen = async <Row extends object>(
    filter: SiteFilter,
    order: string,
    queryOf: QueryOf,
  ): Promise<Row[]> => {
    for (let attempt = 1; ; attempt += 1) {
      const parameters = createParameters()
      const hours = await openHours.at(now())
      const condition = filterCondition(parameters, filter, hours)
      const unknown = unknownHours(parameters, hours)
      const rows = await sql.unsafe<
        (Row & { unknown: StoredHours[] | null; row: number | null })[]
      >(
        `select u.unknown, r.* from (select ${unknown} as unknown) u
        left join lateral (select 1 as row, q.* from (${queryOf(parameters, condition)}) q) r on true
        order by ${order}`,
        parameters.values,
        PREPARED,
      )
      const missing = rows[0]?.unknown ?? []
      if (missing.length === 0 || attempt === MAX_ATTEMPTS)
        return rows.filter(({ row }) => row !== null)
      openHours.learn(missing)
    }
  }

  return {
    list: async (scope, { filter, after, limit }) => {
      const found = await run<FoundRow>(filter, 'r.key, r.id', (parameters, condition) =>
        // One more row shows whether there is another page.
        listQuery(scope, {
          parameters,
          condition,
          after,
          limit: parameters.bind(limit + 1, 'int'),
        }),
      )
      const { rows, next } = pageOf(found, limit)
      return { rows: rows.map(listRow), next }
    },
    tile: async (place, filter) => {
      const rows = await run<TileRow>(filter, 'r.id', (parameters, condition) =>
        tileQuery(place, filter, parameters, condition),
      )
      return writeTile(place, rows.map(tilePoint))
    },
    suggest: async (words) => {
      const suggest = async (asked: (parameters: Parameters) => string): Promise<Suggestion[]> => {
        const parameters = createParameters()
        const query = suggestQuery(asked(parameters))
        const rows = await sql.unsafe<{ json: Suggestion }[]>(query, parameters.values, PREPARED)
        return rows.map(({ json }) => json)
      }
      const found = await suggest(
        (parameters) => `select ${searchQuery(parameters, words)} as query, null::int as size`,
      )
      if (words.length === 1 || found.some((each) => isTown(each) || isNamed(each, words)))
        return found
      const towns = await suggest((parameters) => townQuery(parameters, words))
      return [...towns.filter(isTown), ...found].slice(0, PUBLIC_READ_LIMITS.suggestions)
    },
  }
}

/** The minimum number of sites from which tiles of low zoom use the summary. */
const SUMMARIZED_FROM = 20_000

/** The timeout of a renewal. It reads all places, so it takes much longer than any request may. */
const RENEWAL_MS = 15 * 60 * 1000

/**
 * Renews the summary of all places if it is due, on a separate connection, unless another process is doing so.
 * @param signal aborts the renewal; the summary then stays unchanged
 */
export const renewSummary = async (sql: Sql, signal: AbortSignal): Promise<void> => {
  const [row] = await sql<[{ due: boolean }]>`select is_summary_due() as due`
  if (!row.due) return
  const nothing = (): void => {}
  const session = sql.openSession({ notified: nothing, closed: nothing }, { answerMs: RENEWAL_MS })
  const end = (): void => void session.end({ timeout: 0 })
  signal.addEventListener('abort', end)
  try {
    await session.unsafe(`set statement_timeout = ${RENEWAL_MS}`)
    await session`select summarize_places(${SUMMARIZED_FROM}::int)`
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', end)
    await session.end({ timeout: 1 })
  }
}

/** The number of words that a sweep checks, each in the index of places. */
const WORDS_PER_SWEEP = 1000

/**
 * Creates a sweep that deletes opening hours and words that no place uses any more: a word that still exists is not
 * treated as a misspelling of another. Writes of places wait for the sweep; if the lock is taken, the sweep is skipped.
 * Each sweep continues with the words where the previous one stopped.
 */
export const createPlaceSweep = (sql: Sql): (() => Promise<void>) => {
  let last = ''
  return () =>
    sql.begin(async (transaction) => {
      const [lock] = await transaction<[{ taken: boolean }]>`
        select pg_try_advisory_xact_lock(${LOCKS.placeHours}) as taken`
      if (!lock.taken) return
      await transaction`
        delete from place_hours h where not exists (select from places p where p.hours = h.id)`
      const [seen] = await transaction<[{ count: number; last: string }]>`
        with seen as materialized (
          select word from place_words where word > ${last} and spelling = word
          order by word limit ${WORDS_PER_SWEEP}),
        unused as materialized (
          select word from seen
          where not exists (select from places p where p.words @@ ('''' || word || '''')::tsquery)),
        removed as (delete from place_words w using unused u where w.word = u.word)
        select count(*)::int as count, coalesce(max(word), '') as last from seen`
      last = seen.count < WORDS_PER_SWEEP ? '' : seen.last
    })
}

const PREPARED = { prepare: true }
const MAX_ATTEMPTS = 3

interface TileRow extends Position {
  readonly id: string
  readonly count: number
  readonly max_kw: number
  readonly available: number
  readonly status: string
}

/** The number of clusters per side of a tile, as a power of two. */
const CLUSTER_BITS = 4

const tileQuery = (
  place: TilePlace,
  filter: SiteFilter,
  parameters: Parameters,
  condition: string,
): string => {
  const { z, x, y } = place
  const { bind } = parameters
  const { from, to } = cellsOfTile(z, x, y)
  const where = `p.cell between ${bind(from, 'bigint')} and ${bind(to, 'bigint')} and ${condition}`
  if (z >= PUBLIC_READ_LIMITS.singlesZoom)
    return `select p.id, p.latitude, p.longitude, 1 as count, p.max_kw, 0 as available, p.status
      from places p where ${where} order by p.cell, p.id limit ${PUBLIC_READ_LIMITS.sitesOfTile}`
  const shift = bind(2 * (CELL_BITS - z - CLUSTER_BITS), 'int')
  const clusters = (more: string): string => `
    select min(p.id) as id, avg(p.latitude) as latitude, avg(p.longitude) as longitude,
      count(*)::int as count, max(p.max_kw) as max_kw,
      count(*) filter (where p.status = 'AVAILABLE')::int as available, min(p.status) as status
    from places p where ${where}${more} group by p.cell >> ${shift}`
  // The summary contains neither hours nor single connectors or businesses.
  const isSummarized =
    !filter.openNow && filter.business === undefined && isPowerClass(filter.minKw)
  if (z > PUBLIC_READ_LIMITS.summaryZoom || !isSummarized) return clusters('')
  const isUsed = '(select s.used from place_summaries s)'
  return `${clusters(` and not ${isUsed}`)}
    union all
    select min(p.id), sum(p.latitude) / sum(p.count), sum(p.longitude) / sum(p.count),
      sum(p.count)::int, max(p.max_kw),
      coalesce(sum(p.count) filter (where p.status = 'AVAILABLE'), 0)::int, min(p.status)
    from ${condition === EVERY_PLACE ? 'place_squares' : 'place_summary'} p
    where p.zoom = ${bind(z, 'int')} and p.cell between ${bind(squareOf(from, z), 'int')}
      and ${bind(squareOf(to, z), 'int')} and ${condition} and ${isUsed}
    group by p.cell`
}

/** The number of the cluster that contains a cell, in a tile of this zoom. */
const squareOf = (cell: number, z: number): number =>
  Math.floor(cell / 4 ** (CELL_BITS - z - CLUSTER_BITS))

const tilePoint = ({
  id,
  latitude,
  longitude,
  count,
  max_kw,
  available,
  status,
}: TileRow): TilePoint => ({
  at: { latitude, longitude },
  properties: count === 1 ? { id, count, max_kw, status } : { count, max_kw, available },
})

/**
 * Sites with the same town name within this distance belong to the place that has most of them; sites farther away
 * belong to their square.
 */
const TOWN_DEGREES = { latitude: 0.5, longitude: 0.8 }
const TOWN_ZOOMS = { near: 9, far: 7 }
/**
 * Among this many of the most powerful sites, those whose name contains the words come first. For the others, the words
 * may match a street.
 */
const NAMED_AMONG = 200

const isTown = ({ kind }: Suggestion): boolean => kind === 'town'

/** Whether the name contains all words; the last word may be a prefix. */
const isNamed = ({ name }: Suggestion, words: readonly string[]): boolean => {
  const own = wordsOf(name)
  return words.every((word, at) =>
    own.some((each) => (at === words.length - 1 ? each.startsWith(word) : each === word)),
  )
}

/**
 * Finds towns whose words match, with state or postal code if several have the same name, then sites.
 * @param asked SQL of a row: the query, and the number of words of the town's name, if known
 */
const suggestQuery = (asked: string): string => {
  const limit = PUBLIC_READ_LIMITS.suggestions
  return `
    with asked as materialized (${asked}),
    matches as materialized (
      select p.id, p.city, p.country, p.cell, p.latitude, p.longitude, p.max_kw from places p
      where p.words @@ (select query from asked) limit ${MAX_MATCHES}),
    spelled as (
      select m.city, m.country, m.cell >> ${2 * (CELL_BITS - TOWN_ZOOMS.near)} as square, words_of(m.city) as words, count(*) as count,
        sum(m.latitude) as latitude, sum(m.longitude) as longitude, min(m.id) as id
      from matches m where m.city <> '' group by m.city, m.country, square),
    placed as (
      select s.*, first_value(s.latitude / s.count) over same as main_latitude,
        first_value(s.longitude / s.count) over same as main_longitude
      from spelled s join asked a on s.words @@ a.query and length(s.words) = coalesce(a.size, length(s.words))
      window same as (partition by s.words, s.country order by s.count desc, s.square)),
    towns as (
      select (array_agg(s.city order by s.city = upper(s.city), s.city))[1] as city, s.words, s.country, min(s.id) as id,
        sum(s.count)::int as count, sum(s.latitude) / sum(s.count) as latitude, sum(s.longitude) / sum(s.count) as longitude
      from placed s
      group by s.words, s.country, case
        when abs(s.latitude / s.count - s.main_latitude) <= ${TOWN_DEGREES.latitude}
          and abs(s.longitude / s.count - s.main_longitude) <= ${TOWN_DEGREES.longitude} then null
        else s.square >> ${2 * (TOWN_ZOOMS.near - TOWN_ZOOMS.far)} end),
    suggested as (
      select t.*, count(*) over (partition by t.words, t.country) > 1 as is_several from towns t
      order by t.count desc, t.city, t.country, t.id limit ${limit}),
    strongest as (
      select m.*, d.doc::json ->> 'name' as name,
        row_number() over (order by words_of(d.doc::json ->> 'name') @@ (select query from asked) desc, m.max_kw desc, m.id) as rank
      from (select * from matches order by max_kw desc, id limit ${NAMED_AMONG}) m join place_docs d on d.id = m.id
      order by rank limit ${limit})
    select json from (
      select 1 as part, -t.count as rank, t.city as name, json_build_object('kind', 'town', 'name', t.city, 'region',
        coalesce(nullif(d.doc::json ->> 'state', ''), d.doc::json ->> 'postal_code', ''), 'country', t.country,
        'latitude', t.latitude, 'longitude', t.longitude, 'count', t.count) as json
      from suggested t left join place_docs d on t.is_several and d.id = t.id
      union all
      select 2, m.rank, m.id, json_build_object('kind', 'site', 'id', m.id, 'name', m.name,
        'city', m.city, 'country', m.country, 'latitude', m.latitude, 'longitude', m.longitude)
      from strongest m) s
    order by part, rank, name`
}

/** Maximum number of sites that are searched for suggestions. */
const MAX_MATCHES = 20_000

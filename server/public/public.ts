import type { Position } from '#domain/distance.ts'
import { isId } from '#domain/collection.ts'
import {
  NO_FILTER,
  PUBLIC_READ_LIMITS,
  type ListedSite,
  type SiteFilter,
  type Suggestion,
} from '#domain/public-read.ts'
import type { PublicSite } from '#domain/public-site.ts'
import { areSearchable, wordsOf } from '#domain/search-words.ts'
import type { BusinessSubject, ListSubject } from '#domain/site-pages.ts'

import type { Runner } from '../db/sql.ts'
import { pageQuery, readQuery } from '../http/parameters.ts'
import { createParameters, filterCondition, type Parameters, type Key } from './filter.ts'
import { joinJson, listQuery, REST_JSON, type Scope } from './lists.ts'
import { OpenHours, unknownHours, type StoredHours } from './open-hours.ts'
import { cursorOf, filterOf, PUBLIC_PARAMETERS } from './parameters.ts'
import { searchQuery, searchWords, suggestQuery, townQuery } from './search.ts'
import { tilePoint, tileQuery, writeTile, type TilePlace, type TileRow } from './tile.ts'

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

/** Creates the public reads, which work on any server of the database. All of them share the known opening hours. */
export const createPublicReads = () => {
  const openHours = new OpenHours()
  return (sql: Runner): PublicReads => publicReads(sql, openHours)
}

const publicReads = (sql: Runner, openHours: OpenHours): PublicReads => {
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
      const hours = await openHours.at(Date.now())
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
      const suggest = async (
        requested: (parameters: Parameters) => string,
      ): Promise<Suggestion[]> => {
        const parameters = createParameters()
        const query = suggestQuery(requested(parameters))
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

const PREPARED = { prepare: true }
const MAX_ATTEMPTS = 3

const isTown = ({ kind }: Suggestion): boolean => kind === 'town'

/** Whether the name contains all words; the last word may be a prefix. */
const isNamed = ({ name }: Suggestion, words: readonly string[]): boolean => {
  const own = wordsOf(name)
  return words.every((word, at) =>
    own.some((each) => (at === words.length - 1 ? each.startsWith(word) : each === word)),
  )
}

import type { Runner } from '../db/sql.ts'
import type { Base } from './merge.ts'
import type { Work } from './work.ts'

/** The bases of stations. */
export interface Bases {
  readonly bySite: ReadonlyMap<string, Base>
  /** By the number of the station in the import, whose key has a base. */
  readonly byNumber: ReadonlyMap<number, Base>
  /** Of these, stations whose site is gone, or that have none. */
  readonly withoutSite: ReadonlyMap<number, Base>
  /** Of these, stations that were refused or could not be written: a change of the feed may help. */
  readonly awaitingChange: ReadonlySet<number>
}

const NO_BASES: Bases = {
  bySite: new Map(),
  byNumber: new Map(),
  withoutSite: new Map(),
  awaitingChange: new Set(),
}

/** Reads the bases of stations, by their numbers, and of sites. */
export const readBases = async (
  runner: Runner,
  { import: id, feed }: Pick<Work, 'import' | 'feed'>,
  numbers: readonly number[],
  sites: readonly string[],
): Promise<Bases> => {
  if (feed === '') return NO_BASES
  const known = await runner<{ site: string; base: Base }[]>`
    select site, base from feed_stations where feed = ${feed} and site <> '' and site = any(${[...sites]})`
  const named = await runner<
    { number: number; base: Base; hasSite: boolean; awaitsChange: boolean }[]
  >`
    select k.number, f.base, exists (select from sites s where s.id = f.site) as "hasSite",
      f.awaits_change as "awaitsChange"
    from import_keys k join feed_stations f on f.feed = ${feed} and f.key = k.key
    where k.import = ${id} and k.number = any(${[...numbers]})`
  const byNumber = (some: typeof named) => new Map(some.map(({ number, base }) => [number, base]))
  return {
    bySite: new Map(known.map(({ site, base }) => [site, base])),
    byNumber: byNumber(named),
    withoutSite: byNumber(named.filter(({ hasSite }) => !hasSite)),
    awaitingChange: new Set(
      named.flatMap(({ number, awaitsChange }) => (awaitsChange ? [number] : [])),
    ),
  }
}

/** The name and the position of a station. */
export interface NamedPlace {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
}

/** The site of a station whose key has a base, and the name and position in the base. */
export interface KnownSite extends NamedPlace {
  readonly number: number
  readonly site: string
}

type OfFeed = Pick<Work, 'import' | 'feed' | 'business'>

/** Reads the sites of stations whose keys have a base. */
export const readKnownSites = async (
  runner: Runner,
  { import: id, feed, business }: OfFeed,
  numbers: readonly number[],
): Promise<readonly KnownSite[]> =>
  feed === '' || numbers.length === 0
    ? []
    : runner<KnownSite[]>`
        select k.number, s.id as site, ${placeOf(runner)}
        from import_keys k join feed_stations f on f.feed = ${feed} and f.key = k.key
        join sites s on s.id = f.site and s.business = ${business}
        where k.import = ${id} and k.number = any(${[...numbers]})`

const placeOf = (runner: Runner) => runner`
  coalesce(f.base #>> '{site,name}', '') as name,
  coalesce(f.latitude, s.latitude) as latitude, coalesce(f.longitude, s.longitude) as longitude`

/** Of some sites, those of stations without an ID whose key is still in the feed. */
export const readStillNamed = async (
  runner: Runner,
  { import: id, feed }: Pick<OfFeed, 'import' | 'feed'>,
  sites: readonly string[],
): Promise<readonly string[]> => {
  if (feed === '' || sites.length === 0) return []
  const rows = await runner<{ site: string }[]>`
    select f.site from feed_stations f join import_keys k on k.import = ${id} and k.key = f.key
    where f.feed = ${feed} and f.site <> '' and f.site = any(${[...sites]}) and f.base ->> 'reference' = ''`
  return rows.map(({ site }) => site)
}

/** A station with the same name is probably the same one up to this many degrees away: about 500 m, and a cell of the index. */
const SAME_NAME_DEGREES = 0.005

/** A station that the feed had before, under a key that it no longer has. */
export type FormerStation =
  /** Neither has an ID. The site is null if it was deleted, undone or left out. */
  | { readonly isSure: true; readonly key: string; readonly site: string | null }
  /** Some station without a site, which may be another one. */
  | { readonly isSure: false }

interface SoughtStation extends NamedPlace {
  readonly number: number
  readonly hasId: boolean
}

/**
 * Finds the former stations of new ones that the feed has renamed, moved or numbered anew: by the name or the position in
 * the bases whose keys it no longer has, since the owner of a site may have changed both. Only a single pair without IDs
 * is certain.
 * @returns the former stations by the numbers of the stations
 */
export const findFormer = async (
  runner: Runner,
  { import: id, feed, business }: OfFeed,
  stations: readonly SoughtStation[],
): Promise<ReadonlyMap<number, FormerStation>> => {
  if (feed === '' || stations.length === 0) return new Map()
  const matches = runner`
    (g.latitude = n.latitude and g.longitude = n.longitude
      or g.name = n.name and n.name <> '' and abs(g.latitude - n.latitude) < ${SAME_NAME_DEGREES}
        and abs(g.longitude - n.longitude) < ${SAME_NAME_DEGREES})`
  const rows = await runner<{ number: number; key: string | null; site: string | null }[]>`
    with sought as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(stations)}::jsonb)
        as n(number int, "hasId" boolean, name text, latitude float8, longitude float8)
      where not exists (
        select from import_keys k join feed_stations f on f.feed = ${feed} and f.key = k.key
        where k.import = ${id} and k.number = n.number)),
    cells as (
      select distinct floor(n.latitude * 200) + y as y, floor(n.longitude * 200) + x as x
      from sought n, generate_series(-1, 1) y, generate_series(-1, 1) x),
    gone as materialized (
      select f.key, s.id as site, f.base ->> 'reference' as reference, f.base #>> '{site,name}' as name, f.latitude, f.longitude
      from cells c join feed_stations f
        on f.feed = ${feed} and floor(f.latitude * 200) = c.y and floor(f.longitude * 200) = c.x
      left join sites s on s.id = f.site and s.business = ${business}
      where not f.awaits_change
        and not exists (select from import_keys k where k.import = ${id} and k.key = f.key)),
    alone as materialized (
      select n.number, min(g.key) as key, min(g.site) as site from sought n cross join lateral (
        select g.key, g.site from gone g where ${matches} and not n."hasId" and g.reference = '' limit 2) g
      group by n.number having count(*) = 1),
    sure as materialized (
      select number, key, site from (select *, count(*) over (partition by key) as count from alone) a where count = 1)
    select number, key, site from sure
    union all select n.number, null, null from sought n
    where n.number not in (select number from sure)
      and exists (select from gone g where g.site is null and ${matches})`
  return new Map(
    rows.map(({ number, key, site }) => [
      number,
      key === null ? { isSure: false } : { isSure: true, key, site },
    ]),
  )
}

import { setImmediate } from 'node:timers/promises'

import { boxAround, cellsOfBox } from '#domain/cell.ts'
import { EARTH_RADIUS_M } from '#domain/distance.ts'
import {
  compareSites,
  DUPLICATE_LIMITS,
  MIN_DUPLICATE_SCORE,
  MIN_LIKENESS,
  type Compared,
  type Duplicate,
} from '#domain/duplicate.ts'
import type { PublicSite } from '#domain/public-site.ts'

import type { Runner } from '../db/sql.ts'

/** A new or existing site to compare with others. */
export interface DuplicateQuery extends Compared {
  /** Its id, if it has one: a site is not compared with itself. */
  readonly except?: string | undefined
}

/**
 * Finds possible duplicates of sites, the most probable first: public sites with a score of at least
 * `MIN_DUPLICATE_SCORE`, and those of the user's own sites, public or not, that have this score, are at the same place,
 * or are nearby with a similar name. One statement.
 * @param user the id of the owner
 * @param queries at most some hundred; a site without an operator is taken for the owner's
 * @returns one list per site in `queries`, in the same order
 */
export const findDuplicates = async (
  runner: Runner,
  user: string,
  queries: readonly DuplicateQuery[],
): Promise<readonly (readonly Duplicate[])[]> => {
  const { pairs, sites } = await readNeighbours(runner, user, queries)
  const byNumber = Map.groupBy(pairs, ({ number }) => number)
  const read = createReader(sites)
  const found: Duplicate[][] = []
  for (const [number, site] of queries.entries()) {
    const neighbours = byNumber.get(number) ?? []
    // Lets other requests run in between.
    if (neighbours.length > 0) await setImmediate()
    found.push(
      neighbours
        .flatMap(({ id }) => read(id) ?? [])
        .map((neighbour) => compare(site, neighbour))
        .filter(isShown)
        .toSorted((one, other) => other.score - one.score || one.distance_m - other.distance_m),
    )
  }
  return found
}

const isShown = ({ is_own, score, likeness, distance_m }: Duplicate): boolean =>
  score >= MIN_DUPLICATE_SCORE ||
  (is_own && (distance_m <= DUPLICATE_LIMITS.atM || likeness >= MIN_LIKENESS))

/** A site in `queries`, by its index, and a nearby site. */
interface Pair {
  readonly number: number
  readonly id: string
}

/** A site near at least one of `queries`. */
interface Site {
  readonly id: string
  readonly is_own: boolean
  /** The names of the site's business and of the user's. */
  readonly business: string
  readonly asker: string
  /** The compared part of a PublicSite. */
  readonly json: string
}

type ComparedFields = Pick<
  PublicSite,
  'name' | 'address' | 'city' | 'latitude' | 'longitude' | 'contact_phone' | 'connectors'
>

interface Neighbour extends Pick<Site, 'id' | 'is_own' | 'asker'> {
  readonly address: string
  readonly business: string
  readonly compared: Compared
}

/** Parses the JSON of each site once, on its first comparison. */
const createReader = (sites: readonly Site[]): ((id: string) => Neighbour | undefined) => {
  const unread = new Map(sites.map((site) => [site.id, site]))
  const known = new Map<string, Neighbour>()
  return (id) => {
    const site = unread.get(id)
    if (site !== undefined) known.set(id, neighbourOf(site))
    unread.delete(id)
    return known.get(id)
  }
}

const neighbourOf = ({ id, is_own, business, asker, json }: Site): Neighbour => {
  const fields = JSON.parse(json) as ComparedFields
  const { name, address, latitude, longitude, connectors } = fields
  return {
    id,
    is_own,
    asker,
    address,
    business,
    compared: {
      name,
      latitude,
      longitude,
      city: fields.city,
      operator: business,
      phone: fields.contact_phone,
      plugs: connectors.map(({ standard }) => standard),
      maxKw: connectors.reduce((most, { kw_rating }) => Math.max(most, kw_rating), 0),
      evseIds: connectors.map(({ evse_id }) => evse_id).filter((evseId) => evseId !== ''),
    },
  }
}

const compare = (
  query: DuplicateQuery,
  { id, is_own, address, business, asker, compared: site }: Neighbour,
): Duplicate => {
  const compared = compareSites({ ...query, operator: query.operator ?? asker }, site)
  return {
    id,
    is_own,
    name: site.name,
    address,
    business,
    latitude: site.latitude,
    longitude: site.longitude,
    distance_m: Math.round(compared.distanceM),
    likeness: compared.likeness,
    score: compared.score,
  }
}

/**
 * Reads the sites around each of `queries`: the nearest of each range of cells, and the nearest of the owner's own.
 * Each site is read once, however many others it is near to; small ones first, until the limit is reached.
 */
const readNeighbours = async (
  runner: Runner,
  user: string,
  queries: readonly DuplicateQuery[],
): Promise<{ readonly pairs: readonly Pair[]; readonly sites: readonly Site[] }> => {
  const boxes = queries.map((site) => boxAround(site, DUPLICATE_LIMITS.ownWithinM))
  const ranges = queries.flatMap((site, number) =>
    cellsOfBox(boxAround(site, DUPLICATE_LIMITS.withinM), MAX_SQUARES).map((range) => ({
      ...range,
      number,
    })),
  )
  const rows = await runner<(Pair | (Site & { readonly number: null }))[]>`
    with asker as (select b.id, b.name from businesses b where b."user" = ${user}),
    requested as (
      select * from unnest(${queries.map((_, number) => number)}::int[], ${queries.map(({ except }) => except ?? '')}::text[],
        ${queries.map(({ latitude }) => latitude)}::float8[], ${queries.map(({ longitude }) => longitude)}::float8[],
        ${boxes.map(({ west }) => west)}::float8[], ${boxes.map(({ south }) => south)}::float8[],
        ${boxes.map(({ east }) => east)}::float8[], ${boxes.map(({ north }) => north)}::float8[])
        a (number, itself, latitude, longitude, west, south, east, north)),
    ranges as (
      select * from unnest(${ranges.map(({ number }) => number)}::int[], ${ranges.map(({ from }) => from)}::bigint[],
        ${ranges.map(({ to }) => to)}::bigint[]) r (number, first, last)),
    others as (
      select r.number, p.id
      from ranges r join requested a using (number) cross join lateral (
        select p.id, great_circle(a.latitude, a.longitude, p.latitude, p.longitude) as angle from places p
        where p.cell between r.first and r.last and p.id <> a.itself
          and p.business is distinct from (select id from asker)
        order by angle limit ${MAX_NEIGHBOURS}) p
      where p.angle <= ${DUPLICATE_LIMITS.withinM / EARTH_RADIUS_M}),
    own as (
      select a.number, s.id
      from requested a cross join lateral (
        select s.id, great_circle(a.latitude, a.longitude, s.latitude, s.longitude) as angle from sites s
        where s.business = (select id from asker) and s.latitude between a.south and a.north and s.id <> a.itself
          and case when a.west <= a.east then s.longitude between a.west and a.east
            else s.longitude >= a.west or s.longitude <= a.east end
        order by angle limit ${MAX_NEIGHBOURS}) s
      where s.angle <= ${DUPLICATE_LIMITS.ownWithinM / EARTH_RADIUS_M}),
    said as (
      select o.id, false as is_own, d.doc as json
      from (select distinct id from others) o
      cross join lateral (select d.doc from place_docs d where d.id = o.id offset 0) d
      union all
      select o.id, true, left(s.json, -1) || ',"connectors":[' || c.json || ']}'
      from (select distinct id from own) o join sites s on s.id = o.id cross join lateral (
        select coalesce(string_agg(c.json, ','), '') as json from connectors c where c.site = o.id) c),
    held as (
      select s.*, sum(s.size) over (order by s.size, s.id rows unbounded preceding) as bytes
      from (select s.*, octet_length(s.json) as size from said s) s)
    select null::int as number, h.id, h.is_own, h.json, coalesce((select name from asker), '') as asker,
      case when h.is_own then (select name from asker) else h.json::json -> 'business' ->> 'name' end as business
    from held h where h.bytes <= ${DUPLICATE_LIMITS.readBytes}
    union all select number, id, null, null, null, null from others
    union all select number, id, null, null, null, null from own`
  const isPair = (row: Pair | { readonly number: null }): row is Pair => row.number !== null
  return {
    pairs: rows.filter(isPair),
    sites: rows.filter((row): row is Site & { readonly number: null } => !isPair(row)),
  }
}

/** Few squares cover the neighbourhood. */
const MAX_SQUARES = 6
/** More sites at one place help nobody. */
const MAX_NEIGHBOURS = 25

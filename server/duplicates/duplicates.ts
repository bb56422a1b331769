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

/** A site that somebody is about to add, or has. */
export interface Asked extends Compared {
  /** Its id, if it has one: it is not compared with itself. */
  readonly except?: string | undefined
}

/**
 * Finds the sites that may be the same as some others, the most probable first: of all public ones those with a score of
 * at least `MIN_DUPLICATE_SCORE`, of the user's own, public or not, also those that are at the same place or that have a like name
 * nearby. One statement.
 * @param user the id of the owner
 * @param asked at most some hundreds; without an operator they are taken for the owner's
 * @returns a list for each that is asked, in the same order
 */
export const findDuplicates = async (
  runner: Runner,
  user: string,
  asked: readonly Asked[],
): Promise<readonly (readonly Duplicate[])[]> => {
  const rows = await readNeighbours(runner, user, asked)
  const byNumber = Map.groupBy(rows, ({ number }) => number)
  const found: Duplicate[][] = []
  for (const [number, site] of asked.entries()) {
    const neighbours = byNumber.get(number) ?? []
    // Other requests go on in between.
    if (neighbours.length > 0) await setImmediate()
    found.push(
      neighbours
        .map((row) => compare(site, row))
        .filter(isShown)
        .toSorted((one, other) => other.score - one.score || one.distance_m - other.distance_m),
    )
  }
  return found
}

const isShown = ({ is_own, score, likeness, distance_m }: Duplicate): boolean =>
  score >= MIN_DUPLICATE_SCORE ||
  (is_own && (distance_m <= DUPLICATE_LIMITS.atM || likeness >= MIN_LIKENESS))

interface Row {
  /** Of the site that is asked for. */
  readonly number: number
  readonly id: string
  readonly is_own: boolean
  /** The names of the businesses of both. */
  readonly business: string
  readonly asker: string
  /** What is compared of a PublicSite. */
  readonly json: string
}

type Said = Pick<
  PublicSite,
  'name' | 'address' | 'city' | 'latitude' | 'longitude' | 'contact_phone' | 'connectors'
>

const compare = (asked: Asked, { id, is_own, business, asker, json }: Row): Duplicate => {
  const said = JSON.parse(json) as Said
  const { name, address, latitude, longitude, connectors } = said
  const site: Compared = {
    name,
    latitude,
    longitude,
    city: said.city,
    operator: business,
    phone: said.contact_phone,
    plugs: connectors.map(({ standard }) => standard),
    maxKw: Math.max(0, ...connectors.map(({ kw_rating }) => kw_rating)),
    evseIds: connectors.map(({ evse_id }) => evse_id).filter((evseId) => evseId !== ''),
  }
  const compared = compareSites({ ...asked, operator: asked.operator ?? asker }, site)
  return {
    id,
    is_own,
    name,
    address,
    business,
    latitude,
    longitude,
    distance_m: Math.round(compared.distanceM),
    likeness: compared.likeness,
    score: compared.score,
  }
}

/** The sites around those that are asked for; of each range of cells, and of an owner's at each place, the nearest. */
const readNeighbours = async (
  runner: Runner,
  user: string,
  asked: readonly Asked[],
): Promise<readonly Row[]> => {
  const boxes = asked.map((site) => boxAround(site, DUPLICATE_LIMITS.ownWithinM))
  const ranges = asked.flatMap((site, number) =>
    cellsOfBox(boxAround(site, DUPLICATE_LIMITS.withinM), MAX_SQUARES).map((range) => ({
      ...range,
      number,
    })),
  )
  return runner<Row[]>`
    with asker as (select b.id, b.name from businesses b where b."user" = ${user}),
    asked as (
      select * from unnest(${asked.map((_, number) => number)}::int[], ${asked.map(({ except }) => except ?? '')}::text[],
        ${asked.map(({ latitude }) => latitude)}::float8[], ${asked.map(({ longitude }) => longitude)}::float8[],
        ${boxes.map(({ west }) => west)}::float8[], ${boxes.map(({ south }) => south)}::float8[],
        ${boxes.map(({ east }) => east)}::float8[], ${boxes.map(({ north }) => north)}::float8[])
        a (number, itself, latitude, longitude, west, south, east, north)),
    ranges as (
      select * from unnest(${ranges.map(({ number }) => number)}::int[], ${ranges.map(({ from }) => from)}::bigint[],
        ${ranges.map(({ to }) => to)}::bigint[]) r (number, first, last)),
    others as (
      select r.number, p.id
      from ranges r join asked a using (number) cross join lateral (
        select p.id, great_circle(a.latitude, a.longitude, p.latitude, p.longitude) as angle from places p
        where p.cell between r.first and r.last and p.id <> a.itself
          and p.business is distinct from (select id from asker)
        order by angle limit ${MAX_NEIGHBOURS}) p
      where p.angle <= ${DUPLICATE_LIMITS.withinM / EARTH_RADIUS_M}),
    own as (
      select a.number, s.id, s.json
      from asked a cross join lateral (
        select s.id, s.json, great_circle(a.latitude, a.longitude, s.latitude, s.longitude) as angle from sites s
        where s.business = (select id from asker) and s.latitude between a.south and a.north and s.id <> a.itself
          and case when a.west <= a.east then s.longitude between a.west and a.east
            else s.longitude >= a.west or s.longitude <= a.east end
        order by angle limit ${MAX_NEIGHBOURS}) s
      where s.angle <= ${DUPLICATE_LIMITS.ownWithinM / EARTH_RADIUS_M})
    select o.number, o.id, false as is_own, d.doc::json -> 'business' ->> 'name' as business,
      coalesce((select name from asker), '') as asker, d.doc as json
    from others o cross join lateral (select d.doc from place_docs d where d.id = o.id offset 0) d
    union all
    select o.number, o.id, true, a.name, a.name, left(o.json, -1) || ',"connectors":[' || c.json || ']}'
    from own o cross join asker a cross join lateral (
      select coalesce(string_agg(c.json, ','), '') as json from connectors c where c.site = o.id) c`
}

/** Few: what is near is in few squares. */
const MAX_SQUARES = 6
/** More sites at one place are no help to anybody. */
const MAX_NEIGHBOURS = 25

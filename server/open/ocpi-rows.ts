import { ID_LENGTH } from '#domain/collection.ts'
import type { OcpiVersion } from '#domain/open-data.ts'
import {
  PUBLIC_TARIFF_FIELDS,
  type PublicBusiness,
  type PublicSite,
  type PublicTariff,
} from '#domain/public-site.ts'
import { MAX_ELEMENTS } from '#domain/tariff-schema.ts'
import { tariffs } from '#domain/tariff.ts'

import { dateText } from '../db/columns.ts'
import { boundedDoc, publicJson } from '../db/places.ts'
import type { Runner } from '../db/sql.ts'
import type { RestOfSite } from '../formats/outputs.ts'
import { createParameters } from '../public/public.ts'
import { inScope, type Bind, type Scope } from './open.ts'

/** A time window for changes of Locations; the end is exclusive. */
export interface Window extends Scope {
  readonly from: string | undefined
  readonly to: string | undefined
}

interface Page {
  /** The number after which the page begins, in a link that this server created; otherwise `offset` applies. */
  readonly after: string | undefined
  readonly offset: number
  readonly limit: number
}

const inWindow = ({ from, to }: Window, bind: Bind): string =>
  [
    ...(from === undefined ? [] : [` and n.updated >= ${bind(from, 'timestamptz')}`]),
    ...(to === undefined ? [] : [` and n.updated < ${bind(to, 'timestamptz')}`]),
  ].join('')

/**
 * An OCPI Location: a site, or the rest of a removed one. Both are null if the Locations before it already fill the
 * page.
 */
export interface LocationRow {
  readonly number: string
  readonly updated: string
  readonly site: Omit<PublicSite, 'updated'> | null
  readonly rest: RestOfSite | null
}

/** The query for the Locations of numbered places. */
const locationsQuery = (places: string): string => `
  select n.number::text, ${dateText('n.updated')} as updated,
    (${boundedDoc('d.doc', 'n.number')})::json as site, case when not n.roaming then n.rest::json end as rest
  from (${places}) n
  left join lateral (select d.doc from place_docs d where d.id = n.id and n.roaming offset 0) d on true
  order by n.number`

/** The form of a number after which a page of Locations begins. */
export const LOCATION_CURSOR = /^\d{1,18}$/

/** Reads a page of Locations in the order of their creation: "the oldest first" (OCPI, pagination). */
export const readLocations = (
  sql: Runner,
  window: Window,
  { after, offset, limit }: Page,
): Promise<readonly LocationRow[]> => {
  const { values, bind } = createParameters()
  const behind =
    after === undefined
      ? { condition: '', skip: ` offset ${bind(offset, 'int')}` }
      : { condition: ` and n.number > ${bind(after, 'bigint')}`, skip: '' }
  return sql.unsafe<LocationRow[]>(
    locationsQuery(`
      select n.* from place_numbers n
      where n.listed${inScope(window, bind)}${inWindow(window, bind)}${behind.condition}
      order by n.number limit ${bind(limit, 'int')}${behind.skip}`),
    values,
  )
}

/** Reads one Location. */
export const readLocation = async (
  sql: Runner,
  scope: Scope,
  id: string,
): Promise<LocationRow | undefined> => {
  const { values, bind } = createParameters()
  const [row] = await sql.unsafe<LocationRow[]>(
    locationsQuery(
      `select n.* from place_numbers n where n.listed and n.id = ${bind(id, 'text')}${inScope(scope, bind)}`,
    ),
    values,
  )
  return row
}

export const countLocations = async (sql: Runner, window: Window): Promise<number> => {
  const { values, bind } = createParameters()
  const [row] = await sql.unsafe<[{ count: number }]>(
    `select count(*)::int as count from place_numbers n
    where n.listed${inScope(window, bind)}${inWindow(window, bind)}`,
    values,
  )
  return row.count
}

/** An OCPI Tariff: a tariff, or the elements of it that apply to some plugs. */
export interface TariffRow extends Pick<PublicBusiness, 'country_code' | 'party_id'> {
  readonly cursor: string
  readonly tariff: PublicTariff
  readonly updated: string
  /** A string of 0 and 1, see `elementsFor`. */
  readonly elements: string
}

/** The tariffs referred to by Locations that have changed since a time. */
const namedSince = (time: string): string => `
  select t.id from place_numbers n
  cross join lateral (
    select s.tariff as id from sites s where s.id = n.id
    union all select c.tariff from connectors c where c.site = n.id) t
  where n.roaming and n.updated >= ${time} and t.id is not null`

/**
 * The condition for tariffs in a window. A tariff is as new as the newest Location that refers to it: partners do not
 * see a tariff before its first reference, and it contains the party of its business.
 */
const tariffsIn = ({ from, to }: Window, bind: Bind): string => {
  const changedSince = (time: string): string => {
    const since = bind(time, 'timestamptz')
    return `(t.updated >= ${since} or t.id in (${namedSince(since)}))`
  }
  return [
    ...(from === undefined ? [] : [` and ${changedSince(from)}`]),
    ...(to === undefined ? [] : [` and not ${changedSince(to)}`]),
  ].join('')
}

/** The length of a time in milliseconds and an ID. */
const PLACE_LENGTH = 17 + ID_LENGTH

/** The tariffs that the Locations of a scope refer to, each with its sort key. */
const namedTariffs = (window: Window, version: OcpiVersion, bind: Bind): string => `
  select t.*, b.country_code, b.party_id,
    to_char(t.created at time zone 'UTC', 'YYYYMMDDHH24MISSMS') || t.id as place
  from tariffs t join businesses b on b.id = t.business
  where true${tariffsIn(window, bind)}${
    window.business === undefined ? '' : ` and t.business = ${bind(window.business, 'text')}`
  }${
    version === '2.2.1'
      ? ` and (t.tax_included <> 'YES' or not t.elements @? '$[*].price_components[*] ? (!exists(@.vat) && @.price != 0)')`
      : ''
  } and exists (
    select from sites s join place_numbers n on n.id = s.id and n.roaming where s.tariff = t.id
    union all
    select from connectors c join place_numbers n on n.id = c.site and n.roaming where c.tariff = t.id)`

const BIT = `bit(${MAX_ELEMENTS})`

/**
 * The sets of elements of a tariff `t` that apply to the same plug, each as a non-zero string of 0 and 1. Elements
 * without plugs apply to all of them; each plug that an element names adds the elements that name it. Comparing every
 * plug with every element would take twenty times as long, and one account can have hundreds of prices that name all
 * plugs.
 */
const SETS_OF_ELEMENTS = `
  with e as materialized (
    select b'1'::${BIT} >> (place - 1)::int as bit, element #>> '{restrictions,current}' as current,
      element #> '{restrictions,standards}' as standards
    from jsonb_array_elements(t.elements) with ordinality e (element, place)),
  plain as materialized (
    select c.current, coalesce(bit_or(e.bit), b'0'::${BIT}) as bits
    from (values ('AC'), ('DC')) c (current)
    left join e on e.standards is null and coalesce(e.current = c.current, true)
    group by c.current)
  select distinct left(a.bits::text, (select count(*)::int from e)) as elements from (
    select bits from plain
    union all
    select p.bits | bit_or(case when coalesce(e.current = p.current, true) then e.bit else b'0'::${BIT} end)
    from plain p cross join e cross join jsonb_array_elements_text(e.standards) s (standard)
    group by p.current, p.bits, s.standard) a
  where a.bits <> b'0'::${BIT}`

/**
 * The query for OCPI Tariffs. A tariff with elements for a current or for plugs becomes several, one per set of
 * elements.
 */
const tariffsQuery = (named: string): string => `
  select t.*, v.elements as mask, t.place || v.elements as cursor
  from (${named}) t cross join lateral (${SETS_OF_ELEMENTS}) v`

/** The form of the cursor of a Tariff: its place and its elements. */
export const TARIFF_CURSOR = new RegExp(
  `^\\d{${PLACE_LENGTH - ID_LENGTH}}[a-z0-9]{${ID_LENGTH}}[01]{1,${MAX_ELEMENTS}}$`,
)

/** Reads a page of Tariffs, the oldest first. Computes the elements only for as many tariffs as fit on the page. */
export const readTariffs = (
  sql: Runner,
  window: Window,
  version: OcpiVersion,
  { after, offset, limit }: Page,
): Promise<readonly TariffRow[]> => {
  const { values, bind } = createParameters()
  const named = `select t.* from (${namedTariffs(window, version, bind)}) t${
    after === undefined ? '' : ` where t.place >= ${bind(after.slice(0, PLACE_LENGTH), 'text')}`
  } order by t.place limit ${bind(limit + 1 + (after === undefined ? offset : 0), 'int')}`
  return sql.unsafe<TariffRow[]>(
    `select t.cursor, (${TARIFF})::json as tariff, ${dateText('greatest(t.updated, n.updated)')} as updated,
      t.mask as elements, t.country_code, t.party_id
    from (select t.* from (${tariffsQuery(named)}) t${
      after === undefined ? '' : ` where t.cursor > ${bind(after, 'text')}`
    } order by t.cursor limit ${bind(limit, 'int')}${after === undefined ? ` offset ${bind(offset, 'int')}` : ''}) t
    cross join lateral (
      select max(n.updated) as updated from (
        select s.id from sites s where s.tariff = t.id
        union all select c.site from connectors c where c.tariff = t.id) named
      join place_numbers n on n.id = named.id and n.roaming) n
    order by t.cursor`,
    values,
  )
}

const TARIFF = publicJson(tariffs, PUBLIC_TARIFF_FIELDS, 't')

export const countTariffs = async (
  sql: Runner,
  window: Window,
  version: OcpiVersion,
): Promise<number> => {
  const { values, bind } = createParameters()
  const [row] = await sql.unsafe<[{ count: number }]>(
    `select count(*)::int as count from (${tariffsQuery(namedTariffs(window, version, bind))}) t`,
    values,
  )
  return row.count
}

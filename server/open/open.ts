import { ID_LENGTH } from '#domain/collection.ts'
import {
  PUBLIC_TARIFF_FIELDS,
  type PublicBusiness,
  type PublicSite,
  type PublicTariff,
} from '#domain/public-site.ts'
import type { OcpiVersion, OpenBusiness, OpenCatalogue, WithdrawnSite } from '#domain/open-data.ts'
import { tariffs } from '#domain/tariff.ts'
import { MAX_ELEMENTS } from '#domain/tariff-schema.ts'

import { dateText } from '../db/columns.ts'
import { boundedDoc, publicJson } from '../db/places.ts'
import type { Runner } from '../db/sql.ts'
import type { RestOfSite } from '../formats/outputs.ts'
import { createParameters } from '../public/public.ts'

/** The sites of one business, or of all businesses. */
export interface Scope {
  readonly business: string | undefined
}

/** The state of a scope: the same version means the same sites. */
export interface Head {
  readonly version: string
  /** When a site of the scope last changed, in the wire format; empty without sites. */
  readonly changed: string
  /** The business as shown on its sites, if the scope is one that has sites. */
  readonly business: PublicBusiness | null
}

/** Statements omit conditions that do not apply, so that PostgreSQL plans each combination separately. */
const inScope = ({ business }: Scope, bind: (value: unknown, type: string) => string): string =>
  business === undefined ? '' : ` and n.business = ${bind(business, 'text')}`

/**
 * Reads the state of a scope. For a business, it is derived from the versions of its sites. All sites are too many for
 * that, so the newest version stands for all of them if no transaction is writing (`public_version`).
 * @returns undefined for a business that never had a public site
 */
export const readHead = async (sql: Runner, { business }: Scope): Promise<Head | undefined> => {
  const [head] =
    business === undefined
      ? await sql.unsafe<Head[]>(HEAD_OF_ALL)
      : await sql.unsafe<Head[]>(HEAD_OF_BUSINESS, [business])
  return head
}

const HEAD_OF_ALL = `select version, coalesce(${dateText('changed')}, '') as changed, null as business from public_version()`

const HEAD_OF_BUSINESS = `
  select count(*) || ' ' || sum(n.version) || ' ' || max(n.version) as version, ${dateText('max(n.updated)')} as changed,
    (select d.doc::json -> 'business' from place_numbers n join place_docs d on d.id = n.id
      where n.business = $1 limit 1) as business
  from place_numbers n where n.business = $1 having count(*) > 0`

/** Selects sites of a scope: those that changed since a time, after a number. */
interface PageQuery extends Scope {
  readonly since: string | undefined
  readonly after: string
  readonly limit: number
}

/** A public site, and its number in the order of all sites. */
export interface NumberedSite {
  readonly number: string
  /** The JSON of a PublicSite without `updated`. */
  readonly doc: string
  readonly updated: string
}

/** A site of a page. Its document is null if the sites before it already fill the page. */
export type FoundSite = Omit<NumberedSite, 'doc'> & { readonly doc: string | null }

/** Whether a site of a page includes its document. */
export const isWhole = (site: FoundSite): site is NumberedSite => site.doc !== null

/** The JSON of a PublicSite. Assembled here, since PostgreSQL would count the characters of the document. */
export const jsonOf = ({ doc, updated }: NumberedSite): string =>
  `${doc.slice(0, -1)},"updated":"${updated}"}`

/**
 * Reads the next sites of a scope, in the order in which they became public. Documents are fetched one by one: a
 * generic plan does not know the limit, expects a tenth of all rows, and would read all documents for each page.
 */
export const readSites = (sql: Runner, query: PageQuery): Promise<readonly FoundSite[]> => {
  const { values, bind } = createParameters()
  return sql.unsafe<FoundSite[]>(
    `select n.number::text, ${boundedDoc('d.doc', 'n.number')} as doc, ${dateText('d.updated')} as updated
    from place_numbers n
    cross join lateral (select d.doc, d.updated from place_docs d where d.id = n.id offset 0) d
    where n.number > ${bind(query.after, 'bigint')}${inScope(query, bind)}${
      query.since === undefined ? '' : ` and n.updated >= ${bind(query.since, 'timestamptz')}`
    } order by n.number limit ${bind(query.limit, 'int')}`,
    values,
  )
}

/**
 * Reads a sample of sites of a scope, from `parts` places evenly distributed over all numbers; fewer if the sites are
 * large.
 */
export const sampleSites = async (
  sql: Runner,
  scope: Scope,
  { parts, each }: { readonly parts: number; readonly each: number },
): Promise<readonly NumberedSite[]> => {
  const { values, bind } = createParameters()
  const count = bind(parts, 'int')
  const found = await sql.unsafe<FoundSite[]>(
    `select distinct on (s.number) s.number, ${boundedDoc('s.doc', 's.number')} as doc, s.updated
    from (select min(n.number) as least, max(n.number) as greatest from place_numbers n where true${inScope(scope, bind)}) b
    cross join generate_series(0, ${count} - 1) part
    cross join lateral (
      select n.number::text, d.doc, ${dateText('d.updated')} as updated
      from place_numbers n join place_docs d on d.id = n.id
      where n.number >= b.least + (b.greatest - b.least) * part / ${count}${inScope(scope, bind)}
      order by n.number limit ${bind(each, 'int')}) s`,
    values,
  )
  return found.filter(isWhole)
}

/** Reads the next sites of a scope that are no longer public. */
export const readWithdrawn = (
  sql: Runner,
  query: PageQuery,
): Promise<readonly (WithdrawnSite & { readonly number: string })[]> => {
  const { values, bind } = createParameters()
  return sql.unsafe(
    `select n.number::text, n.id, n.business, ${dateText('n.updated')} as withdrawn from place_numbers n
    where n.number > ${bind(query.after, 'bigint')}${inScope(query, bind)}${
      query.since === undefined ? '' : ` and n.updated >= ${bind(query.since, 'timestamptz')}`
    } and not exists (select from place_docs d where d.id = n.id)
    order by n.number limit ${bind(query.limit, 'int')}`,
    values,
  )
}

/** Reads the next businesses with public sites, ordered by ID. */
export const readBusinesses = (
  sql: Runner,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly OpenBusiness[]> =>
  sql.unsafe<OpenBusiness[]>(
    `select b.id, b.name, b.licence, n.sites, n.changed from businesses b
    cross join lateral (
      select count(*)::int as sites, coalesce(${dateText('max(n.updated)')}, '') as changed
      from place_numbers n join places p on p.id = n.id where n.business = b.id offset 0) n
    where b.id > $1 and n.sites > 0 order by b.id limit $2`,
    [after, limit],
  )

/** Counts the sites, connectors and licences of a scope. */
export const countOpen = async (
  sql: Runner,
  scope: Scope,
): Promise<Pick<OpenCatalogue, 'sites' | 'connectors' | 'changed' | 'licences'>> => {
  const { values, bind } = createParameters()
  const [row] = await sql.unsafe<
    [Pick<OpenCatalogue, 'sites' | 'connectors' | 'changed' | 'licences'>]
  >(
    `with n as materialized (
      select n.id, n.business from place_numbers n join places p on p.id = n.id where true${inScope(scope, bind)}),
    l as (
      select b.licence, count(*)::int as businesses, sum(o.sites)::int as sites
      from (select business, count(*) as sites from n group by business) o join businesses b on b.id = o.business
      group by b.licence order by sites desc, b.licence)
    select (select count(*)::int from n) as sites,
      (select count(*)::int from connectors c join n on n.id = c.site) as connectors,
      coalesce((select ${dateText('max(n.updated)')} from place_numbers n where true${inScope(scope, bind)}), '') as changed,
      coalesce((select json_agg(l) from l), '[]') as licences`,
    values,
  )
  return row
}

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

const inWindow = (
  { from, to }: Window,
  column: string,
  bind: (value: unknown, type: string) => string,
): string =>
  [
    ...(from === undefined ? [] : [` and ${column} >= ${bind(from, 'timestamptz')}`]),
    ...(to === undefined ? [] : [` and ${column} < ${bind(to, 'timestamptz')}`]),
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
      where n.listed${inScope(window, bind)}${inWindow(window, 'n.updated', bind)}${behind.condition}
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
    where n.listed${inScope(window, bind)}${inWindow(window, 'n.updated', bind)}`,
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
const tariffsIn = (
  { from, to }: Window,
  bind: (value: unknown, type: string) => string,
): string => {
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
const namedTariffs = (
  window: Window,
  version: OcpiVersion,
  bind: (value: unknown, type: string) => string,
): string => `
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

/** Deletes the entries of withdrawn sites after 90 days, when all clients should have read the withdrawal. */
export const sweepWithdrawn = async (sql: Runner): Promise<void> => {
  await sql`
    delete from place_numbers n where n.updated < now() - interval '90 days'
      and not exists (select from place_docs d where d.id = n.id)`
}

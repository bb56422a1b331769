import type { OpenBusiness, OpenCatalogue, WithdrawnSite } from '#domain/open-data.ts'
import type { PublicBusiness } from '#domain/public-site.ts'

import { dateText } from '../db/columns.ts'
import { boundedDoc } from '../db/places.ts'
import type { Runner } from '../db/sql.ts'
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

export type Bind = ReturnType<typeof createParameters>['bind']

/** Statements omit conditions that do not apply, so that PostgreSQL plans each combination separately. */
export const inScope = ({ business }: Scope, bind: Bind): string =>
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

/** Deletes the entries of withdrawn sites after 90 days, when all clients should have read the withdrawal. */
export const sweepWithdrawn = async (sql: Runner): Promise<void> => {
  await sql`
    delete from place_numbers n where n.updated < now() - interval '90 days'
      and not exists (select from place_docs d where d.id = n.id)`
}

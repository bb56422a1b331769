import type { Runner, Sql } from '../db/sql.ts'
import { sourceKey } from './sources.ts'
import { batch, type Work } from './work.ts'

/**
 * Problems of single records without a site. After any other problem, such as a record that is too large, sites of the
 * source are unknown.
 */
const OF_RECORDS = ['record_not_object', 'row_too_wide']

/** Whether the source was read completely and contains usable rows. Otherwise no site counts as missing. */
export const isWhole = async (runner: Runner, { import: id }: Work): Promise<boolean> => {
  const [row] = await runner<[{ isWhole: boolean }]>`
    select exists (select from import_rows r where r.import = ${id} and r.action <> 'REFUSED')
      and not exists (select from import_parts p where p.import = ${id} and p.problem is not null
        and p.problem ->> 'code' <> all(${OF_RECORDS})) as "isWhole"`
  return row.isWhole
}

/** Sites per transaction. */
const BATCH = 500

/** Adds rows for sites that came from this source and are no longer in it. */
export const planMissing = async (sql: Sql, work: Work): Promise<void> => {
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after
    after = await batch(sql, work, async (transaction) => {
      const gone = await transaction<{ id: string }[]>`
        with gone as materialized (
          select s.id, s.name, s.reference, s.status, s.version from site_sources o join sites s on s.id = o.site
          where o.source = ${sourceKey(work)} and s.business = ${work.business} and s.id > ${from}
            and s.status <> 'REMOVED'
            -- Somebody has opened the site again, or left it open.
            and not (o.former_status <> '' and ${work.feed} <> '')
            and not exists (select from import_rows r where r.import = ${work.import} and r.site = s.id)
            -- What is refused, or waits for an answer, is in the source all the same. Without a reference, the name tells.
            -- A reference that has passed to another site is not that of this one.
            and not exists (
              select from import_keys k left join import_rows r on r.import = k.import and r.number = k.number
              where k.import = ${work.import} and k.key in (s.id, nullif(s.reference, '')) and coalesce(r.site, '') = '')
            and not exists (
              select from feed_stations f join import_keys k on k.import = ${work.import} and k.key = f.key
              left join import_rows r on r.import = k.import and r.number = k.number
              where f.feed = ${work.feed} and f.site <> '' and f.site = s.id and coalesce(r.site, '') = '')
            and not exists (select from import_rows r
              where r.import = ${work.import} and r.action = 'REFUSED' and r.name <> '' and r.name = s.name)
            and not exists (select from import_rows r where r.import = ${work.import} and r.doubtful
              and r.candidates @> jsonb_build_array(jsonb_build_object('id', s.id)))
          order by s.id limit ${BATCH}),
        passed as (
          select distinct g.id from gone g join import_rows r on r.reference = g.reference
          where r.import = ${work.import} and r.reference <> '' and r.action in ('NEW', 'CHANGED')),
        last as (select coalesce(max(number), 0) as number from import_rows where import = ${work.import}),
        added as (
          insert into import_rows (id, import, number, reference, name, action, included, site, changes, records)
          select lpad(to_hex(nextval('record_version')), 15, '0'), ${work.import},
            l.number + row_number() over (order by g.id), left(g.reference, 200), g.name, 'MISSING', true, g.id,
            jsonb_build_array(jsonb_build_object(
              'record', g.id, 'field', 'status', 'before', g.status, 'after', 'REMOVED')) ||
              case when g.id in (select id from passed) then jsonb_build_array(jsonb_build_object(
                'record', g.id, 'field', 'reference', 'before', g.reference, 'after', '')) else '[]' end,
            jsonb_build_object(g.id, g.version::text)
          from gone g, last l)
        select id from gone order by id`
      return gone.at(-1)?.id
    })
  }
}

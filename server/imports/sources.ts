import type { Runner, Sql } from '../db/sql.ts'
import { batch, type Work } from './work.ts'

/**
 * The identity of a source: two imports have the same source if the feed, the address or, for files, the format is the
 * same.
 */
export const sourceKey = ({ business, feed, url, source, format }: Work): string =>
  [business, feed !== '' ? `feed ${feed}` : url !== '' ? `url ${source}` : `file ${format}`].join(
    ' ',
  )

/** Whether the source is a file of the dashboard: it changes sites, which do not come from it. */
export const isDashboardFile = (runner: Runner, id: string) =>
  runner`exists (select from import_work w
    where w.import = ${id} and w.columns -> 'mapping' ?| array['own_id', 'sites.published'])`

/** Rows per batch. */
const BATCH = 5000

/**
 * Records that the sites of an import come from its source and, for a feed, the bases of the stations that are merged:
 * their sites have the content of the feed, or a person has run the plan without them.
 */
export const noteSources = async (
  sql: Sql,
  work: Work,
  isDecided: boolean = false,
): Promise<void> => {
  for (let after: number | null = 0; after !== null;) {
    const from: number = after
    after = await batch(sql, work, async (transaction) => {
      const [{ last }] = await transaction<[{ last: number | null }]>`
        with portion as (
          select r.number, r.site, r.action, r.state, r.included, r.open_questions = 0 and not r.doubtful as is_clear,
            r.questions <> 'null' as was_asked, r.action = 'REFUSED' or r.state = 'FAILED' as was_refused,
            coalesce(r.problem ->> 'code' = 'tariff_gone', false) as is_unpriced,
            coalesce(r.problem ->> 'code' = 'unchanged_in_feed', false) as is_repeated
          from import_rows r where r.import = ${work.import} and r.number > ${from} order by r.number limit ${BATCH}),
        noted as (
          insert into site_sources as o (site, source)
          select distinct on (s.id) s.id, ${sourceKey(work)} from portion n join sites s on s.id = n.site
          where (n.action = 'UNCHANGED' or (n.state = 'APPLIED' and n.action <> 'MISSING'))
            -- The file of the dashboard changes sites, which still come from where they came from.
            and not (${isDashboardFile(transaction, work.import)} and exists (select from site_sources f where f.site = s.id))
          on conflict (site) do update set source = excluded.source, former_status = ''
            where o.source <> excluded.source or o.former_status <> ''),
        kept_open as (
          update site_sources o set former_status = s.status from portion n join sites s on s.id = n.site
          where o.site = s.id and o.source = ${sourceKey(work)} and ${isDecided && work.missing === 'REMOVE'}
            and n.action = 'MISSING' and not n.included),
        merged as (
          -- A station that is refused may have a site.
          select k.key, k.former_key, case when n.action = 'REFUSED' then coalesce(f.site, '') else n.site end as site,
            coalesce(f.awaits_change, n.was_refused) and (n.was_refused or n.is_repeated) as awaits_change, k.next_base
          from portion n join import_keys k on k.import = ${work.import} and k.number = n.number
          left join feed_stations f on f.feed = ${work.feed} and f.key = k.key
          where k.next_base is not null and exists (select from feeds f where f.id = ${work.feed})
            and ((n.action = 'UNCHANGED' or n.state = 'APPLIED') and (n.is_clear or ${isDecided})
              -- A station without a site stays without, whatever the feed calls it.
              or n.action = 'NEW' and n.state = 'PENDING' and k.former_key is not null
              or ${isDecided} and n.is_clear
                and (n.action in ('NEW', 'CHANGED') and (not n.included or n.action = 'NEW' and n.state = 'FAILED' and not n.is_unpriced)
                  or n.action = 'REFUSED' and n.was_asked))),
        renumbered as (
          delete from feed_stations f using merged s
          where f.feed = ${work.feed} and f.key not in (select key from merged)
            and (s.site <> '' and f.site = s.site or f.key = s.former_key)),
        kept as (
          insert into feed_stations (feed, key, site, base, awaits_change)
          select ${work.feed}, key, site, next_base, awaits_change and site = '' from merged
          on conflict (feed, key) do update
            set (site, base, awaits_change) = (excluded.site, excluded.base, excluded.awaits_change))
        select max(number) as last from portion`
      return last
    })
  }
}

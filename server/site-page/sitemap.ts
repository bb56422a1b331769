import { SITEMAP } from '#domain/paths.ts'
import { sitePage, slugOf } from '#domain/site-address.ts'

import type { Sql } from '../db/sql.ts'

/** The limit of sitemaps.org. */
const MAX_URLS = 50_000
/** Sorts after every character of an ID, in the collation of IDs. */
const BEHIND = '~'

/**
 * The ID prefixes that divide the public sites into parts of at most 50,000. A part keeps its prefix as sites come and
 * go; a part that grows too large is divided by the next character.
 */
const readParts = async (sql: Sql, prefix = ''): Promise<readonly string[]> => {
  const rows = await sql.unsafe<{ part: string; count: number }[]>(
    `select left(id, $1) as part, count(*)::int as count from places
    where id >= $2 and id < $2 || '${BEHIND}' group by 1 order by 1`,
    [prefix.length + 1, prefix],
  )
  const parts = rows.map(async ({ part, count }) =>
    count <= MAX_URLS ? [part] : readParts(sql, part),
  )
  return (await Promise.all(parts)).flat()
}

/** Writes the sitemap index. */
export const writeSitemapIndex = async (sql: Sql, publicUrl: string): Promise<string> => {
  const parts = await readParts(sql)
  const entries = parts.map(
    (part) => `<sitemap><loc>${publicUrl}${SITEMAP.part(part)}</loc></sitemap>`,
  )
  return documentOf('sitemapindex', entries)
}

/** Writes the URLs of the sites whose IDs begin with `prefix`. @returns undefined if there are none */
export const writeSitemapPart = async (
  sql: Sql,
  publicUrl: string,
  prefix: string,
): Promise<string | undefined> => {
  const rows = await sql.unsafe<{ id: string; name: string; day: string }[]>(
    `select id, doc::json ->> 'name' as name, to_char(updated at time zone 'UTC', 'YYYY-MM-DD') as day
    from place_docs where id >= $1 and id < $1 || '${BEHIND}' order by id limit ${MAX_URLS}`,
    [prefix],
  )
  if (rows.length === 0) return undefined
  const entries = rows.map(
    // A slug contains nothing that XML would have to escape.
    ({ id, name, day }) =>
      `<url><loc>${publicUrl}${sitePage(id, slugOf(name))}</loc><lastmod>${day}</lastmod></url>`,
  )
  return documentOf('urlset', entries)
}

const documentOf = (root: string, entries: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</${root}>
`

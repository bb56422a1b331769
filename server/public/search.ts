import { CELL_BITS } from '#domain/cell.ts'
import { PUBLIC_READ_LIMITS } from '#domain/public-read.ts'
import {
  areSearchable,
  MAX_SEARCH_WORDS,
  spellingsOf,
  WRITTEN_ALSO,
  wordsOf,
} from '#domain/search-words.ts'

import type { Parameters } from './filter.ts'

/** The words of a search. */
export const searchWords = (text: string): string[] => wordsOf(text).slice(0, MAX_SEARCH_WORDS)

/**
 * The full-text query for words: all must match, the last one as a prefix. A word also matches its abbreviation, and a
 * word that no site has matches words that differ in one letter. The query is one value for the whole statement, so
 * that the index is used. The spellings are behind an optimisation fence; otherwise the planner would read all words.
 */
export const searchQuery = ({ bind }: Parameters, words: readonly string[]): string => {
  const requested = bind(words, 'text[]')
  const others = bind(
    words.map((word) => WRITTEN_ALSO.get(word)?.join(' | ') ?? ''),
    'text[]',
  )
  const spellings = words.flatMap((word, at) =>
    spellingsOf(word).map((spelling) => ({ spelling, place: at + 1 })),
  )
  const [spelt, places] = [
    bind(
      spellings.map(({ spelling }) => spelling),
      'text[]',
    ),
    bind(
      spellings.map(({ place }) => place),
      'int[]',
    ),
  ]
  return `(
    select string_agg('(' || concat_ws(' | ', '''' || a.word || '''' || a.ending, nullif(a.others, ''), (
        select string_agg('''' || n.word || '''', ' | ') from (
          select distinct w.word from unnest(${spelt}, ${places}) s (spelling, place)
          cross join lateral (select w.word from place_words w where w.spelling = s.spelling offset 0) w
          where s.place = a.place and not exists (
              select from place_words k
              where k.word >= a.word and k.word <= case a.ending when '' then a.word else a.word || U&'\\+10FFFF' end)
          limit ${MAX_NEAREST}) n)) || ')', ' & ')::tsquery
    from (select s.word, s.others, s.place, case when s.place = cardinality(${requested}) then ':*' else '' end as ending
      from unnest(${requested}, ${others}) with ordinality s (word, others, place)) a)`
}

/**
 * The longest run of words that is the name of a town, as a query (`query`) with its number of words (`size`). Other
 * words may be a street, a region or a country, which sites of the town need not contain. No row if there is no such
 * run.
 */
export const townQuery = ({ bind }: Parameters, words: readonly string[]): string => {
  const runs = words
    .flatMap((_, from) => words.slice(from).map((_end, more) => words.slice(from, from + more + 1)))
    .filter(
      (run) => run.length < words.length && run.length <= MAX_TOWN_WORDS && areSearchable(run),
    )
  const queries = runs.map((run) =>
    run
      .map((word) => `(${[word, ...(WRITTEN_ALSO.get(word) ?? [])].map(quoted).join(' | ')})`)
      .join(' & '),
  )
  const sizes = runs.map(({ length }) => length)
  return `
    select r.query, r.size from (
      select s.query::tsquery as query, s.size, s.place
      from unnest(${bind(queries, 'text[]')}, ${bind(sizes, 'int[]')}) with ordinality s (query, size, place)) r
    where exists (
      select from (
        select words_of(p.city) as words from places p where p.words @@ r.query limit ${MAX_TOWN_SITES} offset 0) m
      where m.words @@ r.query and length(m.words) = r.size)
    order by r.size desc, r.place desc limit 1`
}

/** Words contain no quotes, since quotes separate words. */
const quoted = (word: string): string => `'${word}'`

/** Towns with longer names are found only without further words. */
const MAX_TOWN_WORDS = 4
/** Maximum number of sites that match the words of a town; one of them has to be in the town. */
const MAX_TOWN_SITES = 1000

/** Maximum number of words that replace a misspelt one. */
const MAX_NEAREST = 20

/**
 * Sites with the same town name within this distance belong to the place that has most of them; sites farther away
 * belong to their square.
 */
const TOWN_DEGREES = { latitude: 0.5, longitude: 0.8 }
const TOWN_ZOOMS = { near: 9, far: 7 }
/**
 * Among this many of the most powerful sites, those whose name contains the words come first. For the others, the words
 * may match a street.
 */
const NAMED_AMONG = 200

/**
 * Finds towns whose words match, with state or postal code if several have the same name, then sites.
 * @param requested SQL of a row: the query, and the number of words of the town's name, if known
 */
export const suggestQuery = (requested: string): string => {
  const limit = PUBLIC_READ_LIMITS.suggestions
  return `
    with requested as materialized (${requested}),
    matches as materialized (
      select p.id, p.city, p.country, p.cell, p.latitude, p.longitude, p.max_kw from places p
      where p.words @@ (select query from requested) limit ${MAX_MATCHES}),
    spelled as (
      select m.city, m.country, m.cell >> ${2 * (CELL_BITS - TOWN_ZOOMS.near)} as square, words_of(m.city) as words, count(*) as count,
        sum(m.latitude) as latitude, sum(m.longitude) as longitude, min(m.id) as id
      from matches m where m.city <> '' group by m.city, m.country, square),
    placed as (
      select s.*, first_value(s.latitude / s.count) over same as main_latitude,
        first_value(s.longitude / s.count) over same as main_longitude
      from spelled s join requested a on s.words @@ a.query and length(s.words) = coalesce(a.size, length(s.words))
      window same as (partition by s.words, s.country order by s.count desc, s.square)),
    towns as (
      select (array_agg(s.city order by s.city = upper(s.city), s.city))[1] as city, s.words, s.country, min(s.id) as id,
        sum(s.count)::int as count, sum(s.latitude) / sum(s.count) as latitude, sum(s.longitude) / sum(s.count) as longitude
      from placed s
      group by s.words, s.country, case
        when abs(s.latitude / s.count - s.main_latitude) <= ${TOWN_DEGREES.latitude}
          and abs(s.longitude / s.count - s.main_longitude) <= ${TOWN_DEGREES.longitude} then null
        else s.square >> ${2 * (TOWN_ZOOMS.near - TOWN_ZOOMS.far)} end),
    suggested as (
      select t.*, count(*) over (partition by t.words, t.country) > 1 as is_several from towns t
      order by t.count desc, t.city, t.country, t.id limit ${limit}),
    strongest as (
      select m.*, d.doc::json ->> 'name' as name,
        row_number() over (order by words_of(d.doc::json ->> 'name') @@ (select query from requested) desc, m.max_kw desc, m.id) as rank
      from (select * from matches order by max_kw desc, id limit ${NAMED_AMONG}) m join place_docs d on d.id = m.id
      order by rank limit ${limit})
    select json from (
      select 1 as part, -t.count as rank, t.city as name, json_build_object('kind', 'town', 'name', t.city, 'region',
        coalesce(nullif(d.doc::json ->> 'state', ''), d.doc::json ->> 'postal_code', ''), 'country', t.country,
        'latitude', t.latitude, 'longitude', t.longitude, 'count', t.count) as json
      from suggested t left join place_docs d on t.is_several and d.id = t.id
      union all
      select 2, m.rank, m.id, json_build_object('kind', 'site', 'id', m.id, 'name', m.name,
        'city', m.city, 'country', m.country, 'latitude', m.latitude, 'longitude', m.longitude)
      from strongest m) s
    order by part, rank, name`
}

/** Maximum number of sites that are searched for suggestions. */
const MAX_MATCHES = 20_000

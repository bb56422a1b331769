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
  const asked = bind(words, 'text[]')
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
    from (select s.word, s.others, s.place, case when s.place = cardinality(${asked}) then ':*' else '' end as ending
      from unnest(${asked}, ${others}) with ordinality s (word, others, place)) a)`
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

import { MAX_SEARCH_WORDS, spellingsOf, WRITTEN_ALSO, wordsOf } from '#domain/search-words.ts'

import type { Parameters } from './filter.ts'

/** The words of a search. */
export const searchWords = (text: string): string[] => wordsOf(text).slice(0, MAX_SEARCH_WORDS)

/**
 * The query for words: all of them, the last one as a beginning. A word stands for its abbreviation, too, and one that no
 * site has for those that differ in one letter. One value for the whole statement, so that the index finds it; the spellings are fenced, or the
 * planner would read all words.
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

/** Maximum number of words that one stands for. */
const MAX_NEAREST = 20

import { LOCKS } from '../db/locks.ts'
import type { Sql } from '../db/sql.ts'

/** The minimum number of sites from which tiles of low zoom use the summary. */
const SUMMARIZED_FROM = 20_000

/** The timeout of a renewal. It reads all places, so it takes much longer than any request may. */
const RENEWAL_MS = 15 * 60 * 1000

/**
 * Renews the summary of all places if it is due, on a separate connection, unless another process is doing so.
 * @param signal aborts the renewal; the summary then stays unchanged
 */
export const renewSummary = async (sql: Sql, signal: AbortSignal): Promise<void> => {
  const [row] = await sql<[{ due: boolean }]>`select is_summary_due() as due`
  if (!row.due) return
  const nothing = (): void => {}
  const session = sql.openSession({ notified: nothing, closed: nothing }, { answerMs: RENEWAL_MS })
  const end = (): void => void session.end({ timeout: 0 })
  signal.addEventListener('abort', end)
  try {
    await session.unsafe(`set statement_timeout = ${RENEWAL_MS}`)
    await session`select summarize_places(${SUMMARIZED_FROM}::int)`
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', end)
    await session.end({ timeout: 1 })
  }
}

/** The number of words that a sweep checks, each in the index of places. */
const WORDS_PER_SWEEP = 1000

/**
 * Creates a sweep that deletes opening hours and words that no place uses any more: a word that still exists is not
 * treated as a misspelling of another. Writes of places wait for the sweep; if the lock is taken, the sweep is skipped.
 * Each sweep continues with the words where the previous one stopped.
 */
export const createPlaceSweep = (sql: Sql): (() => Promise<void>) => {
  let last = ''
  return () =>
    sql.begin(async (transaction) => {
      const [lock] = await transaction<[{ taken: boolean }]>`
        select pg_try_advisory_xact_lock(${LOCKS.placeHours}) as taken`
      if (!lock.taken) return
      await transaction`
        delete from place_hours h where not exists (select from places p where p.hours = h.id)`
      const [seen] = await transaction<[{ count: number; last: string }]>`
        with seen as materialized (
          select word from place_words where word > ${last} and spelling = word
          order by word limit ${WORDS_PER_SWEEP}),
        unused as materialized (
          select word from seen
          where not exists (select from places p where p.words @@ ('''' || word || '''')::tsquery)),
        removed as (delete from place_words w using unused u where w.word = u.word)
        select count(*)::int as count, coalesce(max(word), '') as last from seen`
      last = seen.count < WORDS_PER_SWEEP ? '' : seen.last
    })
}

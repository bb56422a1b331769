import { CHANGES_KEPT_DAYS } from '#domain/change.ts'

import type { Sql } from '../db/sql.ts'

/** Changes that are looked at in one statement, so that none takes long. */
const PORTION = 5000

/** Forgets the changes that were kept long enough. Their ids rise with time, so the oldest come first. */
export const sweepChanges = async (sql: Sql): Promise<void> => {
  let removed: number
  do {
    const [row] = await sql<[{ count: number }]>`
      with removed as (
        delete from change_log where created < now() - ${CHANGES_KEPT_DAYS} * interval '1 day'
          and id in (select id from change_log order by id limit ${PORTION}) returning 1)
      select count(*)::int as count from removed`
    removed = row.count
  } while (removed === PORTION)
}

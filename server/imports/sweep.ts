import { IMPORT_LIMITS } from '#domain/limits.ts'

import type { Sql } from '../db/sql.ts'

/** Rows that are deleted at once. */
const PORTION = 20_000

/** Deletes what was kept long enough: rows in portions, so that no statement takes long, then their imports. */
export const sweepImports = async (sql: Sql): Promise<void> => {
  const isOld = sql`i.updated < now() - ${IMPORT_LIMITS.keptDays} * interval '1 day'
    and i.state not in ('RUNNING', 'UNDOING')`
  const isOver = sql`i.state in ('DONE', 'UNDOING', 'UNDONE', 'FAILED')`
  for (const [table, when] of [
    ['import_parts', sql`(${isOver} or ${isOld})`],
    ['import_keys', sql`(${isOver} or ${isOld})`],
    ['import_rows', isOld],
  ] as const)
    for (let removed = PORTION; removed === PORTION;) {
      const rows = await sql`
        delete from ${sql(table)} where ctid = any(array(
          select t.ctid from imports i join ${sql(table)} t on t.import = i.id where ${when} limit ${PORTION}))
        returning 1`
      removed = rows.length
    }
  await sql`delete from imports i where ${isOld}`
}

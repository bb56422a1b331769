import { ENDED } from '#domain/import.ts'
import { IMPORT_LIMITS } from '#domain/limits.ts'

import type { Query, Runner, Sql } from '../db/sql.ts'

/** Deletes expired imports, and the pieces of ended ones. */
export const sweepImports = async (sql: Sql): Promise<void> => {
  const ended = await sql<{ id: string }[]>`
    select i.id from imports i where i.state in ('DONE', 'UNDOING', 'UNDONE', 'FAILED')
      and exists (select from import_keys k where k.import = i.id)`
  for (const { id } of ended) await deleteAll(sql, id, PART_TABLES)
  const isOld = sql`i.updated < now() - ${IMPORT_LIMITS.keptDays} * interval '1 day'
    and i.state not in ('RUNNING', 'UNDOING')`
  const old = await sql<{ id: string }[]>`select i.id from imports i where ${isOld}`
  for (const { id } of old) await deleteImport(sql, id, isOld)
}

/** Deletes the oldest ended imports of a business beyond its limits. The latest one always stays. */
export const evictOldImports = async (sql: Sql, business: string): Promise<void> => {
  const isEnded = sql`i.state = any(${[...ENDED]})`
  const { endedPerBusiness, endedRows, endedBytes } = IMPORT_LIMITS
  const excess = await sql<{ id: string }[]>`
    select id from (
      select i.id, row_number() over newest as place, sum(w.stations) over newest as stations,
        sum(w.bytes) over newest as bytes
      from imports i join import_work w on w.import = i.id
      where i.business = ${business} and ${isEnded}
      window newest as (order by i.updated desc, i.id)) kept
    where place > 1 and (place > ${endedPerBusiness} or stations > ${endedRows} or bytes > ${endedBytes})
    order by place desc`
  for (const { id } of excess) await deleteImport(sql, id, isEnded)
}

type Condition = Query<unknown>

/** Deletes an import if the condition is still true. The lock prevents an undo from starting meanwhile. */
const deleteImport = (sql: Sql, id: string, when: Condition): Promise<void> =>
  sql.begin(async (transaction) => {
    const found = await transaction`
      select 1 from imports i where i.id = ${id} and ${when} for update`
    if (found.length === 0) return
    await deleteAll(transaction, id, [...PART_TABLES, 'import_rows'])
    await transaction`delete from imports where id = ${id}`
  })

/** The tables that contain data of an import, ordered by number. */
export type NumberedTable = 'import_parts' | 'import_keys' | 'import_rows'

/** The order matters: an import without keys has no parts. */
const PART_TABLES = ['import_parts', 'import_keys'] as const satisfies readonly NumberedTable[]

const deleteAll = async (
  runner: Runner,
  id: string,
  tables: readonly NumberedTable[],
): Promise<void> => {
  for (const table of tables) while (await deleteBatch(runner, table, id));
}

/** Rows per deletion, which bounds the duration of a statement. */
const BATCH = 20_000

/**
 * Deletes the first rows of an import. It deletes a range of the index: a list of rows would be compared with every row
 * if the table was small when PostgreSQL made the plan.
 * @returns whether there may be more
 */
export const deleteBatch = async (
  runner: Runner,
  table: NumberedTable,
  id: string,
): Promise<boolean> => {
  const removed = await runner`
    delete from ${runner(table)} where import = ${id} and number <= (
      select max(p.number) from (
        select number from ${runner(table)} where import = ${id} order by number limit ${BATCH}) p)
    returning 1`
  return removed.length === BATCH
}

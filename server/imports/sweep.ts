import { IMPORT_LIMITS } from '#domain/limits.ts'

import type { Query, Runner, Sql } from '../db/sql.ts'

/** Rows that are deleted at once, so that no statement takes long. */
const PORTION = 20_000

/** Deletes imports that were kept long enough, and the pieces of those that are over. */
export const sweepImports = async (sql: Sql): Promise<void> => {
  const isOver = sql`i.state in ('DONE', 'UNDOING', 'UNDONE', 'FAILED')`
  await deletePieces(sql, isOver)
  const isOld = sql`i.updated < now() - ${IMPORT_LIMITS.keptDays} * interval '1 day'
    and i.state not in ('RUNNING', 'UNDOING')`
  const old = await sql<{ id: string }[]>`select i.id from imports i where ${isOld}`
  for (const { id } of old) await deleteImport(sql, id, isOld)
}

/** Deletes the oldest imports of a business that are over, beyond what it may keep; the last one stays. */
export const makeRoom = async (sql: Sql, business: string): Promise<void> => {
  const isOver = sql`i.state in ('DONE', 'UNDONE', 'FAILED')`
  const { overPerBusiness, overRows, overBytes } = IMPORT_LIMITS
  const excess = await sql<{ id: string }[]>`
    select id from (
      select i.id, row_number() over newest as place, sum(w.stations) over newest as stations,
        sum(w.bytes) over newest as bytes
      from imports i join import_work w on w.import = i.id
      where i.business = ${business} and ${isOver}
      window newest as (order by i.updated desc, i.id)) kept
    where place > 1 and (place > ${overPerBusiness} or stations > ${overRows} or bytes > ${overBytes})
    order by place desc`
  for (const { id } of excess) await deleteImport(sql, id, isOver)
}

type Condition = Query<unknown>

/** Deletes an import if the condition still holds; nobody begins to undo it meanwhile. */
const deleteImport = (sql: Sql, id: string, when: Condition): Promise<void> =>
  sql.begin(async (transaction) => {
    const found = await transaction`
      select 1 from imports i where i.id = ${id} and ${when} for update`
    if (found.length === 0) return
    const isThis = transaction`i.id = ${id}`
    await deletePieces(transaction, isThis)
    await deleteFrom(transaction, 'import_rows', isThis)
    await transaction`delete from imports where id = ${id}`
  })

const deletePieces = async (runner: Runner, when: Condition): Promise<void> => {
  await deleteFrom(runner, 'import_parts', when)
  await deleteFrom(runner, 'import_keys', when)
}

const deleteFrom = async (runner: Runner, table: string, when: Condition): Promise<void> => {
  for (let removed = PORTION; removed === PORTION;) {
    const rows = await runner`
      delete from ${runner(table)} where ctid = any(array(
        select t.ctid from imports i join ${runner(table)} t on t.import = i.id where ${when} limit ${PORTION}))
      returning 1`
    removed = rows.length
  }
}

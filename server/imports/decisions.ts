import { ApiError } from '#domain/error.ts'
import type { ImportPatch } from '#domain/import.ts'

import type { Caller } from '../caller.ts'
import type { Runner, Sql, Transaction } from '../db/sql.ts'
import { noteCounts } from './counts.ts'
import { businessOf } from './requests.ts'

/**
 * Locks a plan of the caller, so that nobody begins to apply it meanwhile.
 * @throws ApiError 401, 403; 404 for an import of another owner; 409 if it is not planned
 */
export const lockPlan = async (runner: Runner, caller: Caller, id: string): Promise<string> => {
  const business = await businessOf(runner, caller)
  const [found] = await runner<{ state: string }[]>`
    select state from imports where id = ${id} and business = ${business} for no key update`
  if (found === undefined) throw new ApiError(404)
  if (found.state !== 'PLANNED') throw new ApiError(409, `The import is ${found.state}.`)
  return business
}

/** Decides what happens to missing sites, and which rows are left out. */
export const change = (sql: Sql, caller: Caller, id: string, patch: ImportPatch): Promise<void> =>
  sql.begin(async (transaction) => {
    await lockPlan(transaction, caller, id)
    if (patch.missing !== undefined)
      await transaction`update imports set missing = ${patch.missing} where id = ${id}`
    if (patch.included !== undefined) await include(transaction, id, patch.included, patch.where)
    await noteCounts(transaction, id)
  })

/** Rows that are refused, that change nothing or that need a choice cannot be included. */
const include = async (
  transaction: Transaction,
  id: string,
  included: boolean,
  where: ImportPatch['where'] = {},
): Promise<void> => {
  const { action = null, doubtful = null, repaired = null, name = null } = where
  const was = where.included ?? null
  await transaction`
    update import_rows set included = ${included}, updated = now(), version = nextval('record_version')
    where import = ${id} and included <> ${included}
      and (not ${included} or (action in ('NEW', 'CHANGED', 'MISSING') and not doubtful))
      and (${action}::text is null or action = ${action})
      and (${doubtful}::boolean is null or doubtful = ${doubtful})
      and (${repaired}::boolean is null or repaired = ${repaired})
      and (${was}::boolean is null or included = ${was})
      and (${name}::text is null or position(lower(${name}) in lower(import_rows.name)) > 0)`
}

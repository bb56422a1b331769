import { ApiError, fieldError } from '#domain/error.ts'
import type {
  ImportPatch,
  ImportQuestion,
  ImportRowPatch,
  MatchedBy,
  MissingChoice,
} from '#domain/import.ts'

import type { Caller } from '../caller.ts'
import type { Runner, Sql, Transaction } from '../db/sql.ts'
import { noteCounts } from './counts.ts'
import { planStations, readStations, storeRows, type ReadStation } from './plan.ts'
import { businessOf } from './requests.ts'

/**
 * Locks a plan of the caller, so that nobody begins to apply it meanwhile.
 * @throws ApiError 401, 403; 404 for an import of another owner; 409 if it is not planned
 */
const lockPlan = async (runner: Runner, caller: Caller, id: string): Promise<string> => {
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
    if (patch.missing !== undefined) await chooseMissing(transaction, id, patch.missing)
    if (patch.included !== undefined) await include(transaction, id, patch.included, patch.where)
    await noteCounts(transaction, id)
  })

/** Connectors that the source does not have any more go only with `REMOVE`; without them a row may change nothing. */
const chooseMissing = async (
  transaction: Transaction,
  id: string,
  missing: MissingChoice,
): Promise<void> => {
  await transaction`update imports set missing = ${missing} where id = ${id}`
  if (missing === 'REMOVE')
    await transaction`
      update import_rows set action = 'CHANGED', included = true, updated = now(), version = nextval('record_version')
      where import = ${id} and action = 'UNCHANGED' and changes <> 'null'`
  else
    await transaction`
      update import_rows set action = 'UNCHANGED', included = false, updated = now(), version = nextval('record_version')
      where import = ${id} and action = 'CHANGED' and not changes @? ${'$[*] ? (@.field != "*" || @.after != null)'}::jsonpath`
}

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

/** A row that a person decides about. */
interface Decided {
  readonly id: string
  readonly matched_by: MatchedBy | ''
  readonly site: string
  readonly questions: readonly ImportQuestion[] | null
}

/**
 * Decides about one row of a plan, and plans it again.
 * @returns the id of its record
 * @throws ApiError 400 for a site that is not the caller's; 401, 403, 404, 409
 */
export const changeRow = (
  sql: Sql,
  caller: Caller,
  id: string,
  number: number,
  patch: ImportRowPatch,
): Promise<string> =>
  sql.begin(async (transaction) => {
    const business = await lockPlan(transaction, caller, id)
    const [row] = await transaction<Decided[]>`
      select id, matched_by, site, questions from import_rows where import = ${id} and number = ${number}`
    if (row === undefined) throw new ApiError(404)
    if (patch.site !== undefined && patch.site !== '')
      await demandSite(transaction, business, patch.site)
    if (patch.site !== undefined || patch.answers !== undefined) {
      const [plan] = await transaction<[{ missing: MissingChoice }]>`
        select missing from imports where id = ${id}`
      const planned = { import: id, business, owner: caller.id ?? '', missing: plan.missing }
      const read = await readAgain(transaction, id, number)
      const rows = await planStations(transaction, planned, [decide(read, row, patch)])
      await storeRows(transaction, id, rows)
    }
    if (patch.included !== undefined) await includeOne(transaction, id, number, patch.included)
    await noteCounts(transaction, id)
    return row.id
  })

const demandSite = async (runner: Runner, business: string, site: string): Promise<void> => {
  const found = await runner`select 1 from sites where id = ${site} and business = ${business}`
  if (found.length === 0)
    throw new ApiError(400, 'An error occurred while validating the submitted data.', {
      site: fieldError('validation_missing_rel_records'),
    })
}

/** @throws ApiError 404 for a row that was not read, such as that of a missing site */
const readAgain = async (runner: Runner, id: string, number: number): Promise<ReadStation> => {
  const [read] = await readStations(runner, id, number - 1, 1)
  if (read?.number !== number) throw new ApiError(404)
  return read
}

const decide = (read: ReadStation, row: Decided, patch: ImportRowPatch): ReadStation => {
  const before = (row.questions ?? []).flatMap(({ rule, answer }) =>
    answer === undefined ? [] : [[rule, answer] as const],
  )
  const choice = patch.site ?? (row.matched_by === 'CHOICE' ? row.site : undefined)
  return {
    ...read,
    answers: { ...Object.fromEntries(before), ...patch.answers },
    ...(choice !== undefined && { choice }),
  }
}

/** Only what can be written. */
const includeOne = async (
  runner: Runner,
  id: string,
  number: number,
  included: boolean,
): Promise<void> => {
  await runner`
    update import_rows set included = ${included} and action in ('NEW', 'CHANGED', 'MISSING') and not doubtful,
      updated = now(), version = nextval('record_version')
    where import = ${id} and number = ${number}`
}

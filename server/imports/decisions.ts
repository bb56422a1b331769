import { ApiError, fieldError } from '#domain/error.ts'
import type {
  ImportCandidate,
  ImportPatch,
  ImportQuestion,
  ImportRowPatch,
  MatchedBy,
  MissingChoice,
} from '#domain/import.ts'
import type { Answers } from '#domain/repair.ts'

import type { Caller } from '../caller.ts'
import { invalidInput } from '../problem.ts'
import type { Runner, Sql, Transaction } from '../db/sql.ts'
import { noteCounts } from './counts.ts'
import { planStations, type Planned } from './plan.ts'
import { storeRows } from './plan-rows.ts'
import { readStations, type ReadStation } from './read-stations.ts'
import { businessOf } from './requests.ts'

/**
 * Locks a plan of the caller, so that no process can start to apply it meanwhile.
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

/** Answers questions for all rows, sets the action for missing sites, and includes or excludes rows. */
export const change = async (
  sql: Sql,
  caller: Caller,
  id: string,
  patch: ImportPatch,
): Promise<void> => {
  await answerAll(sql, caller, id, patch.answers ?? {})
  await sql.begin(async (transaction) => {
    await lockPlan(transaction, caller, id)
    if (patch.missing !== undefined) await chooseMissing(transaction, id, patch.missing)
    if (patch.included !== undefined) await include(transaction, id, patch.included, patch.where)
    await noteCounts(transaction, id)
  })
}

/** Stations that are read and planned again per batch. */
const BATCH = 500

/** Gives the same answers to all rows with these questions still open, and plans these rows again in batches. */
const answerAll = async (sql: Sql, caller: Caller, id: string, answers: Answers): Promise<void> => {
  const rules = Object.keys(answers)
  for (let after: number | undefined = rules.length === 0 ? undefined : 0; after !== undefined;) {
    const from: number = after
    after = await sql.begin(async (transaction) => {
      const planned = await readPlanned(transaction, id, await lockPlan(transaction, caller, id))
      const open = await readOpenRows(transaction, id, rules, from)
      const [first] = open
      if (first === undefined) return undefined
      const rows = new Map(open.map((row) => [row.number, row]))
      const read = await readStations(transaction, id, first.number - 1, BATCH)
      await planAgain(
        transaction,
        planned,
        read.flatMap((station) => {
          const row = rows.get(station.number)
          return row === undefined
            ? []
            : [{ read: station, row, patch: { answers: { ...answers, ...answersOf(row) } } }]
        }),
      )
      return read.at(-1)?.number
    })
  }
}

/** The next rows with an unanswered question, after row number `after`. */
const readOpenRows = (
  runner: Runner,
  id: string,
  rules: readonly string[],
  after: number,
): Promise<Decided[]> => {
  const isAsked = rules.map((rule) => `@.rule == ${JSON.stringify(rule)}`).join(' || ')
  return runner<Decided[]>`
    select ${decidedColumns(runner)} from import_rows
    where import = ${id} and number > ${after} and open_questions > 0
      and questions @? ${`$[*] ? ((${isAsked}) && !exists(@.answer))`}::jsonpath
    order by number limit ${BATCH}`
}

const readPlanned = async (runner: Runner, id: string, business: string): Promise<Planned> => {
  const [plan] = await runner<[Pick<Planned, 'missing' | 'owner' | 'feed' | 'isReview'>]>`
    select i.missing, b."user" as owner, i.feed, w.is_review as "isReview" from imports i
    join businesses b on b.id = i.business join import_work w on w.import = i.id where i.id = ${id}`
  return { import: id, business, ...plan }
}

/**
 * Connectors that are no longer in the source are removed only with `REMOVE`; otherwise such a row may have no changes.
 */
const chooseMissing = async (
  transaction: Transaction,
  id: string,
  missing: MissingChoice,
): Promise<void> => {
  await transaction`update imports set missing = ${missing} where id = ${id}`
  if (missing === 'REMOVE')
    await transaction`
      update import_rows set action = 'CHANGED', included = ${isChangeOfSource(transaction)},
        updated = now(), version = nextval('record_version')
      where import = ${id} and action = 'UNCHANGED' and changes <> 'null'`
  else
    await transaction`
      update import_rows set action = 'UNCHANGED', included = false, updated = now(), version = nextval('record_version')
      where import = ${id} and action = 'CHANGED' and not changes @? ${'$[*] ? (@.field != "*" || @.after != null)'}::jsonpath`
}

/** What a feed only repeats changes nothing unless a person selects it. */
const isChangeOfSource = (runner: Runner) =>
  runner`coalesce(problem ->> 'code', '') <> 'unchanged_in_feed'`

/** Rows that are refused, that change nothing or that need a choice are never included. */
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
      and (${was} is distinct from false or action <> 'MISSING'
        or exists (select from imports where id = ${id} and missing = 'REMOVE'))
      and (${name}::text is null or position(lower(${name}) in lower(import_rows.name)) > 0)`
}

/** The columns of a row that a decision needs. */
interface Decided {
  readonly id: string
  readonly number: number
  /** The user has excluded the row. */
  readonly isLeftOut: boolean
  readonly matched_by: MatchedBy | ''
  readonly site: string
  readonly candidates: readonly ImportCandidate[] | null
  readonly questions: readonly ImportQuestion[] | null
}

const decidedColumns = (runner: Runner) => runner`
  id, number, matched_by, site, candidates, questions,
  not included and not doubtful and action in ('NEW', 'CHANGED') as "isLeftOut"`

/**
 * Applies the user's decision about one row of a plan, and plans the row again.
 * @returns the ID of its record
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
      select ${decidedColumns(transaction)} from import_rows where import = ${id} and number = ${number}`
    if (row === undefined) throw new ApiError(404)
    if (patch.site !== undefined && patch.site !== '')
      await demandSite(transaction, business, patch.site)
    if (patch.site !== undefined || patch.answers !== undefined) {
      const read = await readAgain(transaction, id, number)
      await planAgain(transaction, await readPlanned(transaction, id, business), [
        { read, row, patch },
      ])
    }
    if (patch.included !== undefined) await includeOne(transaction, id, number, patch.included)
    await noteCounts(transaction, id)
    return row.id
  })

const demandSite = async (runner: Runner, business: string, site: string): Promise<void> => {
  const found = await runner`select 1 from sites where id = ${site} and business = ${business}`
  if (found.length === 0) throw invalidInput({ site: fieldError('validation_missing_rel_records') })
}

/** @throws ApiError 404 for a row that was not read from the source, such as the row of a missing site */
const readAgain = async (runner: Runner, id: string, number: number): Promise<ReadStation> => {
  const [read] = await readStations(runner, id, number - 1, 1)
  if (read?.number !== number) throw new ApiError(404)
  return read
}

interface Decision {
  readonly read: ReadStation
  readonly row: Decided
  readonly patch: ImportRowPatch
}

/** Plans rows again with the user's decisions; excluded rows stay excluded. */
const planAgain = async (
  transaction: Transaction,
  planned: Planned,
  decisions: readonly Decision[],
): Promise<void> => {
  const leftOut = new Set(decisions.flatMap(({ row }) => (row.isLeftOut ? [row.number] : [])))
  const rows = await planStations(transaction, planned, decisions.map(decide))
  await storeRows(
    transaction,
    planned.import,
    rows.map((row) => (leftOut.has(row.number) ? { ...row, included: false } : row)),
  )
}

const answersOf = ({ questions }: Decided): Answers =>
  Object.fromEntries(
    (questions ?? []).flatMap(({ rule, answer }) => (answer === undefined ? [] : [[rule, answer]])),
  )

const decide = ({ read, row, patch }: Decision): ReadStation => {
  const choice = patch.site ?? (row.matched_by === 'CHOICE' ? row.site : undefined)
  return {
    ...read,
    answers: { ...answersOf(row), ...patch.answers },
    ...(choice !== undefined && { choice, candidates: row.candidates ?? [] }),
  }
}

/** Includes only rows that can be written. */
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

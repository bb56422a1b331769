import {
  changesOfRun,
  PLAN_PROBLEMS,
  type ImportChange,
  type ImportProblem,
  type MissingChoice,
  type RowAction,
} from '#domain/import.ts'
import { IMPORT_PROBLEMS, REPAIR_RULES, type Question, type Repair } from '#domain/repair.ts'

import { ApiError } from '#domain/error.ts'
import type { Caller } from '../caller.ts'
import type { Sql } from '../db/sql.ts'
import { businessOf } from './requests.ts'

/**
 * Writes the report of an import for the command line: CSV in English with field names, some hundred rows at a time.
 * The app writes its own report, in the language of the page.
 * @throws ApiError 401, 403; 404 for an import of another owner
 */
export const readReport = async (
  sql: Sql,
  caller: Caller,
  id: string,
): Promise<AsyncIterable<string>> => {
  const business = await businessOf(sql, caller)
  const [found] = await sql<ReportedImport[]>`
    select id, missing from imports where id = ${id} and business = ${business}`
  if (found === undefined) throw new ApiError(404)
  return writeRows(sql, found)
}

const BATCH = 500

interface ReportedImport {
  readonly id: string
  readonly missing: MissingChoice
}

interface ReportRow {
  readonly number: number
  readonly position: string
  readonly reference: string
  readonly name: string
  readonly action: RowAction
  readonly included: boolean
  readonly state: string
  readonly site: string
  readonly matched_by: string
  readonly changes: readonly ImportChange[] | null
  readonly repairs: readonly Repair[] | null
  readonly questions: readonly Question[] | null
  readonly problem: ImportProblem | null
}

const HEAD =
  'number,position,reference,name,action,included,state,site,matched_by,changes,repairs,questions,problem'.split(
    ',',
  )

const writeRows = async function* (sql: Sql, imported: ReportedImport): AsyncIterable<string> {
  yield line(HEAD)
  for (let after: number | undefined = 0; after !== undefined;) {
    const rows: ReportRow[] = await sql<ReportRow[]>`
      select number, position, reference, name, action, included, state, site, matched_by, changes, repairs, questions,
        problem
      from import_rows where import = ${imported.id} and number > ${after} order by number limit ${BATCH}`
    yield rows.map((row) => writeRow(row, imported)).join('')
    after = rows.at(-1)?.number
  }
}

const writeRow = (row: ReportRow, imported: ReportedImport): string =>
  line([
    String(row.number),
    row.position,
    row.reference,
    row.name,
    row.action,
    row.included ? 'yes' : 'no',
    row.state,
    row.site,
    row.matched_by,
    list(
      changesOfRun(row, imported),
      ({ field, before, after }) => `${field}: ${valueText(before)} → ${valueText(after)}`,
    ),
    list(row.repairs, describe),
    list(row.questions, describe),
    row.problem === null ? '' : sentenceOf(row.problem),
  ])

const list = <T>(all: readonly T[] | null, say: (one: T) => string): string =>
  (all ?? []).map(say).join('; ')

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

const describe = ({ rule, field, before, after }: Repair): string =>
  `${field}: ${valueText(before ?? null)} → ${valueText(after ?? null)} (${REPAIR_RULES[rule]})`

const SENTENCES: Readonly<Record<string, string>> = { ...IMPORT_PROBLEMS, ...PLAN_PROBLEMS }

/** The English message of a problem, with its field errors. */
export const sentenceOf = ({ code, params = {}, fields = {} }: ImportProblem): string =>
  [
    (SENTENCES[code] ?? code).replace(
      /<(\w+)>/g,
      (_, name: string) => `${params[name] ?? ''}${code.endsWith('_too_large') ? ' bytes' : ''}`,
    ),
    ...Object.entries(fields).map(([name, { message }]) => `${name}: ${message}`),
  ].join(' ')

const line = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

/** Quotes a cell (RFC 4180), and prevents spreadsheets from evaluating it as a formula. */
const cell = (text: string): string =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

import {
  importRows,
  type ImportCandidate,
  type ImportChange,
  type ImportedPrice,
  type ImportedStation,
  type ImportProblem,
  type ImportQuestion,
  type MatchedBy,
  type RowAction,
} from '#domain/import.ts'
import type { Field } from '#domain/field.ts'
import { MiB } from '#domain/limits.ts'
import type { Repair } from '#domain/repair.ts'

import { columnType, identifier } from '../db/columns.ts'
import type { Runner } from '../db/sql.ts'
import type { Base } from './merge.ts'

/** The fields of a row that the plan does not determine. */
const OTHERS = ['import', 'state', 'created', 'updated'] as const
type PlannedField = Exclude<keyof typeof importRows.fields, (typeof OTHERS)[number]>

/** A row of the plan. */
export interface PlannedRow extends Readonly<Record<PlannedField, unknown>> {
  readonly number: number
  readonly position: string
  readonly reference: string
  readonly name: string
  readonly action: RowAction
  readonly included: boolean
  readonly matched_by: MatchedBy | ''
  readonly doubtful: boolean
  readonly candidates: readonly ImportCandidate[] | null
  readonly duplicates: readonly object[] | null
  readonly site: string
  readonly station: ImportedStation | null
  readonly connectors: number
  readonly new_connectors: number
  readonly missing_connectors: number
  readonly changes: readonly ImportChange[] | null
  readonly prices: readonly ImportedPrice[] | null
  readonly repaired: boolean
  readonly repairs: readonly Repair[] | null
  readonly open_questions: number
  readonly questions: readonly ImportQuestion[] | null
  readonly problem: ImportProblem | null
  readonly records: Readonly<Record<string, string>> | null
  /** The next base of the station, if the content of the feed differs from the base. */
  readonly nextBase: Base | null
  /** The station has a base, perhaps under a former key. */
  readonly hasBase: boolean
  /** The content of the feed for the station equals its base. */
  readonly isRepeated: boolean
  /** The key of a station without a site that the feed has renamed or moved; otherwise null. */
  readonly formerKey: string | null
}

/** The values of a refused row. */
export const NOTHING_PLANNED = {
  action: 'REFUSED',
  included: false,
  doubtful: false,
  candidates: null,
  duplicates: null,
  site: '',
  station: null,
  new_connectors: 0,
  missing_connectors: 0,
  changes: null,
  prices: null,
  records: null,
} satisfies Partial<PlannedRow>

/** The maximum size of a row as JSON, which bounds the size of a page of rows. */
const MAX_ROW_BYTES = MiB

/** Serialises a row as JSON; a row that is too large becomes a refused one. */
const rowText = ({
  nextBase: _nextBase,
  hasBase: _hasBase,
  isRepeated: _isRepeated,
  formerKey: _formerKey,
  ...row
}: PlannedRow): string => {
  // The prices of a row are only shown.
  for (const each of [row, { ...row, prices: null }]) {
    const text = JSON.stringify(each)
    if (Buffer.byteLength(text) <= MAX_ROW_BYTES) return text
  }
  return JSON.stringify({
    ...row,
    ...NOTHING_PLANNED,
    repairs: null,
    open_questions: 0,
    questions: null,
    problem: { code: 'record_too_large', params: { max: MAX_ROW_BYTES } },
  } satisfies Pick<PlannedRow, PlannedField>)
}

/** The columns that the plan determines, as parts of a statement. */
const COLUMNS = Object.entries<Field>(importRows.fields)
  .filter(([name]) => OTHERS.every((other) => other !== name))
  .map(([name, field]) => {
    const column = identifier(name)
    return {
      column,
      declared: `${column} ${columnType(field)}`,
      value: field.kind === 'json' ? `coalesce(r.${column}, 'null')` : `r.${column}`,
      excluded: `excluded.${column}`,
    }
  })
const listOf = (part: keyof (typeof COLUMNS)[number]): string =>
  COLUMNS.map((each) => each[part]).join(', ')

const STORE_ROWS = `
  insert into import_rows (id, import, ${listOf('column')})
  select lpad(to_hex(nextval('record_version')), 15, '0'), $1, ${listOf('value')}
  from jsonb_to_recordset($2::jsonb) r(${listOf('declared')})
  on conflict (import, number) do update set (${listOf('column')}, updated, version)
    = (${listOf('excluded')}, now(), nextval('record_version'))`

/** Inserts rows, or replaces existing rows with the same numbers. */
export const storeRows = async (
  runner: Runner,
  id: string,
  rows: readonly PlannedRow[],
): Promise<void> => {
  if (rows.length === 0) return
  await runner.unsafe(STORE_ROWS, [id, `[${rows.map(rowText).join()}]`], { prepare: true })
  if (!rows.some(({ nextBase, hasBase }) => nextBase !== null || hasBase)) return
  const stations = rows.map(({ number, nextBase, formerKey }) => ({ number, nextBase, formerKey }))
  await runner`
    update import_keys k set next_base = r."nextBase", former_key = r."formerKey"
    from jsonb_to_recordset(${JSON.stringify(stations)}::jsonb) as r(number int, "nextBase" jsonb, "formerKey" text)
    where k.import = ${id} and k.number = r.number
      and (k.next_base, k.former_key) is distinct from (r."nextBase", r."formerKey")`
}

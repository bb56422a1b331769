import type {
  ImportChange,
  ImportedStation,
  ImportProblem,
  RowAction,
  RowState,
} from '#domain/import.ts'

import type { Runner } from '../db/sql.ts'

/** A row to be applied or undone. */
export interface DueRow {
  readonly number: number
  readonly action: RowAction
  readonly site: string
  readonly station: ImportedStation | null
  readonly changes: readonly ImportChange[] | null
  readonly records: Readonly<Record<string, string>> | null
}

/** The result of a row. */
export interface RowOutcome {
  readonly state: RowState
  readonly site: string
  readonly problem: ImportProblem | null
  readonly records: Readonly<Record<string, string>> | null
}

/** Stores the results of rows. One statement. */
export const noteOutcomes = async (
  runner: Runner,
  id: string,
  outcomes: ReadonlyMap<number, RowOutcome>,
): Promise<void> => {
  const sent = [...outcomes].map(([number, outcome]) => ({ number, ...outcome }))
  await runner`
    update import_rows t set state = r.state, site = r.site, problem = coalesce(r.problem, 'null'),
      records = coalesce(r.records, 'null'), updated = now(), version = nextval('record_version')
    from jsonb_to_recordset(${JSON.stringify(sent)}::jsonb)
      as r(number int, state text, site text, problem jsonb, records jsonb)
    where t.import = ${id} and t.number = r.number`
}

import type {
  ImportChange,
  ImportedStation,
  ImportProblem,
  RowAction,
  RowState,
} from '#domain/import.ts'

import type { Query, Runner } from '../db/sql.ts'

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

/**
 * Limits of a transaction. A site with a thousand connectors counts as so many records: five hundred of them would take
 * minutes, and a gigabyte of memory.
 */
const BATCH = { rows: 500, records: 5000 }

/** Limits of a transaction of linked rows. Its end must come within the lease. */
export const LINKED_BATCH = { rows: 10_000, records: 50_000 }

/** Reads the first rows for which a condition is true, as many as fit in a transaction, but at least one. */
export const readBatch = (
  runner: Runner,
  condition: Query<unknown>,
  { isLastFirst = false, limits = BATCH } = {},
): Promise<DueRow[]> => {
  const by = isLastFirst ? runner`number desc` : runner`number`
  return runner<DueRow[]>`
    select number, action, site, station, changes, records from (
      select r.*, sum(r.size) over (order by ${by}) - r.size as before from (
        select number, action, site, station, changes, records,
          1 + connectors + coalesce(jsonb_array_length(nullif(changes, 'null')), 0) as size
        from import_rows where ${condition} order by ${by} limit ${limits.rows}) r) r
    where before < ${limits.records} order by ${by}`
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

import type { ConnectorRow } from './site-values.ts'

/** A row that was taken out of the form and can be put back. */
export interface RemovedRow {
  readonly row: ConnectorRow
  /** How many of the rows that are left stand before it. */
  readonly at: number
}

/**
 * Rows that were taken out, in the order of the page. They remember their places while other rows
 * come and go, so that each returns to where it was.
 */
export type RemovedRows = readonly RemovedRow[]

/** Notes that the row at `index` was taken out. */
export const noteRemoval = (
  removed: RemovedRows,
  row: ConnectorRow,
  index: number,
): RemovedRows => [
  ...removed.filter(({ at }) => at <= index),
  { row, at: index },
  ...removed.filter(({ at }) => at > index).map((each) => ({ ...each, at: each.at - 1 })),
]

/** Notes that a row was put in at `index`, right after the row before it. */
export const noteInsertion = (removed: RemovedRows, index: number): RemovedRows =>
  removed.map((each) => (each.at >= index ? { ...each, at: each.at + 1 } : each))

/** Lets go of a row that was put back, or is not wanted back. */
export const noteReturn = (removed: RemovedRows, returned: RemovedRow): RemovedRows => {
  const position = removed.indexOf(returned)
  return removed
    .filter((each) => each !== returned)
    .map((each, index) => (index >= position ? { ...each, at: each.at + 1 } : each))
}

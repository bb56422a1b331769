import type { ConnectorRow } from './site-values.ts'

/** A removed row of the form, which can be restored. */
export interface RemovedRow {
  readonly row: ConnectorRow
  /** The number of remaining rows before it. */
  readonly at: number
}

/**
 * Removed rows, in page order. Their places are adjusted as other rows are added and removed, so that each is restored
 * where it was.
 */
export type RemovedRows = readonly RemovedRow[]

/** Records that the row at `index` was removed. */
export const noteRemoval = (
  removed: RemovedRows,
  row: ConnectorRow,
  index: number,
): RemovedRows => [
  ...removed.filter(({ at }) => at <= index),
  { row, at: index },
  ...removed.filter(({ at }) => at > index).map((each) => ({ ...each, at: each.at - 1 })),
]

/** Records that a row was inserted at `index`, right after the row before it. */
export const noteInsertion = (removed: RemovedRows, index: number): RemovedRows =>
  removed.map((each) => (each.at >= index ? { ...each, at: each.at + 1 } : each))

/** Forgets a row that was restored or dropped. */
export const noteReturn = (removed: RemovedRows, returned: RemovedRow): RemovedRows => {
  const position = removed.indexOf(returned)
  return removed
    .filter((each) => each !== returned)
    .map((each, index) => (index >= position ? { ...each, at: each.at + 1 } : each))
}

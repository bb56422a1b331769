import { BLANK_DETAILS, type ConnectorRow } from './site-values.ts'

/** Charge points with equal connectors: on each, only one connector can be used at a time. */
export interface SharedChargePoints {
  readonly evses: readonly string[]
  /** The rows of the connectors, with their number per row. */
  readonly members: readonly { readonly row: ConnectorRow; readonly count: number }[]
}

const evseOf = ({ details }: ConnectorRow, id: string): string => details[id]?.evse ?? ''

const evsesOf = (row: ConnectorRow): readonly string[] => row.ids.map((id) => evseOf(row, id))

/** The shared charge points, grouped by their connectors. */
export const sharedChargePoints = (
  rows: readonly ConnectorRow[],
): readonly SharedChargePoints[] => {
  const all = [...new Set(rows.flatMap(evsesOf))].filter((evse) => evse !== '')
  const points = all
    .map((evse) => ({
      evse,
      counts: rows.map((row) => evsesOf(row).filter((each) => each === evse).length),
    }))
    .filter(({ counts }) => counts.reduce((sum, count) => sum + count, 0) > 1)
  return [...Map.groupBy(points, ({ counts }) => counts.join()).values()].map((equal) => ({
    evses: equal.map(({ evse }) => evse),
    members: rows
      .map((row, index) => ({ row, count: equal[0]?.counts[index] ?? 0 }))
      .filter(({ count }) => count > 0),
  }))
}

/** The number of charge points. A connector without one named counts as its own. */
export const countChargePoints = (rows: readonly ConnectorRow[]): number => {
  const evses = rows.flatMap(evsesOf)
  return (
    evses.filter((evse) => evse === '').length + new Set(evses.filter((evse) => evse !== '')).size
  )
}

/** The row whose charge points all connectors of another row share; -1 if there is none. */
export const pairedRowIndex = (rows: readonly ConnectorRow[], index: number): number => {
  const evses = rows[index] === undefined ? [''] : evsesOf(rows[index])
  return rows.findIndex(
    (row, other) =>
      other !== index && evses.every((evse) => evse !== '' && evsesOf(row).includes(evse)),
  )
}

/**
 * Assigns the connectors of one row to the charge points of another, one to one as far as they go. Charge points
 * without an id get the lowest free numbers.
 */
export const shareChargePoints = (
  rows: readonly ConnectorRow[],
  index: number,
  other: number,
): readonly ConnectorRow[] => {
  const [row, paired] = [rows[index], rows[other]]
  if (row === undefined || paired === undefined) return rows
  const pairs = Math.min(row.ids.length, paired.ids.length)
  const taken = new Set(rows.flatMap(evsesOf))
  const free = Array.from({ length: taken.size + pairs }, (_, at) => String(at + 1)).filter(
    (name) => !taken.has(name),
  )
  const named = paired.ids.map((id, at) => evseOf(paired, id) || (free[at % pairs] ?? ''))
  const mine = row.ids.map((_id, at) => named[at % pairs] ?? '')
  return rows.map((each) =>
    each === paired ? withEvses(paired, named) : each === row ? withEvses(row, mine) : each,
  )
}

/** Separates connectors from shared charge points. */
export const leaveChargePoints = (
  rows: readonly ConnectorRow[],
  isLeaving: (row: ConnectorRow, evse: string) => boolean,
): readonly ConnectorRow[] =>
  rows.map((row) =>
    withEvses(
      row,
      evsesOf(row).map((evse) => (isLeaving(row, evse) ? '' : evse)),
    ),
  )

const withEvses = (row: ConnectorRow, evses: readonly string[]): ConnectorRow => ({
  ...row,
  details: {
    ...row.details,
    ...Object.fromEntries(
      row.ids.map((id, at) => [
        id,
        { ...(row.details[id] ?? BLANK_DETAILS), evse: evses[at] ?? '' },
      ]),
    ),
  },
})

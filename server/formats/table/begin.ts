import type { Row } from './csv.ts'
import { targetNamed, targetOfHeading } from './headings.ts'

/** Whether a row may be the headings of a table: a title above them is a single cell. */
const mayBeHeadings = ({ cells }: Row): boolean =>
  cells.filter((cell) => cell.trim() !== '').length > 1

/** The number of rows in which the headings are searched for. */
const MAX_LOOKED_AT = 20
/** Fewer recognised headings may be words in a note. */
const MIN_KNOWN = 3
const MAX_HEADING_LENGTH = 100

const countKnown = ({ cells }: Row): number => {
  const targets = cells.map((cell) => {
    const heading = cell.slice(0, MAX_HEADING_LENGTH)
    return targetNamed(heading) ?? targetOfHeading(heading)
  })
  return new Set(targets.filter((target) => target !== undefined)).size
}

/**
 * The index of the headings among the first rows of a table: the row with the most recognised headings, or else the
 * first one with more than one cell. Titles, dates, notes and column groups may precede them. -1 if there are none.
 */
export const placeOfHeadings = (rows: readonly Row[]): number => {
  const first = rows.findIndex(mayBeHeadings)
  const counts = rows.slice(0, MAX_LOOKED_AT).map(countKnown)
  const most = Math.max(0, ...counts)
  return most >= MIN_KNOWN && most > (counts[first] ?? 0) ? counts.indexOf(most) : first
}

/** Whether a row has enough recognised headings for a table of sites. */
export const hasKnownHeadings = (row: Row): boolean => countKnown(row) >= MIN_KNOWN

/** The rows of a table from its headings. */
export const fromHeadings = async function* (rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  let hasBegun = false
  let waiting: Row[] = []
  const begin = (): readonly Row[] => {
    const place = placeOfHeadings(waiting)
    const found = place < 0 ? [] : waiting.slice(place)
    hasBegun = place >= 0
    waiting = []
    return found
  }
  for await (const row of rows) {
    if (hasBegun) yield row
    else if (waiting.push(row) === MAX_LOOKED_AT) yield* begin()
  }
  if (!hasBegun) yield* begin()
}

import { SourceError } from '../source.ts'
import { fromHeadings, hasKnownHeadings } from './begin.ts'
import type { Row } from './csv.ts'

/** A sheet of a workbook. Its rows, without empty ones, must be read before the next sheet. */
export interface Sheet {
  readonly name: string
  /** Not shown by the program that wrote it, such as a former state. */
  readonly isHidden?: boolean
  readonly rows: AsyncIterable<Row>
}

/** The maximum number of sheets that are read. */
export const MAX_SHEETS = 20

/** The maximum length of a sheet name, which a program may make very long. */
const MAX_NAME_LENGTH = 60

const shortName = (name: string): string => name.slice(0, MAX_NAME_LENGTH).toWellFormed()

/**
 * Reads the tables of a workbook from their headings: the first sheet with recognised headings, and all later ones with
 * the same headings, without these. Other tables of sites, and hidden ones, are reported as not read. If no headings are
 * recognised, only the first sheet with a table is read.
 * @param sheets reads the sheets, starting from the first
 */
export const readBook = async function* (
  sheets: () => AsyncIterable<Sheet>,
): AsyncGenerator<Row | SourceError> {
  let columns: string | undefined
  let nth = 0
  for await (const { name: whole, isHidden = false, rows } of sheets()) {
    const name = shortName(whole)
    const table = fromHeadings(rows)
    const { value: headings } = await table.next()
    if (!headings || !hasKnownHeadings(headings)) {
      await table.return(undefined)
      continue
    }
    if (isHidden || (columns !== undefined && columns !== columnsOf(headings))) {
      await table.return(undefined)
      yield new SourceError({ code: 'sheet_not_read', params: { sheet: name } })
      continue
    }
    if (columns === undefined) yield headings
    columns = columnsOf(headings)
    const sheet = { name, nth: nth++ }
    for await (const row of table) yield { ...row, sheet }
  }
  if (columns === undefined) yield* firstTable(sheets())
}

const columnsOf = ({ cells }: Row): string =>
  cells
    .map((cell) => cell.trim().toLowerCase())
    .join('\n')
    .trimEnd()

const firstTable = async function* (sheets: AsyncIterable<Sheet>): AsyncGenerator<Row> {
  for await (const { name, rows } of sheets) {
    let isTable = false
    for await (const row of fromHeadings(rows)) {
      isTable = true
      yield { ...row, sheet: { name: shortName(name), nth: 0 } }
    }
    if (isTable) return
  }
}

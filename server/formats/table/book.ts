import { SourceError } from '../source.ts'
import { fromHeadings, hasKnownHeadings } from './begin.ts'
import type { Row } from './csv.ts'

/** A sheet of a workbook. Its rows are without empty ones, and are read before the next sheet. */
export interface Sheet {
  readonly name: string
  readonly rows: AsyncIterable<Row>
}

/** Sheets that are looked at. */
export const MAX_SHEETS = 20

/** What is kept of a name that a program may make as long as it likes. */
const MAX_NAME_LENGTH = 60

/**
 * Reads the tables of a workbook from the headings on: the first sheet with known headings, and all behind it with the
 * same ones, whose headings are left out. Other tables of sites are told as not read. If no headings are known, the first
 * sheet with any table is read alone.
 * @param sheets reads the sheets from the first one
 */
export const readBook = async function* (
  sheets: () => AsyncIterable<Sheet>,
): AsyncGenerator<Row | SourceError> {
  let columns: string | undefined
  let nth = 0
  for await (const { name: whole, rows } of sheets()) {
    const name = whole.slice(0, MAX_NAME_LENGTH)
    const table = fromHeadings(rows)
    const { value: headings } = await table.next()
    if (!headings || !hasKnownHeadings(headings)) {
      await table.return(undefined)
      continue
    }
    if (columns !== undefined && columns !== columnsOf(headings)) {
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
  for await (const { rows } of sheets) {
    let isTable = false
    for await (const row of fromHeadings(rows)) {
      isTable = true
      yield row
    }
    if (isTable) return
  }
}

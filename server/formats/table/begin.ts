import type { Row } from './csv.ts'

/** Whether a row may have the headings of a table: a title above them fills one cell. */
export const mayBeHeadings = ({ cells }: Row): boolean =>
  cells.filter((cell) => cell.trim() !== '').length > 1

/** The rows of a table from its headings on. */
export const fromHeadings = async function* (rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  let hasBegun = false
  for await (const row of rows) {
    hasBegun ||= mayBeHeadings(row)
    if (hasBegun) yield row
  }
}

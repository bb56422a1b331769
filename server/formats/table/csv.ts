import { CsvError, parse, type Options } from 'csv-parse'
import { parse as parseNow } from 'csv-parse/sync'

import { storable } from '../read-values.ts'
import { SOURCE_LIMITS, SourceError, through } from '../source.ts'

/** A row of a table, with its number in the source, or in its sheet, from 1. */
export interface Row {
  readonly cells: readonly string[]
  readonly number: number
  readonly sheet?: RowSheet
  /** The place in the source, unless it is a line number. */
  readonly position?: string
}

/** The sheet of a row: its name, and its index among the sheets that are read. */
export interface RowSheet {
  readonly name: string
  readonly nth: number
}

const DELIMITERS = [';', ',', '\t', '|'] as const
type Delimiter = (typeof DELIMITERS)[number]

/** The first line of some Excel files, which states the delimiter. */
const NAMED_DELIMITER = /^\ufeff?sep=(.)\r?\n/

const options = (delimiter: string): Options => ({
  bom: true,
  delimiter,
  relax_column_count: true,
  // A quotation mark inside a cell may be an inch mark, so it is not an error.
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: SOURCE_LIMITS.record,
  info: true,
})

type InfoRecord = { readonly record: readonly string[]; readonly info: { readonly lines: number } }

/** The rows of a table that have more titles above them than rows: at least two, of more than two cells. */
const [MIN_WIDTH, MIN_SAME] = [3, 2]

/** The number of rows that determine the delimiter. */
const SAMPLE_ROWS = 20

/**
 * Detects the delimiter: the one with which most rows have the same number of cells, and more than one. Titles have
 * none.
 */
export const delimiterOf = (head: string): Delimiter | undefined => {
  const named = NAMED_DELIMITER.exec(head)?.[1]
  const found = DELIMITERS.find((each) => each === named)
  if (found !== undefined) return found
  let [best, bestScore]: [Delimiter | undefined, number] = [undefined, 0]
  for (const delimiter of DELIMITERS) {
    const widths = sampleRows(head, delimiter).map(({ cells }) => cells.length)
    const counts = [...Map.groupBy(widths, (width) => width)].map(
      ([width, same]) => [width, same.length] as const,
    )
    const [width, count] = counts
      .filter(([each]) => each > 1)
      .reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])
    // Titles above the table of a few sites may be as many as its rows, or more.
    const isTable =
      counts.every(([, each]) => each <= count) || (width >= MIN_WIDTH && count >= MIN_SAME)
    const score = isTable ? width * (count / widths.length) ** 2 : 0
    if (score > bestScore) [best, bestScore] = [delimiter, score]
  }
  return best
}

/** The first rows of a text that may be truncated. Its last row counts only if it is the only one. */
export const sampleRows = (
  head: string,
  delimiter: string,
  count = SAMPLE_ROWS,
): readonly Row[] => {
  const text = head.replace(NAMED_DELIMITER, '')
  for (const cut of [text, text.slice(0, text.lastIndexOf('\n') + 1)]) {
    try {
      const records = parseNow(cut, { ...options(delimiter), to: count }) as unknown
      return (records as readonly InfoRecord[]).map(({ record, info }) => ({
        cells: record.map(storable),
        number: info.lines,
      }))
    } catch {
      // A quoted cell may be truncated.
    }
  }
  return []
}

/**
 * Reads the rows of a CSV file while it arrives, without empty rows.
 * @throws {SourceError} if a quotation mark is not closed, or a row is too large
 */
export const readCsv = async function* (
  text: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<Row> {
  const named = async function* (): AsyncGenerator<string> {
    let isFirst = true
    for await (const chunk of text) {
      yield isFirst ? chunk.replace(NAMED_DELIMITER, '') : chunk
      isFirst = false
    }
  }
  try {
    for await (const { record, info } of through<InfoRecord>(named(), parse(options(delimiter))))
      yield { cells: record.map(storable), number: info.lines }
  } catch (error) {
    throw error instanceof CsvError ? csvProblem(error) : error
  }
}

const csvProblem = (error: CsvError): SourceError => {
  const line = Number(error['lines'] ?? 0)
  return error.code === 'CSV_MAX_RECORD_SIZE'
    ? new SourceError(
        { code: 'record_too_large', params: { max: SOURCE_LIMITS.record } },
        `line ${line}`,
      )
    : new SourceError({
        code: error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'quote_not_closed' : 'table_damaged',
        params: { line },
      })
}

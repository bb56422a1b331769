import { streamXlsxRows } from 'hucre/xlsx'

import { filesIn, holdArchive, unpackFile } from '../archive.ts'
import { storable } from '../read-values.ts'
import { SOURCE_LIMITS, SourceError, type Bytes } from '../source.ts'
import { readXml } from '../xml-stream.ts'
import { MAX_SHEETS, readBook } from './book.ts'
import type { Row } from './csv.ts'

/**
 * Reads the tables of a workbook (XLSX) from the headings on, without empty rows. The archive is in memory, its rows are
 * not.
 * @param maxRows rows of a worksheet that are looked at
 * @throws {SourceError} if it is damaged, encrypted or too large
 */
export const readXlsx = async function* (
  bytes: Bytes,
  maxRows?: number,
): AsyncGenerator<Row | SourceError> {
  const archive = await holdArchive(bytes)
  const names = await namesOfSheets(archive)
  yield* readBook(async function* () {
    for (const [index, name] of names.slice(0, MAX_SHEETS).entries())
      yield { name, rows: rowsOf(archive, index, maxRows) }
  })
  for (const sheet of names.slice(MAX_SHEETS))
    yield new SourceError({ code: 'sheet_not_read', params: { sheet } })
}

/** The names of the sheets, in their order. A workbook that has its list elsewhere has at least one sheet. */
const namesOfSheets = async (archive: Buffer): Promise<readonly string[]> => {
  const list = (await filesIn(archive)).find((name) => name === 'xl/workbook.xml')
  if (list === undefined) return ['']
  const names: string[] = []
  for await (const { element } of readXml(unpackFile(archive, list), 'utf-8', ['sheet']))
    names.push(element.attributes['name'] ?? '')
  return names
}

const rowsOf = async function* (
  archive: Uint8Array,
  sheet: number,
  maxRows: number | undefined,
): AsyncGenerator<Row> {
  const rows = streamXlsxRows(archive, { sheet, ...(maxRows !== undefined && { maxRows }) })
  try {
    for await (const { index, values } of rows) {
      const cells = values.slice(0, SOURCE_LIMITS.columns + 1).map(textOfCell)
      if (cells.some((cell) => cell !== '')) yield { cells, number: index + 1 }
    }
  } catch (error) {
    // Of whatever kind: the library has a class for each layer, and plain errors for some faults of compression.
    throw error instanceof SourceError ? error : new SourceError({ code: 'archive_damaged' })
  }
}

const textOfCell = (value: string | number | boolean | Date | null): string => {
  if (value === null) return ''
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : textOfDate(value)
  return storable(String(value)).trim()
}

/** The day before the first one of a workbook, of either date system, and the next: a time of no day, and 24:00. */
const DAYS_OF_TIMES = ['1899-12-31', '1904-01-01']
const END_OF_DAY = '1900-01-01T00:00'

/** A time of day is a fraction of a day, which need not be a whole minute to the last bit. */
const textOfDate = (date: Date): string => {
  const minute = new Date(Math.round(date.getTime() / 60_000) * 60_000).toISOString()
  if (minute.startsWith(END_OF_DAY)) return '24:00'
  return DAYS_OF_TIMES.includes(minute.slice(0, 10)) ? minute.slice(11, 16) : date.toISOString()
}

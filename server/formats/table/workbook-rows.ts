import { streamXlsxRows } from 'hucre/xlsx'

import { storable } from '../read-values.ts'
import { SOURCE_LIMITS, SourceError } from '../source.ts'
import type { Row } from './csv.ts'

/** A workbook (XLSX) in memory. */
export interface Workbook {
  readonly archive: Uint8Array
  /** The number of rows of a worksheet to read. */
  readonly maxRows: number | undefined
}

/** Excel allows at most 32,767 characters per cell. */
const MAX_CELL_LENGTH = 100_000

/** Reads the rows of a worksheet, without empty ones. @throws {SourceError} */
export const rowsOf = async function* (
  { archive, maxRows }: Workbook,
  sheet: number,
): AsyncGenerator<Row> {
  const rows = streamXlsxRows(archive, { sheet, ...(maxRows !== undefined && { maxRows }) })
  try {
    for await (const { index, values } of rows) {
      const cells = values.slice(0, SOURCE_LIMITS.columns + 1).map(textOfCell)
      if (cells.some((cell) => cell !== '')) yield { cells, number: index + 1 }
    }
  } catch {
    // Any error: the library has an error class per layer, and throws plain errors for some compression faults.
    throw new SourceError({ code: 'archive_damaged' })
  }
}

const textOfCell = (value: string | number | boolean | Date | null): string => {
  if (value === null) return ''
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : textOfDate(value)
  return storable(String(value).slice(0, MAX_CELL_LENGTH)).trim()
}

/** Dates that stand for a time of day, in both date systems, and the date that stands for 24:00. */
const DAYS_OF_TIMES = ['1899-12-31', '1904-01-01']
const END_OF_DAY = '1900-01-01T00:00'

/** A time of day is a fraction of a day, which may differ slightly from a whole minute. */
const textOfDate = (date: Date): string => {
  const minute = new Date(Math.round(date.getTime() / 60_000) * 60_000).toISOString()
  if (minute.startsWith(END_OF_DAY)) return '24:00'
  return DAYS_OF_TIMES.includes(minute.slice(0, 10)) ? minute.slice(11, 16) : date.toISOString()
}

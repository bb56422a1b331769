import { streamXlsxRows } from 'hucre/xlsx'

import { holdArchive } from '../archive.ts'
import { storable } from '../read-values.ts'
import { SOURCE_LIMITS, SourceError, type Bytes } from '../source.ts'
import type { Row } from './csv.ts'

/**
 * Reads the rows of the first worksheet of a workbook (XLSX), without empty ones. The archive is in memory, its rows are
 * not.
 * @throws {SourceError} if it is damaged, encrypted or too large
 */
export const readXlsx = async function* (bytes: Bytes, maxRows?: number): AsyncGenerator<Row> {
  const archive = await holdArchive(bytes)
  const rows = streamXlsxRows(archive, maxRows === undefined ? {} : { maxRows })
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
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString()
  return storable(String(value)).trim()
}

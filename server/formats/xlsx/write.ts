import { Readable } from 'node:stream'

import { writeXlsxStream } from 'hucre/xlsx'

import type { PublicSite } from '#domain/public-site.ts'

import type { About } from '../output.ts'
import { TABLE_COLUMNS, tableRows } from '../table/write.ts'

/** The most characters that a cell takes. */
const MAX_CELL_LENGTH = 32_767

/**
 * An Office Open XML workbook, a row a connector; further sheets have what is more than a million rows. A text is a
 * text whatever it begins with: no cell is a formula.
 */
export const writeXlsx = (
  pages: AsyncIterable<readonly PublicSite[]>,
  about: About,
): AsyncIterable<Uint8Array> => {
  const columns = TABLE_COLUMNS.map((header) => ({ header, key: header }))
  const rows = async function* () {
    for await (const sites of pages)
      for (const site of sites)
        for (const cells of tableRows(site, about)) yield cells.map((cell) => cellOf(cell, about))
  }
  const stream = writeXlsxStream(rows(), { name: 'sites', columns })
  return Readable.fromWeb(stream)
}

const cellOf = (
  cell: string | number | boolean,
  { lose }: About,
): string | number | boolean | null => {
  if (cell === '') return null
  if (typeof cell !== 'string' || cell.length <= MAX_CELL_LENGTH) return cell
  lose('tariffs', 'elements', 'shortened')
  return cell.slice(0, MAX_CELL_LENGTH)
}

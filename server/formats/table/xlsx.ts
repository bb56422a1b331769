import { filesIn, bufferArchive, unpackFile, unpackedBytes } from '../archive.ts'
import { SourceError, type Bytes } from '../source.ts'
import { readXml } from '../xml-stream.ts'
import { MAX_SHEETS, readBook } from './book.ts'
import type { Row } from './csv.ts'
import { openWorkbook, type OpenWorkbook } from './workbook.ts'
import { rowsOf, type Workbook } from './workbook-rows.ts'

/**
 * Reads the tables of a workbook (XLSX) from their headings, without empty rows. Keeps the archive in memory, but not
 * its rows.
 * @param maxRows the number of rows of a worksheet to read
 * @throws {SourceError} if it is damaged, encrypted or too large
 */
export const readXlsx = async function* (
  bytes: Bytes,
  maxRows?: number,
): AsyncGenerator<Row | SourceError> {
  const archive = await bufferArchive(bytes)
  const sheets = await listSheets(archive)
  const workbook = { archive, maxRows }
  const isSmall = (await unpackedBytes(archive)) <= SMALL_BYTES
  const { rows, close } = isSmall ? readHere(workbook) : openWorkbook(workbook)
  try {
    yield* readBook(async function* () {
      for (const [index, { name, isHidden }] of sheets.slice(0, MAX_SHEETS).entries())
        yield { name, isHidden, rows: rows(index) }
    })
  } finally {
    await close()
  }
  for (const { name } of sheets.slice(MAX_SHEETS))
    yield new SourceError({ code: 'sheet_not_read', params: { sheet: name } })
}

/** Workbooks up to this unpacked size are read without a thread, in less time than a thread takes to start. */
const SMALL_BYTES = 512 * 1024

const readHere = (workbook: Workbook): OpenWorkbook => ({
  rows: (sheet) => rowsOf(workbook, sheet),
  close: async () => {},
})

/** The maximum number of sheet names that are read. */
const MAX_NAMES = 1000

interface ListedSheet {
  readonly name: string
  readonly isHidden: boolean
}

/** The sheets in order. A workbook without a list of sheets in the usual place has at least one sheet. */
const listSheets = async (archive: Buffer): Promise<readonly ListedSheet[]> => {
  const list = (await filesIn(archive)).find((name) => name === 'xl/workbook.xml')
  if (list === undefined) return [{ name: '', isHidden: false }]
  const sheets: ListedSheet[] = []
  for await (const { element } of readXml(unpackFile(archive, list), 'utf-8', ['sheet'])) {
    const { name = '', state = '' } = element.attributes
    if (sheets.push({ name, isHidden: /hidden$/i.test(state) }) === MAX_NAMES) break
  }
  return sheets
}

import type { PublicSite } from '#domain/public-site.ts'

import { zip, type ZipEntry } from '../../zip.ts'
import type { About, Output } from '../output.ts'
import { TABLE_COLUMNS, TABLE_FIELDS, tableRows, type Cell } from '../table/write.ts'
import { escapeXml, XML_HEAD } from '../xml.ts'

/** The maximum number of rows in a sheet, and of UTF-16 code units in a cell. */
const MAX_ROWS = 1_048_576
const MAX_CELL_LENGTH = 32_767
/** A file in the archive must be smaller than 4 GiB, with at most three bytes per code unit. */
const MAX_SHEET_LENGTH = 1_000_000_000
/** Rows are compressed in chunks, to avoid keeping a whole page in memory. */
const CHUNK_LENGTH = 256 * 1024
/** Higher compression levels cost more than all other work. */
const LEVEL = 1

/**
 * Writes an Office Open XML workbook with one row per connector. Rows beyond the limit of about a million go to further
 * sheets. Texts are written as texts, so no cell is a formula.
 * @param pages the JSON of PublicSites
 */
export const writeXlsx = (
  pages: AsyncIterable<readonly string[]>,
  about: About,
  maxRows = MAX_ROWS,
): AsyncIterable<Uint8Array> => zip(partsOf(rowPages(pages, about), about, maxRows))

/** The fields that a workbook can contain, and its rows for a site. */
export const XLSX: Pick<Output, 'supports'> & {
  /** The XML of each row's cells. */
  readonly rows: (site: PublicSite, about: About) => readonly string[]
} = {
  supports: TABLE_FIELDS,
  rows: (site, about) =>
    tableRows(site, about, (cells, column) => cellsXml(cells, column, about)).map((parts) =>
      parts.join(''),
    ),
}

const rowPages = async function* (
  pages: AsyncIterable<readonly string[]>,
  about: About,
): AsyncGenerator<readonly string[], undefined> {
  for await (const sites of pages)
    yield sites.flatMap((json) => XLSX.rows(JSON.parse(json) as PublicSite, about))
}

const partsOf = async function* (
  pages: AsyncGenerator<readonly string[], undefined>,
  { changed }: About,
  maxRows: number,
): AsyncGenerator<ZipEntry> {
  // The same sites make the same bytes, as their ETag promises.
  const modified = new Date(changed || 0)
  const part = (path: string, content: ZipEntry['content']): ZipEntry => ({
    path,
    content,
    modified,
    level: LEVEL,
  })
  let next = await pages.next()
  let sheets = 0
  const sheet = async function* (): AsyncGenerator<string> {
    let count = 1
    let length = 0
    let text = SHEET.begin + rowXml(cellsXml(TABLE_COLUMNS, 0), count)
    const isFull = (rows: readonly string[]): boolean =>
      count > 1 && (count + rows.length > maxRows || length > MAX_SHEET_LENGTH)
    while (!next.done && !isFull(next.value)) {
      for (const cells of next.value) {
        count += 1
        text += rowXml(cells, count)
        if (text.length < CHUNK_LENGTH) continue
        length += text.length
        yield text
        text = ''
      }
      next = await pages.next()
    }
    yield text + SHEET.end
  }
  try {
    do {
      sheets += 1
      yield part(`xl/worksheets/sheet${sheets}.xml`, sheet())
    } while (!next.done)
  } finally {
    await pages.return(undefined)
  }
  for (const [path, text] of Object.entries(packageOf(sheets))) yield part(path, once(text))
}

const once = async function* (text: string): AsyncGenerator<string> {
  yield XML_HEAD + text
}

/** `A` to `Z`, `AA` and so on. */
const letterOf = (column: number): string =>
  (column < 26 ? '' : letterOf(Math.floor(column / 26) - 1)) +
  String.fromCharCode(65 + (column % 26))
const LETTERS = TABLE_COLUMNS.map((_, column) => letterOf(column))

/** Writes cells, without empty ones. References are optional (ECMA-376, 18.3.1.4), but some readers need them. */
const cellsXml = (cells: readonly Cell[], column: number, about?: About): string => {
  let xml = ''
  for (const [index, cell] of cells.entries())
    if (cell !== '')
      xml += `<c r="${LETTERS[column + index]}${NUMBER}"${contentOf(cell, about)}</c>`
  return xml
}

/** The placeholder for a row number until it is known; no text contains it. */
const NUMBER = '\0'

const rowXml = (cells: string, number: number): string =>
  `<row r="${NUMBER}">${cells}</row>`.replaceAll(NUMBER, String(number))

const contentOf = (cell: Cell, about: About | undefined): string => {
  if (typeof cell === 'number') return `><v>${cell}</v>`
  if (typeof cell === 'boolean') return ` t="b"><v>${Number(cell)}</v>`
  if (cell.length > MAX_CELL_LENGTH) about?.reportLoss('tariffs', 'elements', 'shortened')
  const text = escapeXml(cell.slice(0, MAX_CELL_LENGTH)).replaceAll(LIKE_ESCAPED, '_x005F_')
  return ` t="inlineStr"><is><t${/^\s|\s$|\n/.test(cell) ? ' xml:space="preserve"' : ''}>${text}</t></is>`
}

/**
 * Escaped characters in a text (ECMA-376, ST_Xstring). The underscore of a text that only looks like one is escaped.
 */
const LIKE_ESCAPED = /_(?=x[0-9A-Fa-f]{4}_)/g

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const SHEET = {
  begin: `${XML_HEAD}<worksheet xmlns="${MAIN}"><sheetData>`,
  end: '</sheetData></worksheet>',
}

/** The parts that make some sheets a workbook (ECMA-376, part 2). */
const packageOf = (sheets: number): Readonly<Record<string, string>> => {
  const each = (write: (number: number) => string): string =>
    Array.from({ length: sheets }, (_, index) => write(index + 1)).join('')
  const relations = (text: string): string =>
    `<Relationships xmlns="${PACKAGE}/relationships">${text}</Relationships>`
  return {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${each(
      (number) =>
        `<sheet name="sites${number === 1 ? '' : ` ${number}`}" sheetId="${number}" r:id="rId${number}"/>`,
    )}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      each(
        (number) =>
          `<Relationship Id="rId${number}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
      ),
    ),
    '_rels/.rels': relations(
      `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/>`,
    ),
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>${each(
      (number) =>
        `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${TYPES}.worksheet+xml"/>`,
    )}</Types>`,
  }
}

import { bufferArchive, unpackFile } from '../archive.ts'
import { numberOf } from '../read-values.ts'
import { SOURCE_LIMITS, SourceError, type Bytes } from '../source.ts'
import { innerText, readXml, type XmlElement } from '../xml-stream.ts'
import { readBook, type Sheet } from './book.ts'
import type { Row } from './csv.ts'

/**
 * Reads the tables of an OpenDocument spreadsheet from their headings, without empty rows. Keeps the archive in memory,
 * but not its rows.
 * @throws {SourceError} if it is damaged, encrypted or too large
 */
export const readOds = async function* (bytes: Bytes): AsyncGenerator<Row | SourceError> {
  const archive = await bufferArchive(bytes)
  try {
    yield* readBook(() => sheetsOf(archive))
  } catch (error) {
    throw error instanceof SourceError ? error : new SourceError({ code: 'archive_damaged' })
  }
}

const sheetsOf = async function* (archive: Buffer): AsyncGenerator<Sheet> {
  const elements = readXml(unpackFile(archive, 'content.xml'), 'utf-8', ['table-row'], ['table'])
  let next = await elements.next()
  const rowsOfSheet = async function* (): AsyncGenerator<Row> {
    let number = 0
    for (
      ;
      next.done !== true && next.value.element.name !== 'table';
      next = await elements.next()
    ) {
      const { element } = next.value
      const row = { cells: cellsOf(element), number: number + 1 }
      number += repetitionsOf(element, 'number-rows-repeated')
      if (row.cells.length > 0) yield row
    }
  }
  try {
    while (next.done !== true) {
      const { name, attributes } = next.value.element
      next = await elements.next()
      // Skips rows of a sheet that was not read to its end.
      if (name !== 'table') continue
      yield { name: attributes['name'] ?? '', rows: rowsOfSheet() }
    }
  } finally {
    await elements.return(undefined)
  }
}

const repetitionsOf = ({ attributes }: XmlElement, name: string): number =>
  Math.max(1, numberOf(attributes[name]) ?? 1)

/**
 * The cells of a row up to the last non-empty one. A sheet states repeated cells as a count, which may reach its edge.
 */
const cellsOf = (row: XmlElement): readonly string[] => {
  const cells: string[] = []
  for (const cell of row.children.filter(({ name }) => CELLS.includes(name))) {
    const left = SOURCE_LIMITS.columns + 1 - cells.length
    const count = Math.min(left, repetitionsOf(cell, 'number-columns-repeated'))
    const text = textOfCell(cell)
    for (let index = 0; index < count; index++) cells.push(text)
  }
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
}

/** Cells, including those covered by a merged cell. */
const CELLS: readonly string[] = ['table-cell', 'covered-table-cell']

/** The stored value of a number or a date, regardless of its format; the lines of a text. */
const textOfCell = ({ attributes, children }: XmlElement): string =>
  attributes['value'] ??
  attributes['date-value'] ??
  timeOf(attributes['time-value']) ??
  attributes['boolean-value'] ??
  children
    .filter(({ name }) => name === 'p')
    .map(innerText)
    .join('\n')
    .trim()

/** Reads a time of day stored as a duration: "PT08H30M00S". */
const timeOf = (value = ''): string | undefined => {
  const [, hours, minutes] = /^PT(\d{2})H(\d{2})M/.exec(value) ?? []
  return hours && minutes && `${hours}:${minutes}`
}

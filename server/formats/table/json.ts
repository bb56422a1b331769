import { MAX_CONNECTORS_PER_SITE } from '#domain/connector.ts'
import type { ColumnTarget } from '#domain/import-source.ts'

import { readJson } from '../json-stream.ts'
import { isRaw, rawList, textOf, type Raw } from '../read-values.ts'
import { SOURCE_LIMITS, SourceError, textOfHead, type Bytes, type Encoding } from '../source.ts'
import type { Row } from './csv.ts'
import { PREVIEW_ROWS } from './columns.ts'
import { targetNamed, targetOfHeading } from './headings.ts'

/** The values of a row by column heading. */
type Cells = ReadonlyMap<string, string>

/** Maximum depth of nested objects with values. */
const MAX_LEVELS = 4
/** Longer names are not headings. */
const MAX_NAME_LENGTH = 100

/** The names of objects with values of the site itself, unlike others such as an operator. */
const OF_SITE = /addr|adress|loc|coord|pos|geo|propert|attribut|field|detail|meta|station|site/i

const targetOf = (heading: string): ColumnTarget =>
  targetNamed(heading) ?? targetOfHeading(heading) ?? ''

const isOfPlug = (target: ColumnTarget): boolean =>
  target === 'quantity' || target.startsWith('connectors.')

const isList = (value: unknown): boolean => Array.isArray(value) && value.some(isRaw)

const cellOf = (value: unknown): string => {
  if (typeof value === 'boolean') return String(value)
  if (!Array.isArray(value)) return textOf(value)
  // A point in GeoJSON order, which is not latitude and longitude.
  return value.length > 0 && value.every((each) => typeof each === 'number')
    ? JSON.stringify(value.slice(0, 2))
    : value.map(cellOf).join('; ')
}

/** The values of an object and of nested objects; its own values have priority. */
const cellsOf = (raw: Raw, level = 0): Cells => {
  const cells = new Map<string, string>()
  const add = (name: string, cell: string): void => {
    if (cells.size < SOURCE_LIMITS.columns && name.length <= MAX_NAME_LENGTH) cells.set(name, cell)
  }
  const entries = Object.entries(raw)
  const isWrapper = entries.length > 0 && entries.every(([, value]) => isRaw(value))
  for (const [name, value] of entries) if (!isRaw(value) && !isList(value)) add(name, cellOf(value))
  for (const [name, value] of entries)
    if (isRaw(value) && level < MAX_LEVELS)
      for (const [inner, cell] of cellsOf(value, level + 1)) {
        const isOwn = (isWrapper || OF_SITE.test(name)) && !cells.has(inner)
        add(isOwn ? inner : `${name} ${inner}`, cell)
      }
  return cells
}

/**
 * A row in layers: the values of one plug, if the record lists plugs, those of its charge point, and those of the site.
 * Rows share layers: copies would multiply the values of a charge point by its plugs.
 */
type Layers = readonly Cells[]

/** There are few plug names; the cache ignores further ones in unusual files. */
const MAX_REMEMBERED = 10_000

/** Creates rows from the records of a source: one per record or, if it lists plugs, one per plug. */
const createRows = (): ((record: Raw) => readonly Layers[]) => {
  const headings = new Map<string, string>()
  /** In a list of plugs, "type" is the type of plug, and "name" is not the name of the site. */
  const headingOf = (list: string, name: string): string => {
    const full = `${list} ${name}`
    const before = headings.get(full)
    if (before !== undefined || headings.size >= MAX_REMEMBERED) return before ?? full
    const found = [name, `connector ${name}`].find((each) => isOfPlug(targetOf(each))) ?? full
    headings.set(full, found)
    return found
  }
  const isPlug = (layers: Layers): boolean =>
    layers.some((cells) => [...cells.keys()].some((name) => isOfPlug(targetOf(name))))
  const namedCells = (list: string, record: Raw): Cells =>
    new Map([...cellsOf(record)].map(([name, cell]) => [headingOf(list, name), cell]))
  /** The plugs of a record in a list: itself, or those that it lists, as a charge point its connectors. */
  const plugsOf = (list: string, record: Raw): readonly Layers[] => {
    const own = namedCells(list, record)
    for (const [name, value] of Object.entries(record)) {
      if (!isList(value) || name.length > MAX_NAME_LENGTH) continue
      const plugs = rawList(value)
        .slice(0, MAX_CONNECTORS_PER_SITE + 1)
        .map((each) => namedCells(name, each))
      if (plugs[0] === undefined || !isPlug([plugs[0]])) continue
      // The ID of a charge point is not that of its connectors.
      const shared = new Map(
        [...own].filter(([heading]) => targetOf(heading) !== 'connectors.reference'),
      )
      return plugs.map((plug) => [plug, shared])
    }
    return [[own]]
  }
  return (record) => {
    const site = cellsOf(record)
    for (const [name, value] of Object.entries(record)) {
      if (!isList(value) || name.length > MAX_NAME_LENGTH) continue
      const plugs = rawList(value)
        .slice(0, MAX_CONNECTORS_PER_SITE + 1)
        .flatMap((each) => plugsOf(name, each))
        .slice(0, MAX_CONNECTORS_PER_SITE + 1)
      if (plugs[0] !== undefined && isPlug(plugs[0])) return plugs.map((plug) => [...plug, site])
    }
    return [[site]]
  }
}

/** A list of records that is read as a table. */
export interface JsonTable {
  /** The names of all lists in the beginning of the document. */
  readonly lists: readonly string[]
  /** The name of the list of records. */
  readonly list: string
  readonly headings: readonly string[]
  /** The first rows of the list. */
  readonly rows: readonly Row[]
}

const LIST = /"([^"\\]{1,100})"\s*:\s*\[\s*\{/g

const lastName = (path: string): string => path.split('.').at(-1) ?? ''

/**
 * Finds the list of records in the beginning of a document, which may be truncated: the one with the most recognised
 * names. Its columns are the names in its complete records. Undefined if there is none.
 */
export const jsonTableIn = async (
  head: Uint8Array,
  encoding: Encoding,
): Promise<JsonTable | undefined> => {
  const text = await textOfHead(head, encoding)
  const lists = [...new Set([...text.matchAll(LIST)].map(([, name = '']) => name))]
  const found = new Map<string, Layers[]>()
  const rowsOf = createRows()
  try {
    for await (const { value, list } of readJson([head] as unknown as Bytes, encoding, lists))
      if (isRaw(value)) {
        const rows = found.get(lastName(list)) ?? []
        rows.push(...rowsOf(value))
        found.set(lastName(list), rows)
      }
  } catch (error) {
    // The last record is truncated.
    if (!(error instanceof SourceError)) throw error
  }
  const [best] = [...found]
    .map(([list, rows]) => {
      const layers = new Set(rows.flatMap((row) => row.toReversed()))
      const headings = [...new Set([...layers].flatMap((cells) => [...cells.keys()]))]
      const targets = new Set(headings.map(targetOf).filter((target) => target !== ''))
      return { list, rows, headings, known: targets.size }
    })
    .toSorted((one, other) => other.known - one.known)
  if (best === undefined) return undefined
  const headings = best.headings.slice(0, SOURCE_LIMITS.columns)
  const rows = best.rows
    .slice(0, PREVIEW_ROWS)
    .map((layers, index) => rowOf(headings, layers, `[${index}]`))
  return { lists, list: best.list, headings, rows }
}

const rowOf = (headings: readonly string[], layers: Layers, position: string): Row => ({
  cells: headings.map((heading) => layers.find((cells) => cells.has(heading))?.get(heading) ?? ''),
  number: 0,
  position,
})

/** Reads the headings of a list of records, and its rows while it arrives. */
export const readJsonTable = async function* (
  bytes: Bytes,
  encoding: Encoding,
  { lists, list, headings }: JsonTable,
): AsyncGenerator<Row | SourceError> {
  const rowsOf = createRows()
  yield { cells: headings, number: 0 }
  for await (const record of readJson(bytes, encoding, lists)) {
    if (lastName(record.list) !== list) continue
    const { value, position } = record
    if (!isRaw(value)) yield new SourceError({ code: 'record_not_object' }, position)
    else for (const layers of rowsOf(value)) yield rowOf(headings, layers, position)
  }
}

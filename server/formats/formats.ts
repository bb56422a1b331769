import { hash } from 'node:crypto'
import { Readable } from 'node:stream'

import { MAX_CONNECTORS_PER_SITE } from '#domain/connector.ts'
import type { Mapping, SourceFormat, TableColumns } from '#domain/import-source.ts'
import type { Problem, ProblemCode } from '#domain/repair.ts'

import { filesIn, firstFile, bufferArchive, unpackFile, unpackFirst } from './archive.ts'
import { readDatex } from './datex/read.ts'
import { readGeoJson } from './geojson/read.ts'
import { isIrve, readIrve, toIrvePiece } from './irve/read.ts'
import { readNobil } from './nobil/read.ts'
import { readOcm } from './ocm/read.ts'
import { readOcpi } from './ocpi/read.ts'
import { readOicp } from './oicp/read.ts'
import { readOsmJson } from './osm/read-json.ts'
import { readOsmXml } from './osm/read-xml.ts'
import { boundedValue, isRaw } from './read-values.ts'
import {
  SOURCE_LIMITS,
  SourceError,
  decode,
  encodingOf,
  gunzip,
  isCompoundFile,
  isGzip,
  isZip,
  readHead,
  textOfHead,
  type PeekedSource,
  type Bytes,
  type Encoding,
} from './source.ts'
import { type Part, type Station, type Unreadable } from './station.ts'
import { fromHeadings, placeOfHeadings } from './table/begin.ts'
import { PREVIEW_ROWS, isComplete, recogniseColumns, shortHeadings } from './table/columns.ts'
import { delimiterOf, readCsv, sampleRows, type Row, type RowSheet } from './table/csv.ts'
import { jsonTableIn, readJsonTable } from './table/json.ts'
import { readOds } from './table/ods.ts'
import { cellText, layoutOf, toTablePiece, withSiteAbove } from './table/read.ts'
import { readXlsx } from './table/xlsx.ts'
import { readExport } from './voltleaf/read.ts'

/** The format of a source, or the reason why it cannot be read. */
export type DetectedSource =
  | {
      readonly format: SourceFormat
      /** The columns of a table, for the user to review. */
      readonly table?: TableColumns
      /** Whether the columns of a table are clear enough to read it without the user. */
      readonly isComplete: boolean
    }
  | { readonly problem: Problem }

/**
 * Detects the format of a source by its content. Reads a workbook completely, and only the beginning of other sources.
 */
export const detectFormat = async (source: Bytes): Promise<DetectedSource> => {
  let close: Opened['close'] | undefined
  try {
    const opened = await open(source)
    const { kind } = opened
    ;({ close } = opened)
    if (!isTable(kind)) return { format: FORMATS[kind], isComplete: true }
    const rows = await sampleOf(kind, opened)
    const [headings, ...others] = rows.map(({ cells }) => cells)
    if (headings === undefined && kind === 'json')
      return { problem: { code: 'source_without_stations' } }
    if (headings === undefined || headings.length < 2)
      return { problem: { code: 'format_unknown' } }
    checkWidth(headings)
    if (others.length === 0) return { problem: { code: 'table_empty' } }
    if (isIrve(headings)) return { format: 'IRVE', isComplete: true }
    const table = recogniseColumns(headings, others)
    return { format: 'TABLE', table, isComplete: isComplete(table.mapping) }
  } catch (error) {
    if (error instanceof SourceError) return { problem: error.problem }
    throw error
  } finally {
    await close?.()
  }
}

/**
 * Reads the stations of a source in pieces while it arrives. Only one piece at a time is in memory. Records that are
 * not stations are yielded as problems. If the rest of the source cannot be read, the last item is that problem. Errors
 * of the input stream itself are thrown.
 */
export const readParts = async function* (
  source: Bytes,
  { mapping = [] }: { readonly mapping?: Mapping } = {},
): AsyncGenerator<Part | Unreadable> {
  try {
    const opened = await open(source)
    let count = 0
    for await (const part of READERS[opened.kind](opened, mapping)) {
      count++
      yield 'station' in part ? { ...part, station: withBoundedPlugs(part.station) } : part
    }
    if (count === 0) throw new SourceError({ code: 'source_without_stations' })
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    yield { position: error.position, problem: error.problem }
  }
}

/** Limits the length of texts: formats may state once what very many plugs share. */
const withBoundedPlugs = (station: Station): Station => ({
  ...station,
  connectors: station.connectors
    .slice(0, MAX_CONNECTORS_PER_SITE + 1)
    .map((plug) =>
      Object.fromEntries(Object.entries(plug).map(([name, value]) => [name, boundedValue(value)])),
    ),
})

/** The type of a source, apart from its compression and encoding. */
type Kind =
  | 'ocpi'
  | 'ocpi-lines'
  | 'irve-json'
  | 'irve-lines'
  | 'ocm'
  | 'oicp'
  | 'nobil'
  | 'geojson'
  | 'geojson-lines'
  | 'datex'
  | 'osm'
  | 'osm-json'
  | 'archive'
  | 'export'
  | TableKind

const TABLES = ['json', 'csv', 'xlsx', 'ods'] as const
type TableKind = (typeof TABLES)[number]

const isTable = (kind: Kind): kind is TableKind => TABLES.some((each) => each === kind)

const FORMATS: Readonly<Record<Exclude<Kind, TableKind>, SourceFormat>> = {
  ocpi: 'OCPI',
  'ocpi-lines': 'OCPI',
  'irve-json': 'IRVE',
  'irve-lines': 'IRVE',
  ocm: 'OCM',
  oicp: 'OICP',
  nobil: 'NOBIL',
  geojson: 'GEOJSON',
  'geojson-lines': 'GEOJSON',
  datex: 'DATEX',
  osm: 'OSM',
  'osm-json': 'OSM',
  archive: 'VOLTLEAF',
  export: 'VOLTLEAF',
}

/** An unpacked source. */
interface Opened extends PeekedSource {
  readonly kind: Kind
  readonly encoding: Encoding
}

/** Workbooks are archives with one of these files. */
const BOOKS = [
  ['[Content_Types].xml', 'xlsx'],
  ['mimetype', 'ods'],
] as const

/** The data files of an archive. Other files next to them are ignored. */
const DATA_FILE = /\.(?:csv|tsv|json|jsonl|ndjson|geojson|xml|osm|xlsx|ods)$/i

/** How often a source may be compressed: once by its owner, and once more in transit. */
const MAX_LAYERS = 2

const open = async (source: Bytes, layers = 0): Promise<Opened> => {
  const { head, rest, close } = await readHead(source, SOURCE_LIMITS.head)
  if (head.length === 0) throw new SourceError({ code: 'source_empty' })
  if (isGzip(head)) {
    // Some files contain themselves.
    if (layers === MAX_LAYERS) throw new SourceError({ code: 'compressed_damaged' })
    return open(gunzip(rest), layers + 1)
  }
  const encoding = encodingOf(head)
  if (isZip(head)) {
    // With its photos, an export may be larger than the limit for archives in memory.
    if (firstFile(head) === 'data.json') return { kind: 'archive', head, rest, close, encoding }
    const archive = await bufferArchive(rest)
    const names = await filesIn(archive)
    const book = BOOKS.find(([name]) => names.includes(name))?.[1]
    if (book !== undefined)
      return { kind: book, head, rest: Readable.from([archive]), close, encoding }
    if (layers === MAX_LAYERS) throw new SourceError({ code: 'compressed_damaged' })
    return open(unpackFile(archive, dataFile(names)), layers + 1)
  }
  if (isCompoundFile(head)) throw new SourceError({ code: 'excel_old_or_encrypted' })
  const text = (await textOfHead(head, encoding)).trimStart()
  if (text === '') throw new SourceError({ code: 'source_empty' })
  return { kind: kindOf(text), head, rest, close, encoding }
}

/** @throws {SourceError} if there is no data file, or more than one */
const dataFile = (names: readonly string[]): string => {
  const [name, ...others] =
    names.length === 1 ? names : names.filter((each) => DATA_FILE.test(each))
  if (name === undefined) throw new SourceError({ code: 'archive_without_data' })
  if (others.length > 0) throw new SourceError({ code: 'archive_of_several' })
  return name
}

/** The types of JSON, by names that only they use. The first match applies. */
const JSON_KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/"FeatureCollection"/, 'geojson'],
  [/"id_pdc_itinerance"/, 'irve-json'],
  [/"features"\s*:/, 'geojson'],
  [/"AddressInfo"/, 'ocm'],
  [/"(?:Evse|EVSE)DataRecord"|"ChargingFacilities"/, 'oicp'],
  [/"chargerstations"|"csmd"/, 'nobil'],
  [/"osm3s"|"elements"\s*:\s*\[\s*\{\s*"type"\s*:\s*"(?:node|way|relation)"/, 'osm-json'],
  [/"collectionName"\s*:\s*"(?:users|businesses|sites|connectors|tariffs)"/, 'export'],
  [
    /"(?:evses|party_id|partyId|power_type|price_components)"|"status_code"\s*:\s*"?\d|"coordinates"\s*:\s*\{\s*"l(?:at|on|ng)/,
    'ocpi',
  ],
  // Any other list of records.
  [/\[\s*\{/, 'json'],
]

/** The types of XML, by names that only they use. */
const XML_KINDS: typeof JSON_KINDS = [
  [/<osm[\s>]/, 'osm'],
  [/EnergyInfrastructureTablePublication|[:<]energyInfrastructureTable[\s>]/, 'datex'],
]

/** What a login page or an error page begins with. */
const PAGE = /^<(?:!doctype\s+html|html)\b/i

const kindOf = (text: string): Kind => {
  if (PAGE.test(text)) throw new SourceError({ code: 'source_is_page' })
  if (text.startsWith('<')) return knownKind(XML_KINDS, text, 'format_unknown')
  if (!/^[[{]/.test(text)) {
    if (!isText(text)) throw new SourceError({ code: 'format_unknown' })
    return 'csv'
  }
  const line = firstRecord(text)
  if (line !== undefined) {
    if ('id_pdc_itinerance' in line) return 'irve-lines'
    if (line['type'] === 'Feature') return 'geojson-lines'
    if ('id' in line && ('coordinates' in line || 'evses' in line)) return 'ocpi-lines'
  }
  return knownKind(JSON_KINDS, text, 'source_without_stations')
}

/** Programs leave a stray control character in a table, however short; pictures and programs consist of them. */
const MAX_CONTROLS = { count: 1, share: 0.01 }

/** Whether a source is text, and not the bytes of some other kind of file, such as a picture or a PDF. */
const isText = (text: string): boolean =>
  !text.startsWith('%PDF-') &&
  // oxlint-disable-next-line no-control-regex -- that is what it looks for
  (text.match(/[\u0001-\u0008\u000E-\u001F]/g)?.length ?? 0) <=
    Math.max(MAX_CONTROLS.count, text.length * MAX_CONTROLS.share)

const knownKind = (kinds: typeof JSON_KINDS, text: string, otherwise: ProblemCode): Kind => {
  const kind = kinds.find(([pattern]) => pattern.test(text))?.[1]
  if (kind === undefined) throw new SourceError({ code: otherwise })
  return kind
}

/** The first line, if it is a complete record but not the complete document. */
const firstRecord = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text.split('\n', 1)[0] ?? '')
    return isRaw(value) ? value : undefined
  } catch {
    return undefined
  }
}

type Reader = (opened: Opened, mapping: Mapping) => AsyncIterable<Part | Unreadable>

const READERS: Readonly<Record<Kind, Reader>> = {
  ocpi: ({ rest, encoding }) => readOcpi(rest, encoding),
  'ocpi-lines': ({ rest, encoding }) => readOcpi(rest, encoding, true),
  ocm: ({ rest, encoding }) => readOcm(rest, encoding),
  oicp: ({ rest, encoding }) => readOicp(rest, encoding),
  nobil: ({ rest, encoding }) => readNobil(rest, encoding),
  geojson: ({ rest, encoding }) => readGeoJson(rest, encoding, false),
  'geojson-lines': ({ rest, encoding }) => readGeoJson(rest, encoding, true),
  datex: ({ rest, encoding }) => readDatex(rest, encoding),
  osm: ({ rest, encoding }) => readOsmXml(rest, encoding),
  'osm-json': ({ rest, encoding }) => readOsmJson(rest, encoding),
  archive: ({ rest }) => readExport(unpackFirst(rest), 'utf-8'),
  export: ({ rest, encoding }) => readExport(rest, encoding),
  'irve-json': ({ rest, encoding }) => readIrve(rest, encoding, false),
  'irve-lines': ({ rest, encoding }) => readIrve(rest, encoding, true),
  csv: async function* ({ head, rest, encoding }, mapping) {
    const delimiter = delimiterOf(await textOfHead(head, encoding))
    if (delimiter === undefined) throw new SourceError({ code: 'format_unknown' })
    yield* readRows(fromHeadings(readCsv(decode(rest, encoding), delimiter)), mapping)
  },
  json: async function* ({ head, rest, encoding }, mapping) {
    const table = await jsonTableIn(head, encoding)
    if (table === undefined) throw new SourceError({ code: 'source_without_stations' })
    yield* readRows(readJsonTable(rest, encoding, table), mapping)
  },
  xlsx: ({ rest }, mapping) => readRows(readXlsx(rest), mapping),
  ods: ({ rest }, mapping) => readRows(readOds(rest), mapping),
}

/** The headings of a table, and its first rows. */
const sampleOf = async (
  kind: TableKind,
  { head, rest, encoding }: Opened,
): Promise<readonly Row[]> => {
  switch (kind) {
    case 'json': {
      const table = await jsonTableIn(head, encoding)
      return table === undefined ? [] : [{ cells: table.headings, number: 0 }, ...table.rows]
    }
    case 'csv':
      return csvSample(await textOfHead(head, encoding))
    case 'xlsx':
      return bookSample(readXlsx(rest, MAX_SAMPLE_ROWS))
    case 'ods':
      return bookSample(readOds(rest))
  }
}

const csvSample = (text: string): readonly Row[] => {
  const rows = sampleRows(text, delimiterOf(text) ?? ',', MAX_SAMPLE_ROWS)
  return rows.slice(Math.max(0, placeOfHeadings(rows))).slice(0, PREVIEW_ROWS + 1)
}

/** Includes rows above the headings. */
const MAX_SAMPLE_ROWS = 2 * PREVIEW_ROWS

const bookSample = async (all: AsyncIterable<Row | SourceError>): Promise<readonly Row[]> => {
  const rows: Row[] = []
  for await (const row of all)
    if (!(row instanceof SourceError) && rows.push(row) > PREVIEW_ROWS) break
  return rows
}

/** Reads the rows of a table below its headings. Without a mapping, it recognises the columns by the first rows. */
const readRows = async function* (
  rows: AsyncIterable<Row | SourceError>,
  mapping: Mapping,
): AsyncGenerator<Part | Unreadable> {
  let headings: readonly string[] | undefined
  let waiting: Row[] = []
  let toPieces: ((row: Row) => Part | Unreadable | undefined) | undefined
  const piecesOfWaiting = function* (names: readonly string[]): Generator<Part | Unreadable> {
    toPieces = rowReader(names, mapping, waiting)
    for (const row of waiting) {
      const piece = toPieces(row)
      if (piece) yield piece
    }
    waiting = []
  }
  for await (const row of rows) {
    if (row instanceof SourceError) yield row
    else if (headings === undefined) {
      headings = shortHeadings(row.cells)
      checkWidth(headings)
    } else if (toPieces === undefined) {
      waiting.push(row)
      if (waiting.length >= PREVIEW_ROWS) yield* piecesOfWaiting(headings)
    } else {
      const piece = toPieces(row)
      if (piece) yield piece
    }
  }
  if (headings === undefined) throw new SourceError({ code: 'source_empty' })
  if (waiting.length > 0) yield* piecesOfWaiting(headings)
  else if (toPieces === undefined) throw new SourceError({ code: 'table_empty' })
}

/** @throws {SourceError} if a table has too many columns */
const checkWidth = (headings: readonly string[]): void => {
  if (headings.length > SOURCE_LIMITS.columns)
    throw new SourceError(
      { code: 'row_too_wide', params: { max: SOURCE_LIMITS.columns } },
      'line 1',
    )
}

/** Converts the rows of a table to pieces, one after another. */
const tablePieces = (layout: Parameters<typeof toTablePiece>[0]) => {
  let above: readonly string[] = []
  return (cells: readonly string[]) => {
    above = withSiteAbove(layout, cells, above)
    return toTablePiece(layout, above)
  }
}

const rowReader = (headings: readonly string[], mapping: Mapping, sample: readonly Row[]) => {
  const toPiece = isIrve(headings)
    ? (cells: readonly string[]) =>
        toIrvePiece(
          Object.fromEntries(headings.map((name, index) => [name, cellText(cells[index])])),
        )
    : tablePieces(
        layoutOf(
          mapping.length > 0
            ? mapping
            : recogniseColumns(
                headings,
                sample.map(({ cells }) => cells),
              ).mapping,
          headings,
        ),
      )
  const isCopy = copiesOfSheets()
  return ({ cells, number, sheet, position: place }: Row): Part | Unreadable | undefined => {
    const line = place ?? `line ${number}`
    const position = sheet === undefined || sheet.nth === 0 ? line : `${sheet.name}, ${line}`
    if (cells.length > SOURCE_LIMITS.columns)
      return {
        position,
        problem: { code: 'row_too_wide', params: { max: SOURCE_LIMITS.columns } },
      }
    // Beside the table of a sheet, people write notes. In CSV, a separator in a value has shifted the others.
    const isCsv = sheet === undefined && place === undefined
    if (isCsv && cells.slice(headings.length).some((cell) => cell.trim() !== ''))
      return { position, problem: { code: 'row_with_extra_cells' } }
    const station = toPiece(cells)
    return station && !isCopy(station, sheet) ? { station, position } : undefined
  }
}

/** Detects rows that an earlier sheet contains as well: a copied sheet would double the plugs of every site. */
const copiesOfSheets = () => {
  // Six bytes of a hash suffice for a million rows, and numbers take little memory.
  const seen = new Map<number, number>()
  return (station: Station, sheet: RowSheet | undefined): boolean => {
    if (sheet === undefined) return false
    const key = hash('sha1', JSON.stringify(station), 'buffer').readUIntBE(0, 6)
    const first = seen.get(key) ?? sheet.nth
    seen.set(key, first)
    return first < sheet.nth
  }
}

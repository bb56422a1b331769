import { BUSINESSES, SITES } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'
import {
  PUBLIC_BUSINESS_FIELDS,
  PUBLIC_CONNECTOR_FIELDS,
  PUBLIC_SITE_FIELDS,
  PUBLIC_TARIFF_FIELDS,
  type PublicBusiness,
  type PublicConnector,
  type PublicSite,
} from '#domain/public-site.ts'

import { osmHours } from '../hours.ts'
import {
  reportExceptionLoss,
  tariffOf,
  type About,
  type SupportedFields,
  type Output,
} from '../output.ts'

export type Cell = string | number | boolean
type CellOf<T> = (record: T, about: About) => Cell
/** The cells by field, in the order of the columns. */
type Cells<Fields extends string, T> = { readonly [Field in Fields]?: CellOf<T> }

/** The separator in lists of values and URLs. */
const SEPARATOR = ';'

type CellField<T> = keyof { [K in keyof T as T[K] extends Cell ? K : never]: true } & keyof T

const of =
  <T>(field: CellField<T>): CellOf<T> =>
  (record) =>
    record[field] as Cell
/** A number for which 0 means unknown. */
const orEmpty =
  <T>(field: CellField<T>): CellOf<T> =>
  (record) =>
    (record[field] as Cell) || ''
const listOf =
  (field: 'payment' | 'facilities' | 'parking_restrictions'): CellOf<PublicSite> =>
  (site) =>
    site[field].join(SEPARATOR)

const SITE_CELLS: Cells<keyof PublicSite, PublicSite> = {
  id: of('id'),
  reference: of('reference'),
  name: of('name'),
  address: of('address'),
  city: of('city'),
  postal_code: of('postal_code'),
  state: of('state'),
  country: of('country'),
  latitude: of('latitude'),
  longitude: of('longitude'),
  time_zone: of('time_zone'),
  status: of('status'),
  vehicle_capacity: orEmpty('vehicle_capacity'),
  opening_hours: osmHours,
  access: of('access'),
  payment: listOf('payment'),
  cost: of('cost'),
  facilities: listOf('facilities'),
  parking_type: of('parking_type'),
  parking_restrictions: listOf('parking_restrictions'),
  max_height_m: orEmpty('max_height_m'),
  wheelchair: of('wheelchair'),
  two_wheelers: of('two_wheelers'),
  drive_through: of('drive_through'),
  contact_email: of('contact_email'),
  contact_phone: of('contact_phone'),
  confirmed: of('confirmed'),
  updated: of('updated'),
  photos: ({ id, photos }, { publicUrl }) =>
    photos.map((name) => publicUrl + API.file(SITES, id, name)).join(SEPARATOR),
}

interface Row {
  readonly site: PublicSite
  readonly connector: PublicConnector
}
const ofConnector =
  (cellOf: CellOf<PublicConnector>): CellOf<Row> =>
  ({ connector }, about) =>
    cellOf(connector, about)

const CONNECTOR_CELLS: Cells<keyof PublicConnector, Row> = {
  id: ofConnector(of('id')),
  reference: ofConnector(of('reference')),
  standard: ofConnector(of('standard')),
  format: ofConnector(of('format')),
  current_type: ofConnector(of('current_type')),
  kw_rating: ofConnector(of('kw_rating')),
  evse: ofConnector(of('evse')),
  evse_id: ofConnector(of('evse_id')),
  voltage: ofConnector(orEmpty('voltage')),
  amperage: ofConnector(orEmpty('amperage')),
  tariff: ({ site, connector }) => {
    const tariff = tariffOf(site, connector)
    return tariff === undefined ? '' : JSON.stringify(tariff)
  },
}

const BUSINESS_CELLS: Cells<keyof PublicBusiness, PublicBusiness> = {
  id: of('id'),
  name: of('name'),
  legal_name: of('legal_name'),
  website: of('website'),
  phone: of('phone'),
  logo: ({ id, logo }, { publicUrl }) =>
    logo === '' ? '' : publicUrl + API.file(BUSINESSES, id, logo),
  country_code: of('country_code'),
  party_id: of('party_id'),
  licence: of('licence'),
}

const [SITE_COLUMNS, CONNECTOR_COLUMNS, BUSINESS_COLUMNS] = [
  Object.values(SITE_CELLS),
  Object.values(CONNECTOR_CELLS),
  Object.values(BUSINESS_CELLS),
]

/** Column names that differ from the names of their fields. */
const NAMES: Readonly<Record<string, string>> = {
  'site id': 'record_id',
  'site reference': 'site_reference',
  'connector id': 'connector_record_id',
  'connector reference': 'connector_reference',
  'business licence': 'licence',
}

/**
 * The columns of CSV and XLSX, with one row per connector. They are named like the fields. Opening hours are in
 * OpenStreetMap syntax; a price is the JSON of the tariff.
 */
export const TABLE_COLUMNS: readonly string[] = [
  ...Object.keys(SITE_CELLS).map((field) => NAMES[`site ${field}`] ?? field),
  ...Object.keys(CONNECTOR_CELLS).map((field) => NAMES[`connector ${field}`] ?? field),
  ...Object.keys(BUSINESS_CELLS).map((field) => NAMES[`business ${field}`] ?? `business_${field}`),
]

/** The tariff of a site is written for its connectors. */
export const TABLE_FIELDS: SupportedFields = {
  sites: PUBLIC_SITE_FIELDS.filter((field) => field in SITE_CELLS || field === 'tariff'),
  connectors: PUBLIC_CONNECTOR_FIELDS.filter((field) => field in CONNECTOR_CELLS),
  tariffs: PUBLIC_TARIFF_FIELDS,
  businesses: PUBLIC_BUSINESS_FIELDS.filter((field) => field in BUSINESS_CELLS),
}

/**
 * The rows of a site, one per connector, in three parts: site, connector and business. The parts that the rows share
 * are written only once.
 * @param write writes the cells of a part; `column` is the number of columns before them
 */
export const tableRows = (
  site: PublicSite,
  about: About,
  write: (cells: readonly Cell[], column: number) => string,
): readonly (readonly [string, string, string])[] => {
  reportExceptionLoss(site, about.reportLoss)
  const ofSite = write(cellsOf(SITE_COLUMNS, site, about), 0)
  const ofBusiness = write(
    cellsOf(BUSINESS_COLUMNS, site.business, about),
    SITE_COLUMNS.length + CONNECTOR_COLUMNS.length,
  )
  return site.connectors.map((connector) => [
    ofSite,
    write(cellsOf(CONNECTOR_COLUMNS, { site, connector }, about), SITE_COLUMNS.length),
    ofBusiness,
  ])
}

const cellsOf = <T>(columns: readonly CellOf<T>[], record: T, about: About): readonly Cell[] =>
  columns.map((cellOf) => cellOf(record, about))

/** Characters at which spreadsheets begin a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** Texts that need quotation marks or an apostrophe. */
const SPECIAL = /[",\r\n]|^[=+\-@\s]|\s$/

/** A CSV field (RFC 4180). A text that a spreadsheet would evaluate gets a leading apostrophe. */
const csvField = (cell: Cell): string => {
  if (typeof cell !== 'string' || !SPECIAL.test(cell)) return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const csvFields = (cells: readonly Cell[]): string => cells.map(csvField).join(',')

/** A CSV record with its line break. */
export const csvRecord = (cells: readonly Cell[]): string => `${csvFields(cells)}\r\n`

/** CSV with one row per connector. */
export const CSV: Output = {
  supports: TABLE_FIELDS,
  begin: () => csvRecord(TABLE_COLUMNS),
  site: (site, about) =>
    tableRows(site, about, csvFields)
      .map((parts) => `${parts.join(',')}\r\n`)
      .join(''),
  separator: '',
  end: '',
}

import { BUSINESSES, SITES } from '#domain/collection.ts'
import { printOsm } from '#domain/hours/osm.ts'
import { API } from '#domain/paths.ts'
import type { PublicConnector, PublicSite } from '#domain/public-site.ts'

import { tariffOf, type About, type Holds, type Output } from '../output.ts'

type Cell = string | number | boolean
type CellOf = (site: PublicSite, connector: PublicConnector, about: About) => Cell

/** What a list of values and of addresses is joined by. */
const SEPARATOR = ';'

const ofSite =
  (
    field: keyof {
      [K in keyof PublicSite as PublicSite[K] extends Cell ? K : never]: true
    },
  ): CellOf =>
  (site) =>
    site[field]
const listOf =
  (field: 'payment' | 'facilities' | 'parking_restrictions'): CellOf =>
  (site) =>
    site[field].join(SEPARATOR)
const ofConnector =
  (field: Exclude<keyof PublicConnector, 'tariff'>): CellOf =>
  (_, connector) =>
    connector[field]
const ofBusiness =
  (field: Exclude<keyof PublicSite['business'], 'logo'>): CellOf =>
  ({ business }) =>
    business[field]

/** A number of which 0 says that there is none. */
const orEmpty =
  (cellOf: CellOf): CellOf =>
  (...asked) =>
    cellOf(...asked) || ''

/**
 * The columns of CSV and XLSX, a row a connector. They have the names of our fields; opening hours are those of
 * OpenStreetMap, a price is the JSON of the tariff.
 */
const COLUMNS: Readonly<Record<string, CellOf>> = {
  record_id: ofSite('id'),
  site_reference: ofSite('reference'),
  name: ofSite('name'),
  address: ofSite('address'),
  city: ofSite('city'),
  postal_code: ofSite('postal_code'),
  state: ofSite('state'),
  country: ofSite('country'),
  latitude: ofSite('latitude'),
  longitude: ofSite('longitude'),
  time_zone: ofSite('time_zone'),
  status: ofSite('status'),
  vehicle_capacity: orEmpty(ofSite('vehicle_capacity')),
  opening_hours: ({ opening_hours: hours, time_zone: zone }) =>
    hours === null ? '' : printOsm(hours, zone || 'UTC'),
  access: ofSite('access'),
  payment: listOf('payment'),
  cost: ofSite('cost'),
  facilities: listOf('facilities'),
  parking_type: ofSite('parking_type'),
  parking_restrictions: listOf('parking_restrictions'),
  max_height_m: orEmpty(ofSite('max_height_m')),
  wheelchair: ofSite('wheelchair'),
  two_wheelers: ofSite('two_wheelers'),
  drive_through: ofSite('drive_through'),
  contact_email: ofSite('contact_email'),
  contact_phone: ofSite('contact_phone'),
  confirmed: ofSite('confirmed'),
  updated: ofSite('updated'),
  photos: ({ id, photos }, _, { publicUrl }) =>
    photos.map((name) => publicUrl + API.file(SITES, id, name)).join(SEPARATOR),
  connector_record_id: ofConnector('id'),
  connector_reference: ofConnector('reference'),
  standard: ofConnector('standard'),
  format: ofConnector('format'),
  current_type: ofConnector('current_type'),
  kw_rating: ofConnector('kw_rating'),
  evse: ofConnector('evse'),
  evse_id: ofConnector('evse_id'),
  voltage: orEmpty(ofConnector('voltage')),
  amperage: orEmpty(ofConnector('amperage')),
  tariff: (site, connector) => {
    const tariff = tariffOf(site, connector)
    return tariff === undefined ? '' : JSON.stringify(tariff)
  },
  business_id: ofBusiness('id'),
  business_name: ofBusiness('name'),
  business_legal_name: ofBusiness('legal_name'),
  business_website: ofBusiness('website'),
  business_phone: ofBusiness('phone'),
  business_logo: ({ business: { id, logo } }, _, { publicUrl }) =>
    logo === '' ? '' : publicUrl + API.file(BUSINESSES, id, logo),
  business_country_code: ofBusiness('country_code'),
  business_party_id: ofBusiness('party_id'),
  licence: ofBusiness('licence'),
}

export const TABLE_COLUMNS = Object.keys(COLUMNS)

export const TABLE_HOLDS: Holds = {
  sites: [
    'name',
    'address',
    'city',
    'postal_code',
    'state',
    'country',
    'latitude',
    'longitude',
    'time_zone',
    'status',
    'photos',
    'vehicle_capacity',
    'cost',
    'tariff',
    'opening_hours',
    'access',
    'payment',
    'facilities',
    'parking_type',
    'parking_restrictions',
    'max_height_m',
    'wheelchair',
    'two_wheelers',
    'drive_through',
    'contact_email',
    'contact_phone',
    'reference',
    'confirmed',
  ],
  connectors: [
    'standard',
    'format',
    'current_type',
    'kw_rating',
    'evse',
    'evse_id',
    'voltage',
    'amperage',
    'tariff',
    'reference',
  ],
  tariffs: ['currency', 'tax_included', 'elements', 'min_price', 'max_price', 'url'],
  businesses: [
    'name',
    'logo',
    'website',
    'legal_name',
    'phone',
    'country_code',
    'party_id',
    'licence',
  ],
}

/** The rows of a site, a connector each. */
export const tableRows = (site: PublicSite, about: About): readonly (readonly Cell[])[] => {
  const { exceptional_openings: openings, exceptional_closings: closings } =
    site.opening_hours ?? {}
  if (openings !== undefined || closings !== undefined)
    about.lose('sites', 'opening_hours', 'generalized')
  return site.connectors.map((connector) =>
    Object.values(COLUMNS).map((cellOf) => cellOf(site, connector, about)),
  )
}

/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** A field of CSV (RFC 4180). A text that a spreadsheet would compute gets an apostrophe in front, as people write it there. */
const csvField = (cell: Cell): string => {
  if (typeof cell !== 'string') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A record of CSV with its line break. */
export const csvRecord = (cells: readonly Cell[]): string => `${cells.map(csvField).join(',')}\r\n`

/** Comma-separated values, a row a connector. */
export const CSV: Output = {
  holds: TABLE_HOLDS,
  begin: () => csvRecord(TABLE_COLUMNS),
  site: (site, about) =>
    tableRows(site, about)
      .map((cells) => csvRecord(cells))
      .join(''),
  separator: '',
  end: '',
}

import {
  connectorIdOf,
  rowsOf,
  SAID,
  siteIdOf,
  timeOf,
  type Owner,
  type Row,
  type Rows,
} from '../sides/data.ts'
import type { Station } from './register.ts'

/** A station of the network: a moved station of the register. */
export interface Placed {
  readonly station: Station
  readonly latitude: number
  readonly longitude: number
}

/** The copies of the register form a grid over the world, with real towns and real distances in each copy. */
const COLUMNS = 18
const ROWS = 8
const LONGITUDE_STEP = 360 / COLUMNS
const LATITUDE_STEP = 12
/** The distance of the first row north of France, in degrees. */
const FIRST_LATITUDE = 20
/** The offset of copies beyond the grid from the copies before them, in degrees. */
const BESIDE = 0.013

/** The offset of a copy of the register from the original, in degrees. */
export const offsetOf = (copy: number): { latitude: number; longitude: number } => {
  const [column, row] = [copy % COLUMNS, Math.floor(copy / COLUMNS) % ROWS]
  const beside = BESIDE * Math.floor(copy / (COLUMNS * ROWS))
  return {
    latitude: FIRST_LATITUDE - row * LATITUDE_STEP + beside,
    longitude: column * LONGITUDE_STEP + beside,
  }
}

/** The n-th site of the network: the stations of the register, then all of them again in other places. */
export const placeOf = (stations: readonly Station[], number: number): Placed => {
  const station = stations[number % stations.length]
  if (station === undefined) throw new Error('The register is empty.')
  const offset = offsetOf(Math.floor(number / stations.length))
  const longitude = station.site.longitude + offset.longitude
  return {
    station,
    latitude: station.site.latitude + offset.latitude,
    longitude: longitude > 180 ? longitude - 360 : longitude,
  }
}

const SITE_COLUMNS = [
  'id',
  'name',
  'address',
  'city',
  'postal_code',
  'country',
  'latitude',
  'longitude',
  'time_zone',
  'opening_hours',
  'access',
  'payment',
  'parking_type',
  'wheelchair',
  'two_wheelers',
  'status',
  'published',
  'contact_email',
  'contact_phone',
  'cost',
  'vehicle_capacity',
  'business',
  'created',
  'updated',
]

const CONNECTOR_COLUMNS = [
  'id',
  'standard',
  'format',
  'current_type',
  'kw_rating',
  'evse',
  'site',
  'created',
  'updated',
]

/** The rows of a network, for COPY. */
export const networkRows = (stations: readonly Station[], owners: readonly Owner[]): Rows => ({
  ...rowsOf(owners),
  sites: { columns: SITE_COLUMNS, rows: () => siteRows(stations, owners) },
  connectors: { columns: CONNECTOR_COLUMNS, rows: () => connectorRows(stations, owners) },
})

function* siteRows(stations: readonly Station[], owners: readonly Owner[]): Generator<Row> {
  for (const owner of owners)
    for (let index = 0; index < owner.sites; index += 1) {
      const number = owner.firstSite + index
      const { station, latitude, longitude } = placeOf(stations, number)
      const { site } = station
      yield [
        siteIdOf(owner, index),
        plain(site.name),
        plain(site.address),
        plain(site.city ?? ''),
        plain(site.postal_code ?? ''),
        'FRA',
        latitude,
        longitude,
        'Europe/Paris',
        JSON.stringify(site.opening_hours ?? null),
        site.access ?? '',
        `{${(site.payment ?? []).join()}}`,
        site.parking_type ?? '',
        site.wheelchair ?? '',
        Number(site.two_wheelers ?? false),
        site.status,
        Number(SAID.published),
        site.contact_email ?? '',
        plain(site.contact_phone ?? ''),
        plain(site.cost ?? ''),
        site.vehicle_capacity ?? 0,
        owner.business,
        timeOf(number),
        timeOf(number),
      ]
    }
}

function* connectorRows(stations: readonly Station[], owners: readonly Owner[]): Generator<Row> {
  let connector = 0
  for (const owner of owners)
    for (let index = 0; index < owner.sites; index += 1) {
      const number = owner.firstSite + index
      const { station } = placeOf(stations, number)
      for (const { standard, format, current_type, kw_rating, evse } of station.connectors) {
        yield [
          connectorIdOf(connector),
          standard,
          format,
          current_type,
          kw_rating,
          plain(evse ?? ''),
          siteIdOf(owner, index),
          timeOf(number),
          timeOf(number),
        ]
        connector += 1
      }
    }
}

/** A text without the characters that are special in COPY. */
const plain = (text: string): string => text.replaceAll(/[\t\n\r\\]/g, ' ')

import { MAX_CONNECTORS_PER_SITE } from '#domain/connector.ts'
import { parseOsm } from '#domain/hours/osm.ts'

import { readJson, readStations } from '../json-stream.ts'
import { bounded, isRaw, omitEmpty, numberOf, rawList, textOf, type Raw } from '../read-values.ts'
import type { Bytes, Encoding } from '../source.ts'
import { MAX_PLUGS_OF_A_KIND, recordOf, type Station, type Values } from '../station.ts'
import { CONNECTION_TYPES, CURRENT_TYPES, STATUSES, USAGE_TYPES } from './values.ts'

/** Reads points of interest of Open Charge Map, as a bare list or within a response. */
export const readOcm = (bytes: Bytes, encoding: Encoding) =>
  readStations(readJson(bytes, encoding, ['data', 'items', 'results']), (poi) =>
    isRaw(poi['AddressInfo']) ? toStation(poi, poi['AddressInfo']) : undefined,
  )

/** An ID, or in verbose responses the ID of the object in its place. */
const idOf = (raw: Raw, name: string): number | undefined => {
  const nested = raw[name]
  return numberOf(raw[`${name}ID`]) ?? (isRaw(nested) ? numberOf(nested['ID']) : undefined)
}

const toStation = (poi: Raw, address: Raw): Station => {
  const lines = ['AddressLine1', 'AddressLine2'].map((name) => textOf(address[name]))
  const country = address['Country']
  return {
    reference: textOf(poi['OperatorsReference']) || textOf(poi['UUID']) || textOf(poi['ID']),
    site: omitEmpty({
      name: textOf(address['Title']),
      address: lines.filter((line) => line !== '').join(', '),
      city: textOf(address['Town']),
      postal_code: textOf(address['Postcode']),
      state: textOf(address['StateOrProvince']),
      country: isRaw(country) ? textOf(country['ISOCode']) : '',
      latitude: address['Latitude'],
      longitude: address['Longitude'],
      opening_hours: hoursIn(bounded(textOf(address['AccessComments']))),
      contact_phone: textOf(address['ContactTelephone1']),
      contact_email: textOf(address['ContactEmail']),
      cost: textOf(poi['UsageCost']),
      vehicle_capacity: poi['NumberOfPoints'],
      status: ownStatus(STATUSES.fromFormat(idOf(poi, 'StatusType'))),
      access: USAGE_TYPES.fromFormat(idOf(poi, 'UsageType')),
      confirmed: textOf(poi['DateLastVerified']),
    }),
    connectors: rawList(poi['Connections'])
      .slice(0, MAX_CONNECTORS_PER_SITE + 1)
      .flatMap(toConnectors),
    tariffs: [],
    ...recordOf(textOf(poi['UUID']) || textOf(poi['ID'])),
  }
}

/** Reads opening hours from a comment, if it contains only hours. */
const hoursIn = (text: string): unknown => {
  const { hours, losses } = parseOsm(text)
  return losses.every(({ reason }) => reason === 'season') ? hours && text : undefined
}

/** Maps statuses that an owner cannot set, which are momentary. */
const ownStatus = (status: string | undefined): string =>
  status === undefined || status === 'UNKNOWN'
    ? ''
    : ['CHARGING', 'RESERVED', 'BLOCKED'].includes(status)
      ? 'AVAILABLE'
      : status

const toConnectors = (connection: Raw): readonly Values[] => {
  const [standard, format] = (
    CONNECTION_TYPES.fromFormat(idOf(connection, 'ConnectionType')) ?? titleOf(connection)
  ).split(' ')
  const quantity = numberOf(connection['Quantity']) ?? 1
  const count = Math.min(Math.max(Math.trunc(quantity), 1), MAX_PLUGS_OF_A_KIND)
  const plug = omitEmpty({
    reference: textOf(connection['Reference']),
    standard,
    format,
    current_type: CURRENT_TYPES.fromFormat(idOf(connection, 'CurrentType')),
    kw_rating: connection['PowerKW'],
    voltage: connection['Voltage'],
    amperage: connection['Amps'],
  })
  const { reference: _, ...copy } = plug
  return Array.from({ length: count }, (__, nth) => (nth === 0 ? plug : copy))
}

/** The name of a type with an unknown ID. */
const titleOf = (connection: Raw): string => {
  const type = connection['ConnectionType']
  return isRaw(type) ? bounded(textOf(type['Title'])).replaceAll(' ', '-') : ''
}

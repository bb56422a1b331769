import { readJson, readStations } from '../json-stream.ts'
import { isRaw, omitEmpty, numberOf, rawList, textOf, textsOf, type Raw } from '../read-values.ts'
import { DC_STANDARDS } from '../repair/plugs.ts'
import { parseFlag } from '../repair/parse-text.ts'
import type { Bytes, Encoding } from '../source.ts'
import { recordOf, type Station, type Values } from '../station.ts'
import { ACCESS, DAYS, PARKING, PAYMENTS, PLUGS } from './values.ts'

/** The names of lists: in push and pull messages, in pages of results, and in the Swiss publication. */
const LISTS = ['EvseDataRecord', 'EVSEDataRecord', 'content']

/**
 * Reads EvseDataRecords of OICP 2.1 to 2.3. Each record is a charge point, and becomes a piece of the station that it
 * names.
 */
export const readOicp = (bytes: Bytes, encoding: Encoding) =>
  readStations(readJson(bytes, encoding, LISTS), (record) => {
    if (!('EvseID' in record)) return undefined
    return textOf(record['deltaType']) === 'delete' ? 'ignored' : toPiece(record)
  })

/** A value by its name, with either case of the first letter, which differs between versions. */
const get = (raw: Raw, name: string): unknown =>
  raw[name] ?? raw[`${name.charAt(0).toLowerCase()}${name.slice(1)}`]

const toPiece = (record: Raw): Station => {
  const given = get(record, 'Address')
  const address = isRaw(given) ? given : {}
  const part = (name: string): string => textOf(get(address, name))
  const evseId = textOf(record['EvseID'])
  return {
    reference:
      textOf(record['ChargingPoolID']) ||
      textOf(record['ChargingStationID'] ?? record['ChargingStationId']) ||
      evseId,
    site: omitEmpty({
      name: textOf(
        rawList(record['ChargingStationNames'] ?? record['ChargingStationName'])[0]?.['value'],
      ),
      address: `${part('Street')} ${part('HouseNum')}`.trim(),
      city: part('City'),
      postal_code: part('PostalCode'),
      state: part('Region'),
      country: part('Country'),
      ...positionOf(record['GeoCoordinates']),
      contact_phone: textOf(record['HotlinePhoneNumber'] ?? record['HotlinePhoneNum']),
      opening_hours: hoursOf(record),
      access: ACCESS.fromFormat(textOf(record['Accessibility'])),
      parking_type: PARKING.fromFormat(textOf(record['AccessibilityLocation'])),
      payment: [
        ...(textsOf(record['PaymentOptions']).includes('No Payment') ? ['FREE_OF_CHARGE'] : []),
        ...new Set(
          textsOf(record['AuthenticationModes']).flatMap((mode) => PAYMENTS.fromFormat(mode) ?? []),
        ),
      ],
    }),
    connectors: plugsOf(record, evseId),
    tariffs: [],
    ...recordOf(evseId),
  }
}

/** Reads "52.48 13.35" in `Google`, nested or not, or the numbers in `DecimalDegree`. */
const positionOf = (coordinates: unknown): Values => {
  if (!isRaw(coordinates)) return {}
  const decimal = get(coordinates, 'DecimalDegree')
  if (isRaw(decimal))
    return { latitude: get(decimal, 'Latitude'), longitude: get(decimal, 'Longitude') }
  const google = get(coordinates, 'Google')
  const [latitude, longitude] = textOf(isRaw(google) ? get(google, 'Coordinates') : google).split(
    /[\s,]+/,
  )
  return { latitude, longitude }
}

const hoursOf = (record: Raw): string => {
  const isAlways = record['IsOpen24Hours'] ?? record['IsOpen24hours']
  if (isAlways === true || parseFlag(textOf(isAlways)) === true) return '24/7'
  return rawList(record['OpeningTimes'])
    .flatMap((times) => {
      const days = DAYS[textOf(times['on'])]
      const spans = rawList(times['Period'] ?? times['period']).map(
        ({ begin, end }) => `${textOf(begin)}-${textOf(end)}`,
      )
      return days === undefined || spans.length === 0 ? [] : [`${days} ${spans.join(',')}`]
    })
    .join(', ')
}

/** The plugs of a charge point, each with the power for its type of current. */
const plugsOf = (record: Raw, evseId: string): readonly Values[] => {
  const facilities = rawList(record['ChargingFacilities'])
    .map((facility) => ({
      kw_rating: get(facility, 'Power'),
      current_type: textOf(get(facility, 'PowerType') ?? facility['powertype']),
      voltage: get(facility, 'Voltage'),
      amperage: get(facility, 'Amperage'),
    }))
    .toSorted((one, other) => (numberOf(other.kw_rating) ?? 0) - (numberOf(one.kw_rating) ?? 0))
  const facilityFor = (isDc: boolean) =>
    facilities.find(({ current_type }) => (current_type === 'DC') === isDc) ?? facilities[0]
  // Looked up once: a record may have very many plugs and very many facilities, which would be multiplied.
  const [direct, alternating] = [facilityFor(true), facilityFor(false)]
  return textsOf(record['Plugs']).map((plug) => {
    const [standard = plug, format] = PLUGS.fromFormat(plug)?.split(' ') ?? []
    const facility = DC_STANDARDS.includes(standard) ? direct : alternating
    return omitEmpty({ evse: evseId, evse_id: evseId, standard, format, ...facility })
  })
}

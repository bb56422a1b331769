import { kilowattsOf, omitEmpty, numberOf } from '../read-values.ts'
import type { Bytes, Encoding } from '../source.ts'
import { recordOf, type Part, type Station, type Values } from '../station.ts'
import { childrenAt, readXml, textAt, type XmlElement } from '../xml-stream.ts'
import { ACCESSIBILITIES, AUTHENTICATIONS, CONNECTOR_TYPES, SITE_TYPES, USERS } from './values.ts'

/** Reads the sites of an EnergyInfrastructureTablePublication (DATEX II 3). */
export const readDatex = async function* (bytes: Bytes, encoding: Encoding): AsyncGenerator<Part> {
  for await (const { element, position } of readXml(bytes, encoding, ['energyInfrastructureSite']))
    yield { station: toStation(element), position }
}

/** A text in its first language. */
const saidAt = (element: XmlElement, ...path: readonly string[]): string =>
  textAt(element, ...path, 'values', 'value')

const CONTACT = ['helpdesk', 'organisationUnit', 'contactInformation']

const toStation = (site: XmlElement): Station => {
  const stations = childrenAt(site, 'energyInfrastructureStation')
  const points = stations.flatMap((station) => childrenAt(station, 'refillPoint'))
  return {
    reference: textAt(site, 'externalIdentifier') || (site.attributes['id'] ?? ''),
    site: omitEmpty({
      name: saidAt(site, 'name'),
      ...placeOf(site, stations),
      opening_hours: hoursOf(site),
      access: USERS.fromFormat(textAt(site, 'exclusiveUsers')),
      parking_type: SITE_TYPES.fromFormat(textAt(site, 'typeOfSite')),
      wheelchair: ACCESSIBILITIES.fromFormat(textAt(site, 'accessibility')),
      vehicle_capacity: textAt(site, 'dedicatedParkingSpaces', 'numberOfSpaces'),
      contact_email: textAt(site, ...CONTACT, 'eMail'),
      contact_phone: textAt(site, ...CONTACT, 'telephoneNumber'),
      payment: paymentOf(stations),
      two_wheelers:
        points.some((point) => textAt(point, 'usageType') === 'electricMotorcycle') || undefined,
    }),
    connectors: points.flatMap(toConnectors),
    tariffs: [],
    ...recordOf(site.attributes['id'] ?? ''),
  }
}

/** The location of the site, or else of its first station. */
const placeOf = (site: XmlElement, stations: readonly XmlElement[]): Values => {
  const [place] = [site, ...stations].flatMap((each) => childrenAt(each, 'locationReference'))
  if (place === undefined) return {}
  const [point] = [
    ...childrenAt(place, 'pointByCoordinates', 'pointCoordinates'),
    ...childrenAt(place, 'coordinatesForDisplay'),
  ]
  const [address] = childrenAt(place, 'facilityLocation', 'address')
  return {
    ...(point && { latitude: textAt(point, 'latitude'), longitude: textAt(point, 'longitude') }),
    ...(address && {
      address: linesOf(address).join(' '),
      city: saidAt(address, 'city'),
      postal_code: textAt(address, 'postcode'),
      country: textAt(address, 'countryCode'),
    }),
  }
}

/** The lines of an address in order: whole lines, or street and house number in separate lines. */
const linesOf = (address: XmlElement): readonly string[] =>
  childrenAt(address, 'addressLine')
    .toSorted((one, other) => orderOf(one) - orderOf(other))
    .map((line) => saidAt(line, 'text'))
    .filter((text) => text !== '')

const orderOf = ({ attributes }: XmlElement): number => numberOf(attributes['order']) ?? 0

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const hoursOf = (site: XmlElement): object | undefined => {
  const [hours] = childrenAt(site, 'operatingHours')
  if (hours === undefined) return undefined
  if (hours.attributes['type']?.endsWith('OpenAllHours') === true) return { twentyfourseven: true }
  const regular = childrenAt(hours, 'overallPeriod', 'validPeriod').flatMap(spansOf)
  return regular.length === 0 ? undefined : { twentyfourseven: false, regular_hours: regular }
}

/** A period without days applies to every day; without times, to the whole day. */
const spansOf = (period: XmlElement): readonly object[] => {
  const applicableDays = childrenAt(period, 'recurringDayWeekMonthPeriod', 'applicableDay')
  // Removes duplicate days: a period may have very many days and very many times, which are multiplied.
  const days = new Set(
    (applicableDays.length === 0 ? DAYS : applicableDays.map(({ text }) => text)).map(
      (day) => DAYS.indexOf(day) + 1,
    ),
  )
  const times = childrenAt(period, 'recurringTimePeriodOfDay')
  const spans = times.length === 0 ? [{ begin: '00:00', end: '00:00' }] : times.map(timesOf)
  return [...days].flatMap((weekday) =>
    spans.map(({ begin, end }) => ({
      weekday,
      period_begin: begin,
      period_end: end,
    })),
  )
}

const timesOf = (period: XmlElement): { readonly begin: string; readonly end: string } => {
  const minuteOf = (name: string): string => textAt(period, name).slice(0, 5)
  const end = minuteOf('endTimeOfPeriod')
  return {
    begin: minuteOf('startTimeOfPeriod'),
    end: end === '23:59' || end === '24:00' ? '00:00' : end,
  }
}

const paymentOf = (stations: readonly XmlElement[]): readonly string[] => [
  ...new Set(
    stations
      .flatMap((station) => childrenAt(station, 'authenticationAndIdentificationMethods'))
      .flatMap(({ text }) => AUTHENTICATIONS.fromFormat(text) ?? []),
  ),
]

const toConnectors = (point: XmlElement): readonly Values[] => {
  const connectors = childrenAt(point, 'connector')
  const isShared = connectors.length > 1
  return connectors.map((connector) => {
    const type = textAt(connector, 'connectorType')
    return omitEmpty({
      evse: textAt(point, 'externalIdentifier') || (isShared && point.attributes['id']) || '',
      evse_id: textAt(point, 'evseId'),
      standard: CONNECTOR_TYPES.fromFormat(type) ?? (textAt(connector, 'otherConnector') || type),
      format: formatOf(textAt(connector, 'connectorFormat')),
      current_type: CURRENT_TYPES.get(textAt(connector, 'chargingMode')),
      kw_rating: kilowattsOf(
        textAt(connector, 'maxPowerAtSocket') || textAt(point, 'availableChargingPower'),
      ),
      voltage: textAt(connector, 'voltage'),
      amperage: textAt(connector, 'maximumCurrent'),
    })
  })
}

const formatOf = (format: string): string =>
  format === 'socket' ? 'SOCKET' : /cable/i.test(format) ? 'CABLE' : ''

/** The values of ChargingModeEnum that state the number of phases. */
const CURRENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['mode1AC1p', 'AC_1_PHASE'],
  ['mode2AC1p', 'AC_1_PHASE'],
  ['mode1AC3p', 'AC_3_PHASE'],
  ['mode2AC3p', 'AC_3_PHASE'],
  ['mode3AC3p', 'AC_3_PHASE'],
  ['mode4DC', 'DC'],
])

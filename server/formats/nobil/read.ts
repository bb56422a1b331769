import { readJson, readStations } from '../json-stream.ts'
import { isRaw, omitEmpty, textOf, type Raw } from '../read-values.ts'
import type { Bytes, Encoding } from '../source.ts'
import { recordOf, type Station, type Values } from '../station.ts'

/** Reads the charging stations of NOBIL, the register of Norway, Sweden, Finland and Denmark. */
export const readNobil = (bytes: Bytes, encoding: Encoding) =>
  readStations(readJson(bytes, encoding, ['chargerstations']), ({ csmd, attr }) =>
    isRaw(csmd) ? toStation(csmd, attr) : undefined,
  )

/** The objects among the values of an object. */
const objectsIn = (value: unknown): readonly Raw[] =>
  isRaw(value) ? Object.values(value).filter(isRaw) : []

/** Attributes by name. Their values are texts in `trans`, or in `attrval` for free text. */
const attributesOf = (value: unknown): ReadonlyMap<string, Raw> =>
  new Map(objectsIn(value).map((attribute) => [textOf(attribute['attrname']), attribute]))

const toStation = (station: Raw, attributes: unknown): Station => {
  const { st, conn } = isRaw(attributes) ? attributes : {}
  const of = (name: string): string => textOf(station[name])
  const stationAttributes = attributesOf(st)
  const wordsOf = (name: string): string => textOf(stationAttributes.get(name)?.['trans'])
  return {
    reference: of('International_id') || of('id'),
    site: omitEmpty({
      name: of('name'),
      address: `${of('Street')} ${of('House_number')}`.trim(),
      city: of('City'),
      postal_code: of('Zipcode'),
      state: of('County'),
      country: of('Land_code'),
      latitude: of('Position'),
      contact_phone: PHONE.test(of('Contact_info')) ? of('Contact_info') : '',
      vehicle_capacity: of('Number_charging_points'),
      status: of('Station_status') === '1' ? 'AVAILABLE' : '',
      opening_hours:
        wordsOf('Open 24h') === 'Yes'
          ? '24/7'
          : textOf(stationAttributes.get('Open 24h')?.['attrval']),
      access: ACCESS[wordsOf('Availability')],
      parking_type: PARKING[wordsOf('Location')],
    }),
    connectors: objectsIn(conn).map(toConnector),
    tariffs: [],
    ...recordOf(of('International_id') || of('id')),
  }
}

const PHONE = /^\+?[\d\s()/-]{6,20}$/

const ACCESS: Readonly<Record<string, string>> = {
  Public: 'PUBLIC',
  Visitors: 'CUSTOMERS',
  'By appointment': 'CUSTOMERS',
  Employees: 'EMPLOYEES',
  Residents: 'RESIDENTS',
}

const PARKING: Readonly<Record<string, string>> = {
  Street: 'ON_STREET',
  'Car park': 'PARKING_LOT',
}

/** For example "22 kW - 400V 3-phase max 32A", "50 kW - 500VDC max 100A". */
const CAPACITY =
  /^(?<kw_rating>[\d.,]+ ?kW)(?:.*?(?<voltage>\d+) ?V(?<dc>DC)?)?(?:.*?(?<phases>[13])-phase)?(?:.*?max (?<amperage>\d+) ?A)?/i

const toConnector = (connector: Raw): Values => {
  const attributes = attributesOf(connector)
  const wordsOf = (name: string): string => textOf(attributes.get(name)?.['trans'])
  const { kw_rating, voltage, amperage, dc, phases } =
    CAPACITY.exec(wordsOf('Charging capacity').slice(0, 200))?.groups ?? {}
  return omitEmpty({
    standard: wordsOf('Connector'),
    format: { Yes: 'CABLE', No: 'SOCKET' }[wordsOf('Fixed cable')],
    current_type: dc ? 'DC' : phases && `AC_${phases}_PHASE`,
    kw_rating,
    voltage,
    amperage,
  })
}

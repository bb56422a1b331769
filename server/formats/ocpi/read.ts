import { MAX_TARIFFS_PER_SITE } from '#domain/connector.ts'
import { sites } from '#domain/site.ts'

import { readJson, readJsonLines, type IsRecordBy } from '../json-stream.ts'
import {
  bounded,
  idWithin,
  isRaw,
  kilowattsOf,
  omitEmpty,
  numberOf,
  rawList,
  textOf,
  textsOf,
  type Raw,
} from '../read-values.ts'
import { SOURCE_LIMITS, SourceError, type Bytes, type Encoding } from '../source.ts'
import {
  recordOf,
  type Part,
  type Station,
  type StationTariff,
  type Unreadable,
  type Values,
} from '../station.ts'
import { CAPABILITIES, CONNECTOR_CAPABILITIES } from './values.ts'

/** The names of lists in feeds; OCPI itself uses `data`. */
const LISTS = 'data locations tariffs items results content stations chargers sites'.split(' ')

/** Recognises a location outside of a list, alone or as the value of its ID. */
const isLocationBy: IsRecordBy = (name, value) =>
  (name === 'evses' && value === 'list') || (name === 'coordinates' && value === 'object')

/**
 * Reads Locations and Tariffs of OCPI 2.1.1 to 2.3.0: a bare list, the response of an OCPI server, both modules in one
 * file, a single location, locations by ID, or one per line. A location is a station. A tariff becomes a piece of each
 * station that refers to it.
 */
export const readOcpi = async function* (
  bytes: Bytes,
  encoding: Encoding,
  isLines = false,
): AsyncGenerator<Part | Unreadable> {
  const book = createTariffBook()
  const records = isLines
    ? readJsonLines(bytes, encoding)
    : readJson(bytes, encoding, LISTS, isLocationBy)
  for await (const record of records) {
    if (record instanceof SourceError) {
      yield record
      continue
    }
    const { value, position, name } = record
    if (!isRaw(value)) yield { position, problem: { code: 'record_not_object' } }
    else if (isTariff(value)) yield* book.add(toTariff(value), position)
    else if (isLocation(value))
      yield { station: book.use(toStation(name === '' ? value : { id: name, ...value })), position }
    else yield { position, problem: { code: 'record_not_location' } }
  }
}

/** A value by its name in snake case or camel case. */
const get = (raw: Raw, name: string): unknown => raw[name] ?? raw[camelCase(name)]

const camelNames = new Map<string, string>()
const camelCase = (name: string): string => {
  const made = camelNames.get(name)
  if (made !== undefined) return made
  const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  camelNames.set(name, camel)
  return camel
}

const isTariff = (raw: Raw): boolean => 'currency' in raw && 'elements' in raw
const isLocation = (raw: Raw): boolean =>
  ['coordinates', 'evses', 'address', 'name', 'latitude'].some((name) => name in raw)

const toStation = (location: Raw): Station => {
  const evses = rawList(location['evses'])
  return {
    reference: textOf(location['id']),
    site: omitEmpty({
      name: textOf(location['name']),
      address: textOf(location['address']),
      city: textOf(location['city']),
      postal_code: textOf(get(location, 'postal_code')),
      state: textOf(location['state']),
      country: textOf(location['country']),
      ...positionOf(location),
      published: location['publish'],
      status: statusOf(evses),
      opening_hours: get(location, 'opening_times'),
      time_zone: textOf(get(location, 'time_zone')),
      access: ACCESS_OF_TYPE.get(textOf(location['type']).toUpperCase()),
      parking_type: parkingType(location),
      facilities: textsOf(location['facilities']).filter((each) => each !== 'OTHER'),
      parking_restrictions: [
        ...new Set(
          evses.flatMap((evse) => [
            ...textsOf(get(evse, 'parking_restrictions')),
            ...rawList(evse['parking']).flatMap((each) => textsOf(each['restricted_to'])),
          ]),
        ),
      ],
      payment: paymentOf(evses),
      contact_phone: textOf(get(location, 'help_phone')) || textOf(location['phone']),
      ...parkingOf(location),
    }),
    connectors: evses
      .filter((evse) => statusText(evse) !== 'REMOVED')
      .flatMap((evse) => toConnectors(evse, bounded(textOf(location['id'])))),
    tariffs: [],
    ...recordOf(textOf(location['id'])),
  }
}

const positionOf = (location: Raw): Values => {
  const given = location['coordinates']
  // A GeoJSON Point.
  const coordinates = isRaw(given) ? (given['coordinates'] ?? given) : given
  if (Array.isArray(coordinates))
    return { longitude: coordinates[0] as unknown, latitude: coordinates[1] as unknown }
  const raw = isRaw(coordinates) ? coordinates : location
  return { latitude: raw['latitude'] ?? raw['lat'], longitude: raw['longitude'] ?? raw['lng'] }
}

/** OCPI 2.1.1 uses `type` for what later versions call `parking_type`; OTHER and UNKNOWN are ignored. */
const parkingType = (location: Raw): string => {
  const type = textOf(get(location, 'parking_type')) || textOf(location['type'])
  return /^(other|unknown)$/i.test(type) || ACCESS_OF_TYPE.has(type.toUpperCase()) ? '' : type
}
/** Values of access that feeds write to `type`. */
const ACCESS_OF_TYPE: ReadonlyMap<string, string> = new Map([
  ['PUBLIC', 'PUBLIC'],
  ['PRIVATE', 'PRIVATE'],
])

/** The parking places of OCPI 2.3.0. The minimum height applies; a property of one place applies to the whole site. */
const parkingOf = (location: Raw): Values => {
  const places = rawList(get(location, 'parking_places'))
  const heights = places
    .map((place) => numberOf(get(place, 'max_vehicle_height')) ?? 0)
    .filter((centimetres) => centimetres > 0)
  const isFor = (type: string): boolean =>
    places.some((place) => textsOf(get(place, 'vehicle_types')).includes(type))
  return {
    ...(heights.length > 0 && { max_height_m: Math.min(...heights) / 100 }),
    ...(places.some((place) => get(place, 'drive_through') === true) && { drive_through: true }),
    ...(isFor('MOTORCYCLE') && { two_wheelers: true }),
  }
}

const statusText = (evse: Raw): string => textOf(evse['status']).toUpperCase()

/**
 * The status of a site is the first of these that one of its charge points has. REMOVED applies only if all are
 * removed.
 */
const STATUSES: readonly (readonly [ocpi: string, ours: string])[] = [
  ...['AVAILABLE', 'CHARGING', 'RESERVED', 'BLOCKED'].map((each) => [each, 'AVAILABLE'] as const),
  ...['OUTOFORDER', 'INOPERATIVE', 'PLANNED', 'REMOVED'].map((each) => [each, each] as const),
]

const statusOf = (evses: readonly Raw[]): string => {
  const found = new Set(evses.map(statusText))
  // Even if the status of the others is UNKNOWN.
  if (found.size > 1) found.delete('REMOVED')
  return STATUSES.find(([status]) => found.has(status))?.[1] ?? ''
}

const PAYMENTS: readonly string[] = sites.fields.payment.values

const paymentOf = (evses: readonly Raw[]): readonly string[] => {
  const all = evses.flatMap((evse) => [
    ...textsOf(evse['capabilities']).map((each) => CAPABILITIES.fromFormat(each)),
    ...rawList(evse['connectors']).flatMap((connector) =>
      textsOf(connector['capabilities']).map((each) => CONNECTOR_CAPABILITIES.fromFormat(each)),
    ),
  ])
  const found = new Set<unknown>(all)
  return PAYMENTS.filter((payment) => found.has(payment))
}

const toConnectors = (evse: Raw, location: string): readonly Values[] => {
  const uid = bounded(textOf(evse['uid']) || textOf(evse['id']))
  const connectors = rawList(evse['connectors'])
  const name = evseName(evse, uid, connectors)
  const evseId = bounded(textOf(get(evse, 'evse_id')))
  return connectors.map((connector) => {
    const id = textOf(connector['id'])
    return omitEmpty({
      reference: referenceOf(uid, id, location),
      evse: name,
      evse_id: evseId,
      standard: textOf(connector['standard']),
      format: textOf(connector['format']),
      current_type: textOf(get(connector, 'power_type')),
      kw_rating: kilowattsOf(get(connector, 'max_electric_power')),
      voltage: get(connector, 'max_voltage') ?? connector['voltage'],
      amperage: get(connector, 'max_amperage') ?? connector['amperage'],
      ...(isRaw(evse['coordinates']) && positionOf(evse)),
      tariff: textsOf(get(connector, 'tariff_ids'))[0] ?? textOf(get(connector, 'tariff_id')),
    })
  })
}

/**
 * The name that the connectors of an EVSE share. An EVSE whose only connector has the same ID needs none. Voltleaf's
 * own feed has the name in `physical_reference`.
 */
const evseName = (evse: Raw, uid: string, connectors: readonly Raw[]): string => {
  if (connectors.length === 1 && textOf(connectors[0]?.['id']) === uid) return ''
  const isOurs = /^[a-z0-9]{15}-[0-9a-f]{16}$/.test(uid)
  return (isOurs && bounded(textOf(get(evse, 'physical_reference')))) || uid
}

/** Shorter IDs are counted from 1 within each EVSE. */
const MIN_UNIQUE_ID = 12

const referenceOf = (uid: string, id: string, location: string): string => {
  if (id === '' || id.length >= MIN_UNIQUE_ID) return id
  const parent = uid === '' ? location : idWithin(location, uid)
  return parent === '' ? '' : `${parent}:${id}`
}

const toTariff = (tariff: Raw): StationTariff => {
  const id = textOf(tariff['id'])
  const texts = rawList(get(tariff, 'tariff_alt_text'))
  return {
    reference: id,
    values: omitEmpty({
      name: textOf(texts[0]?.['text']) || id,
      currency: textOf(tariff['currency']).toUpperCase(),
      // Before 2.3.0, all prices exclude taxes.
      tax_included: textOf(get(tariff, 'tax_included')) || 'NO',
      elements: rawList(tariff['elements']).map(toElement),
      min_price: priceLimit(get(tariff, 'min_price')),
      max_price: priceLimit(get(tariff, 'max_price')),
      url: textOf(get(tariff, 'tariff_alt_url')),
    }),
  }
}

const withoutNulls = (raw: Raw): Raw =>
  Object.fromEntries(
    Object.entries(raw).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )

/** The price components of an element, and its restrictions. */
const toElement = (element: Raw): Raw => {
  const restrictions = get(element, 'restrictions')
  const given = isRaw(restrictions) ? withoutNulls(restrictions) : {}
  return {
    price_components: rawList(get(element, 'price_components')).map((component) =>
      withoutNulls({
        type: textOf(component['type']).toUpperCase(),
        price: numberOf(component['price']) ?? component['price'],
        vat: numberOf(component['vat']) ?? null,
        step_size: numberOf(get(component, 'step_size')) ?? 1,
      }),
    ),
    ...(Object.keys(given).length > 0 && { restrictions: given }),
  }
}

/** The limits of 2.2 are with and without VAT; those of 2.1.1 are one number. */
const priceLimit = (value: unknown): unknown => {
  const number = numberOf(value)
  if (number !== undefined) return { before_taxes: number }
  if (!isRaw(value)) return undefined
  const before = numberOf(value['before_taxes'] ?? value['excl_vat'])
  const after = numberOf(value['after_taxes'] ?? value['incl_vat'])
  return before === undefined
    ? undefined
    : { before_taxes: before, ...(after !== undefined && { after_taxes: after }) }
}

/** Maximum number of tariffs in one file. Tariffs beyond it are not joined. */
const MAX_TARIFFS = 20_000

/** The JSON of a longer tariff is not valid (`boundedJson` in repair.ts). */
const MAX_TARIFF_LENGTH = 100_000
/** Longer IDs are a mistake. */
const MAX_ID_LENGTH = 1000
/** The memory for all tariffs, and for all references to tariffs not read yet. What exceeds it is not joined. */
const MAX_HELD_BYTES = SOURCE_LIMITS.archive
/** The memory for an entry in addition to its text. */
const ENTRY_BYTES = 100

/** Counts the memory of texts up to the maximum. */
const createHold = () => {
  let held = 0
  return (...texts: readonly string[]): boolean => {
    const bytes = texts.reduce((sum, { length }) => sum + length, ENTRY_BYTES)
    if (held + bytes > MAX_HELD_BYTES) return false
    held += bytes
    return true
  }
}

/**
 * Joins tariffs to the stations that refer to them, in whatever order they arrive. Keeps tariffs and IDs as JSON: objects
 * take more memory, and a trimmed text keeps the whole text in memory.
 */
const createTariffBook = () => {
  const tariffs = new Map<string, string>()
  const waiting = new Map<string, Set<string>>()
  const [canHold, canWait] = [createHold(), createHold()]
  const waitFor = (tariff: string, station: string): void => {
    const stations = waiting.get(tariff) ?? new Set()
    if (stations.has(station) || !canWait(tariff, station)) return
    waiting.set(tariff, stations.add(station))
  }
  return {
    use: (station: Station): Station => {
      const wanted = [...new Set(station.connectors.map(({ tariff }) => textOf(tariff)))]
        .filter((id) => id !== '' && id.length <= MAX_ID_LENGTH)
        .map((id) => JSON.stringify(id))
      const { reference } = station
      if (reference !== '' && reference.length <= MAX_ID_LENGTH)
        for (const id of wanted) if (!tariffs.has(id)) waitFor(id, JSON.stringify(reference))
      // A site with more prices is refused.
      const found = wanted.flatMap((id) => tariffs.get(id) ?? []).slice(0, MAX_TARIFFS_PER_SITE + 1)
      return found.length === 0
        ? station
        : { ...station, tariffs: found.map((text) => JSON.parse(text) as StationTariff) }
    },
    *add(tariff: StationTariff, position: string): Generator<Part | Unreadable> {
      const [id, text] = [JSON.stringify(tariff.reference), JSON.stringify(tariff)]
      if (text.length > MAX_TARIFF_LENGTH) {
        yield {
          position,
          problem: { code: 'record_too_large', params: { max: MAX_TARIFF_LENGTH } },
        }
        return
      }
      if (tariffs.size < MAX_TARIFFS && canHold(id, text)) tariffs.set(id, text)
      for (const reference of waiting.get(id) ?? [])
        yield {
          station: {
            reference: JSON.parse(reference) as string,
            site: {},
            connectors: [],
            tariffs: [tariff],
          },
          position,
        }
      waiting.delete(id)
    },
  }
}

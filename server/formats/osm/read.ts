import { bounded, omitEmpty, textOf, type Raw } from '../read-values.ts'
import { MAX_PLUGS_OF_A_KIND, recordOf, type Station, type Values } from '../station.ts'
import { ACCESS, PARKING, PAYMENTS, SOCKETS, WHEELCHAIR } from './values.ts'

/** Whether the properties of a feature are OpenStreetMap tags. */
export const isOsm = (names: readonly string[]): boolean =>
  names.some((name) => SOCKET.test(name)) ||
  (names.includes('amenity') && names.some((name) => name.includes(':')))

/** Whether the tags describe a charging station, open or planned. */
export const isOsmStation = (tags: Raw): boolean =>
  [tags['amenity'], tags[PLANNED]].includes('charging_station')

const PLANNED = 'planned:amenity'

/**
 * The ID of an element, unique across element types. Elements that are new to OpenStreetMap have negative numbers,
 * which identify nothing.
 */
export const osmIdOf = (kind: string, id: string): string =>
  /^[1-9]\d*$/.test(id) ? `${kind}/${id}` : ''

/** More types of plugs than this are a mistake. */
const MAX_KINDS = 50

/** Converts the OpenStreetMap tags of a charging station to a site. */
export const toOsmStation = (tags: Raw, position: Values): Station => {
  const tag = (name: string): string => textOf(tags[name])
  const street = `${tag('addr:street') || tag('addr:place')} ${tag('addr:housenumber')}`.trim()
  return {
    reference: tag('ref') || tag('@id') || tag('id'),
    site: omitEmpty({
      name: tag('name') || tag('brand') || tag('operator') || tag('network'),
      address: tag('addr:full') || street,
      city: tag('addr:city'),
      postal_code: tag('addr:postcode'),
      state: tag('addr:state'),
      country: tag('addr:country'),
      ...position,
      contact_email: tag('email') || tag('contact:email'),
      contact_phone: tag('phone') || tag('contact:phone'),
      cost: tag('charge'),
      vehicle_capacity: tag('capacity'),
      opening_hours: tag('opening_hours'),
      access: ACCESS.fromFormat(tag('access')),
      payment: paymentOf(tags),
      parking_type: PARKING.fromFormat(tag('parking')),
      wheelchair: WHEELCHAIR.fromFormat(tag('wheelchair')),
      two_wheelers:
        ['yes', 'designated'].includes(tag('motorcycle')) || tag('bicycle') === 'yes' || undefined,
      max_height_m: tag('maxheight'),
      status: statusOf(tag(PLANNED), tag('operational_status')),
    }),
    connectors: socketsOf(tags),
    tariffs: [],
    ...recordOf(tag('@id') || tag('id')),
  }
}

const statusOf = (planned: string, operational: string): string =>
  planned === 'charging_station' ? 'PLANNED' : operational === 'closed' ? 'INOPERATIVE' : ''

const paymentOf = (tags: Raw): readonly string[] => [
  ...(textOf(tags['fee']) === 'no' ? ['FREE_OF_CHARGE'] : []),
  ...new Set(
    PAYMENTS.rows.flatMap(([ours, key]) => (textOf(tags[key]) === 'yes' ? [ours as string] : [])),
  ),
]

const SOCKET = /^socket:([a-z0-9_]+)$/

const socketKeys = (tags: Raw): readonly string[] =>
  Object.keys(tags)
    .filter((key) => SOCKET.test(key))
    .slice(0, MAX_KINDS)

/**
 * `socket:type2=2` with `socket:type2:output=22 kW` becomes two plugs. Each plug gets one of several outputs; the
 * remaining plugs get the last one.
 */
const socketsOf = (tags: Raw): readonly Values[] =>
  socketKeys(tags).flatMap((key) => {
    const name = SOCKET.exec(key)?.[1]
    const [standard = name, format] = (SOCKETS.fromFormat(name) ?? '').split(' ').filter(Boolean)
    const quantity = textOf(tags[key])
    if (name === undefined || quantity === 'no' || quantity === '0') return []
    const count = Math.min(Number(/^\d{1,3}$/.exec(quantity)?.[0] ?? 1), MAX_PLUGS_OF_A_KIND)
    const of = (what: string): readonly string[] =>
      bounded(textOf(tags[`${key}:${what}`])).split(';')
    const [outputs, volts, amps] = [of('output'), of('voltage'), of('current')]
    return Array.from({ length: count }, (_, index) =>
      omitEmpty({
        standard,
        format,
        kw_rating: outputs[index] ?? outputs.at(-1),
        voltage: volts[index] ?? volts.at(-1),
        amperage: amps[index] ?? amps.at(-1),
      }),
    )
  })

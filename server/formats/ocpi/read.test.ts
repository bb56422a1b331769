import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { repairStation } from '../repair/repair.ts'
import type { Part, Unreadable } from '../station.ts'
import { readOcpi } from './read.ts'

const bytesOf = async function* (text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}
const readAll = async (value: unknown): Promise<readonly (Part | Unreadable)[]> => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const parts: (Part | Unreadable)[] = []
  for await (const part of readOcpi(bytesOf(text), 'utf-8')) parts.push(part)
  return parts
}

const plug = {
  id: '1',
  standard: 'IEC_62196_T2',
  format: 'CABLE',
  power_type: 'AC_3_PHASE',
  max_voltage: 230,
  max_amperage: 32,
  max_electric_power: 22000,
  tariff_ids: ['T1'],
}
const evse = {
  uid: '3256',
  evse_id: 'DE*ABC*E1',
  status: 'CHARGING',
  capabilities: ['RFID_READER', 'REMOTE_START_STOP_CAPABLE', 'RESERVABLE'],
  parking_restrictions: ['EV_ONLY'],
  connectors: [plug],
}
const location = {
  country_code: 'DE',
  party_id: 'ABC',
  id: 'LOC1',
  publish: true,
  name: 'Town hall',
  address: 'Market Square 1',
  city: 'Köln',
  postal_code: '50667',
  country: 'DEU',
  coordinates: { latitude: '50.937531', longitude: '6.960279' },
  parking_type: 'ON_STREET',
  facilities: ['CAFE'],
  time_zone: 'Europe/Berlin',
  opening_times: { twentyfourseven: true },
  evses: [
    evse,
    {
      uid: '3257',
      status: 'REMOVED',
      connectors: [
        { id: '1', standard: 'CHADEMO', format: 'CABLE', power_type: 'DC', max_electric_power: 1 },
      ],
    },
  ],
}
const tariff = {
  id: 'T1',
  currency: 'EUR',
  type: 'REGULAR',
  tariff_alt_text: [{ language: 'de', text: 'Standard' }],
  elements: [
    {
      price_components: [{ type: 'ENERGY', price: 0.59, vat: null, step_size: 1 }],
      restrictions: { min_duration: null },
    },
  ],
}

const station = {
  record: 'LOC1',
  reference: 'LOC1',
  site: {
    name: 'Town hall',
    address: 'Market Square 1',
    city: 'Köln',
    postal_code: '50667',
    country: 'DEU',
    latitude: '50.937531',
    longitude: '6.960279',
    published: true,
    status: 'AVAILABLE',
    opening_hours: { twentyfourseven: true },
    time_zone: 'Europe/Berlin',
    parking_type: 'ON_STREET',
    facilities: ['CAFE'],
    parking_restrictions: ['EV_ONLY'],
    payment: ['APP', 'RFID_READER'],
  },
  connectors: [
    {
      reference: '3256:1',
      evse: '3256',
      evse_id: 'DE*ABC*E1',
      standard: 'IEC_62196_T2',
      format: 'CABLE',
      current_type: 'AC_3_PHASE',
      kw_rating: 22,
      voltage: 230,
      amperage: 32,
      tariff: 'T1',
    },
  ],
  tariffs: [],
}

test('a location is a station, and the connectors of an EVSE share a charge point', async () => {
  expect(await readAll([location])).toEqual([{ station, position: '[0]' }])
  expect(repairStation(station).repairs).toEqual([])
})

test.each([
  ['an answer of a server', { status_code: 1000, data: [location] }, 'data[0]'],
  ['a list in the answer', { data: { locations: [location] } }, 'data.locations[0]'],
  ['a file of its own', { locations: [location] }, 'locations[0]'],
  ['a location by itself', location, ''],
  ['one location as the answer', { data: location, status_code: 1000 }, 'data'],
  ['locations under their ids', { LOC1: location }, 'LOC1'],
  ['locations under their ids in the answer', { data: { LOC1: location } }, 'data.LOC1'],
  ['one that has its id as its name alone', { LOC1: { ...location, id: undefined } }, 'LOC1'],
])('%s is read like a bare list', async (_, document, position) => {
  expect(await readAll(document)).toEqual([{ station, position }])
})

test('objects around locations are not locations', async () => {
  const point = { type: 'Point', coordinates: [6.960279, 50.937531] }
  const around = { operator: { name: 'Operator', address: 'Street 1' }, area: point }
  expect(await readAll({ ...around, data: [location] })).toEqual([{ station, position: 'data[0]' }])
  expect(await readAll({ ...around, A: location, next: null, B: location })).toEqual([
    { station, position: 'A' },
    { station, position: 'B' },
  ])
  expect(await readAll({ ...around, ...location })).toEqual([{ station, position: '' }])
  expect(await readAll({ area: point, ['x'.repeat(70_000)]: around })).toEqual([])
})

test('a GeoJSON Point is a position', async () => {
  const coordinates = { type: 'Point', coordinates: [6.960279, 50.937531] }
  const [part] = await readAll([{ ...location, coordinates }])
  expect((part as Part).station.site).toMatchObject(coordinatesOf(50.937531, 6.960279))
})
const coordinatesOf = (latitude: number, longitude: number) => ({ latitude, longitude })

test('names may be in camel case', async () => {
  const camel = JSON.stringify([location]).replaceAll(/"(\w+)":/g, (key) =>
    key.replaceAll(/_(\w)/g, (__, letter: string) => letter.toUpperCase()),
  )
  expect(await readAll(camel)).toEqual([{ station, position: '[0]' }])
})

test('2.1.1 has the type of parking in `type` and the voltage without `max`', async () => {
  const { parking_type: type, ...old } = location
  const { max_voltage: voltage, max_amperage: amperage, ...others } = plug
  const parts = await readAll([
    { ...old, type, evses: [{ ...evse, connectors: [{ ...others, voltage, amperage }] }] },
  ])
  expect(parts).toEqual([{ station, position: '[0]' }])
})

test.each([
  ['REMOVED', ['REMOVED', 'REMOVED']],
  [undefined, ['REMOVED', 'UNKNOWN']],
  [undefined, ['UNKNOWN', undefined, 'REMOVED']],
  ['INOPERATIVE', ['REMOVED', 'INOPERATIVE', 'UNKNOWN']],
])('a site is %s if its charge points are %j', async (status, statuses) => {
  const evses = statuses.map((each, index) => ({ ...evse, uid: String(index), status: each }))
  const [part] = await readAll([{ ...location, evses }])
  expect((part as Part).station.site['status']).toBe(status)
})

const price = {
  reference: 'T1',
  values: {
    name: 'Standard',
    currency: 'EUR',
    tax_included: 'NO',
    elements: [{ price_components: [{ type: 'ENERGY', price: 0.59, step_size: 1 }] }],
  },
}

test('a tariff may precede or follow the stations that refer to it', async () => {
  expect(await readAll({ tariffs: [tariff], locations: [location] })).toEqual([
    { station: { ...station, tariffs: [price] }, position: 'locations[0]' },
  ])
  expect(await readAll({ locations: [location], tariffs: [tariff] })).toEqual([
    { station, position: 'locations[0]' },
    {
      station: { reference: 'LOC1', site: {}, connectors: [], tariffs: [price] },
      position: 'tariffs[0]',
    },
  ])
})

test('a tariff of a version without `tax_included` excludes taxes, and is kept', () => {
  const repaired = repairStation({ ...station, tariffs: [price] })
  expect(repaired).toMatchObject({ repairs: [], station: { tariffs: [price] } })
  expect(repaired.station.connectors[0]).toMatchObject({ tariff: 'T1' })
})

describe('a record that is not a location is a separate problem', () => {
  test('records of other types', async () => {
    expect(await readAll([7, { session: 1 }, location])).toEqual([
      { position: '[0]', problem: { code: 'record_not_object' } },
      { position: '[1]', problem: { code: 'record_not_location' } },
      { station, position: '[2]' },
    ])
  })

  test('an arbitrary feed is read or refused, and nothing is thrown', async () => {
    const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(null, '', 0, [], {}))
    const broken = (value: object) =>
      fc
        .record(Object.fromEntries(Object.keys(value).map((key) => [key, anything])), {
          requiredKeys: [],
        })
        .map((others) => ({ ...value, ...others }))
    await fc.assert(
      fc.asyncProperty(
        broken(location),
        broken(evse),
        broken(plug),
        broken(tariff),
        async (one, other, third, prices) => {
          const nested = { ...one, evses: [{ ...other, connectors: [third, null] }, null, 7] }
          const parts = await readAll([one, nested, prices])
          for (const part of parts) if ('station' in part) repairStation(part.station)
          expect(parts.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 200 },
    )
  })
})

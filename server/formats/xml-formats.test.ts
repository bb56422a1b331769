import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { readParts, detectFormat } from './formats.ts'
import { repairStation } from './repair/repair.ts'

// DATEX II and OSM XML from other systems. The output of this server is read back in round-trip.test.ts.

const bytesOf = async function* (source: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(source)
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}
const read = async (source: string, size = 4096) => {
  const parts = []
  for await (const part of readParts(bytesOf(source, size))) parts.push(part)
  return parts
}
const stationsOf = async (source: string, size?: number) =>
  (await read(source, size)).flatMap((part) => ('station' in part ? [part] : []))
const problemsOf = async (source: string) =>
  (await read(source)).flatMap((part) => ('problem' in part ? [part.problem] : []))

const said = (name: string, text: string): string =>
  `<${name}><c:values><c:value lang="de">${text}</c:value></c:values></${name}>`
const line = (order: number, type: string, text: string): string =>
  `<l:addressLine order="${order}"><l:type>${type}</l:type>${said('l:text', text)}</l:addressLine>`

/** As written by another system: with other prefixes, a split address, and the location at the station. */
const DATEX = `<?xml version="1.0" encoding="UTF-8"?>
<m:container xmlns:m="urn:x" xmlns:c="urn:c" xmlns:l="urn:l" xmlns:e="urn:e"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<m:payload xsi:type="e:EnergyInfrastructureTablePublication"><e:energyInfrastructureTable id="t" version="1">
<e:energyInfrastructureSite id="DE-1" version="1">
  ${said('e:name', 'Rathaus &amp; Markt')}
  <e:operatingHours xsi:type="e:OperatingHoursSpecification"><c:overallPeriod>
    <c:overallStartTime>2026-01-01T00:00:00</c:overallStartTime>
    <c:validPeriod>
      <c:recurringTimePeriodOfDay><c:startTimeOfPeriod>06:00:00</c:startTimeOfPeriod>
        <c:endTimeOfPeriod>22:30:00</c:endTimeOfPeriod></c:recurringTimePeriodOfDay>
      <c:recurringDayWeekMonthPeriod><c:applicableDay>monday</c:applicableDay>
        <c:applicableDay>sunday</c:applicableDay></c:recurringDayWeekMonthPeriod>
    </c:validPeriod></c:overallPeriod></e:operatingHours>
  <e:energyInfrastructureStation id="s" version="1">
    <e:locationReference xsi:type="l:PointLocation">
      <l:facilityLocation><l:address><l:postcode>50667</l:postcode>${said('l:city', 'Köln')}
        <l:countryCode>DE</l:countryCode>
        ${line(2, 'houseNumber', '7')}${line(1, 'street', 'Markt')}</l:address></l:facilityLocation>
      <l:pointByCoordinates><l:pointCoordinates><l:latitude>50.9375</l:latitude>
        <l:longitude>6.9603</l:longitude></l:pointCoordinates></l:pointByCoordinates>
    </e:locationReference>
    <e:authenticationAndIdentificationMethods>rfid</e:authenticationAndIdentificationMethods>
    <e:refillPoint id="p1" version="1" xsi:type="e:ElectricChargingPoint">
      <e:evseId>DE*ABC*E1</e:evseId>
      <e:connector><e:connectorType>iec62196T2COMBO</e:connectorType><e:chargingMode>mode4DC</e:chargingMode>
        <e:connectorFormat>cableMode3</e:connectorFormat><e:maxPowerAtSocket>150000</e:maxPowerAtSocket></e:connector>
      <e:connector><e:connectorType>other</e:connectorType><e:otherConnector>CHAdeMO</e:otherConnector>
        <e:maxPowerAtSocket>50000.0</e:maxPowerAtSocket></e:connector>
    </e:refillPoint>
  </e:energyInfrastructureStation>
</e:energyInfrastructureSite>
</e:energyInfrastructureTable></m:payload></m:container>`

test.each([4096, 1])('DATEX II from another system, in chunks of %i', async (size) => {
  expect(await detectFormat(bytesOf(DATEX, size))).toMatchObject({ format: 'DATEX' })
  const [part] = await stationsOf(DATEX, size)
  expect(part?.position).toBe('line 5')
  expect(part?.station).toMatchObject({
    reference: 'DE-1',
    site: { name: 'Rathaus & Markt', address: 'Markt 7', city: 'Köln', payment: ['RFID_READER'] },
  })
  if (part === undefined) return
  const { station, refusal, questions } = repairStation(part.station)
  expect([refusal, questions]).toEqual([undefined, []])
  expect(station).toMatchObject({
    site: {
      latitude: 50.9375,
      longitude: 6.9603,
      country: 'DEU',
      opening_hours: {
        twentyfourseven: false,
        regular_hours: [
          { weekday: 1, period_begin: '06:00', period_end: '22:30' },
          { weekday: 7, period_begin: '06:00', period_end: '22:30' },
        ],
      },
    },
    connectors: [
      { standard: 'IEC_62196_T2_COMBO', format: 'CABLE', current_type: 'DC', kw_rating: 150 },
      { standard: 'CHADEMO', current_type: 'DC', kw_rating: 50 },
    ],
  })
})

test('DATEX II: a period with very many days and times does not multiply them', async () => {
  const days = '<c:applicableDay>monday</c:applicableDay>'.repeat(3000)
  const times = '<c:recurringTimePeriodOfDay/>'.repeat(3000)
  const [part] = await stationsOf(
    DATEX.replace('<c:applicableDay>', `${days}<c:applicableDay>`).replace(
      '<c:recurringTimePeriodOfDay>',
      `${times}<c:recurringTimePeriodOfDay>`,
    ),
  )
  expect(part?.station.site['opening_hours']).toMatchObject({ regular_hours: { length: 2 * 3001 } })
})

const tags = (all: Readonly<Record<string, string>>): string =>
  Object.entries(all)
    .map(([key, value]) => `<tag k="${key}" v="${value}"/>`)
    .join('')
const CHARGER = { amenity: 'charging_station', name: 'Quay' }

test('OSM XML: charging stations among other elements, including new, planned and deleted ones', async () => {
  const source = `<?xml version="1.0"?><osm version="0.6"><bounds minlat="1"/>
<node id="1" lat="54.1" lon="-6.9"/>
<node id="2" lat="54.2" lon="-6.9">${tags({ highway: 'crossing' })}</node>
<node id="3" lat="54.3" lon="-6.9">${tags({
    ...CHARGER,
    'socket:type2': '3',
    'socket:type2:output': '22 kW;11 kW',
    motorcycle: 'designated',
  })}</node>
<node id="-4" lat="54.4" lon="-6.9">${tags({ 'planned:amenity': 'charging_station', ref: 'A' })}</node>
<node id="5" visible="false" lat="54.5" lon="-6.9">${tags(CHARGER)}</node>
<node id="6" action="delete" lat="54.6" lon="-6.9">${tags(CHARGER)}</node>
<way id="7"><center lat="54.7" lon="-6.9"/><nd ref="1"/>${tags(CHARGER)}</way>
<way id="8"><nd ref="1"/>${tags(CHARGER)}</way>
</osm>`
  expect(await detectFormat(bytesOf(source, 100))).toMatchObject({ format: 'OSM' })
  const parts = await stationsOf(source)
  const shown = parts.map(({ station: { reference, site }, position }) => [
    position,
    reference,
    site['latitude'],
    site['status'],
  ])
  expect(shown).toEqual([
    ['line 4', 'node/3', '54.3', undefined],
    ['line 5', 'A', '54.4', 'PLANNED'],
    ['line 8', 'way/7', '54.7', undefined],
    ['line 9', 'way/8', undefined, undefined],
  ])
  expect(parts[0]?.station).toMatchObject({
    site: { name: 'Quay', two_wheelers: true },
    connectors: [{ kw_rating: '22 kW' }, { kw_rating: '11 kW' }, { kw_rating: '11 kW' }],
  })
})

const NODE = `<node id="1" lat="54" lon="-6">${tags(CHARGER)}</node>`
/** Each entity expands to ten of the previous one. */
const BOMB = Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
)

describe('hostile XML: the records before it are read', () => {
  test.each([
    [
      'entities of entities',
      `<!DOCTYPE osm [<!ENTITY e0 "x">${BOMB.join('')}]>`,
      '&e9;',
      'xml_invalid',
    ],
    [
      'a file of the server',
      '<!DOCTYPE osm [<!ENTITY f SYSTEM "file:///etc/passwd">]>',
      '&f;',
      'xml_invalid',
    ],
    ['an end that belongs to nothing', '', '</node>', 'xml_invalid'],
    ['an attribute twice', '', '<node a="1" a="2"/>', 'xml_invalid'],
    ['a document that ends too early', '', '<node', 'xml_invalid'],
    ['deep nesting', '', '<a>'.repeat(100_000), 'json_too_deep'],
    ['very many elements', '', `<node>${'<a/>'.repeat(200_000)}</node>`, 'record_too_many_values'],
    ['a giant text', '', 'x'.repeat(9_000_000), 'record_too_large'],
    ['a giant attribute', '', `<node a="${'x'.repeat(9_000_000)}"/>`, 'record_too_large'],
    ['a giant comment', '', `<!--${'x'.repeat(9_000_000)}-->`, 'record_too_large'],
  ])('%s', async (_, head, hostile, code) => {
    const source = `${head}<osm version="0.6">${NODE}${hostile}</osm>`
    const parts = await read(source, 65_536)
    expect(parts[0]).toMatchObject({ station: { site: { name: 'Quay' } } })
    expect((await problemsOf(source)).map((problem) => problem.code)).toEqual([code])
  })

  test('arbitrary bytes are read or refused, and nothing is thrown', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(DATEX, `<osm>${NODE}</osm>`),
        fc.nat(),
        fc.string(),
        async (source, at, text) => {
          const place = at % source.length
          const parts = await read(
            source.slice(0, place) + text + source.slice(place + text.length),
            500,
          )
          expect(parts.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 100 },
    )
  })
})

test('other XML is an unknown format', async () => {
  expect((await problemsOf('<?xml version="1.0"?><rss version="2.0"/>'))[0]?.code).toBe(
    'format_unknown',
  )
})

import { Readable } from 'node:stream'

import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import readXlsxFile, { readSheet } from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'

import { normalHours } from '#domain/hours/week.ts'
import { OCPI_VERSIONS, OPEN_FORMATS, type OpenFile } from '#domain/open-data.ts'
import type { PublicSite } from '#domain/public-site.ts'

import {
  createXsdJudge,
  DATEX_SCHEMA,
  judgeGeoJson,
  judgeIrve,
  judgeOcpi,
  judgeOsm,
} from '../../tests/support/judges/judges.ts'
import {
  makePublicBusiness,
  makePublicConnector,
  makePublicSite,
  makePublicTariff,
  publicSites,
  publicTariffs,
} from '../../tests/support/public-site.ts'
import { writeXlsx } from './xlsx/write.ts'
import { elementsFor, tariffIdOf, writeTariff } from './ocpi/tariff.ts'
import { isWritable } from './output.ts'
import { allLosses, lossesIn, tagsOf, writeFile, writeLocation, type About } from './outputs.ts'

// Validates every output for arbitrary sites within the declarations.

const ABOUT: About = {
  publicUrl: 'https://voltleaf.example',
  publisher: 'Voltleaf & “friends”',
  changed: '2026-11-20T09:30:00.000Z',
  licence: undefined,
  reportLoss: () => {},
}

const pagesOf = async function* (sites: readonly PublicSite[]): AsyncGenerator<string[]> {
  for (const site of sites) yield [JSON.stringify(site)]
}

/** A file as bytes. */
const bytesOf = async (format: OpenFile, sites: readonly PublicSite[]): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of writeFile(format, pagesOf(sites), ABOUT))
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  return Buffer.concat(chunks)
}
const textOf = async (format: OpenFile, sites: readonly PublicSite[]): Promise<string> =>
  (await bytesOf(format, sites)).toString('utf8')

/** Validates outputs of arbitrary sites. */
const always = (
  judge: (site: PublicSite) => unknown[] | Promise<unknown[]>,
  numRuns = 100,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(publicSites, async (site) => {
      expect(await judge(site)).toEqual([])
    }),
    { numRuns },
  )

describe('every output is valid in its format', () => {
  test.each(OCPI_VERSIONS)('OCPI %s, by its schema', async (version) => {
    await always((site) => judgeOcpi('location', version, writeLocation(site, version, ABOUT)))
    const party = makePublicBusiness()
    fc.assert(
      fc.property(publicTariffs, (tariff) => {
        const written = writeTariff({ ...tariff, updated: '2026-11-20 09:30:00.000Z' }, party, {
          elements: '11',
          version,
        })
        expect(judgeOcpi('tariff', version, JSON.parse(JSON.stringify(written)))).toEqual([])
      }),
    )
  })

  test('IRVE, by tableschema', async () => {
    await always(async (site) => judgeIrve(parse(await textOf('irve', [site]))))
    const broken = (await textOf('irve', [makePublicSite()])).replace('Parking public', 'Parc')
    expect(judgeIrve(parse(broken)).join()).toContain('implantation_station')
  })

  test('DATEX II, by an XML Schema', async () => {
    const judge = await createXsdJudge(DATEX_SCHEMA)
    await always(
      // A table without sites is invalid.
      async (site) => (isWritable('datex', site) ? judge(await textOf('datex', [site])) : []),
      60,
    )
    const broken = await textOf('datex', [makePublicSite()])
    expect(judge(broken.replace('>kWh<', '>MWh<'))).not.toEqual([])
    expect(judge(broken.replaceAll('egi:deliveryUnit', 'egi:unit'))).not.toEqual([])
  })

  test('GeoJSON, by check-geojson', async () => {
    const odd = makePublicSite({ name: ',"latitude":1,', city: '"id":"x",\\' })
    const { features } = JSON.parse(await textOf('geojson', [odd])) as { features: unknown }
    const geometry = { type: 'Point', coordinates: [odd.longitude, odd.latitude] }
    expect(features).toEqual([{ type: 'Feature', id: odd.id, geometry, properties: odd }])
    await always(async (site) => judgeGeoJson(await textOf('geojson', [site, site])))
    expect(judgeGeoJson((await textOf('geojson', [])).replace('features', 'feature'))).not.toEqual(
      [],
    )
  })

  test('OpenStreetMap, by the model of its editor', async () => {
    await always((site) => judgeOsm(tagsOf(site)))
    expect(judgeOsm({ amenity: 'charging_station', sockets: '2' })).toEqual(['sockets is no key'])
  })

  test('OSM XML and DATEX are well-formed for arbitrary texts', async () => {
    const judge = await createXsdJudge(DATEX_SCHEMA)
    const name = `]]> <a b="&c;"> \u0000\u0008\ud800 \ufffe \n\t 'x'`
    const site = makePublicSite({ name, address: name, business: makePublicBusiness({ name }) })
    expect(judge(await textOf('datex', [site]))).toEqual([])
    const { XmlDocument } = await import('libxml2-wasm')
    using document = XmlDocument.fromString(await textOf('osm', [site]))
    const value = document.get('//tag[@k="name"]/@v')?.content
    expect(value).toBe(`]]> <a b="&c;">   \n\t 'x'`)
  })

  test('Open Charge Map uses its own IDs', async () => {
    const site = makePublicSite({ access: 'EMPLOYEES', status: 'OUTOFORDER' })
    const [poi] = JSON.parse(await textOf('ocm', [site])) as [Record<string, unknown>]
    expect(poi).toMatchObject({
      UsageTypeID: 6,
      StatusTypeID: 100,
      AddressInfo: { Country: { ISOCode: 'FR' }, Latitude: 43.29537 },
      Connections: [{ ConnectionTypeID: 25, CurrentTypeID: 20, LevelID: 2, Quantity: 1 }],
    })
    expect(JSON.parse(await textOf('ocm', []))).toEqual([])
  })
})

describe('tables', () => {
  const WILD = ['=cmd()', '+1', '-1', '@x', '\t=1', '\r=1', 'plain']

  test('no CSV field begins like a formula, except numbers', async () => {
    const rows = WILD.map((name) => makePublicSite({ name, longitude: -5.5 }))
    for (const row of parse(await textOf('csv', rows)).slice(1))
      for (const cell of row)
        expect(/^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell)), cell).toBe(false)
  })

  test('another library reads the XLSX as texts and numbers', async () => {
    const rows = WILD.map((name) => makePublicSite({ name, longitude: -5.5 }))
    const sheet = await readSheet(await bytesOf('xlsx', rows))
    const [heading = [], ...others] = sheet
    expect(others.map((row) => row[heading.indexOf('name')])).toEqual(
      WILD.map((name) => name.trim()),
    )
    expect(others[0]?.[heading.indexOf('longitude')]).toBe(-5.5)
  })

  test('XLSX continues in another sheet, with the headings', async () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const pages = pagesOf(names.map((name) => makePublicSite({ name })))
    const bytes = Buffer.concat(await Readable.from(writeXlsx(pages, ABOUT, 3)).toArray())
    const sheets = await readXlsxFile(bytes)
    const namesIn = ({ data: [heading = [], ...rows] }: (typeof sheets)[number]) =>
      rows.map((row) => row[heading.indexOf('name')])
    expect(sheets.map(({ sheet }) => sheet)).toEqual(['sites', 'sites 2', 'sites 3'])
    expect(sheets.map(namesIn)).toEqual([names.slice(0, 2), names.slice(2, 4), names.slice(4)])
  })

  test('no XLSX cell is a formula', async () => {
    const bytes = await bytesOf('xlsx', [makePublicSite({ name: '=1+1 _x0041_' })])
    const { default: yauzl } = await import('yauzl')
    const zip = await yauzl.fromBufferPromise(bytes)
    let isSeen = false
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.startsWith('xl/worksheets/')) continue
      const stream = await zip.openReadStreamPromise(entry)
      const xml = Buffer.concat(await stream.toArray()).toString('utf8')
      // A text that looks like an escaped character stays a text.
      expect(xml).toContain('=1+1 _x005F_x0041_')
      expect(xml).not.toContain('<f')
      isSeen = true
    }
    expect(isSeen).toBe(true)
  })
})

describe('losses of an output', () => {
  const reasonsOf = (format: (typeof OPEN_FORMATS)[number], site: PublicSite) =>
    lossesIn(format, site).map(({ on, field, reason }) => `${on}.${field} ${reason}`)

  test('a site without a required field is left out completely', async () => {
    const site = makePublicSite({ access: '', business: makePublicBusiness({ party_id: '' }) })
    expect(lossesIn('irve', site)).toEqual([{ on: 'sites', field: 'access', reason: 'left_out' }])
    expect(reasonsOf('ocpi-2.2.1', site)).toEqual(['businesses.party_id left_out'])
    expect((await textOf('irve', [site])).split('\r\n')).toHaveLength(2)
    expect((await textOf('irve', [makePublicSite({ country: 'DEU' })])).split('\r\n')).toHaveLength(
      2,
    )
  })

  test('a planned site is left out of formats without that status', () => {
    const planned = makePublicSite({ status: 'PLANNED' })
    const formats = OPEN_FORMATS.filter((format) =>
      reasonsOf(format, planned).includes('sites.status left_out'),
    )
    expect(formats).toEqual(['irve', 'datex'])
    for (const format of formats) expect(reasonsOf(format, planned)).toHaveLength(1)
  })

  test('derived, shortened and unsupported values are reported', () => {
    const site = makePublicSite({ address: 'x'.repeat(300), cost: '0.59 €/kWh' })
    expect(reasonsOf('ocpi-2.3.0', site)).toEqual(
      expect.arrayContaining([
        'sites.address shortened',
        'sites.cost no_field',
        'connectors.voltage derived',
        'connectors.amperage derived',
      ]),
    )
    expect(allLosses(site).geojson).toEqual([])
  })

  test('hours in the night when clocks go back are reported, since OpenStreetMap has local times', () => {
    const lossOf = (begin: string, end: string): boolean => {
      const site = makePublicSite({
        time_zone: 'Europe/Paris',
        opening_hours: {
          twentyfourseven: true,
          exceptional_closings: [{ period_begin: begin, period_end: end }],
        },
      })
      return reasonsOf('osm', site).includes('sites.opening_hours generalized')
    }
    // From the first 2:30 to the second one; both are 2:30 on the clock.
    expect(lossOf('2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z')).toBe(true)
    expect(lossOf('2026-10-25T08:00:00Z', '2026-10-25T12:00:00Z')).toBe(false)
    expect(lossOf('2026-12-24T00:30:00Z', '2026-12-26T01:30:00Z')).toBe(false)
  })

  test('a plug that is unknown in the version', () => {
    const connectors = [
      makePublicConnector('connector000001', { standard: 'MCS', current_type: 'DC' }),
      makePublicConnector('connector000002'),
    ]
    const site = makePublicSite({ connectors })
    expect(lossesIn('ocpi-2.2.1', site)).toContainEqual({
      on: 'connectors',
      field: 'standard',
      reason: 'no_value',
    })
    expect(reasonsOf('ocpi-2.3.0', site)).not.toContain('connectors.standard no_value')
  })
})

describe('OCPI tariffs', () => {
  const ac = makePublicConnector('a')
  const dc = makePublicConnector('d', { standard: 'CHADEMO', current_type: 'DC', format: 'CABLE' })
  const tariff = makePublicTariff('tariff000000001', {
    elements: [
      {
        price_components: [{ type: 'ENERGY', price: 0.6, vat: 20, step_size: 1 }],
        restrictions: { current: 'AC' },
      },
      { price_components: [{ type: 'FLAT', price: 1.2, vat: 20, step_size: 1 }] },
    ],
  })

  test('connectors with another current have another Tariff with its own elements', () => {
    expect([ac, dc].map((plug) => elementsFor(tariff, plug))).toEqual(['11', '01'])
    expect([ac, dc].map((plug) => tariffIdOf(tariff, plug, '2.3.0'))).toEqual([
      'tariff000000001',
      'tariff000000001-1',
    ])
  })

  test('2.2.1 states prices without taxes, or omits the tariff', () => {
    const written = writeTariff(
      { ...tariff, updated: '2026-11-20 09:30:00.000Z' },
      makePublicBusiness(),
      {
        elements: '11',
        version: '2.2.1',
      },
    )
    expect(written).toMatchObject({
      elements: [{ price_components: [{ price: 0.5 }] }, { price_components: [{ price: 1 }] }],
    })
    const unknown = makePublicTariff('t', {
      elements: [{ price_components: [{ type: 'ENERGY', price: 0.6, step_size: 1 }] }],
    })
    expect(tariffIdOf(unknown, ac, '2.2.1')).toBeUndefined()
    expect(tariffIdOf(unknown, ac, '2.3.0')).toBe('t')
  })
})

test('weekly hours are the same in every format that has them', async () => {
  const hours = normalHours({
    twentyfourseven: false,
    regular_hours: [{ weekday: 5, period_begin: '22:00', period_end: '02:00' }],
  })
  const site = makePublicSite({ opening_hours: hours })
  expect(tagsOf(site)['opening_hours']).toBe('Fr 22:00-02:00')
  expect(await textOf('irve', [site])).toContain('Fr 22:00-02:00')
  expect(writeLocation(site, '2.3.0', ABOUT)).toMatchObject({
    opening_times: {
      regular_hours: [
        { weekday: 5, period_begin: '22:00', period_end: '23:59' },
        { weekday: 6, period_begin: '00:00', period_end: '02:00' },
      ],
    },
  })
})

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { openIntervals } from '#domain/hours/open.ts'
import type { OpeningHours } from '#domain/hours.ts'
import { OCPI_VERSIONS, type OpenFile, type OpenFormat } from '#domain/open-data.ts'
import type { PublicConnector, PublicSite } from '#domain/public-site.ts'
import { OWNER_STATUSES } from '#domain/site.ts'

import { YEAR_BEGIN } from '../../tests/support/opening-hours.ts'
import { publicSites } from '../../tests/support/public-site.ts'
import { readParts } from './formats.ts'
import { joinKey, joinParts } from './join.ts'
import { elementsFor, writeTariff } from './ocpi/tariff.ts'
import { chargePointsOf, isWritable, tariffOf } from './output.ts'
import { lossesIn, writeFile, writeLocation, writersOf, type About } from './outputs.ts'
import { repairStation } from './repair/repair.ts'
import type { Station } from './station.ts'

// import(export(x)) = x, for each field that the format can contain without a reported loss.

const ABOUT: About = {
  publicUrl: 'https://voltleaf.example',
  publisher: 'Voltleaf',
  changed: '2026-11-20T09:30:00.000Z',
  licence: undefined,
  reportLoss: () => {},
}

/** Existing types of plugs: an import would repair impossible ones. */
const PLUGS: readonly Partial<PublicConnector>[] = [
  { standard: 'IEC_62196_T2', format: 'SOCKET', current_type: 'AC_3_PHASE', kw_rating: 22 },
  { standard: 'IEC_62196_T2', format: 'CABLE', current_type: 'AC_3_PHASE', kw_rating: 11 },
  { standard: 'IEC_62196_T2_COMBO', format: 'CABLE', current_type: 'DC', kw_rating: 150 },
  { standard: 'CHADEMO', format: 'CABLE', current_type: 'DC', kw_rating: 50 },
  { standard: 'MCS', format: 'CABLE', current_type: 'DC', kw_rating: 350 },
]
const text = fc.constantFrom('Zoë’s Café', '=1+1', '@home', '-5 rue', 'a "quoted", b', 'Ångström 7')

/** Plausible sites in Paris, which an import need not repair. */
const plausibleSites: fc.Arbitrary<PublicSite> = fc
  .record({
    site: publicSites,
    plugs: fc.array(fc.constantFrom(...PLUGS), { minLength: 3, maxLength: 3 }),
    texts: fc.tuple(text, text, text),
    status: fc.constantFrom(...OWNER_STATUSES.filter((each) => each !== 'REMOVED')),
    east: fc.integer({ min: 0, max: 999_999 }),
  })
  .map(({ site, plugs, texts: [name, address, cost], status, east }) => ({
    ...site,
    name,
    address,
    cost,
    status,
    // Readers treat a week with less than a quarter of an hour as a placeholder.
    opening_hours:
      (site.opening_hours?.regular_hours?.length ?? 9) > 3
        ? site.opening_hours
        : { twentyfourseven: true },
    city: 'Paris',
    postal_code: '75012',
    state: '',
    country: 'FRA',
    time_zone: 'Europe/Paris',
    latitude: 48.85,
    longitude: 2.3 + Number((east / 1e7).toFixed(6)),
    vehicle_capacity: site.connectors.length,
    contact_phone: site.contact_phone === '' ? '' : '+33 1 23 45 67 89',
    connectors: site.connectors.map((connector, index) => ({
      ...connector,
      ...plugs[index],
      reference: connector.reference === '' ? '' : `R-${index}`,
      evse_id: connector.evse_id === '' ? '' : `FR*ABC*E12${index}`,
      voltage: 0,
      amperage: 0,
    })),
  }))

const isOcpi = (format: OpenFormat) => OCPI_VERSIONS.find((each) => format === `ocpi-${each}`)

/** The content of a feed: for OCPI, the Location with its Tariffs. */
const written = async function* (format: OpenFormat, site: PublicSite): AsyncGenerator<Uint8Array> {
  const version = isOcpi(format)
  if (version !== undefined) {
    const variants = site.connectors.flatMap((connector) => {
      const tariff = tariffOf(site, connector)
      return tariff === undefined ? [] : [{ tariff, elements: elementsFor(tariff, connector) }]
    })
    const tariffs = variants.map(({ tariff, elements }) =>
      writeTariff({ ...tariff, updated: site.updated }, site.business, { elements, version }),
    )
    yield Buffer.from(JSON.stringify([writeLocation(site, version, ABOUT), ...tariffs]))
    return
  }
  const page = async function* () {
    yield [JSON.stringify(site)]
  }
  for await (const chunk of writeFile(format as OpenFile, page(), ABOUT))
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}

/** Voltleaf's own formats: a plan must not contain repairs of their values. */
const OWN_TABLES: readonly OpenFormat[] = ['csv', 'xlsx', 'geojson']

/**
 * On this day, clocks in Paris skip the hour from 2 to 3. Both times mean the same moment, and a text is written with
 * 3.
 */
const SKIPPED = [Date.parse('2026-03-28T23:00:00Z'), Date.parse('2026-03-29T22:00:00Z')] as const
const hasHourSkipped = ({ opening_hours: hours }: PublicSite): boolean =>
  [...(hours?.exceptional_openings ?? []), ...(hours?.exceptional_closings ?? [])].some(
    ({ period_begin: begin, period_end: end }) =>
      Date.parse(begin) < SKIPPED[1] && Date.parse(end) > SKIPPED[0],
  )

const readBack = async (format: OpenFormat, site: PublicSite): Promise<Station> => {
  const pieces = []
  for await (const part of readParts(written(format, site))) {
    if (!('station' in part)) throw new Error(JSON.stringify(part))
    pieces.push(part.station)
  }
  expect(new Set(pieces.map(joinKey)).size).toBe(1)
  const { station, refusal, questions, repairs } = repairStation(joinParts(pieces))
  expect([refusal, questions]).toEqual([undefined, []])
  if (OWN_TABLES.includes(format) && !hasHourSkipped(site))
    expect(repairs, 'nothing in it is wrong').toEqual([])
  return station
}

/** Fields in the output that an import does not read. */
const NOT_READ: Readonly<Partial<Record<OpenFormat | 'all', readonly string[]>>> = {
  // Photos are URLs in an output, and an import reads no files. Tariffs are compared by their elements.
  all: [
    'sites.photos',
    'sites.photo_categories',
    'sites.tariff',
    'connectors.tariff',
    'connectors.evse',
  ],
  // An import matches by the ID of the register.
  irve: ['connectors.reference'],
  // An imported price creates a tariff, for which a table has no columns.
  ocm: ['connectors.reference'],
  // The presence of a station does not state that it works. A survey date is not the owner's confirmation. IDs are
  // separate from the plugs.
  osm: ['sites.status', 'sites.confirmed', 'connectors.evse_id'],
}

const orNone = (value: unknown): unknown =>
  value === undefined ||
  value === '' ||
  value === 0 ||
  value === false ||
  // Equivalent to no value, which OpenStreetMap uses instead.
  value === 'UNKNOWN' ||
  (Array.isArray(value) && value.length === 0)
    ? null
    : value

const year = ['Europe/Paris', YEAR_BEGIN, YEAR_BEGIN + 366 * 24 * 3600 * 1000] as const
/** Opening hours are equal if the site is open at the same times. */
const comparable = (field: string, value: unknown): unknown => {
  if (field === 'opening_hours' && value) return openIntervals(value as OpeningHours, ...year)
  const said = orNone(value)
  return Array.isArray(said) ? new Set<unknown>(said) : said
}

const values = (record: object, field: string): unknown =>
  (record as Readonly<Record<string, unknown>>)[field]

const FORMATS = [
  'ocpi-2.3.0',
  'ocpi-2.2.1',
  'irve',
  'datex',
  'ocm',
  'geojson',
  'osm',
  'csv',
  'xlsx',
] as const

test.each(FORMATS)('%s', async (format) => {
  await fc.assert(
    fc.asyncProperty(plausibleSites, async (site) => {
      const skipped = new Set([
        ...(NOT_READ.all ?? []),
        ...(NOT_READ[format] ?? []),
        ...lossesIn(format, site).map(({ on, field }) => `${on}.${field}`),
      ])
      // A plug without an equivalent in the format cannot be read back.
      const losesPlugs = lossesIn(format, site).some(
        ({ field, reason }) => field === 'standard' && reason === 'no_value',
      )
      fc.pre(isWritable(format, site) && !losesPlugs)
      const back = await readBack(format, site)
      const { sites, connectors } = writersOf(format).supports
      const read = { ...back.site, reference: site.reference === '' ? '' : back.reference }
      for (const field of sites.filter((each) => !skipped.has(`sites.${each}`)))
        expect([field, comparable(field, values(read, field))]).toEqual([
          field,
          comparable(field, values(site, field)),
        ])
      if (skipped.has('connectors.standard')) return
      const held = connectors.filter((each) => !skipped.has(`connectors.${each}`))
      const summarise = (records: readonly object[]): string[] =>
        records
          .map((each) => JSON.stringify(held.map((field) => [field, orNone(values(each, field))])))
          .toSorted()
      expect(summarise(back.connectors)).toEqual(summarise(site.connectors))
    }),
    { numRuns: 60 },
  )
})

test.each(['ocpi-2.3.0', 'geojson'] as const)('the prices of %s', async (format) => {
  await fc.assert(
    fc.asyncProperty(plausibleSites, async (site) => {
      const back = await readBack(format, site)
      // OCPI groups connectors by charge point.
      const order = format === 'geojson' ? site.connectors : chargePointsOf(site).flat()
      for (const [index, connector] of order.entries()) {
        const tariff = tariffOf(site, connector)
        const named = back.connectors[index]?.['tariff'] || back.site['tariff']
        const found = back.tariffs.find(({ reference }) => reference === named)?.values
        expect(found === undefined).toBe(tariff === undefined)
        if (tariff === undefined) continue
        const elements = elementsFor(tariff, connector)
        const held = tariff.elements.flatMap(({ restrictions, price_components }, nth) => {
          if (elements[nth] === '0' && format !== 'geojson') return []
          const { current: _, ...others } = restrictions ?? {}
          const said = format === 'geojson' ? restrictions : others
          return [
            {
              price_components,
              ...(said && Object.keys(said).length > 0 && { restrictions: said }),
            },
          ]
        })
        expect(found).toMatchObject({
          currency: tariff.currency,
          tax_included: tariff.tax_included,
          elements: held,
        })
      }
    }),
    { numRuns: 60 },
  )
})

import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Collection } from '#domain/collection.ts'
import { connectors } from '#domain/connector.ts'
import { printOsm } from '#domain/hours/osm.ts'
import type { OpeningHours } from '#domain/hours.ts'
import { inputNames } from '#domain/record.ts'
import { REPAIR_RULES } from '#domain/repair.ts'
import {
  findContradictions,
  isValueField,
  readShape,
  readValue,
  type Value,
} from '#domain/schema.ts'
import { sites } from '#domain/site.ts'
import { tariffs } from '#domain/tariff.ts'

import type { Station, Values } from '../station.ts'
import { RULES, repairStation } from './repair.ts'

const good: Values = {
  name: 'Town hall',
  address: 'Market Square 1',
  latitude: 48.8566,
  longitude: 2.3522,
}
const plug: Values = {
  standard: 'IEC_62196_T2',
  format: 'SOCKET',
  current_type: 'AC_3_PHASE',
  kw_rating: 22,
}
const station = (site: Values, all: readonly Values[] = [plug]): Station => ({
  reference: '',
  site,
  connectors: all,
  tariffs: [],
})

describe('every rule works as in its example', () => {
  test.each(RULES.map((rule) => [`${rule.name} of a ${rule.on}`, rule] as const))(
    '%s',
    (_, rule) => {
      const { before, after, ...others } = rule.example
      const context = {
        site: others.site ?? {},
        connectors: others.connectors ?? [],
        before: others.connectorsBefore ?? [],
        tariffs: others.tariffs ?? [],
      }
      // Strict: a removed field is present with the value undefined.
      expect(rule.apply(before, context)).toStrictEqual(after)
      // A repaired or removed value needs no further repair.
      const again = after === null ? {} : rule.apply({ ...before, ...after }, context)
      expect(again).toStrictEqual({})
    },
  )

  test('a state code is not a placeholder in its country', () => {
    const stateOf = (country: string, state: string) =>
      repairStation(station({ ...good, country, state })).station.site['state'] ?? ''
    expect(stateOf('US', 'ND')).toBe('ND')
    expect(stateOf('Italia', 'NA')).toBe('NA')
    expect(stateOf('FRA', 'ND')).toBe('')
    expect(stateOf('US', 'N/A')).toBe('')
  })

  test('docs/import.md describes every rule, with its message', () => {
    const document = readFileSync(new URL('../../../docs/import.md', import.meta.url), 'utf8')
    const written = [...document.matchAll(/^\| `(\w+)` +\| (done|question) +\| (.+?) +\|/gm)]
    expect(new Map(written.map(([, name, ...described]) => [name, described]))).toEqual(
      new Map(
        RULES.map(({ name, isCertain }) => [
          name,
          [isCertain ? 'done' : 'question', REPAIR_RULES[name]],
        ]),
      ),
    )
  })

  test('every name belongs to a rule', () => {
    expect(new Set(RULES.map(({ name }) => name))).toEqual(new Set(Object.keys(REPAIR_RULES)))
  })
})

test('a station without errors stays unchanged', () => {
  expect(repairStation(station(good))).toEqual({
    station: station(good),
    repairs: [],
    questions: [],
  })
})

test('certain repairs are made and listed', () => {
  const {
    station: repaired,
    repairs,
    refusal,
  } = repairStation(
    station({ ...good, country: 'Frankreich', contact_phone: 'tel:+33 1 23' }, [
      { standard: 'CCS', format: 'cable', kw_rating: '150 kW' },
    ]),
  )
  expect(refusal).toBeUndefined()
  expect(repaired.site).toMatchObject({ country: 'FRA', contact_phone: '+33 1 23' })
  expect(repaired.connectors).toEqual([
    { standard: 'IEC_62196_T2_COMBO', format: 'CABLE', current_type: 'DC', kw_rating: 150 },
  ])
  expect(repairs).toContainEqual({
    rule: 'country_code',
    field: 'country',
    before: 'Frankreich',
    after: 'FRA',
  })
  expect(repairs).toContainEqual({
    rule: 'number_in_words',
    field: 'connectors[0].kw_rating',
    before: '150 kW',
    after: 150,
  })
})

test.each([
  '24/24 sauf dimanche',
  '24h/24 du lundi au vendredi',
  '7j/7 de 6h à 24h',
  '7/7 : 5h30-24h00',
])('hours with a restriction do not mean always open: %s', (hours) => {
  const { station: repaired } = repairStation(station({ ...good, opening_hours: hours }))
  expect(repaired.site['opening_hours']).not.toEqual({ twentyfourseven: true })
})

test.each([
  '24/7',
  '24h/24',
  '24h/24 7j/7',
  '24/24, 7/7',
  '7j/7 24h/24',
  '7/7 24h',
  '7j/7 et 24h/24',
])('other words for always open: %s', (hours) => {
  const { station: repaired } = repairStation(station({ ...good, opening_hours: hours }))
  expect(repaired.site['opening_hours']).toEqual({ twentyfourseven: true })
})

test.each([
  ['2025/12/31', '2025-12-31 00:00:00.000Z'],
  ['46022', '2025-12-31 00:00:00.000Z'],
  ['1.2.2025', '2025-02-01 00:00:00.000Z'],
  ['31.12.2025 9:30', '2025-12-31 09:30:00.000Z'],
  ['31-12-2025', '2025-12-31 00:00:00.000Z'],
  ['12/31/2025', '2025-12-31 00:00:00.000Z'],
  ['5/5/2025', '2025-05-05 00:00:00.000Z'],
  // The fourth of March or the third of April.
  ['03/04/2025', undefined],
  ['31.12.25', undefined],
  ['31.02.2025', undefined],
])('the date %s is %s', (said, confirmed) => {
  const { station: repaired } = repairStation(station({ ...good, confirmed: said }))
  expect(repaired.site['confirmed']).toBe(confirmed)
})

test('a coordinate that a spreadsheet grouped is placed in its country', () => {
  const { station: repaired, refusal } = repairStation(
    station({ ...good, latitude: '48.856.614', longitude: '2.352.222', country: 'FRA' }),
  )
  expect(refusal).toBeUndefined()
  expect(repaired.site).toMatchObject({ latitude: 48.856614, longitude: 2.352222 })
})

test('HTML entities are decoded', () => {
  const { station: repaired } = repairStation(
    station({ ...good, name: 'Caf&eacute; M&#252;nchen &#x26; Sons &unknown;' }),
  )
  expect(repaired.site['name']).toBe('Café München & Sons &unknown;')
})

test.each([
  ['48:51:24', '2:21:03'],
  ['48 51 24 N', '2 21 03 E'],
  ['N48 51.400', 'E2 21.050'],
  ['48° 51′ 24″ Nord', '2° 21′ 3″ Ost'],
  ['48° 51′ 24″ Nord', '2° 21′ 3″ Est'],
  ['(48,8567 / 2,3508)', ''],
  ['https://www.google.com/maps/@48.8567,2.3508,15z', ''],
  [
    'https://www.google.com/maps/place/X/@48.9,2.4,15z/data=!3m1!4b1!4m5!3m4!8m2!3d48.8567!4d2.3508',
    '',
  ],
])('a position as people write it: %s %s', (latitude, longitude) => {
  const { station: read, refusal } = repairStation(station({ ...good, latitude, longitude }))
  expect(refusal).toBeUndefined()
  expect(read.site['latitude']).toBeCloseTo(48.8567, 3)
  expect(read.site['longitude']).toBeCloseTo(2.3508, 3)
})

test.each([
  ['S33.8599, E151.2093', -33.8599, 151.2093],
  [`33° 51' 35.9" S, 151° 12' 33.5" E`, -33.86, 151.2093],
  ['33.8599° Süd, 151.2093° Ost', -33.8599, 151.2093],
  ['N 40.4168 W 3.7038', 40.4168, -3.7038],
])('both coordinates with their directions: %s', (text, latitude, longitude) => {
  const { station: read } = repairStation(station({ ...good, latitude: text, longitude: '' }))
  expect(read.site['latitude']).toBeCloseTo(latitude, 3)
  expect(read.site['longitude']).toBeCloseTo(longitude, 3)
})

test.each([
  ['east if only there is land', { latitude: `52° 31' 12" N`, longitude: `13° 24' 18" O` }, 13.405],
  [
    'east if only there is the country',
    { latitude: '53,55 N', longitude: '9,99 O', country: 'DEU' },
    9.99,
  ],
  [
    'west if only there is the country',
    { latitude: '40,4 N', longitude: '3,7 O', country: 'ESP' },
    -3.7,
  ],
  ['in one value', { latitude: `52° 31' N, 13° 24' O`, longitude: '' }, 13.4],
])('the O of a longitude is %s', (_, position, expected) => {
  const { station: read, questions } = repairStation(station({ ...good, ...position }))
  expect(read.site['longitude']).toBe(expected)
  expect(questions).toEqual([])
})

test('the O of a longitude is a question if there is land on both sides', () => {
  const hamburg = station({ ...good, latitude: '53,55 N', longitude: '9,99 O' })
  expect(repairStation(hamburg).questions.map(({ rule }) => rule)).toEqual([
    'coordinates_east_likely',
  ])
  const { station: read } = repairStation(hamburg, { coordinates_east_likely: true })
  expect(read.site).toMatchObject({ latitude: 53.55, longitude: 9.99 })
})

test('swapped positions of Central Europe without a country are questions, though they are in Somalia or Yemen', () => {
  for (const [latitude, longitude] of [
    [11.575, 48.137],
    [13.3849, 52.5321],
    [8.54, 47.37],
  ])
    expect(
      repairStation(station({ ...good, latitude, longitude })).questions.map(({ rule }) => rule),
    ).toEqual(['coordinates_swapped_likely', 'coordinates_swapped_likely'])
})

test('one coordinate with a decimal comma is not both', () => {
  expect(repairStation(station({ ...good, latitude: '48,1', longitude: '' })).refusal).toEqual({
    code: 'position_unreadable',
    params: { value: '48.1' },
  })
})

test('doubtful repairs are questions, and made if the answer is yes', () => {
  const doubtful = station({ ...good, latitude: 45.5683, longitude: 122.5997, country: 'USA' })
  const repaired = repairStation(doubtful)
  expect(repaired.refusal).toEqual({ code: 'answer_needed', params: { field: 'longitude' } })
  expect(repaired.questions.map(({ rule }) => rule)).toContain('coordinates_sign')

  const done = repairStation(doubtful, { coordinates_sign: true })
  expect(done.refusal).toBeUndefined()
  expect(done.station.site['longitude']).toBe(-122.5997)
  expect(done.repairs.map(({ rule }) => rule)).toContain('coordinates_sign')

  const refused = repairStation(doubtful, {
    coordinates_sign: false,
    country_of_position_likely: false,
  })
  expect(refused.refusal).toEqual({
    code: 'position_outside_country',
    params: { found: 'CHN', stated: 'USA' },
  })
})

test.each([
  [{ ...good, name: '', address: '' }, 'name_and_address_missing'],
  [{ name: 'A', address: 'B' }, 'position_missing'],
  [{ ...good, latitude: 'behind the barn', longitude: '' }, 'position_unreadable'],
  [{ ...good, latitude: 0, longitude: 0 }, 'position_zero'],
  [{ ...good, latitude: 480, longitude: 999 }, 'position_impossible'],
  [{ ...good, latitude: 47.7, longitude: 47.7, country: 'ROU' }, 'position_same'],
  [{ ...good, latitude: 40, longitude: -40, country: 'FRA' }, 'position_at_sea'],
])('a site that cannot be repaired is refused with a reason: %o', (site, code) => {
  expect(repairStation(station(site)).refusal?.code).toBe(code)
})

test.each([
  'Mo-Fr 08:00-18:00',
  'Montag - Freitag 8:00 - 18:00 Uhr',
  'Mo bis Fr 08:00-18:00',
  'lundi-vendredi 8h00-18h00',
  'lun-ven 08:00-18:00',
  'lunes a viernes 08:00-18:00',
  'Monday to Friday 08:00-18:00',
  'Mon-Fri 8.00 - 18.00',
  'Mo-Fr 8-18 Uhr',
  'Mo.–Fr.: 8–18h',
  'Montag bis Freitag von 8 bis 18 Uhr',
  'Du lundi au vendredi de 8h à 18h',
  'lun-ven 8h-18h00',
  'L-V 8:00-18:00',
  'de lunes a viernes, de 8:00 a 18:00 h',
  'Mo-Fr, 08:00-18:00',
  'Montag - Freitag, 8 - 18 Uhr',
  'Mon - Fri 8am to 6:00 p.m.',
  'Lu-Ve 8h-18h',
  'Lu Ma Me Je Ve 8h-18h',
  'Lu au Vi, 8:00 - 18:00',
])('hours are read in four languages: %s', (opening_hours) => {
  const { repairs, station: repaired } = repairStation(station({ ...good, opening_hours }))
  expect(repairs.map(({ rule }) => rule)).toEqual(['hours_read'])
  expect(repaired.site['opening_hours']).toEqual({
    twentyfourseven: false,
    regular_hours: [1, 2, 3, 4, 5].map((weekday) => ({
      weekday,
      period_begin: '08:00',
      period_end: '18:00',
    })),
  })
})

test.each([
  ['täglich 6-22 Uhr', 'Mo-Su 06:00-22:00'],
  ['tous les jours 6h-22h', 'Mo-Su 06:00-22:00'],
  ['L-V 8:00-20:00, S 9:00-14:00', 'Mo-Fr 08:00-20:00; Sa 09:00-14:00'],
  ['Mo-Fr 8-12 und 14-18 Uhr, So geschlossen', 'Mo-Fr 08:00-12:00,14:00-18:00'],
  ['Lu-Ve 8h30-18h, Sa 9h-12h, Di fermé', 'Mo-Fr 08:30-18:00; Sa 09:00-12:00'],
  ['Lu-Di 8h-20h', 'Mo-Su 08:00-20:00'],
  ['Lu-Vi 8:00-14:00; Sá-Do 9:00-13:00', 'Mo-Fr 08:00-14:00; Sa-Su 09:00-13:00'],
  ['Sa-Di 9h-12h', 'Sa-Su 09:00-12:00'],
  ['Di-Do 9-17 Uhr Sa/So 9-12 Uhr', 'Tu-Th 09:00-17:00; Sa-Su 09:00-12:00'],
  ['Mo-Sa 22-6 Uhr', 'Mo-Sa 22:00-06:00'],
  ['9am-5pm daily', 'Mo-Su 09:00-17:00'],
  ['6:30am - 9pm daily', 'Mo-Su 06:30-21:00'],
  ['8am-4:30pm M-F', 'Mo-Fr 08:00-16:30'],
  ['6am-6pm M-F, 8am-4pm Sat', 'Mo-Fr 06:00-18:00; Sa 08:00-16:00'],
  ['8am-6pm M-Sat; 10am-6pm Sun', 'Mo-Sa 08:00-18:00; Su 10:00-18:00'],
  ['8 bis 18 Uhr Mo-Fr', 'Mo-Fr 08:00-18:00'],
  ['24 hours daily', '24/7'],
  ['24 hours daily; for guests', '24/7'],
  ['12am-12pm', 'Mo-Su 00:00-12:00'],
  ['247', '24/7'],
  ['9 to 5', ''],
  ['Mo-Fr 8-18; 2026 Dec 24-26 off', 'Mo-Fr 08:00-18:00; 2026 Dec 24-2026 Dec 26 off'],
])('hours as people write them: %s', (opening_hours, expected) => {
  const { station: repaired } = repairStation(station({ ...good, opening_hours }))
  const hours = repaired.site['opening_hours'] as OpeningHours | undefined
  expect(hours === undefined ? '' : printOsm(hours, 'Europe/Berlin')).toBe(expected)
})

test('a month is not read as a day in another language', () => {
  const opening_hours = 'Mo-Fr 08:00-18:00; 2026 Mar 02 off'
  const { station: repaired, repairs } = repairStation(
    station({ ...good, opening_hours, time_zone: 'Europe/Paris' }),
  )
  expect(repairs.map(({ rule }) => rule)).toEqual(['hours_read'])
  expect(repaired.site['opening_hours']).toMatchObject({
    exceptional_closings: [
      { period_begin: '2026-03-01T23:00:00Z', period_end: '2026-03-02T23:00:00Z' },
    ],
  })
})

test.each(['24/7', '24h/24', '7j/7 24h/24', 'Always', '24 Stunden', '24 horas'])(
  'always open: %s',
  (opening_hours) => {
    const { station: repaired } = repairStation(station({ ...good, opening_hours }))
    expect(repaired.site['opening_hours']).toEqual({ twentyfourseven: true })
  },
)

test.each([
  ['AC_3_PHASE', 'IEC_62196_T2', '400', 22],
  ['AC_1_PHASE', 'DOMESTIC_F', 230, 2.3],
  ['DC', 'IEC_62196_T2_COMBO', 400, 50],
  ['DC', 'CHADEMO', 230, 50],
  ['AC_3_PHASE', 'IEC_62196_T2', 22, 22],
  ['DC', 'IEC_62196_T2_COMBO', 150, 150],
])(
  'a missing power is not a grid voltage: %s %s %s',
  (current_type, standard, voltage, expected) => {
    const known = {
      ...plug,
      kw_rating: undefined,
      standard,
      current_type,
      voltage,
      amperage: 0,
    }
    const { station: repaired } = repairStation(station(good, [known]), {
      power_in_voltage: true,
      power_usual: true,
    })
    expect(repaired.connectors[0]?.['kw_rating']).toBe(expected)
  },
)

test('a station all of whose plugs are unknown is refused; one of several is left out', () => {
  const odd = { ...plug, standard: 'Gardena' }
  expect(repairStation(station(good, [odd])).refusal?.code).toBe('connectors_invalid')
  const { station: repaired, repairs } = repairStation(station(good, [odd, plug]))
  expect(repaired.connectors).toEqual([plug])
  expect(repairs).toEqual([
    { rule: 'connector_left_out', field: 'connectors[0]', before: odd, after: null },
  ])
})

/** Arbitrary values in any field, including ones that feeds send. */
const anything = fc.oneof(
  fc.anything({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.constantFrom(
    null,
    '',
    'null',
    '22,5 kW',
    '48,85 N',
    '48.85, 2.35',
    'POINT(2 48)',
    'yes',
    'nein',
    'FR',
    'CCS',
    'Type 2',
    'AC',
    '24/7',
    'Mo-Fr 08:00-18:00',
    'mailto:a@b.c',
    'Asia/Kuala Lumpur',
    'x'.repeat(700),
    'AVAILABLE',
    'CHARGING',
    '1e400',
    -1,
    1e12,
    [],
    {},
    [null],
    ['APP', 'x'],
    { twentyfourseven: true },
    { regular_hours: [{ weekday: 9 }] },
    '0x10',
    'Infinity',
  ),
)
const valuesOf = (collection: Collection, base: Values) =>
  fc
    .array(fc.tuple(fc.constantFrom(...Object.keys(collection.fields)), anything), { maxLength: 5 })
    .map((values): Values => ({ ...base, ...Object.fromEntries(values) }))

const errorsIn = async (collection: Collection, values: Values): Promise<readonly string[]> => {
  const errors: string[] = []
  const inputs: readonly string[] = inputNames(collection)
  for (const [name, value] of Object.entries(values)) {
    const field = collection.fields[name]
    if (field === undefined || !isValueField(field) || !inputs.includes(name)) {
      errors.push(`${name} is no input`)
      continue
    }
    const reading = readValue(field, value)
    if (reading.error) errors.push(`${name}: ${reading.error.code}`)
    else if (field.kind === 'json') {
      const shape = await readShape(field, reading.value)
      if (shape.error) errors.push(`${name}: ${shape.error.code}`)
    }
  }
  for (const [name, { code }] of findContradictions(
    collection,
    new Map(Object.entries(values) as [string, Value][]),
  ))
    errors.push(`${name}: ${code}`)
  for (const [name, field] of Object.entries(collection.fields))
    if (field.required && !['status', 'business', 'site', 'tax_included'].includes(name))
      if (values[name] === undefined) errors.push(`${name} is missing`)
  return errors
}

/** Whether a value is meaningful. */
const says = (value: unknown): boolean => {
  // Excludes zeros and empty values, which mean nothing in most fields.
  if (typeof value === 'string') return Number(value) !== 0
  if (typeof value === 'number') return value !== 0
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((each) => says(each))
}

test('no value of a site is lost without a report', () => {
  fc.assert(
    fc.property(valuesOf(sites, good), (site) => {
      const { station: repaired, repairs, refusal } = repairStation(station(site))
      fc.pre(refusal === undefined)
      const seen = new Set(repairs.map(({ field }) => field))
      const lost = inputNames(sites).filter(
        // A price is removed with its tariff, which is not in the file.
        (name) => name !== 'tariff' && says(site[name]) && repaired.site[name] === undefined,
      )
      expect(lost.filter((name) => !seen.has(name))).toEqual([])
    }),
    { numRuns: 1000 },
  )
})

test('after the repair of an arbitrary source, every value is valid', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(valuesOf(sites, {}), valuesOf(sites, good)),
      fc.array(fc.oneof(valuesOf(connectors, {}), valuesOf(connectors, plug)), { maxLength: 3 }),
      fc.array(valuesOf(tariffs, {}), { maxLength: 2 }),
      fc.boolean(),
      async (site, all, prices, yes) => {
        const answers = yes
          ? Object.fromEntries(Object.keys(REPAIR_RULES).map((name) => [name, true]))
          : {}
        const repaired = repairStation(
          {
            reference: '',
            site,
            connectors: all,
            tariffs: prices.map((values, index) => ({ reference: `T${index}`, values })),
          },
          answers,
        )
        if (repaired.refusal) return
        expect(await errorsIn(sites, repaired.station.site)).toEqual([])
        for (const values of repaired.station.connectors)
          expect(await errorsIn(connectors, values)).toEqual([])
        for (const { values } of repaired.station.tariffs)
          expect(await errorsIn(tariffs, values)).toEqual([])
      },
    ),
    { numRuns: 500 },
  )
})

test.each(['\u00ad', '\u200b', '\u2063\u3164'])(
  'a name without a visible character (%j) is missing',
  (name) => {
    const { station: repaired, refusal } = repairStation(station({ ...good, name }))
    const { station: unnamed } = repairStation(station({ ...good, name: undefined }))
    expect([refusal, repaired.site['name']]).toEqual([undefined, unnamed.site['name']])
  },
)

test('a price whose maximum is below its minimum is left out, and its station is kept', () => {
  const price = {
    name: 'Night',
    currency: 'EUR',
    elements: [{ price_components: [{ type: 'ENERGY', price: 0.4, step_size: 1 }] }],
    min_price: { before_taxes: 5 },
    max_price: { before_taxes: 1 },
  }
  const {
    station: repaired,
    repairs,
    refusal,
  } = repairStation({
    ...station({ ...good, tariff: 'T1' }),
    tariffs: [{ reference: 'T1', values: price }],
  })
  expect([refusal, repaired.tariffs, repaired.site['tariff']]).toEqual([undefined, [], undefined])
  expect(repairs.map(({ rule }) => rule)).toContain('tariff_left_out')
})

test.each([
  ['spaces inside a number', `1${' '.repeat(200_000)}!`],
  ['brackets that never close', '('.repeat(200_000)],
  ['commas', `${','.repeat(200_000)}x`],
  ['hours', `7/7${'24'.repeat(100_000)}\n`],
  ['letters between digits', `1${'a'.repeat(200_000)}1`],
])('a long text makes its station invalid, and does not block the server: %s', (_, text) => {
  const names = (collection: typeof sites | typeof connectors) =>
    Object.fromEntries(Object.keys(collection.fields).map((name) => [name, text]))
  const listed = Object.fromEntries(Object.keys(sites.fields).map((name) => [name, [text]]))
  const repaired = [names(sites), listed].map((values) =>
    repairStation({ reference: '', site: values, connectors: [names(connectors)], tariffs: [] }),
  )
  for (const { refusal } of repaired) expect(refusal).toBeDefined()
})

test('a long list in opening hours is left out and reported, and does not block the server', () => {
  const hours = {
    twentyfourseven: false,
    regular_hours: Array.from({ length: 1_000_000 }, () => ({})),
  }
  const repaired = repairStation({
    reference: '',
    site: {
      name: 'Town hall',
      address: 'Rathausplatz',
      latitude: 50.9,
      longitude: 6.9,
      opening_hours: hours,
    },
    connectors: [],
    tariffs: [],
  })
  expect(repaired.refusal).toBeUndefined()
  expect(repaired.station.site['opening_hours']).toBeUndefined()
  expect(repaired.repairs).toMatchObject([{ rule: 'hours_partly_read', field: 'opening_hours' }])
})

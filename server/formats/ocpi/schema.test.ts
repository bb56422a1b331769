import { describe, expect, test } from 'vitest'

import { OCPI_VERSIONS, type OcpiVersion } from '#domain/open-data.ts'

import { judgeOcpi } from '../../../tests/support/judges/judges.ts'
import { locationSchema, tariffSchema } from '../../../tests/support/judges/ocpi-schema.ts'

// The OCPI schemas are hand-written for the tests. Here, an example with every field breaks each of their rules once.

const location = (version: OcpiVersion): object => {
  const updated = '2026-11-20T09:30:00Z'
  const image = {
    url: 'https://cpo.example/a.jpg',
    category: 'OPERATOR',
    type: 'jpeg',
    thumbnail: 'https://cpo.example/t.jpg',
    width: 800,
    height: 600,
  }
  const party = { name: 'Operator', website: 'https://cpo.example', logo: image }
  const period = { period_begin: '2026-12-24T23:00:00Z', period_end: '2026-12-25T23:00:00Z' }
  const is230 = version === '2.3.0'
  return {
    country_code: 'BE',
    party_id: 'BEC',
    id: 'LOC1',
    publish: true,
    name: 'Gent Zuid',
    address: 'F.Rooseveltlaan 3A',
    city: 'Gent',
    postal_code: '9000',
    state: 'Vlaanderen',
    country: 'BEL',
    coordinates: { latitude: '51.047599', longitude: '3.729944' },
    parking_type: 'ON_STREET',
    evses: [
      {
        uid: '3256',
        evse_id: 'BE*BEC*E041503001',
        status: 'AVAILABLE',
        capabilities: ['RESERVABLE'],
        connectors: [
          {
            id: '1',
            standard: 'IEC_62196_T2',
            format: 'CABLE',
            power_type: 'AC_3_PHASE',
            max_voltage: 230,
            max_amperage: 16,
            max_electric_power: 11_000,
            tariff_ids: ['11'],
            terms_and_conditions: 'https://cpo.example/terms',
            ...(is230 && { capabilities: ['ISO_15118_2_PLUG_AND_CHARGE'] }),
            last_updated: updated,
          },
        ],
        physical_reference: '1',
        parking_restrictions: ['EV_ONLY'],
        ...(is230 && { parking: [{ parking_id: 'P1' }] }),
        last_updated: updated,
      },
    ],
    ...(is230 && {
      parking_places: [
        {
          id: 'P1',
          vehicle_types: ['PERSONAL_VEHICLE'],
          max_vehicle_height: 200,
          drive_through: false,
          restricted_to_type: false,
          reservation_required: false,
        },
      ],
      help_phone: '+32 9 123 45 67',
    }),
    operator: party,
    owner: party,
    facilities: ['HOTEL'],
    time_zone: 'Europe/Brussels',
    opening_times: {
      twentyfourseven: false,
      regular_hours: [{ weekday: 1, period_begin: '07:00', period_end: '18:00' }],
      exceptional_openings: [period],
      exceptional_closings: [period],
    },
    images: [image],
    last_updated: updated,
  }
}

const tariff = (version: OcpiVersion): object => {
  const limit =
    version === '2.3.0' ? { before_taxes: 0.5, after_taxes: 0.6 } : { excl_vat: 0.5, incl_vat: 0.6 }
  return {
    country_code: 'DE',
    party_id: 'ALL',
    id: '12',
    currency: 'EUR',
    tariff_alt_url: 'https://cpo.example/tariffs/12',
    min_price: limit,
    max_price: limit,
    elements: [
      {
        price_components: [{ type: 'ENERGY', price: 0.25, vat: 10, step_size: 1 }],
        restrictions: {
          start_time: '09:00',
          end_time: '18:00',
          start_date: '2026-01-01',
          end_date: '2026-12-31',
          min_kwh: 1,
          max_kwh: 20.5,
          min_current: 1,
          max_current: 32,
          min_power: 1,
          max_power: 16.05,
          min_duration: 0,
          max_duration: 3600,
          day_of_week: ['MONDAY'],
          reservation: 'RESERVATION',
        },
      },
    ],
    ...(version === '2.3.0' && { tax_included: 'NO' }),
    last_updated: '2026-11-20T09:30:00Z',
  }
}

type Schema = Readonly<Record<string, unknown>>
interface Broken {
  readonly rule: string
  readonly value: unknown
}

/** For every rule of a schema, a value that breaks only this rule. */
const breaks = (schema: Schema, value: unknown, path = ''): Broken[] => {
  const rules: Record<string, () => unknown[]> = {
    type: () => [schema['type'] === 'string' ? 1 : 'text'],
    maxLength: () => [String(value).padEnd(Number(schema['maxLength']) + 1, 'x')],
    pattern: () => ['é'],
    enum: () => ['NOTHING'],
    minimum: () => [Number(schema['minimum']) - 1],
    maximum: () => [Number(schema['maximum']) + 1],
    multipleOf: () => [0.123456],
    minItems: () => [[]],
    additionalProperties: () => [{ ...(value as object), invented: 1 }],
    required: () =>
      (schema['required'] as string[]).map((name) =>
        Object.fromEntries(Object.entries(value as object).filter(([key]) => key !== name)),
      ),
  }
  const own = Object.keys(schema).flatMap((rule) =>
    (rules[rule]?.() ?? []).map((broken, index) => ({
      rule: `${path} ${rule} ${index}`,
      value: broken,
    })),
  )
  const inside = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).flatMap(
    ([name, of]) =>
      breaks(of, (value as Record<string, unknown>)[name], `${path}.${name}`).map((each) => ({
        rule: each.rule,
        value: { ...(value as object), [name]: each.value },
      })),
  )
  const [first] = Array.isArray(value) ? (value as unknown[]) : []
  const items = schema['items'] as Schema | undefined
  const inItems =
    items === undefined
      ? []
      : breaks(items, first, `${path}[]`).map((each) => ({ rule: each.rule, value: [each.value] }))
  return [...own, ...inside, ...inItems]
}

describe.each(OCPI_VERSIONS)('OCPI %s', (version) => {
  test.each([
    ['location', locationSchema(version), location(version)],
    ['tariff', tariffSchema(version), tariff(version)],
  ] as const)('each rule of a %s refuses a value that breaks it', (kind, schema, example) => {
    expect(judgeOcpi(kind, version, example)).toEqual([])
    const broken = breaks(schema, example)
    expect(broken.length).toBeGreaterThan(60)
    const accepted = broken.filter(({ value }) => judgeOcpi(kind, version, value).length === 0)
    expect(accepted.map(({ rule }) => rule)).toEqual([])
  })
})

test('values new in 2.3.0 are refused in 2.2.1', () => {
  expect(judgeOcpi('location', '2.2.1', location('2.3.0'))).not.toEqual([])
  expect(judgeOcpi('tariff', '2.2.1', tariff('2.3.0'))).not.toEqual([])
})

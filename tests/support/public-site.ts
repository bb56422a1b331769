import * as fc from 'fast-check'

import { businesses } from '#domain/business.ts'
import type { Collection } from '#domain/collection.ts'
import { connectors, CURRENT_TYPES, FORMATS, STANDARDS } from '#domain/connector.ts'
import { initialValue, type Field } from '#domain/field.ts'
import {
  PUBLIC_BUSINESS_FIELDS,
  PUBLIC_CONNECTOR_FIELDS,
  PUBLIC_SITE_FIELDS,
  PUBLIC_TARIFF_FIELDS,
  type PublicBusiness,
  type PublicConnector,
  type PublicSite,
  type PublicTariff,
} from '#domain/public-site.ts'
import type { RecordOf } from '#domain/record.ts'
import { sites } from '#domain/site.ts'
import { SITE_ACCESS } from '#domain/site-values.ts'
import { tariffs } from '#domain/tariff.ts'
import { TAX_INCLUDED } from '#domain/tariff-element.ts'

import { hoursIn, ZONES } from './opening-hours.ts'

// Public sites for tests of the outputs: some written by hand, and arbitrary ones that the declarations allow. Fields
// that are not named here have the values of a new record, or arbitrary ones of their kind.

const eachField = <C extends Collection, N extends keyof RecordOf<C> & string, V>(
  { fields }: C,
  names: readonly N[],
  valueOf: (field: Field) => V,
): Record<N, V> =>
  Object.fromEntries(
    names.map((name) => [name, valueOf(fields[name] as Field)] as const),
  ) as Record<N, V>

const blank = <C extends Collection, N extends keyof RecordOf<C> & string>(
  collection: C,
  names: readonly N[],
) => eachField(collection, names, initialValue) as Pick<RecordOf<C>, N>

export const makePublicBusiness = (changes: Partial<PublicBusiness> = {}): PublicBusiness => ({
  ...blank(businesses, PUBLIC_BUSINESS_FIELDS),
  id: 'business0000000',
  name: 'Harbour Lane',
  country_code: 'FR',
  party_id: 'HLH',
  ...changes,
})

export const makePublicConnector = (
  id: string,
  changes: Partial<PublicConnector> = {},
): PublicConnector => ({
  ...blank(connectors, PUBLIC_CONNECTOR_FIELDS),
  id,
  standard: 'IEC_62196_T2',
  format: 'SOCKET',
  current_type: 'AC_3_PHASE',
  kw_rating: 22,
  ...changes,
})

export const makePublicTariff = (
  id: string,
  changes: Partial<PublicTariff> = {},
): PublicTariff => ({
  ...blank(tariffs, PUBLIC_TARIFF_FIELDS),
  id,
  currency: 'EUR',
  elements: [{ price_components: [{ type: 'ENERGY', price: 0.59, vat: 20, step_size: 1 }] }],
  ...changes,
})

/** A site that every output includes. */
export const makePublicSite = (changes: Partial<PublicSite> = {}): PublicSite => ({
  // First, as the server writes it.
  id: 'site00000000000',
  ...blank(sites, PUBLIC_SITE_FIELDS),
  name: 'Harbour Lane Quay',
  address: '12 Quai des Belges',
  city: 'Marseille',
  postal_code: '13001',
  country: 'FRA',
  latitude: 43.29537,
  longitude: 5.37428,
  time_zone: 'Europe/Paris',
  vehicle_capacity: 2,
  opening_hours: { twentyfourseven: true },
  access: 'PUBLIC',
  payment: ['APP', 'CREDIT_CARD_PAYABLE'],
  parking_type: 'PARKING_LOT',
  contact_email: 'hello@harbour.example',
  business: makePublicBusiness(),
  connectors: [makePublicConnector('connector000001')],
  tariffs: [],
  updated: '2026-11-20 09:30:00.000Z',
  ...changes,
})

/** Realistic texts and malicious ones. */
const text = (max: number) =>
  fc
    .oneof(
      fc.constantFrom(
        'Zoë’s Café',
        '=1+1',
        '@home',
        '-5',
        'a "quoted", b;c',
        '<b>&amp;</b>',
        '東京駅',
      ),
      fc.string({ maxLength: max }),
    )
    .map((value) =>
      Array.from(
        value
          // oxlint-disable-next-line no-control-regex
          .replaceAll(/[\u0000-\u001f\u007f\ufffe\uffff]/g, ' ')
          .trim(),
      )
        .slice(0, max)
        .join('')
        .trim(),
    )
const filled = (max: number) => text(max).map((value) => value || 'x')
const orNone = <T>(arbitrary: fc.Arbitrary<T>, none: T) =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(none) }, { weight: 2, arbitrary })
const choice = <T extends string>(values: readonly T[]) =>
  orNone<T | ''>(fc.constantFrom(...values), '')
const someOf = <T>(values: readonly T[]) => fc.subarray([...values])
const degrees = (limit: number) =>
  fc.integer({ min: -limit * 1e6, max: limit * 1e6 }).map((millionths) => millionths / 1e6)
/** An arbitrary value of a field's kind; the initial one if it depends on other data. */
const anyValue = (field: Field): fc.Arbitrary<unknown> => {
  switch (field.kind) {
    case 'bool':
      return fc.boolean()
    case 'number':
      return fc.constantFrom(0, Math.max(field.above ?? 0, field.min ?? 0) + 1)
    case 'select':
      return field.maxCount === undefined ? choice(field.values) : someOf(field.values)
    case 'text':
      return field.format === undefined
        ? choice(['Zoë’s Café', '=1+1', 'a "quoted", b'].filter((each) => each.length <= field.max))
        : choice([field.format.example])
    default:
      return fc.constant(initialValue(field))
  }
}
/** Arbitrary values of all public fields. */
const anyValues = <C extends Collection, N extends keyof RecordOf<C> & string>(
  collection: C,
  names: readonly N[],
) =>
  eachField(collection, names, anyValue) as {
    readonly [Name in N]: fc.Arbitrary<RecordOf<C>[Name]>
  }
const phone = orNone(fc.constantFrom('+33 1 23 45 67 89', '0800 123', '112'), '')

const connector = (id: string): fc.Arbitrary<PublicConnector> =>
  fc
    .record({
      ...anyValues(connectors, PUBLIC_CONNECTOR_FIELDS),
      standard: fc.constantFrom(...STANDARDS),
      format: fc.constantFrom(...FORMATS),
      current_type: fc.constantFrom(...CURRENT_TYPES),
      kw_rating: fc.constantFrom(2.3, 3.7, 7.4, 11, 22, 43, 50, 62.5, 150, 350),
      tariff: fc.constantFrom('', 'tariff000000001'),
      reference: choice(['R-1', 'R-2', '=REF']),
      evse: choice(['A', 'B', 'a long name of a charge point']),
      evse_id: choice(['FR*ABC*E123', 'FRABCE124']),
      voltage: fc.constantFrom(0, 230, 400, 920),
      amperage: fc.constantFrom(0, 16, 32, 125.5),
    })
    .map((values) => ({ id, ...values }))

const price = fc.constantFrom(0, 0.25, 0.59, 12.3456)
export const publicTariffs: fc.Arbitrary<PublicTariff> = fc
  .record({
    currency: fc.constantFrom('EUR', 'CHF'),
    tax_included: fc.constantFrom(...TAX_INCLUDED),
    vat: fc.constantFrom(undefined, 20),
    energy: price,
    parking: price,
    current: fc.constantFrom(undefined, 'AC' as const, 'DC' as const),
    limit: fc.constantFrom(null, { before_taxes: 1 }, { before_taxes: 1, after_taxes: 1.2 }),
    url: choice(['https://harbour.example/prices']),
  })
  .map(({ currency, tax_included, vat, energy, parking, current, limit, url }) => {
    const priced = (type: 'ENERGY' | 'PARKING_TIME', value: number) => ({
      price_components: [{ type, price: value, step_size: 1, ...(vat !== undefined && { vat }) }],
    })
    return makePublicTariff('tariff000000001', {
      currency,
      tax_included,
      elements: [
        {
          ...priced('ENERGY', energy),
          ...(current !== undefined && { restrictions: { current } }),
        },
        { ...priced('PARKING_TIME', parking), restrictions: { min_duration: 2700 } },
      ],
      min_price: limit,
      url,
    })
  })

/** An arbitrary business with an OCPI party. */
const business: fc.Arbitrary<PublicBusiness> = fc.record({
  ...anyValues(businesses, PUBLIC_BUSINESS_FIELDS),
  id: fc.constant('business0000000'),
  name: filled(200),
  logo: choice(['logo.png']),
  website: choice(['https://harbour.example/?a=1&b=2']),
  legal_name: text(200),
  phone,
  country_code: fc.constant('FR'),
  party_id: fc.constant('HLH'),
  licence: fc.constantFrom(...businesses.fields.licence.values),
})

/** An arbitrary public site that every output includes. */
export const publicSites: fc.Arbitrary<PublicSite> = fc
  .tuple(
    fc.constantFrom(...ZONES).chain((zone) => fc.tuple(fc.constant(zone), hoursIn(zone))),
    fc.tuple(
      connector('connector000001'),
      connector('connector000002'),
      connector('connector000003'),
    ),
    fc.integer({ min: 1, max: 3 }),
    publicTariffs,
    fc.record({
      ...anyValues(sites, PUBLIC_SITE_FIELDS),
      id: fc
        .integer({ min: 0, max: 9_999_999 })
        .map((number) => `site${String(number).padStart(11, '0')}`),
      name: filled(200),
      address: filled(500),
      city: filled(100),
      postal_code: text(20),
      state: text(100),
      country: fc.constantFrom('FRA', 'REU'),
      latitude: degrees(90),
      longitude: degrees(180),
      status: fc.constantFrom(...sites.fields.status.values.filter((each) => each !== 'REMOVED')),
      photos: fc.constantFrom<string[]>([], ['a.jpg', 'b.png']),
      photo_categories: fc.constantFrom(null, { 'a.jpg': 'ENTRANCE' as const }),
      vehicle_capacity: fc.integer({ min: 0, max: 20 }),
      cost: text(200),
      tariff: fc.constantFrom('', 'tariff000000001'),
      access: fc.constantFrom(...SITE_ACCESS),
      payment: someOf(sites.fields.payment.values).filter((all) => all.length > 0),
      parking_type: fc.constantFrom(...sites.fields.parking_type.values),
      max_height_m: fc.constantFrom(0, 2, 2.35),
      contact_email: fc.constant('hello@harbour.example'),
      contact_phone: phone,
      reference: choice(['FRHLHP123', 'our own 7', '=2']),
      confirmed: fc.constantFrom('', '2026-10-01 00:00:00.000Z'),
      business,
      updated: fc.constantFrom('2026-11-20 09:30:00.000Z', '2025-01-02 03:04:05.678Z'),
    }),
  )
  .map(([[time_zone, opening_hours], all, count, tariff, values]) => {
    const own = all.slice(0, count)
    const isNamed = values.tariff !== '' || own.some((each) => each.tariff !== '')
    return {
      ...values,
      time_zone,
      opening_hours,
      connectors: own,
      tariffs: isNamed ? [tariff] : [],
    }
  })

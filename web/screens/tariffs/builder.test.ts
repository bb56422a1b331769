import { describe, expect, test } from 'vitest'

import { FREE, type TariffElement } from '#domain/tariff-element.ts'
import { tariffElementsSchema } from '#domain/tariff-schema.ts'
import {
  blankPart,
  buildOf,
  limitText,
  readBuild,
  readLimit,
  unsupportedRestrictions,
  type Part,
} from './builder.ts'

const build = (...parts: readonly Partial<Part>[]) => ({
  isFree: false,
  vat: '',
  parts: parts.map((part, key) => ({ ...blankPart(key), ...part })),
})
const component = (
  type: 'ENERGY' | 'TIME' | 'PARKING_TIME' | 'FLAT',
  price: number,
  more = {},
) => ({
  type,
  price,
  step_size: 1,
  ...more,
})

test.each<[said: string, parts: readonly Partial<Part>[], elements: readonly TariffElement[]]>([
  [
    'all amounts',
    [{ energy: '0,59', time: '0.10', idle: '0.2', flat: '1' }],
    [
      {
        price_components: [
          component('ENERGY', 0.59),
          component('FLAT', 1),
          component('TIME', 6),
          component('PARKING_TIME', 12),
        ],
      },
    ],
  ],
  [
    'a price per hour',
    [{ time: '2', timeUnit: 'hour' }],
    [{ price_components: [component('TIME', 2)] }],
  ],
  [
    'all conditions',
    [
      {
        energy: '0.39',
        current: 'DC',
        standards: ['CHADEMO'],
        from: '22:00',
        until: '06:00',
        days: ['SUNDAY', 'MONDAY'],
        minMinutes: '45',
        maxMinutes: '90',
        minKwh: '1,5',
        maxKwh: '20',
        minKw: '50',
        maxKw: '150',
      },
    ],
    [
      {
        price_components: [component('ENERGY', 0.39)],
        restrictions: {
          start_time: '22:00',
          end_time: '06:00',
          day_of_week: ['MONDAY', 'SUNDAY'],
          min_duration: 2700,
          max_duration: 5400,
          min_kwh: 1.5,
          max_kwh: 20,
          min_power: 50,
          max_power: 150,
          current: 'DC',
          standards: ['CHADEMO'],
        },
      },
    ],
  ],
  [
    'a part without a price, which is none',
    [{ current: 'DC' }, { energy: '1' }],
    [{ price_components: [component('ENERGY', 1)] }],
  ],
])('the form words %s', (_, parts, elements) => {
  expect(readBuild(build(...parts))).toEqual({ elements, wrong: [] })
  expect(tariffElementsSchema.parse(elements)).toEqual(elements)
})

test('free is one FLAT of 0', () => {
  expect(readBuild({ ...build({ energy: '1' }), isFree: true }).elements).toEqual(FREE)
  expect(buildOf(FREE, 'EUR', 'en')).toMatchObject({ isFree: true })
})

test('VAT applies to every price', () => {
  const { elements } = readBuild({ ...build({ energy: '0.5', flat: '1' }), vat: '19' })
  expect(elements[0]?.price_components.map(({ vat }) => vat)).toEqual([19, 19])
})

test('a text that is not a number is reported', () => {
  const { wrong } = readBuild({
    ...build({ energy: 'much' }, { minKw: '-1', flat: '1' }),
    vat: 'x',
  })
  expect(wrong).toEqual([
    { part: -1, name: 'vat' },
    { part: 0, name: 'energy' },
    { part: 1, name: 'minKw' },
  ])
})

/** Parts of an imported tariff that the form cannot show. */
const IMPORTED: readonly TariffElement[] = [
  {
    price_components: [component('TIME', 5, { vat: 20, step_size: 300 })],
    restrictions: { reservation: 'RESERVATION', min_current: 16, start_date: '2026-01-01' },
  },
  {
    price_components: [
      component('ENERGY', 0.491667, { vat: 5.5, step_size: 500 }),
      component('PARKING_TIME', 0.07),
      component('ENERGY', 9),
    ],
    restrictions: { min_duration: 90, end_date: '2027-01-01', max_current: 32 },
  },
]

describe('an imported tariff', () => {
  test.each(['en', 'de', 'fr', 'es'])('leaves the form unchanged, in %s', (locale) => {
    expect(readBuild(buildOf(IMPORTED, 'EUR', locale))).toEqual({ elements: IMPORTED, wrong: [] })
  })

  test('keeps the parts that the form cannot show when others are changed', () => {
    const before = buildOf(IMPORTED, 'EUR', 'en')
    const parts = before.parts.map((part, index) =>
      index === 1 ? { ...part, energy: '0.5' } : part,
    )
    const { elements } = readBuild({ ...before, parts })
    expect(elements[0]).toEqual(IMPORTED[0])
    expect(elements[1]).toEqual({
      price_components: [
        component('ENERGY', 0.5, { vat: 5.5, step_size: 500 }),
        component('PARKING_TIME', 0.07),
        component('ENERGY', 9),
      ],
      restrictions: IMPORTED[1]?.restrictions,
    })
    expect(before.parts.map(unsupportedRestrictions)).toEqual([
      IMPORTED[0]?.restrictions,
      { end_date: '2027-01-01', max_current: 32 },
    ])
  })
})

test.each([
  ['', 'YES', '20', null],
  ['1,20', 'YES', '20', { before_taxes: 1, after_taxes: 1.2 }],
  ['1', 'NO', '20', { before_taxes: 1, after_taxes: 1.2 }],
  ['1', 'N/A', '', { before_taxes: 1 }],
  ['much', 'YES', '', 'much'],
] as const)('the limit %j with taxes %s of %j is %j', (text, taxes, vat, limit) => {
  expect(readLimit(text, taxes, vat)).toEqual(limit)
})

test.each([
  [{ before_taxes: 1, after_taxes: 1.2 }, 'YES', '1,2'],
  [{ before_taxes: 1, after_taxes: 1.2 }, 'NO', '1'],
  [{ before_taxes: 1 }, 'YES', '1'],
  [null, 'YES', ''],
] as const)('the limit %j with taxes %s is formatted as %j', (limit, taxes, text) => {
  expect(limitText(limit, taxes, 'de')).toBe(text)
})

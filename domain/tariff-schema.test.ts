import { expect, test } from 'vitest'

import { FREE, isFree } from './tariff-element.ts'
import { priceLimitSchema, tariffElementsSchema } from './tariff-schema.ts'

const component = (more: object) => [
  { price_components: [{ type: 'ENERGY', price: 0.5, step_size: 1, ...more }] },
]
const restricted = (restrictions: object) => [{ ...FREE[0], restrictions }]

test.each([
  ['free', FREE],
  ['all of a component', component({ vat: 5.2 })],
  ['a price without VAT of a feed', component({ price: 0.491667 })],
  ['no restriction', restricted({})],
  [
    'every restriction',
    restricted({
      start_time: '00:00',
      end_time: '23:59',
      start_date: '2026-01-01',
      end_date: '2026-12-31',
      min_kwh: 0,
      max_kwh: 50.5,
      min_current: 6,
      max_current: 32,
      min_power: 3.7,
      max_power: 350,
      min_duration: 60,
      max_duration: 3600,
      day_of_week: ['MONDAY', 'SUNDAY'],
      reservation: 'RESERVATION_EXPIRES',
      current: 'DC',
      standards: ['CHADEMO'],
    }),
  ],
])('elements may have %s, and are read unchanged', (_, elements) => {
  expect(tariffElementsSchema.parse(elements)).toEqual(elements)
})

test.each([
  ['no element', [], ''],
  ['no list', {}, ''],
  ['an element without a price', [{ price_components: [] }], '0.price_components'],
  ['51 elements', Array.from({ length: 51 }, () => FREE[0]), ''],
  ['another dimension', component({ type: 'SPEED' }), '0.price_components.0.type'],
  ['a negative price', component({ price: -0.01 }), '0.price_components.0.price'],
  ['a price in text', component({ price: '0.5' }), '0.price_components.0.price'],
  ['seven decimals', component({ price: 0.1234567 }), '0.price_components.0.price'],
  ['101 % VAT', component({ vat: 101 }), '0.price_components.0.vat'],
  ['half a step', component({ step_size: 0.5 }), '0.price_components.0.step_size'],
  ['a property of its own', component({ tax: 1 }), '0.price_components.0'],
  ['a time past midnight', restricted({ end_time: '24:00' }), '0.restrictions.end_time'],
  ['a day that is none', restricted({ start_date: '2026-02-30' }), '0.restrictions.start_date'],
  ['no day', restricted({ day_of_week: [] }), '0.restrictions.day_of_week'],
  ['a day twice', restricted({ day_of_week: ['MONDAY', 'MONDAY'] }), '0.restrictions.day_of_week'],
  ['another plug', restricted({ standards: ['SCHUKO'] }), '0.restrictions.standards.0'],
])('elements may not have %s', (_, elements, where) => {
  const { error } = tariffElementsSchema.safeParse(elements)
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([where])
})

test('a limit requires the price before taxes', () => {
  expect(priceLimitSchema.safeParse({ before_taxes: 1, after_taxes: 1.2 }).success).toBe(true)
  expect(priceLimitSchema.safeParse({ after_taxes: 1.2 }).success).toBe(false)
})

test.each([
  [{ elements: FREE }, true],
  [{ elements: FREE, min_price: { before_taxes: 1 } }, false],
  [{ elements: tariffElementsSchema.parse(component({})) }, false],
])('%j is free: %s', (prices, free) => {
  expect(isFree({ tax_included: 'YES', ...prices })).toBe(free)
})

import { expect, test } from 'vitest'

import { isUnusualPrice } from './unusual-price.ts'

test.each([
  ['ENERGY', 49, 'EUR', true],
  ['ENERGY', 0.99, 'EUR', false],
  ['ENERGY', 450, 'SEK', true],
  ['ENERGY', 8, 'SEK', false],
  ['ENERGY', 300, 'HUF', false],
  ['TIME', 600, 'EUR', true],
  ['PARKING_TIME', 60, 'EUR', false],
  ['FLAT', 150, 'GBP', true],
  // The rough value of this currency is unknown.
  ['ENERGY', 20_000, 'LBP', false],
] as const)('%s of %f %s is unusual: %s', (type, price, currency, isUnusual) => {
  expect(isUnusualPrice(type, price, currency)).toBe(isUnusual)
})

import { expect, test } from 'vitest'

import { estimate, median, percentile, swing } from './stats.ts'

test('the median is the middle value', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(() => median([])).toThrow('nothing')
})

test('a percentile is by nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
  expect([0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 99, 100])
  expect(percentile([7], 0.99)).toBe(7)
})

test('the interval of a median has 95 % confidence, and is infinite for too few values', () => {
  // 2 * (1/2)^7 = 1.6 % lie outside all seven; without the two outermost it would be 12.5 %.
  expect(estimate([3, 1, 2, 7, 5, 4, 6])).toEqual({ value: 4, low: 1, high: 7 })
  // The first count at which the outermost two may be left out: 2 * (1 + 9) / 2^9 = 3.9 %.
  expect(estimate([1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual({ value: 5, low: 2, high: 8 })
  expect(estimate([1, 2, 3, 4, 5])).toEqual({ value: 3, low: -Infinity, high: Infinity })
})

test('the swing is the largest value divided by the smallest', () => {
  expect(swing([200, 500, 300])).toBe(2.5)
})

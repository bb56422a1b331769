import { expect, test } from 'vitest'

import { formatDecimal, parseDecimal } from './decimal.ts'

test.each([
  ['7.4', 7.4],
  ['7,4', 7.4],
  [' 7,4 ', 7.4],
  ['22', 22],
  ['-6,65', -6.65],
  ['−6.65', -6.65],
  ['.5', 0.5],
  ['1.234,5', 1234.5],
  ['1,234.5', 1234.5],
  ['1.234.567', 1234567],
  ['1 234,5', 1234.5],
  ['1.234', 1.234],
  ['1,234', 1.234],
  ['0,74', 0.74],
  ['740', 740],
  ['+7,4', 7.4],
  ['7,', 7],
  ["1'234.5", 1234.5],
  ['1\u202f234,5', 1234.5],
  ['1\u00a0234,5', 1234.5],
  ['1.234.567,8', 1234567.8],
])('parses %j as %d', (input, value) => {
  expect(parseDecimal(input)).toBe(value)
})

test.each(['', '-', 'abc', '7,4 kW', '1,2,3', '1.2.3', '12.34,5', ',', '1e5', '٣'])(
  'rejects %j',
  (input) => {
    expect(parseDecimal(input)).toBeUndefined()
  },
)

test('a formatted number parses to itself in every language', () => {
  for (const locale of ['en', 'de', 'fr', 'es']) {
    for (const value of [7.4, 1234.5, 55.2043999, -6.6531, 0, 3.7, 55.20439991234567, 1e-7]) {
      expect(parseDecimal(formatDecimal(value, locale))).toBe(value)
    }
  }
})

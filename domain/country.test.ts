import { expect, test } from 'vitest'

import { alpha2Of, alpha3Of, COUNTRIES } from './country.ts'

test('every country has a unique name and code', () => {
  const named = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  expect(COUNTRIES.filter((code) => named.of(alpha2Of(code)) === undefined)).toEqual([])
  expect(new Set(COUNTRIES).size).toBe(COUNTRIES.length)
  expect(COUNTRIES.filter((code) => alpha3Of(alpha2Of(code)) !== code)).toEqual([])
})

test.each([
  ['de', 'DEU'],
  ['GB', 'GBR'],
  ['xx', ''],
  ['', ''],
])('%s is %s', (alpha2, alpha3) => {
  expect(alpha3Of(alpha2)).toBe(alpha3)
})

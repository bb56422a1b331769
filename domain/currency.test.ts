import { expect, test } from 'vitest'

import { aboutAsMuch, currencyOf, offeredCurrency } from './currency.ts'

test.each([
  ['GB', 'GBP'],
  ['DE', 'EUR'],
  ['CH', 'CHF'],
  ['US', 'USD'],
  ['HR', 'EUR'],
  ['ZZ', undefined],
  [undefined, undefined],
])('the currency of %s is %s', (country, currency) => {
  expect(currencyOf(country)).toBe(currency)
})

test('Intl knows every currency, and every country has one', () => {
  const known = new Set(Intl.supportedValuesOf('currency'))
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index))
  const codes = letters.flatMap((one) => letters.map((other) => one + other))
  const named = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  // Antarctica, groups of countries, and reserved or withdrawn codes.
  const without = new Set(
    'AC AN AQ BU CP CQ CS DD DG EA EU EZ FX IC NH NT QO QU RH SU TA TP UK UN VD XA XB YD YU ZR ZZ DY HV'.split(
      ' ',
    ),
  )
  const missing = codes.filter(
    (code) =>
      named.of(code) !== undefined && !without.has(code) && !known.has(currencyOf(code) ?? ''),
  )
  expect(missing).toEqual([])
})

test.each([
  ['the chosen one', { chosen: 'SEK', sites: ['CHE', 'CHE'] }, 'SEK'],
  ['that of most sites', { sites: ['CHE', 'DEU', '', 'CHE'] }, 'CHF'],
  ['that of most sites, of any country', { sites: ['CHE', 'DEU', 'FRA', 'CHE', 'ITA'] }, 'EUR'],
  ['that of the first known country', { sites: ['', 'ZZZ'], otherwise: ['', 'PL', 'US'] }, 'PLN'],
  ['the euro', {}, 'EUR'],
])('the currency of a new price is %s', (_which, offer, currency) => {
  expect(offeredCurrency({ chosen: undefined, sites: [], otherwise: [], ...offer })).toBe(currency)
})

test('an example has a realistic amount', () => {
  expect(aboutAsMuch(0.45, 'GBP')).toBe(0.45)
  expect(aboutAsMuch(3, 'SEK')).toBe(30)
  expect(aboutAsMuch(3, 'JPY')).toBe(300)
})

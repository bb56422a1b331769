import { expect, test } from 'vitest'

import { holidaysFrom } from './holidays.ts'

// The rules were compared with the npm library date-holidays for 2026 to 2040.

test('of France, within a year from any day', () => {
  expect(holidaysFrom('FRA', '2026-11-12')).toEqual([
    '2026-12-25',
    '2027-01-01',
    '2027-03-29',
    '2027-05-01',
    '2027-05-06',
    '2027-05-08',
    '2027-05-17',
    '2027-07-14',
    '2027-08-15',
    '2027-11-01',
    '2027-11-11',
  ])
})

test.each([
  ['Easter Monday in March', 'DEU', '2027-03-29'],
  ['Easter Monday as late as it can be', 'DEU', '2038-04-26'],
  ['Midsummer Day on a Saturday', 'SWE', '2027-06-26'],
  ["the King's Day", 'NLD', '2027-04-27'],
  ["the King's Day a day early, before a Sunday", 'NLD', '2031-04-26'],
])('%s', (_, country, day) => {
  expect(holidaysFrom(country, `${day.slice(0, 4)}-01-01`)).toContain(day)
})

test('a country without declared rules has none', () => {
  expect(holidaysFrom('XXX', '2026-01-01')).toEqual([])
})

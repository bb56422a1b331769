import { expect, test } from 'vitest'

import { placeAt } from './place.ts'

test.each([
  ['Portrush', 55.2044, -6.6531, 'Europe/London', 'GBR'],
  ['a pier at Agde', 43.27, 3.5, 'Europe/Paris', 'FRA'],
  ['the Rhine at Strasbourg', 48.57, 7.79, 'Europe/Paris', 'FRA'],
  ['Kaliningrad, near Lithuania', 54.99, 21.9, 'Europe/Kaliningrad', 'RUS'],
  ['Uzhhorod, near Slovakia', 48.6, 22.2, 'Europe/Kyiv', 'UKR'],
  ['Gran Canaria', 28.1, -15.4, 'Atlantic/Canary', 'ESP'],
  ['Réunion', -20.88, 55.45, 'Indian/Reunion', 'REU'],
  ['Hong Kong', 22.3, 114.17, 'Asia/Hong_Kong', 'HKG'],
  ['Delhi', 28.6, 77.2, 'Asia/Kolkata', 'IND'],
  ['Pristina', 42.66, 21.16, 'Europe/Belgrade', 'XKK'],
  ['Denver', 39.74, -104.99, 'America/Denver', 'USA'],
  ['Taveuni, east of 180°', -16.8, -179.99, 'Pacific/Fiji', 'FJI'],
  ['the North Sea', 56, 3, '', ''],
  ['the Gulf of Guinea, where positions that are missing lie', 0, 0, '', ''],
  ['the North Pole', 90, 0, '', ''],
])('%s', async (_place, latitude, longitude, timeZone, country) => {
  expect(await placeAt(latitude, longitude)).toEqual({ timeZone, country })
})

test('every position has both a time zone and a country, or neither', async () => {
  for (let latitude = -90; latitude <= 90; latitude += 7.5)
    for (let longitude = -180; longitude <= 180; longitude += 7.5) {
      const { timeZone, country } = await placeAt(latitude, longitude)
      expect([latitude, longitude, timeZone === '']).toEqual([latitude, longitude, country === ''])
    }
})

import { expect, test } from 'vitest'

import { isMapLink, isShortMapLink } from '#domain/map-link.ts'
import { parseCoordinates } from './coordinates.ts'

test.each([
  ['55.204, -6.653', 55.204, -6.653],
  ['55.204,-6.653', 55.204, -6.653],
  ['55.204 -6.653', 55.204, -6.653],
  ['(55.204, -6.653)', 55.204, -6.653],
  ['[55.204; -6.653]', 55.204, -6.653],
  ['55.204, −6.653', 55.204, -6.653],
  ['55,204; -6,653', 55.204, -6.653],
  ['55,204 -6,653', 55.204, -6.653],
  ['55,204, -6,653', 55.204, -6.653],
  ['55.204°, -6.653°', 55.204, -6.653],
  ['-122.4, 37.8', 37.8, -122.4],
  ['N55.2 W6.6', 55.2, -6.6],
  ['6.6 W, 55.2 N', 55.2, -6.6],
  ['48.8 N 2.3 O', 48.8, -2.3],
  [
    'https://www.google.com/maps/place/Quay/@55.2,-6.6,17z/data=!3m1!8m2!3d55.204!4d-6.653',
    55.204,
    -6.653,
  ],
  ['https://www.google.com/maps/@55.204,-6.653,17z', 55.204, -6.653],
  ['https://maps.google.com/?q=55.204,-6.653', 55.204, -6.653],
  ['https://www.google.com/maps/search/?api=1&query=55.204%2C-6.653', 55.204, -6.653],
  ['https://maps.apple.com/?ll=55.204,-6.653&q=Quay', 55.204, -6.653],
  ['https://maps.apple.com/place?coordinate=55.204,-6.653', 55.204, -6.653],
  ['https://www.openstreetmap.org/#map=17/55.204/-6.653', 55.204, -6.653],
  ['https://www.openstreetmap.org/?mlat=55.204&mlon=-6.653#map=17/1/1', 55.204, -6.653],
  ['geo:55.204,-6.653', 55.204, -6.653],
  ['geo:0,0?q=55.204,-6.653', 55.204, -6.653],
  ['+55.204 -6.653', 55.204, -6.653],
  ['55.204\u00a0-6.653', 55.204, -6.653],
  ['55,204 | −6,653', 55.204, -6.653],
  ['-6,653 W 55,204 N', 55.204, -6.653],
  ['Quay https://www.google.com/maps/@55.204,-6.653,17z', 55.204, -6.653],
  ['www.google.com/maps/@55.204,-6.653,17z', 55.204, -6.653],
  ['https://www.google.de/maps/dir//55.204,-6.653/@55.1,-6.6,12z', 55.204, -6.653],
  ['https://www.google.com/maps/search/55.204,+-6.653?entry=tts', 55.204, -6.653],
  ['https://www.google.com/maps?ll=55.204,-6.653&z=17', 55.204, -6.653],
  ['https://maps.google.com/maps?q=loc:55.204,-6.653', 55.204, -6.653],
  ['maps.apple.com/?address=Quay&ll=55.204,-6.653', 55.204, -6.653],
  ['https://maps.apple.com/?q=55.204,-6.653', 55.204, -6.653],
  ['https://www.openstreetmap.org/node/1#map=19/55.20400/-6.65300&layers=N', 55.204, -6.653],
  ['openstreetmap.org/?mlat=55.204&mlon=-6.653', 55.204, -6.653],
  ['https://www.bing.com/maps?cp=55.204%7E-6.653&lvl=16', 55.204, -6.653],
])('reads %j', (input, latitude, longitude) => {
  expect(parseCoordinates(input)).toEqual({ latitude, longitude })
})

test.each([
  `55°12'14.4"N 6°39'10.8"W`,
  `55° 12′ 14.4″ N, 6° 39′ 10.8″ W`,
  `N 55° 12.24' W 6° 39.18'`,
  `55°12'14,4"N; 6°39'10,8"O`,
  `55º12’14.4”N 6º39’10.8”W`,
])('parses degrees, minutes and seconds: %s', (input) => {
  const place = parseCoordinates(input)
  expect(place?.latitude).toBeCloseTo(55.204, 6)
  expect(place?.longitude).toBeCloseTo(-6.653, 6)
})

test.each([
  '',
  '55.204',
  '55,2',
  '55,204',
  '-6,65',
  '12 Quay Street, Portrush',
  '99, 200',
  '95, 95',
  'N55 N6',
  'https://example.com/',
  'https://www.google.com/maps/place/Quay+Street',
  '12, 14 Quay Street',
  '60311 Frankfurt',
  '55.204, -6.653, 12',
])('finds no coordinates in %j', (input) => {
  expect(parseCoordinates(input)).toBeUndefined()
})

test('recognises short links, which do not contain the coordinates', () => {
  expect(isShortMapLink('https://maps.app.goo.gl/AbC123')).toBe(true)
  expect(isShortMapLink('Harbour Lane Quay\nhttps://maps.app.goo.gl/AbC123?g_st=ic')).toBe(true)
  expect(isShortMapLink('https://maps.apple/p/AbC')).toBe(true)
  expect(isShortMapLink('https://www.google.com/maps/@55.204,-6.653,17z')).toBe(false)
})

test('distinguishes a link from an address', () => {
  expect(isMapLink('https://www.google.com/maps/place/Quay+Street')).toBe(true)
  expect(isMapLink('maps.apple.com/?q=Quay')).toBe(true)
  expect(isMapLink('12 Quay Street, Portrush')).toBe(false)
  expect(isMapLink('Maps. Street 4')).toBe(false)
})

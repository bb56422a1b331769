import { expect, test } from 'vitest'

import { deviceMapLink, mapLink } from './map-link.ts'

const place = { name: 'Quay & Pier', latitude: 55.2044, longitude: -6.6531 }
const OSM = 'https://www.openstreetmap.org/?mlat=55.2044&mlon=-6.6531#map=17/55.2044/-6.6531'

test.each([
  [
    'Mozilla/5.0 (Linux; Android 16; Pixel 9)',
    5,
    'geo:55.2044,-6.6531?q=55.2044,-6.6531(Quay%20%26%20Pier)',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)',
    5,
    'https://maps.apple.com/?ll=55.2044,-6.6531&q=Quay%20%26%20Pier',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
    5,
    'https://maps.apple.com/?ll=55.2044,-6.6531&q=Quay%20%26%20Pier',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, OSM],
  ['Mozilla/5.0 (X11; Linux x86_64)', 0, OSM],
])('a place opens in the map app of %s with %d touch points', (userAgent, maxTouchPoints, link) => {
  expect(deviceMapLink(place, { userAgent, maxTouchPoints })).toBe(link)
})

test('a shared link opens on every device', () => {
  expect(mapLink(place)).toBe(OSM)
})

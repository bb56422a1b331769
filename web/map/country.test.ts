import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'

import { countryAt, readCountries } from './country.ts'
import type { Topology } from './topology.ts'

const file = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json')
const countries = readCountries(JSON.parse(await readFile(file, 'utf8')) as Topology)

test.each([
  ['London', 51.5074, -0.1278, 'GB'],
  ['Portrush', 55.2044, -6.6531, 'GB'],
  ['Dublin', 53.3498, -6.2603, 'IE'],
  ['Nantes', 47.2175, -1.5418, 'FR'],
  ['Zurich', 47.3769, 8.5417, 'CH'],
  ['Tokyo', 35.6764, 139.65, 'JP'],
  // At the latitudes where Russia and Fiji cross the antimeridian.
  ['Bodø', 67.28, 14.4, 'NO'],
  ['Rovaniemi', 66.5, 25.73, 'FI'],
  ['Luleå', 65.58, 22.15, 'SE'],
  ['Akureyri', 65.68, -18.09, 'IS'],
  ['Sisimiut', 66.94, -53.67, 'GL'],
  ['Salekhard', 66.53, 66.6, 'RU'],
  ['Egvekinot, beyond the antimeridian', 66.32, -179.1, 'RU'],
  ['Nome', 64.5, -165.4, 'US'],
  ['Arequipa', -16.4, -71.5, 'PE'],
  ['Labasa', -16.43, 179.37, 'FJ'],
  ['Taveuni, beyond the antimeridian', -16.8, -179.97, 'FJ'],
  ['the South Pole', -90, 0, 'AQ'],
  ['the Pacific east of Fiji', -16.5, -90, undefined],
  ['the Norwegian Sea', 67, 5, undefined],
  ['the middle of the Atlantic', 30, -40, undefined],
])('%s', (_name, latitude, longitude, code) => {
  expect(countryAt({ latitude, longitude }, countries)).toBe(code)
})

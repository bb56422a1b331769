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
  ['the middle of the Atlantic', 30, -40, undefined],
])('%s', (_name, latitude, longitude, code) => {
  expect(countryAt({ latitude, longitude }, countries)).toBe(code)
})

import { expect, test } from 'vitest'

import {
  LICENCE_URLS,
  LOSS_REASONS,
  OPEN,
  OPEN_FORMATS,
  openLossesPath,
  openPath,
  type LossesOfSite,
  type OpenBusiness,
  type OpenCatalogue,
  type SiteLosses,
  type WithdrawnSite,
} from './open-data.ts'

test('every output has a path for the network and for a business', () => {
  const paths = OPEN_FORMATS.flatMap((format) => [
    openPath(format),
    openPath(format, 'b'),
    openLossesPath(format),
  ])
  expect(new Set(paths).size).toBe(3 * OPEN_FORMATS.length)
  expect(paths.every((path) => path.startsWith('/open/'))).toBe(true)
  expect(openPath('ocpi-2.2.1', 'b')).toBe('/open/businesses/b/ocpi/2.2.1/locations')
  expect(OPEN.withdrawn()).toBe('/open/withdrawn.json')
})
type Shapes = LossesOfSite | OpenBusiness | OpenCatalogue | SiteLosses | WithdrawnSite
export const shapes: readonly Shapes[] = [
  { id: '', losses: [{ on: 'sites', field: LICENCE_URLS[''] ?? '', reason: LOSS_REASONS[0] }] },
]

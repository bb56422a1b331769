import { expect, test } from 'vitest'

import type { Connector } from '#domain/connector.ts'
import { makeConnector } from '../../../tests/support/make.ts'
import { fastCharging, plugLines } from './plugs.ts'

test('a line includes the power of the weakest plug of its group', () => {
  const plug = (id: string, standard: Connector['standard'], kw: number) =>
    makeConnector(id, 'site', { standard, kw_rating: kw })
  const lines = plugLines([
    plug('a', 'IEC_62196_T2', 7.4),
    plug('b', 'IEC_62196_T2_COMBO', 150),
    plug('c', 'IEC_62196_T2', 22),
  ])
  expect(lines.map(({ count, weakestKw, kw }) => [count, weakestKw, kw])).toEqual([
    [1, 150, 150],
    [2, 7.4, 22],
  ])
})

test.each([
  ['en-US', 'CCS_1'],
  ['fr-FR', 'CCS_2'],
  ['C', 'CCS_2'],
])('fast charging in a browser in %s uses %s', (language, plug) => {
  expect(fastCharging(language).plugs).toEqual([plug])
})

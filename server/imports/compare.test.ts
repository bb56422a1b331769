import { expect, test } from 'vitest'

import { compareStation } from './compare.ts'

const plug = {
  standard: 'IEC_62196_T2',
  format: 'SOCKET',
  current_type: 'AC_3_PHASE',
  kw_rating: 22,
}
const options = { newId: () => 'new', hasSameIds: true }
const stored = (...references: string[]) => ({
  site: { id: 'site', version: '1', reference: 'A' },
  connectors: references.map((reference) => ({
    ...plug,
    id: `c-${reference}`,
    version: '1',
    reference,
  })),
})
const said = (...references: string[]) => ({
  site: { reference: 'A' },
  connectors: references.map((reference) => ({ ...plug, reference })),
})

test('plugs whose counted ids were stored without their station stay the same plugs', () => {
  const { changes } = compareStation(said('A:1', 'A:2'), stored('2', '1'), options)
  expect(changes).toEqual([
    { record: 'c-1', field: 'reference', before: '1', after: 'A:1' },
    { record: 'c-2', field: 'reference', before: '2', after: 'A:2' },
  ])
})

test('plugs of other ids are others', () => {
  const { changes } = compareStation(said('A:3'), stored('1'), options)
  expect(changes.map(({ record, field }) => [record, field])).toEqual([
    ['new', '*'],
    ['c-1', '*'],
  ])
})

import { expect, test } from 'vitest'

import { COLUMN_EXTRAS, COLUMN_TARGETS } from './import-source.ts'

test('a column can be mapped to every field that an owner writes, except relations', () => {
  expect(COLUMN_TARGETS).toEqual(
    expect.arrayContaining(['sites.name', 'sites.opening_hours', 'connectors.kw_rating']),
  )
  expect(COLUMN_TARGETS).toEqual(expect.arrayContaining([...COLUMN_EXTRAS]))
  expect(COLUMN_TARGETS.filter((target) => /photo|\.tariff|business|\.site$/.test(target))).toEqual(
    [],
  )
})

import { expect, test } from 'vitest'

import { STANDARDS } from './connector.ts'
import { MASK_BITS, PLUG_GROUPS, plugBit, plugMask } from './plug-group.ts'

test('each standard is in one group', () => {
  expect(Object.values(PLUG_GROUPS).flat().toSorted()).toEqual(STANDARDS.toSorted())
})

test('the bits of plugs do not overlap those of the site', () => {
  const groups = Object.keys(PLUG_GROUPS).length
  expect(plugBit(groups - 1, 4)).toBeLessThan(Math.min(...Object.values(MASK_BITS)))
})

test('a mask includes the power class of its power and those above, for its groups', () => {
  expect(plugMask(['TYPE_2'], 0)).toBe(0b11111n)
  expect(plugMask(['TYPE_2', 'CCS_2'], 49)).toBe(0b11100_11100n)
  expect(plugMask(['CCS_2'], 50)).toBe(0b11000_00000n)
  expect(plugMask([], 1000)).toBe(plugMask([], 150))
})

import { expect, test } from 'vitest'

import { findCircle } from './chunks.ts'

test('finds circular imports of any length', () => {
  const imports = new Map([
    ['main', ['base', 'bulk']],
    ['base', []],
    ['bulk', ['owned', 'base']],
    ['owned', ['owners', 'bulk']],
    ['owners', ['base']],
  ])
  expect(findCircle(imports)).toEqual(['bulk', 'owned', 'bulk'])
  expect(findCircle(imports.set('owned', ['owners', 'base']))).toBeUndefined()
})

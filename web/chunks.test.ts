import { expect, test } from 'vitest'

import { findCircle } from './chunks.ts'

test('chunks that import one another are found, however far around', () => {
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

import { expect, test } from 'vitest'

import { plainText } from './user-text.tsx'

test('leaves out the marks that turn text around, and nothing else', () => {
  expect(plainText('\u202Egnp.evil\u202C')).toBe('gnp.evil')
  expect(plainText('\u2067Quay\u2069 חוף 3')).toBe('Quay חוף 3')
})

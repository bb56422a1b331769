import { expect, test } from 'vitest'

import { onOneLine, plainText } from './user-text.tsx'

test('removes bidirectional control characters, and nothing else', () => {
  expect(plainText('\u202Egnp.evil\u202C')).toBe('gnp.evil')
  expect(plainText('\u2067Quay\u2069 חוף 3')).toBe('Quay חוף 3')
})

test('keeps an amount and its unit together', () => {
  expect(onOneLine('0,45 € / kWh')).toBe('0,45\u00A0€\u00A0/\u00A0kWh')
  expect(onOneLine('Free for guests')).toBe('Free for guests')
})

import { expect, test } from 'vitest'

import { formatDistance } from './metres.ts'

test('a distance and its unit stay on one line', () => {
  expect(formatDistance(0.4, 'en-GB')).toBe('1\u00a0m')
  expect(formatDistance(1440, 'de')).toBe('1,4\u00a0km')
  expect(formatDistance(15_200, 'es')).toBe('15\u00a0km')
})

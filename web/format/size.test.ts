import { expect, test } from 'vitest'

import { formatSize } from './size.ts'

test('formats a size with two digits, by unit and language', () => {
  expect(
    [0, 620, 1000, 1234, 45_678, 237_000_000, 9_950_000_000_000].map((bytes) =>
      formatSize(bytes, 'en-GB'),
    ),
  ).toEqual(
    ['0 kB', '0.62 kB', '1 kB', '1.2 kB', '46 kB', '240 MB', '10,000 GB'].map((size) =>
      size.replace(' ', '\u00a0'),
    ),
  )
  expect(['de', 'es', 'fr'].map((locale) => formatSize(1_250_000, locale))).toEqual([
    '1,3\u00a0MB',
    '1,3\u00a0MB',
    '1,3\u202fMo',
  ])
})

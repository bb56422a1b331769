import { expect, test } from 'vitest'

import { formatAgo, formatRecentTime } from './date-time.ts'

const at = (day: number, hour: number, minute: number) =>
  new Date(2026, 0, day, hour, minute).getTime()

test('formats a time of today, of yesterday and earlier', () => {
  const now = at(15, 0, 30)
  expect(formatRecentTime(at(15, 0, 5), now, 'de')).toBe('00:05')
  expect(formatRecentTime(at(14, 18, 20), now, 'de')).toBe('gestern 18:20')
  expect(formatRecentTime(at(14, 18, 20), now, 'en-GB')).toBe('yesterday 18:20')
  expect(formatRecentTime(at(13, 18, 20), now, 'de')).toBe('13.01.2026, 18:20')
})

test('formats how long ago a time was', () => {
  const now = at(15, 12, 0)
  expect(formatAgo(now + 5000, now, 'en')).toBeUndefined()
  expect(formatAgo(at(15, 11, 58), now, 'en')).toBe('2 min. ago')
  expect(formatAgo(at(15, 9, 1), now, 'en')).toBe('2 hr. ago')
})

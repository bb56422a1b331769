import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'

import { OpenHours, type StoredHours } from './open-hours.ts'

const NOW = Date.parse('2026-11-26T18:00:00Z')
const DAY_MS = 24 * 60 * 60 * 1000

const instant = (ms: number): string => new Date(ms).toISOString().replace('.000', '')

/** Open every hour, but closed for five years, so the next change is far away. */
const closedForYears = (index: number): StoredHours => ({
  id: String(index),
  time_zone: 'Europe/Paris',
  hours: {
    twentyfourseven: false,
    regular_hours: [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) =>
      Array.from({ length: 10 }, (_, span) => ({
        weekday,
        period_begin: `${String(span * 2).padStart(2, '0')}:00`,
        period_end: `${String(span * 2 + 1).padStart(2, '0')}:00`,
      })),
    ),
    exceptional_closings: Array.from({ length: 5 }, (_, year) => ({
      period_begin: instant(NOW - 20 * DAY_MS + year * 365 * DAY_MS),
      period_end: instant(NOW - 20 * DAY_MS + (year + 1) * 365 * DAY_MS),
    })),
  },
})

const always: StoredHours = {
  id: 'always',
  time_zone: 'Europe/Paris',
  hours: { twentyfourseven: true },
}

test('slow computations of hours yield to other requests, and their result is complete', async () => {
  const hours = new OpenHours()
  await hours.at(NOW)
  const strange = Array.from({ length: 100 }, (_, index) => closedForYears(index))
  hours.learn(strange)
  const requested = { isDone: false }
  const first = hours.at(NOW).finally(() => (requested.isDone = true))
  await turn()
  expect(requested.isDone).toBe(false)
  hours.learn([always])
  // Other requests may get the same hours from the database.
  for (; !requested.isDone; await turn()) hours.learn(strange)
  const { known, open } = await first
  expect(new Set(known)).toEqual(new Set([...strange, always].map(({ id }) => id)))
  expect(open).toEqual(['always'])
})

import { readFileSync } from 'node:fs'

import * as fc from 'fast-check'

import { openingHoursSchema, type OpeningHours } from '#domain/hours.ts'
import { dateOfWall, withExceptions, type SpecialDays } from '#domain/hours/exceptions.ts'
import type { Interval } from '#domain/hours/interval.ts'
import { timeOf, WEEKDAYS } from '#domain/hours/week.ts'
import { DAY_MS, stretches } from '#domain/hours/zone.ts'

/** The distinct texts of `horaires` in the French register, with their number of charge points. */
export const register = JSON.parse(
  readFileSync(new URL('fixtures/irve-horaires.json', import.meta.url), 'utf8'),
) as { readonly horaires: string; readonly count: number }[]

/**
 * The time zones of the tests: northern, western, southern with a half hour, with changes at midnight, without changes.
 */
export const ZONES = [
  'Europe/Paris',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Tokyo',
] as const

const STEP_MINUTES = 5

const pairs = (minutes: readonly number[]): Interval[] =>
  minutes
    .toSorted((a, b) => a - b)
    .flatMap((begin, index, all) => {
      const end = all[index + 1]
      return index % 2 === 0 && end !== undefined ? [{ begin, end }] : []
    })

/** Up to three spans of a day; the last may run past midnight. */
const spans = fc
  .uniqueArray(fc.integer({ min: 0, max: 36 * (60 / STEP_MINUTES) }), { maxLength: 6 })
  .map((steps) => pairs(steps.map((step) => step * STEP_MINUTES)))
  .map((all) =>
    all.filter(
      ({ begin, end }) => begin < 1440 && end - begin <= 1440 && (all[0]?.begin ?? 0) + 1440 > end,
    ),
  )

/** Weekly hours that the schema accepts. */
export const week: fc.Arbitrary<OpeningHours> = fc
  .oneof(
    { weight: 1, arbitrary: fc.constant<OpeningHours>({ twentyfourseven: true }) },
    {
      weight: 9,
      arbitrary: fc.tuple(...WEEKDAYS.map(() => spans)).map((days): OpeningHours => ({
        twentyfourseven: false,
        regular_hours: days.flatMap((day, index) =>
          day.map(({ begin, end }) => ({
            weekday: index + 1,
            period_begin: timeOf(begin),
            period_end: timeOf(end),
          })),
        ),
      })),
    },
  )
  .filter((hours) => openingHoursSchema.safeParse(hours).success)

/**
 * Weeks that `parseOsm` does not take for a placeholder: a quarter of an hour at least, as each span has five minutes
 * or more.
 */
export const longWeek = week.filter(
  ({ twentyfourseven, regular_hours = [] }) => twentyfourseven || regular_hours.length > 2,
)

/** The first date of the tests. */
export const YEAR_BEGIN = Date.UTC(2026, 0, 1)

/** Special days of the year, without duplicates. */
export const specialDays: fc.Arbitrary<SpecialDays[]> = fc
  .uniqueArray(
    fc.record({
      day: fc.integer({ min: 0, max: 71 }),
      length: fc.integer({ min: 1, max: 4 }),
      spans,
    }),
    { maxLength: 4, selector: ({ day }) => day },
  )
  .map((all) =>
    all.map(({ day, length, spans: open }) => ({
      from: dateOfWall(YEAR_BEGIN + day * 5 * DAY_MS),
      to: dateOfWall(YEAR_BEGIN + (day * 5 + length - 1) * DAY_MS),
      // A span that reaches into the next special day would belong to that day.
      spans: open.filter(({ end }) => end <= 1440),
    })),
  )

/** Hours with special days and with periods of a few hours, in a time zone. */
export const hoursIn = (zone: string): fc.Arbitrary<OpeningHours> => {
  // OCPI stores exceptions as instants. When the clock is set back, a text has one name for both repeated hours, and
  // cannot distinguish them as the bounds of a period.
  const changes = stretches(zone, YEAR_BEGIN, YEAR_BEGIN + 370 * DAY_MS).map(({ end }) => end)
  const isNearChange = (at: string): boolean =>
    changes.some((change) => Math.abs(Date.parse(at) - change) < DAY_MS / 12)
  const isAmbiguous = (each: {
    readonly period_begin: string
    readonly period_end: string
  }): boolean => [each.period_begin, each.period_end].some(isNearChange)
  const period = fc
    .record({ hour: fc.integer({ min: 0, max: 8700 }), length: fc.integer({ min: 1, max: 60 }) })
    .map(({ hour, length }) => ({
      period_begin: new Date(YEAR_BEGIN + hour * 3_600_000).toISOString(),
      period_end: new Date(YEAR_BEGIN + (hour + length) * 3_600_000).toISOString(),
    }))
    .filter((each) => !isAmbiguous(each))
  return fc
    .record({
      hours: longWeek,
      days: specialDays,
      openings: fc.array(period, { maxLength: 2 }),
      closings: fc.array(period, { maxLength: 2 }),
    })
    .map(({ hours, ...exceptions }) => withExceptions(hours, exceptions, zone))
    .filter(
      ({ exceptional_openings = [], exceptional_closings = [] }) =>
        ![...exceptional_openings, ...exceptional_closings].some(isAmbiguous),
    )
}

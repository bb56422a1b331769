import type { OpeningHours, RegularHours } from '../hours.ts'
import { DAY_MINUTES, WEEK_MINUTES, weekMinutes } from './minutes.ts'
import { subtract, union, within, type Interval } from './interval.ts'

/** The weekdays of OCPI; 1 is Monday. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const

const WEEK: Interval = { begin: 0, end: WEEK_MINUTES }

/**
 * The open intervals of a week, in minutes from Monday 00:00. All are within the week: a span past the end of Sunday
 * continues at the beginning.
 */
export const weekIntervals = ({
  twentyfourseven,
  regular_hours = [],
}: Pick<OpeningHours, 'twentyfourseven' | 'regular_hours'>): Interval[] => {
  if (twentyfourseven) return [WEEK]
  const spans = regular_hours.map(weekMinutes)
  const again = spans.map(({ begin, end }) => ({
    begin: begin - WEEK_MINUTES,
    end: end - WEEK_MINUTES,
  }))
  return within(union([...spans, ...again]), WEEK)
}

/** A minute of a day as `HH:MM`; the end of the day is `00:00`. */
export const timeOf = (minute: number): string => {
  const ofDay = minute % DAY_MINUTES
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`
}

/**
 * The regular hours for the open minutes of a week, sorted and without overlaps. A span of up to a day stays whole,
 * even past midnight; a longer one is split at midnight.
 */
export const hoursOfWeek = (
  intervals: readonly Interval[],
): Pick<OpeningHours, 'twentyfourseven' | 'regular_hours'> => {
  const open = within(union(intervals), WEEK)
  if (subtract([WEEK], open).length === 0) return { twentyfourseven: true }
  // Merges the spans around the end of Sunday.
  const [first, last] = [open[0], open.at(-1)]
  const isAround = first && last && first !== last && first.begin === 0 && last.end === WEEK_MINUTES
  const joined = isAround
    ? [...open.slice(1, -1), { begin: last.begin, end: WEEK_MINUTES + first.end }]
    : open
  const spans = joined.flatMap(atMidnights).map(({ begin, end }): RegularHours => ({
    weekday: (Math.floor(begin / DAY_MINUTES) % 7) + 1,
    period_begin: timeOf(begin),
    period_end: timeOf(end),
  }))
  return {
    twentyfourseven: false,
    regular_hours: spans.toSorted(
      (a, b) => a.weekday - b.weekday || a.period_begin.localeCompare(b.period_begin),
    ),
  }
}

/** Splits an interval of minutes at midnight if it is longer than a day. */
export const atMidnights = (interval: Interval): Interval[] => {
  const parts: Interval[] = []
  let { begin } = interval
  while (interval.end - begin > DAY_MINUTES) {
    const midnight = (Math.floor(begin / DAY_MINUTES) + 1) * DAY_MINUTES
    parts.push({ begin, end: midnight })
    begin = midnight
  }
  return [...parts, { begin, end: interval.end }]
}

/** Normalises hours: sorts them, removes overlaps, and uses 24/7 where it applies. */
export const normalHours = (hours: OpeningHours): OpeningHours => ({
  ...hours,
  regular_hours: undefined,
  ...hoursOfWeek(weekIntervals(hours)),
})

/** The spans of a day, in minutes of that day; an end past midnight is greater than a day. */
const daySpans = (hours: OpeningHours, weekday: number): Interval[] =>
  hours.twentyfourseven
    ? [{ begin: 0, end: DAY_MINUTES }]
    : (hours.regular_hours ?? [])
        .filter((span) => span.weekday === weekday)
        .map(weekMinutes)
        .map(({ begin, end }) => ({
          begin: begin - (weekday - 1) * DAY_MINUTES,
          end: end - (weekday - 1) * DAY_MINUTES,
        }))
        .toSorted((a, b) => a.begin - b.begin)

/** Groups days with the same spans, in the order of the week; days without spans are left out. */
export const groupDays = (
  hours: OpeningHours,
): { readonly days: readonly number[]; readonly spans: readonly Interval[] }[] => {
  const byText = Map.groupBy(WEEKDAYS, (day) => JSON.stringify(daySpans(hours, day)))
  return [...byText.values()]
    .map((days) => ({ days, spans: daySpans(hours, days[0] ?? 1) }))
    .filter(({ spans }) => spans.length > 0)
}

/** Groups consecutive numbers into ranges: 1 2 3 5 into 1–3 and 5–5. */
export const runsOf = (numbers: readonly number[]): { from: number; to: number }[] => {
  const runs: { from: number; to: number }[] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last && number === last.to + 1) last.to = number
    else runs.push({ from: number, to: number })
  }
  return runs
}

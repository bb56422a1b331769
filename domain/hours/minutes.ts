// Separate from the schema of the hours, which most readers of hours do not need.

export const DAY_MINUTES = 24 * 60
export const WEEK_MINUTES = 7 * DAY_MINUTES

/** A span of OCPI's regular hours. */
interface WeeklySpan {
  readonly weekday: number
  readonly period_begin: string
  readonly period_end: string
}

/** The minute of the day of an `HH:MM`. */
export const minuteOf = (text: string): number =>
  Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/**
 * The minutes of the week, from Monday 00:00, at which a span begins and ends. The end is later than the beginning, by
 * at most a day. An end of 23:59 means midnight: formats without 24:00 write it that way.
 */
export const weekMinutes = ({ weekday, period_begin, period_end }: WeeklySpan) => {
  const day = (weekday - 1) * DAY_MINUTES
  const begin = minuteOf(period_begin)
  const end = period_end === '23:59' ? DAY_MINUTES : minuteOf(period_end)
  return { begin: day + begin, end: day + (end > begin ? end : end + DAY_MINUTES) }
}

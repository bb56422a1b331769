import * as z from 'zod/mini'

import {
  openingHoursSchema,
  type ExceptionalPeriod,
  type OpeningHours,
  type RegularHours,
} from '../hours.ts'
import { DAY_MINUTES } from './minutes.ts'
import type { Interval } from './interval.ts'
import type { HoursReading } from './reading.ts'
import { hoursOfWeek, timeOf, weekIntervals } from './week.ts'

/**
 * Prints strict OCPI: `period_end` is later than `period_begin`. A span past midnight becomes two, and the end of a day
 * is 23:59.
 */
export const printOcpi = (hours: OpeningHours): OpeningHours => {
  if (hours.twentyfourseven) return hours
  const days = weekIntervals(hours).flatMap(splitAtMidnights)
  return {
    ...hours,
    regular_hours: days.map(({ begin, end }) => ({
      weekday: Math.floor(begin / DAY_MINUTES) + 1,
      period_begin: timeOf(begin),
      period_end: end % DAY_MINUTES === 0 ? '23:59' : timeOf(end),
    })),
  }
}

const splitAtMidnights = ({ begin, end }: Interval): Interval[] => {
  const midnight = (Math.floor(begin / DAY_MINUTES) + 1) * DAY_MINUTES
  if (end <= midnight) return [{ begin, end }]
  return [{ begin, end: midnight }, ...splitAtMidnights({ begin: midnight, end })]
}

// Feeds send null for absent values.
const list = z.nullish(z.array(z.unknown()))
const feed = z.object({
  twentyfourseven: z.nullish(z.boolean()),
  regular_hours: list,
  exceptional_openings: list,
  exceptional_closings: list,
})
const time = z.string().check(z.regex(/^(?:\d{1,2}:[0-5]\d)(?::00)?$/))
const span = z.object({ weekday: z.int(), period_begin: time, period_end: time })
const period = z.object({ period_begin: z.string(), period_end: z.string() })

/** A time in a feed, including "8:00" and "24:00". */
const readTime = (text: string): string => {
  const [hour = '', minute = ''] = text.split(':')
  return `${hour === '24' ? '00' : hour.padStart(2, '0')}:${minute}`
}

const readSpan = (value: unknown): RegularHours | undefined => {
  const { data } = span.safeParse(value)
  if (!data) return undefined
  const [period_begin, period_end] = [readTime(data.period_begin), readTime(data.period_end)]
  // Feeds that count from Sunday write it as 0, and agree with OCPI on the other days.
  const read = { weekday: data.weekday || 7, period_begin, period_end }
  return accepts({ twentyfourseven: false, regular_hours: [read] }) ? read : undefined
}

const readPeriod = (value: unknown): ExceptionalPeriod | undefined => {
  const { data } = period.safeParse(value)
  if (!data) return undefined
  // UTC, with or without the suffix (OCPI, DateTime).
  const utc = (text: string): string => (text.endsWith('Z') ? text : `${text}Z`)
  const read = { period_begin: utc(data.period_begin), period_end: utc(data.period_end) }
  return accepts({ twentyfourseven: true, exceptional_closings: [read] }) ? read : undefined
}

const accepts = (hours: OpeningHours): boolean => openingHoursSchema.safeParse(hours).success

/**
 * Parses the Hours of OCPI 2.1.1 to 2.3.0 as real feeds send them: with null for absent values, overlapping spans and
 * 24:00. `losses` lists the unreadable parts; `hours` is undefined if nothing is left.
 */
export const parseOcpi = (value: unknown): HoursReading => {
  const losses: HoursReading['losses'][number][] = []
  const reportLoss = (part: unknown) =>
    losses.push({ text: JSON.stringify(part) ?? '', reason: 'not_understood' })
  const readAll = <T>(parts: readonly unknown[] | null | undefined, read: (part: unknown) => T) =>
    (parts ?? []).flatMap((part) => {
      const done = read(part)
      if (done === undefined) reportLoss(part)
      return done === undefined ? [] : [done]
    })
  const { data } = feed.safeParse(value)
  if (!data) {
    if (value !== undefined && value !== null) reportLoss(value)
    return { hours: undefined, losses }
  }
  const spans = data.twentyfourseven ? [] : readAll(data.regular_hours, readSpan)
  if (!data.twentyfourseven && spans.length === 0) return { hours: undefined, losses }
  const openings = readAll(data.exceptional_openings, readPeriod)
  const closings = readAll(data.exceptional_closings, readPeriod)
  const hours = {
    ...(data.twentyfourseven
      ? { twentyfourseven: true }
      : hoursOfWeek(weekIntervals({ twentyfourseven: false, regular_hours: spans }))),
    ...(openings.length > 0 && { exceptional_openings: openings }),
    ...(closings.length > 0 && { exceptional_closings: closings }),
  }
  return { hours, losses }
}

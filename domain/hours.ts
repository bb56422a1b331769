import * as z from 'zod/mini'

import { objectOf, trueOrFalse } from './shape.ts'
import { DAY_MINUTES, WEEK_MINUTES, weekMinutes } from './hours/minutes.ts'

// Do not compile schemas with `new Function`: the content security policy of the app forbids it.
z.config({ jitless: true })

/** Maximum number of spans in a week: ten a day. */
const MAX_REGULAR_HOURS = 70
/** Maximum number of exceptional periods of a kind. A day with two openings needs three closings and two openings. */
const MAX_EXCEPTIONAL_PERIODS = 200
/** Maximum length of an exceptional period. Longer closures are a status of the site. */
const MAX_EXCEPTIONAL_PERIOD_DAYS = 366
/**
 * Maximum total length of the exceptional periods of a kind: each of their days is computed whenever the hours are
 * displayed.
 */
const MAX_EXCEPTIONAL_DAYS = 5 * 366

const listOf = <T extends z.ZodMiniType>(item: T, max: number) => {
  const error = `Must be a list of at most ${max}.`
  return z.array(item, { error }).check(z.maxLength(max, { error }))
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/
const time = z.string().check(
  z.regex(TIME, {
    error: 'Must be a time of day such as "08:00"; the end of a day is "00:00".',
  }),
)

const regularHours = objectOf({
  weekday: z
    .int({ error: 'Must be a weekday from 1 (Monday) to 7 (Sunday).' })
    .check(z.gte(1), z.lte(7)),
  period_begin: time,
  period_end: time,
})
/** A weekly span, in local time. It ends on the following day if `period_end` is not later than `period_begin`. */
export type RegularHours = Readonly<z.infer<typeof regularHours>>

const instant = z.iso.datetime({
  error: 'Must be a date and time in UTC such as "2026-12-24T23:00:00Z".',
})
const lengthMs = (period: { readonly period_begin: string; readonly period_end: string }): number =>
  Date.parse(period.period_end) - Date.parse(period.period_begin)
const daysMs = (days: number): number => days * DAY_MINUTES * 60_000
const exceptionalPeriod = objectOf({ period_begin: instant, period_end: instant }).check(
  z.refine((period) => lengthMs(period) > 0, {
    error: 'Must be later than the start.',
    path: ['period_end'],
  }),
  z.refine((period) => lengthMs(period) <= daysMs(MAX_EXCEPTIONAL_PERIOD_DAYS), {
    error: `Must be at most ${MAX_EXCEPTIONAL_PERIOD_DAYS} days after the start.`,
    path: ['period_end'],
  }),
)
export type ExceptionalPeriod = Readonly<z.infer<typeof exceptionalPeriod>>

const periods = z.optional(
  listOf(exceptionalPeriod, MAX_EXCEPTIONAL_PERIODS).check(
    z.refine(
      (all) => all.reduce((sum, each) => sum + lengthMs(each), 0) <= daysMs(MAX_EXCEPTIONAL_DAYS),
      {
        error: `Must be at most ${MAX_EXCEPTIONAL_DAYS} days together.`,
      },
    ),
  ),
)

/** The indexes of two spans that overlap by at least a minute of the week; adjacent spans do not overlap. */
const overlapOf = (spans: readonly RegularHours[]): [number, number] | undefined => {
  const ordered = spans
    .map((span, index) => ({ ...weekMinutes(span), index }))
    .toSorted((a, b) => a.begin - b.begin)
  for (const [place, { end, index }] of ordered.entries()) {
    const next = ordered[place + 1] ?? ordered[0]
    if (next === undefined || next.index === index) continue
    const nextBegin = next.begin + (place + 1 < ordered.length ? 0 : WEEK_MINUTES)
    if (nextBegin < end) return [index, next.index]
  }
  return undefined
}

/**
 * The opening hours of a site: OCPI 2.3.0 Hours (mod_locations). Weekday 1 is Monday. Times are local to the site.
 * Exceptional periods are instants in UTC, and a closing overrides an opening. A span past midnight is written like the
 * hours of OCPI tariffs: its `period_end` is not later than its `period_begin`, and `00:00` is the end of the day
 * (decision 0075).
 */
export const openingHoursSchema = objectOf({
  twentyfourseven: trueOrFalse(),
  regular_hours: z.optional(listOf(regularHours, MAX_REGULAR_HOURS)),
  exceptional_openings: periods,
  exceptional_closings: periods,
}).check((context) => {
  const { twentyfourseven, regular_hours: spans = [] } = context.value
  const refuse = (message: string, index?: number) =>
    context.issues.push({
      code: 'custom',
      input: context.value,
      message,
      path: index === undefined ? ['regular_hours'] : ['regular_hours', index],
    })
  if (twentyfourseven && spans.length > 0) refuse('Must be empty if "twentyfourseven" is true.')
  if (!twentyfourseven && spans.length === 0)
    refuse('Must have a span if "twentyfourseven" is false.')
  const overlap = overlapOf(spans)
  if (overlap) refuse(`Overlaps span ${overlap[0] + 1}.`, overlap[1])
})

/** The opening hours of a site, as accepted by `openingHoursSchema`. */
export type OpeningHours = Readonly<z.infer<typeof openingHoursSchema>>

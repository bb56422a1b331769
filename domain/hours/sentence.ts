import type { OpeningHours } from '../hours.ts'
import { DAY_MINUTES } from './minutes.ts'
import { specialDays, wallOfDate, type SpecialDays } from './exceptions.ts'
import type { Interval } from './interval.ts'
import type { OpenState } from './open.ts'
import { groupDays, normalHours, runsOf, WEEKDAYS } from './week.ts'
import { DAY_MS, wallMs } from './zone.ts'

/** The words for hours. Days, times and dates are passed in formatted. */
export interface HoursWords {
  readonly always: string
  readonly everyDay: string
  readonly wholeDay: string
  readonly closedOn: (dates: string) => string
  readonly openOn: (dates: string, spans: string) => string
  readonly openNow: string
  readonly closedNow: string
  /** Until a time today, or on a given day: a weekday or a date. */
  readonly openUntil: (time: string, day?: string, isDate?: boolean) => string
  readonly closedUntil: (time: string, day?: string, isDate?: boolean) => string
}

/** How to write hours. */
export interface HoursSpeech {
  readonly words: HoursWords
  /** The language and region, which determine how times are written. */
  readonly locale: string
  /** The time zone of the site. */
  readonly zone: string
}

/** 2024-01-01 was a Monday. */
const A_MONDAY = Date.UTC(2024, 0, 1)

/** A day of the week, 1 for Monday, as a short name. */
const dayName = (weekday: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(
    A_MONDAY + (weekday - 1) * DAY_MS,
  )

const timeText = (minute: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(
    A_MONDAY + minute * (DAY_MS / DAY_MINUTES),
  )

const spansText = (spans: readonly Interval[], { words, locale }: HoursSpeech): string =>
  new Intl.ListFormat(locale).format(
    spans.map(({ begin, end }) =>
      begin === 0 && end === DAY_MINUTES
        ? words.wholeDay
        : `${timeText(begin, locale)}–${timeText(end, locale)}`,
    ),
  )

const daysText = (days: readonly number[], { words, locale }: HoursSpeech): string => {
  if (days.length === 7) return words.everyDay
  const names = runsOf(days).flatMap(({ from, to }) =>
    to - from === 1
      ? [dayName(from, locale), dayName(to, locale)]
      : [[...new Set([from, to])].map((day) => dayName(day, locale)).join('–')],
  )
  return new Intl.ListFormat(locale).format(names)
}

const datesText = ({ from, to }: SpecialDays, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).formatRange(
    wallOfDate(from),
    wallOfDate(to),
  )

const capital = (text: string, locale: string): string =>
  text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1)

/** A sentence for days with the same spans: `Closed 24 – 26 Dec 2026 and 1 Jan 2027`. */
export const saySpecialDays = (days: readonly SpecialDays[], speech: HoursSpeech): string => {
  const { words, locale } = speech
  const dates = new Intl.ListFormat(locale).format(days.map((each) => datesText(each, locale)))
  const spans = days[0]?.spans ?? []
  const said =
    spans.length === 0 ? words.closedOn(dates) : words.openOn(dates, spansText(spans, speech))
  return capital(said, locale)
}

/** Weekdays with the same hours, in words; `spans` is empty if they are closed. */
export interface WeekLine {
  readonly days: string
  readonly spans: string
}

/** The hours of a week as lines, one for each group of days; closed days come last. */
export const weekLines = (hours: OpeningHours, speech: HoursSpeech): WeekLine[] => {
  const groups = groupDays(normalHours(hours))
  const open = groups.flatMap(({ days }) => days)
  const closed = WEEKDAYS.filter((day) => !open.includes(day))
  return [...groups, ...(closed.length === 0 ? [] : [{ days: closed, spans: [] }])].map(
    ({ days, spans }) => ({
      days: capital(daysText(days, speech), speech.locale),
      spans: spansText(spans, speech),
    }),
  )
}

/** The hours of a week in one line: `Mon–Fri 08:00–18:00, Sat 09:00–13:00`. */
export const sayWeek = (hours: OpeningHours, speech: HoursSpeech): string => {
  const normal = normalHours(hours)
  if (normal.twentyfourseven) return speech.words.always
  const said = groupDays(normal)
    .map(({ days, spans }) => `${daysText(days, speech)} ${spansText(spans, speech)}`)
    .join(', ')
  return capital(said, speech.locale)
}

/** Sentences for special days, one for each group of days with the same hours. */
export const sayExceptions = (days: readonly SpecialDays[], speech: HoursSpeech): string[] => {
  const alike = Map.groupBy(days, ({ spans }) => JSON.stringify(spans))
  return [...alike.values()].map((same) => saySpecialDays(same, speech))
}

/** The hours in words, including special days. Throws a `RangeError` if the time zone is unknown. */
export const sayHours = (hours: OpeningHours, speech: HoursSpeech): string =>
  [sayWeek(hours, speech), ...sayExceptions(specialDays(hours, speech.zone), speech)]
    .filter((said) => said !== '')
    .join(' · ')

/**
 * An open state in words: `Open now until 18:00`. It names the day unless the day is today or the change is within
 * twelve hours. Throws a `RangeError` if the time zone is unknown.
 */
export const sayOpenState = (
  { isOpen, changesAt }: OpenState,
  at: number,
  { words, locale, zone }: HoursSpeech,
): string => {
  if (changesAt === undefined) return isOpen ? words.openNow : words.closedNow
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: zone })
  const days = Math.floor(wallMs(zone, changesAt) / DAY_MS) - Math.floor(wallMs(zone, at) / DAY_MS)
  const isDate = days >= 7
  const day = new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    ...(isDate ? { dateStyle: 'medium' } : { weekday: 'long' }),
  })
  const isSoon = days === 0 || changesAt - at < DAY_MS / 2
  const say = isOpen ? words.openUntil : words.closedUntil
  return say(time.format(changesAt), isSoon ? undefined : day.format(changesAt), isDate)
}

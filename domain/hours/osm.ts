import type { OpeningHours } from '../hours.ts'
import { DAY_MINUTES, WEEK_MINUTES, minuteOf } from './minutes.ts'
import {
  dateOfWall,
  daysWithExceptions,
  wallOfDate,
  withExceptions,
  type SpecialDays,
} from './exceptions.ts'
import { subtract, union, within, type Interval } from './interval.ts'
import { openIntervals, periodIntervals } from './open.ts'
import type { HoursLoss, HoursReading } from './reading.ts'
import { groupDays, hoursOfWeek, normalHours, runsOf, timeOf } from './week.ts'
import { DAY_MS } from './zone.ts'

const WEEKDAY_NAMES = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** Below this number of minutes a week, `parseOsm` rejects hours as a placeholder. */
const LEAST_MINUTES = 15

const daysText = (days: readonly number[]): string =>
  runsOf(days)
    .map(({ from, to }) =>
      [from, to]
        .slice(0, from === to ? 1 : 2)
        .map((day) => WEEKDAY_NAMES[day - 1])
        .join('-'),
    )
    .join(',')

const spanText = ({ begin, end }: Interval): string =>
  `${timeOf(begin)}-${end === DAY_MINUTES ? '24:00' : timeOf(end)}`

const spansText = (spans: readonly Interval[]): string => spans.map(spanText).join(',')

const weekText = (hours: OpeningHours): string => {
  const normal = normalHours(hours)
  if (normal.twentyfourseven) return '24/7'
  const groups = groupDays(normal)
  // A rule after a semicolon replaces the whole day, including the hours of the evening before that run past midnight;
  // a rule after a comma does not.
  const isOvernight = groups.some(({ spans }) => spans.some(({ end }) => end > DAY_MINUTES))
  return groups
    .map(({ days, spans }) => `${daysText(days)} ${spansText(spans)}`)
    .join(isOvernight ? ', ' : '; ')
}

const datesText = ({ from, to, spans }: SpecialDays): string => {
  const name = (date: string): string => {
    const [year, month, day] = date.split('-')
    return `${year} ${MONTHS[Number(month) - 1]} ${day}`
  }
  const dates = from === to ? name(from) : `${name(from)}-${name(to)}`
  return `${dates} ${spansText(spans) || 'off'}`
}

/**
 * Prints hours as the value of OpenStreetMap's `opening_hours`. Exceptions are days in the time zone, each with all of
 * its open spans.
 */
export const printOsm = (hours: OpeningHours, zone: string): string =>
  [weekText(hours), ...daysWithExceptions(hours, zone).map(datesText)].join('; ')

/**
 * Whether a reader of `printOsm` gets the same exceptions. In the night when clocks go back, local times do not tell the
 * first pass of the repeated hour from the second one.
 */
export const isExactInOsm = (hours: OpeningHours, zone: string): boolean => {
  const { hours: read } = parseOsm(printOsm(hours, zone), zone)
  const openDuring = (of: OpeningHours, { begin, end }: Interval): string =>
    JSON.stringify(openIntervals(of, zone, begin - DAY_MS, end + DAY_MS))
  return (
    read !== undefined &&
    periodIntervals([
      ...(hours.exceptional_openings ?? []),
      ...(hours.exceptional_closings ?? []),
    ]).every((period) => openDuring(read, period) === openDuring(hours, period))
  )
}

/** Prints the week as IRVE `horaires`, which is `opening_hours` without exceptions. */
export const printIrve = (hours: OpeningHours): string => weekText(hours)

const DAY = '(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH)'
const DAYS = `${DAY}(?:\\s*-\\s*${DAY})?(?:\\s*,\\s*${DAY}(?:\\s*-\\s*${DAY})?)*`
const TIME = '\\d{1,2}:\\d{2}'
const SPANS = `${TIME}\\s*-\\s*${TIME}(?:\\s*,\\s*${TIME}\\s*-\\s*${TIME})*`
const MONTH = `(?:${MONTHS.join('|')})`
const DATES = `(\\d{4}) +(${MONTH}) +(\\d{1,2})(?:\\s*-\\s*(?:(?:(\\d{4}) +)?(${MONTH}) +)?(\\d{1,2}))?`
const RULE = new RegExp(
  `^\\s*(?:(?<dates>${DATES})(?:\\s*:)?\\s*)?(?:(?<days>${DAYS})(?:\\s*:)?\\s*)?` +
    `(?<hours>${SPANS}(?:\\s*(?:open|off|closed))?|24/7|open|off|closed)?\\s*(?<rest>$|[,;])`,
  'i',
)

interface Rule {
  readonly dates: { readonly from: string; readonly to: string } | undefined
  /** 1 is Monday; without holidays. */
  readonly days: readonly number[]
  readonly isOpen: boolean
  /** In minutes of the day. */
  readonly spans: readonly Interval[]
  /** The rule follows a comma: it adds to the rules before it instead of replacing their days. */
  readonly adds: boolean
}

const REASONS: readonly (readonly [RegExp, HoursLoss])[] = [
  [/"/, 'comment'],
  [/\b(?:PH|SH|easter)\b/i, 'holidays'],
  [/\b(?:sunrise|sunset|dawn|dusk)\b/i, 'sun'],
  [new RegExp(`\\b(?:${MONTH}|week|\\d{4})\\b`, 'i'), 'season'],
]

const loss = (text: string) => ({
  text: text.trim(),
  reason: REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? ('not_understood' as const),
})

/** A valid date, as `YYYY-MM-DD`. */
const readDate = (year: string, month: string, day: string): string | undefined => {
  const index = MONTHS.findIndex((name) => name.toLowerCase() === month.toLowerCase())
  const wall = Date.UTC(Number(year), index, Number(day))
  const text = dateOfWall(wall)
  return text.endsWith(`-${day.padStart(2, '0')}`) ? text : undefined
}

/** A span in minutes of the day; the end may be up to 48:00. Undefined if the text is not a span. */
const readSpan = (text: string): Interval | undefined => {
  const [begin = 0, end = 0] = text.split('-').map((time) => minuteOf(time.trim().padStart(5, '0')))
  if (/:[6-9]/.test(text) || begin >= DAY_MINUTES || end > 2 * DAY_MINUTES) return undefined
  if (end === DAY_MINUTES - 1) return { begin, end: DAY_MINUTES }
  const last = end > begin ? end : end + DAY_MINUTES
  return last - begin <= DAY_MINUTES ? { begin, end: last } : undefined
}

const readDays = (text: string): number[] =>
  text.split(',').flatMap((part) => {
    const [from, to = from] = part
      .split('-')
      .map((name) =>
        WEEKDAY_NAMES.findIndex((day) => day.toLowerCase() === name.trim().toLowerCase()),
      )
    if (from === undefined || to === undefined || from < 0 || to < 0) return []
    const count = ((to - from + 7) % 7) + 1
    return Array.from({ length: count }, (_, index) => ((from + index) % 7) + 1)
  })

/** Longer ranges are not exceptions. */
const MAX_RANGE_DAYS = 366

const isRange = (from: string | undefined, to: string | undefined): boolean => {
  if (from === undefined || to === undefined) return false
  const days = (wallOfDate(to) - wallOfDate(from)) / DAY_MS
  return days >= 0 && days < MAX_RANGE_DAYS
}

const readRule = (match: RegExpExecArray, adds: boolean): Rule | undefined => {
  const { dates, days, hours: text = 'open' } = match.groups ?? {}
  const [, , year = '', month = '', day = '', lastYear = year, lastMonth = month, lastDay = day] =
    match
  const from = dates === undefined ? undefined : readDate(year, month, day)
  const to = dates === undefined ? undefined : readDate(lastYear, lastMonth, lastDay)
  if (dates !== undefined && !isRange(from, to)) return undefined
  const isTimed = text.includes(':')
  const spans = isTimed
    ? text
        .replace(/[a-z]+$/i, '')
        .split(',')
        .map(readSpan)
    : [{ begin: 0, end: DAY_MINUTES }]
  if (spans.includes(undefined)) return undefined
  const named = days === undefined ? [1, 2, 3, 4, 5, 6, 7] : readDays(days)
  const isOpen = !/off|closed/i.test(text)
  // Only holidays; weekdays within dates; or dates that lose some of their hours.
  if (named.length === 0) return undefined
  if (dates !== undefined && (days !== undefined || (isTimed && !isOpen))) return undefined
  return {
    dates: from === undefined || to === undefined ? undefined : { from, to },
    days: named,
    isOpen,
    spans: spans.filter((span) => span !== undefined),
    adds,
  }
}

/** The rules of a text, and the parts that are not rules. */
const readRules = (text: string) => {
  const rules: Rule[] = []
  const losses: HoursReading['losses'][number][] = []
  let rest = text
  let adds = false
  while (rest.trim() !== '') {
    const match = RULE.exec(rest)
    const matched = match?.[0] ?? /^[^;]*;?/.exec(rest)?.[0] ?? rest
    const isEmpty = /^\s*[,;]?$/.test(matched)
    const rule = match && !isEmpty ? readRule(match, adds) : undefined
    if (rule) rules.push(rule)
    if (!rule && !isEmpty) losses.push(loss(matched.replace(/[,;]\s*$/, '')))
    const holiday = rule && /\b(?:PH|SH)\b/i.exec(match?.groups?.['days'] ?? '')
    if (holiday) losses.push({ text: holiday[0], reason: 'holidays' })
    adds = matched.endsWith(',')
    rest = rest.slice(matched.length)
  }
  return { rules, losses }
}

/** The open minutes of the week after a rule is applied; a span past Sunday exceeds the week. */
const applyRule = (open: readonly Interval[], { days, isOpen, spans, adds }: Rule): Interval[] => {
  const starts = days.map((day) => (day - 1) * DAY_MINUTES)
  const named = starts.flatMap((start) =>
    spans
      .map(({ begin, end }) => ({ begin: start + begin, end: start + end }))
      .flatMap((span) => [
        span,
        { begin: span.begin - WEEK_MINUTES, end: span.end - WEEK_MINUTES },
      ]),
  )
  if (!isOpen) return subtract(open, named)
  if (adds) return [...open, ...named]
  const whole = starts.map((start) => ({ begin: start, end: start + DAY_MINUTES }))
  return [...subtract(open, whole), ...named]
}

/**
 * Parses the part of OpenStreetMap's `opening_hours` that OCPI Hours can represent: weekdays, times, dates with their
 * year, rules that replace (`;`) and rules that add (`,`). `losses` lists the rest; `hours` is undefined if no week is
 * left. Dates are days in the time zone; without one, they are losses.
 */
export const parseOsm = (text: string, zone?: string): HoursReading => {
  const { rules, losses } = readRules(text)
  const week = rules.filter(({ dates }) => dates === undefined).reduce<Interval[]>(applyRule, [])
  const hours = hoursOfWeek(week)
  const minutes = within(union(week), { begin: 0, end: WEEK_MINUTES }).reduce(
    (sum, { begin, end }) => sum + end - begin,
    0,
  )
  if (minutes < LEAST_MINUTES)
    return {
      hours: undefined,
      losses: rules.length > 0 ? [...losses, { text, reason: 'never_open' }] : losses,
    }
  const dated = rules.filter(({ dates }) => dates !== undefined)
  if (zone === undefined || dated.length === 0)
    return {
      hours,
      losses: [
        ...losses,
        ...dated.map(({ dates }) => ({ text: dates?.from ?? '', reason: 'season' as const })),
      ],
    }
  const days = dated.map(({ dates, isOpen, spans }) => ({
    from: dates?.from ?? '',
    to: dates?.to ?? '',
    spans: isOpen ? spans : [],
  }))
  return { hours: withExceptions(hours, { days, openings: [], closings: [] }, zone), losses }
}

/** Parses IRVE `horaires`, a subset of `opening_hours`. */
export const parseIrve = (text: string): HoursReading => parseOsm(text.trim())

import type { ExceptionalPeriod, OpeningHours } from '../hours.ts'
import { DAY_MINUTES } from './minutes.ts'
import { subtract, union, within, type Interval } from './interval.ts'
import { openIntervals, periodIntervals } from './open.ts'
import { atMidnights } from './week.ts'
import { DAY_MS, instantOf, wallMs } from './zone.ts'

const MINUTE_MS = DAY_MS / DAY_MINUTES

/** Days on which the hours of a site differ from a regular week; closed if there are no spans. */
export interface SpecialDays {
  /** The first day, `YYYY-MM-DD`. */
  readonly from: string
  readonly to: string
  /** In minutes of each day; an end past midnight is greater than a day. */
  readonly spans: readonly Interval[]
}

/** Exceptional days, and the periods that do not cover whole days. */
export interface Exceptions {
  readonly days: readonly SpecialDays[]
  readonly openings: readonly ExceptionalPeriod[]
  readonly closings: readonly ExceptionalPeriod[]
}

/** Whether the hours have an exceptional period. */
export const hasExceptions = (hours: OpeningHours): boolean =>
  hours.exceptional_openings !== undefined || hours.exceptional_closings !== undefined

/** The wall time in milliseconds at which a `YYYY-MM-DD` begins. */
export const wallOfDate = (date: string): number => Date.parse(`${date}T00:00:00Z`)
/** The day of a wall time, as `YYYY-MM-DD`. */
export const dateOfWall = (wall: number): string => new Date(wall).toISOString().slice(0, 10)

const startOfDay = (wall: number): number => Math.floor(wall / DAY_MS) * DAY_MS

/** The starts of the days that an interval of wall time touches. */
const daysOf = ({ begin, end }: Interval): number[] => {
  const days: number[] = []
  for (let day = startOfDay(begin); day < end; day += DAY_MS) days.push(day)
  return days
}

const wallPeriods = (zone: string, periods: readonly ExceptionalPeriod[] | undefined) =>
  periodIntervals(periods).map(({ begin, end }) => ({
    begin: wallMs(zone, begin),
    end: wallMs(zone, end),
  }))

const toPeriods = (zone: string, walls: readonly Interval[]): ExceptionalPeriod[] =>
  walls
    .map(({ begin, end }) => ({ begin: instantOf(zone, begin), end: instantOf(zone, end) }))
    .filter(({ begin, end }) => begin < end)
    .map(({ begin, end }) => ({ period_begin: isoOf(begin), period_end: isoOf(end) }))

const isoOf = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z')

/** Sorts days, and merges consecutive days with the same spans. */
const joinDays = (days: readonly { day: number; spans: readonly Interval[] }[]): SpecialDays[] => {
  const joined: { from: string; to: string; spans: readonly Interval[] }[] = []
  for (const { day, spans } of days.toSorted((a, b) => a.day - b.day)) {
    const last = joined.at(-1)
    const follows = last && wallOfDate(last.to) + DAY_MS === day
    if (follows && JSON.stringify(last.spans) === JSON.stringify(spans)) last.to = dateOfWall(day)
    else joined.push({ from: dateOfWall(day), to: dateOfWall(day), spans })
  }
  return joined
}

const toMinutes = (spans: readonly Interval[], day: number): Interval[] =>
  spans.map(({ begin, end }) => ({
    begin: (begin - day) / MINUTE_MS,
    end: (end - day) / MINUTE_MS,
  }))

/**
 * Reads exceptional periods as days: "closed from 24 to 26 December", "open from 8:00 to 12:00 on 31 December". A day
 * is an exception if the periods cover all of it.
 */
export const readExceptions = (hours: OpeningHours, zone: string): Exceptions => {
  const closings = union(wallPeriods(zone, hours.exceptional_closings))
  const openings = subtract(wallPeriods(zone, hours.exceptional_openings), closings)
  const decided = union([...openings, ...closings])
  const special = decided.flatMap((span) =>
    daysOf(span).filter((day) => day >= span.begin && day + DAY_MS <= span.end),
  )
  // An opening belongs to the day on which it begins.
  const spans = openings.flatMap((opening) =>
    atMidnights({ begin: opening.begin / MINUTE_MS, end: opening.end / MINUTE_MS }).map(
      ({ begin, end }) => ({ begin: begin * MINUTE_MS, end: end * MINUTE_MS }),
    ),
  )
  const ofDay = Map.groupBy(spans, ({ begin }) => startOfDay(begin))
  const whole = special.map((day) => ({ begin: day, end: day + DAY_MS }))
  const covered = union([...whole, ...special.flatMap((day) => ofDay.get(day) ?? [])])
  return {
    days: joinDays(special.map((day) => ({ day, spans: toMinutes(ofDay.get(day) ?? [], day) }))),
    openings: toPeriods(zone, subtract(openings, covered)),
    closings: toPeriods(zone, subtract(closings, whole)),
  }
}

/**
 * Replaces the exceptions of the hours in the format of OCPI: an exceptional day is closed except for its spans. If a
 * day is listed twice, the last entry wins.
 */
export const withExceptions = (
  hours: OpeningHours,
  { days, openings, closings }: Exceptions,
  zone: string,
): OpeningHours => {
  const spansOf = new Map<number, readonly Interval[]>()
  for (const { from, to, spans } of days)
    for (const day of daysOf({ begin: wallOfDate(from), end: wallOfDate(to) + DAY_MS }))
      spansOf.set(day, spans)
  const open = [...spansOf].flatMap(([day, spans]) =>
    spans.map(({ begin, end }) => ({
      begin: day + begin * MINUTE_MS,
      end: day + end * MINUTE_MS,
    })),
  )
  const closed = subtract(
    [...spansOf.keys()].map((day) => ({ begin: day, end: day + DAY_MS })),
    open,
  )
  const allOpenings = [...toPeriods(zone, open), ...openings].toSorted(byBegin)
  const allClosings = [...toPeriods(zone, closed), ...closings].toSorted(byBegin)
  const { exceptional_openings: _, exceptional_closings: __, ...regular } = hours
  return {
    ...regular,
    ...(allOpenings.length > 0 && { exceptional_openings: allOpenings }),
    ...(allClosings.length > 0 && { exceptional_closings: allClosings }),
  }
}

/** Whether the hours have exceptions, but neither a week nor "24 hours". */
export const areOnlyExceptions = (hours: OpeningHours): boolean =>
  !hours.twentyfourseven && !hours.regular_hours?.length && hasExceptions(hours)

/** Adds exceptions to the hours. On a day that has one already, the added one applies. */
export const addExceptions = (
  hours: OpeningHours,
  added: OpeningHours,
  zone: string,
): OpeningHours => {
  const [before, more] = [readExceptions(hours, zone), readExceptions(added, zone)]
  const decided = more.days.map(({ from, to }) => ({
    begin: wallOfDate(from),
    end: wallOfDate(to) + DAY_MS,
  }))
  const openings = wallPeriods(zone, before.openings).filter(
    ({ begin }) => !decided.some((days) => begin >= days.begin && begin < days.end),
  )
  const closings = subtract(wallPeriods(zone, before.closings), decided)
  const all = {
    days: [...before.days, ...more.days],
    openings: [...toPeriods(zone, openings), ...more.openings],
    closings: [...toPeriods(zone, closings), ...more.closings],
  }
  return withExceptions(hours, all, zone)
}

/** Moves the exceptions to another time zone; they keep their days and local times. */
export const inZone = (hours: OpeningHours, from: string, to: string): OpeningHours => {
  const move = (periods: readonly ExceptionalPeriod[] | undefined) =>
    periods && toPeriods(to, wallPeriods(from, periods))
  const { exceptional_openings, exceptional_closings } = hours
  return {
    ...hours,
    ...(exceptional_openings && { exceptional_openings: move(exceptional_openings) }),
    ...(exceptional_closings && { exceptional_closings: move(exceptional_closings) }),
  }
}

const byBegin = (one: ExceptionalPeriod, other: ExceptionalPeriod): number =>
  Date.parse(one.period_begin) - Date.parse(other.period_begin)

/**
 * Every day that an exceptional period touches, with its open intervals from midnight to midnight, regular and
 * exceptional. For formats that only support whole days.
 */
export const daysWithExceptions = (hours: OpeningHours, zone: string): SpecialDays[] => {
  const periods = [
    ...wallPeriods(zone, hours.exceptional_openings),
    ...wallPeriods(zone, hours.exceptional_closings),
  ]
  const wallHours: OpeningHours = {
    ...hours,
    exceptional_openings: wallAsUtc(zone, hours.exceptional_openings),
    exceptional_closings: wallAsUtc(zone, hours.exceptional_closings),
  }
  const touched = union(
    periods.map(({ begin, end }) => ({ begin: startOfDay(begin), end: -startOfDay(-end) })),
  )
  return joinDays(touched.flatMap((days) => spansByDay(wallHours, days)))
}

/** The days from one midnight to another, each with its open intervals. */
const spansByDay = (wallHours: OpeningHours, days: Interval) => {
  const spansOf = new Map(daysOf(days).map((day): [number, Interval[]] => [day, []]))
  for (const span of openIntervals(wallHours, 'UTC', days.begin, days.end))
    for (const day of daysOf(span))
      spansOf.get(day)?.push(...within([span], { begin: day, end: day + DAY_MS }))
  return [...spansOf].map(([day, spans]) => ({ day, spans: toMinutes(spans, day) }))
}

/**
 * The days whose hours differ from a regular week, as people read them. A period of whole days stays as it is; if a
 * period covers only part of a day, every day that it touches is listed with all its hours.
 */
export const specialDays = (hours: OpeningHours, zone: string): readonly SpecialDays[] => {
  const { days, openings, closings } = readExceptions(hours, zone)
  return openings.length + closings.length === 0 ? days : daysWithExceptions(hours, zone)
}

/** Periods in wall time, written as if it were UTC. */
const wallAsUtc = (zone: string, periods: readonly ExceptionalPeriod[] | undefined) =>
  wallPeriods(zone, periods).map(({ begin, end }) => ({
    period_begin: isoOf(begin),
    period_end: isoOf(end),
  }))

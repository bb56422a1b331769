import type { ExceptionalPeriod, OpeningHours } from '../hours.ts'
import { DAY_MINUTES } from './minutes.ts'
import { subtract, union, within, type Interval } from './interval.ts'
import { weekIntervals } from './week.ts'
import { DAY_MS, stretches } from './zone.ts'

const MINUTE_MS = DAY_MS / DAY_MINUTES
const WEEK_MS = 7 * DAY_MS
/** 1970-01-05 was a Monday. */
const A_MONDAY = 4 * DAY_MS

/** Exceptional periods in milliseconds since 1970. */
export const periodIntervals = (periods: readonly ExceptionalPeriod[] = []): Interval[] =>
  periods.map(({ period_begin, period_end }) => ({
    begin: Date.parse(period_begin),
    end: Date.parse(period_end),
  }))

/** The open intervals of the weeks that a span of wall time touches, in wall time. */
const wallIntervals = (week: readonly Interval[], { begin, end }: Interval): Interval[] => {
  const intervals: Interval[] = []
  const first = Math.floor((begin - A_MONDAY) / WEEK_MS) * WEEK_MS + A_MONDAY
  for (let monday = first; monday < end; monday += WEEK_MS)
    for (const span of week)
      intervals.push({
        begin: monday + span.begin * MINUTE_MS,
        end: monday + span.end * MINUTE_MS,
      })
  return within(intervals, { begin, end })
}

/** The rules from which open intervals are computed. */
interface Rules {
  readonly week: readonly Interval[]
  readonly openings: readonly Interval[]
  readonly closings: readonly Interval[]
}

const rulesOf = (hours: OpeningHours): Rules => ({
  week: weekIntervals(hours),
  openings: hours.twentyfourseven ? [] : union(periodIntervals(hours.exceptional_openings)),
  closings: union(periodIntervals(hours.exceptional_closings)),
})

const openBetween = (
  { week, openings, closings }: Rules,
  zone: string,
  begin: number,
  end: number,
): Interval[] => {
  const regular = stretches(zone, begin, end).flatMap((stretch) =>
    wallIntervals(week, {
      begin: stretch.begin + stretch.offsetMs,
      end: stretch.end + stretch.offsetMs,
    }).map((wall) => ({
      begin: wall.begin - stretch.offsetMs,
      end: wall.end - stretch.offsetMs,
    })),
  )
  return within(subtract([...regular, ...openings], closings), { begin, end })
}

/**
 * The open intervals of a site between two instants, in milliseconds since 1970, in order. Wall time decides: a skipped
 * hour is left out, and a repeated hour is open twice. Throws a `RangeError` if the time zone is unknown.
 */
export const openIntervals = (
  hours: OpeningHours,
  zone: string,
  begin: number,
  end: number,
): Interval[] => openBetween(rulesOf(hours), zone, begin, end)

/** Exceptions that begin later are ignored. */
const HORIZON_MS = 400 * DAY_MS

/** Whether a site is open, and the time of the next change; undefined if there is none within a year. */
export interface OpenState {
  readonly isOpen: boolean
  readonly changesAt: number | undefined
}

/** The state of a site at an instant. Throws a `RangeError` if the time zone is unknown. */
export const openState = (hours: OpeningHours, zone: string, at: number): OpenState => {
  const rules = rulesOf(hours)
  const lastEnd = Math.max(...[...rules.openings, ...rules.closings].map(({ end }) => end))
  const starting = openBetween(rules, zone, at, at + 1).length > 0
  for (let begin = at; begin < at + HORIZON_MS; begin += WEEK_MS) {
    const end = begin + WEEK_MS
    const [first] = openBetween(rules, zone, begin, end)
    if (!starting && first) return { isOpen: false, changesAt: first.begin }
    if (starting && first?.begin !== begin) return { isOpen: true, changesAt: begin }
    if (starting && first && first.end < end) return { isOpen: true, changesAt: first.end }
    if (lastEnd <= begin && begin > at) break
  }
  return { isOpen: starting, changesAt: undefined }
}

import type { Interval } from './interval.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

// Creating a format takes a hundred times as long as using it, and a list uses one per site.
const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  // `Intl` accepts zones in any case. One zone has millions of spellings, and each format uses 15 kB outside the heap.
  const key = zone.toLowerCase()
  const known = formats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(key, format)
  return format
}

/** Whether this runtime knows a time zone, such as "Europe/Paris". */
export const isTimeZone = (zone: string): boolean => {
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

/**
 * Converts an instant to wall time: the milliseconds at which a clock in UTC shows the same time. Both are in
 * milliseconds since 1970. Throws a `RangeError` if the zone is unknown.
 */
export const wallMs = (zone: string, at: number): number => {
  const parts = formatOf(zone).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((each) => each.type === type)?.value)
  const wall = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return wall + (((at % 1000) + 1000) % 1000)
}

/** The interval between two clock changes. */
export interface Stretch extends Interval {
  /** The difference between wall time and UTC. */
  readonly offsetMs: number
}

/** The stretches of a time zone between two instants, in order and without gaps. */
export const stretches = (zone: string, begin: number, end: number): Stretch[] => {
  const offsetAt = (at: number): number => wallMs(zone, at) - at
  const found: Stretch[] = []
  let since = begin
  let offsetMs = offsetAt(begin)
  // No zone changes its clock twice within a day.
  for (let from = begin; from < end; from += DAY_MS) {
    let [before, after] = [from, Math.min(from + DAY_MS, end)]
    const offsetAfter = offsetAt(after)
    if (offsetAfter === offsetMs) continue
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (offsetAt(middle) === offsetMs) before = middle
      else after = middle
    }
    found.push({ begin: since, end: after, offsetMs })
    since = after
    offsetMs = offsetAfter
  }
  return [...found, { begin: since, end, offsetMs }]
}

/**
 * The first instant at which the wall time has reached a value: for a repeated hour its first occurrence, for a skipped
 * hour the clock change.
 */
export const instantOf = (zone: string, wall: number): number => {
  const near = stretches(zone, wall - DAY_MS, wall + DAY_MS)
  for (const { begin, end, offsetMs } of near) {
    const at = Math.max(wall - offsetMs, begin)
    if (at < end) return at
  }
  return wall
}

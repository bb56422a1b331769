import * as fc from 'fast-check'
import OsmHours from 'opening_hours'
import { afterAll, afterEach, expect, test } from 'vitest'

import type { OpeningHours } from '#domain/hours.ts'
import type { Interval } from '#domain/hours/interval.ts'
import { openIntervals } from '#domain/hours/open.ts'
import { DAY_MS, instantOf, stretches, wallMs } from '#domain/hours/zone.ts'
import { parseIrve, printOsm } from '#domain/hours/osm.ts'

import { hoursIn, register, week, ZONES } from '../support/opening-hours.ts'
import { countFailures, report, times } from './figures.ts'

// The library of OpenStreetMap's own editors is the reference for open hours, at every quarter of an hour of a year
// with both clock changes. It uses the time zone of its process.

const HOUR_MS = 60 * 60_000
const QUARTER_MS = HOUR_MS / 4
const BEGIN = Date.UTC(2026, 0, 1)
const END = Date.UTC(2027, 0, 1)
const GENERATED = times(5, 400)

/** If the clock changes at midnight, the reference never returns ("Sa 23:05-00:05": an infinite loop). */
const JUDGED = ZONES.filter((zone) => zone !== 'America/Santiago')

const zoneBefore = process.env['TZ']
const { failures } = countFailures()
let quarters = 0
let undecided = 0
afterEach(() => {
  process.env['TZ'] = zoneBefore
})
afterAll(() =>
  report('opening hours', {
    'texts of the register': register.length,
    'generated hours in each zone': GENERATED,
    quarters,
    'quarters not asked': undecided,
    failures: failures(),
  }),
)

/** The state at an instant: open, closed, or undefined if the reference is not consulted. */
type Verdict = (at: number) => boolean | undefined

/** Queries intervals in chronological order. */
const walk = (intervals: readonly Interval[]): Verdict => {
  let index = 0
  return (at) => {
    while ((intervals[index]?.end ?? Infinity) <= at) index++
    return (intervals[index]?.begin ?? Infinity) <= at
  }
}

/**
 * The reference's evaluation of a text. Its intervals omit parts of a repeated hour. Its state at an instant does not,
 * but takes a hundred times as long, so it is only used around clock changes. It assumes that the day of a change has
 * 24 hours, so spans past a midnight of that day end up to an hour early or late ("Sa 22:00-02:00" is open on Monday at
 * 00:30); these hours are excluded.
 */
const judge = (text: string, zone: string): Verdict => {
  const osm = new OsmHours(text)
  const inIntervals = walk(
    osm
      .getOpenIntervals(new Date(BEGIN), new Date(END))
      .map(([begin, end]) => ({ begin: begin.getTime(), end: end.getTime() })),
  )
  const changes = stretches(zone, BEGIN, END)
    .map(({ end }) => end)
    .filter((end) => end < END)
  const midnights = changes.flatMap((change) => {
    const day = Math.floor(wallMs(zone, change) / DAY_MS) * DAY_MS
    return [instantOf(zone, day), instantOf(zone, day + DAY_MS)]
  })
  return (at) => {
    const isOpen = inIntervals(at)
    if (midnights.some((midnight) => Math.abs(at - midnight) <= HOUR_MS)) return undefined
    return changes.some((change) => Math.abs(at - change) <= DAY_MS)
      ? osm.getState(new Date(at))
      : isOpen
  }
}

/** The quarters of an hour at which the reference differs. */
const differences = (verdict: Verdict, judged: Verdict): string[] => {
  const found: string[] = []
  for (let at = BEGIN; at < END; at += QUARTER_MS) {
    quarters++
    const [one, other] = [verdict(at), judged(at)]
    if (other === undefined) undecided++
    else if (one !== other) found.push(`${new Date(at).toISOString()}: ${one ? 'open' : 'closed'}`)
  }
  return found
}

const ours = (hours: OpeningHours, zone: string): Verdict =>
  walk(openIntervals(hours, zone, BEGIN, END))

test.each(ZONES)('the texts of the French register, in %s', (zone) => {
  process.env['TZ'] = zone
  const differing = register.flatMap(({ horaires }) => {
    const { hours } = parseIrve(horaires)
    const found = hours ? differences(ours(hours, zone), judge(horaires, zone)) : []
    return found.map((text) => `${horaires}: ${text}`)
  })
  expect(differing).toEqual([])
})

test.each(JUDGED)('hours of any week, in %s', (zone) => {
  process.env['TZ'] = zone
  fc.assert(
    fc.property(week, (hours) => {
      const text = printOsm(hours, zone)
      expect(differences(ours(hours, zone), judge(text, zone)), text).toEqual([])
    }),
    { numRuns: GENERATED },
  )
})

test.each(JUDGED)('hours with exceptions, in %s', (zone) => {
  process.env['TZ'] = zone
  fc.assert(
    fc.property(hoursIn(zone), (hours) => {
      const text = printOsm(hours, zone)
      expect(differences(ours(hours, zone), judge(text, zone)), text).toEqual([])
    }),
    { numRuns: GENERATED },
  )
})

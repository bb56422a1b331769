import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  hoursIn,
  longWeek,
  register,
  specialDays,
  week,
  YEAR_BEGIN,
  ZONES,
} from '../../tests/support/opening-hours.ts'
import { openingHoursSchema, type OpeningHours } from '../hours.ts'
import {
  addExceptions,
  daysWithExceptions,
  inZone,
  readExceptions,
  withExceptions,
  type SpecialDays,
} from './exceptions.ts'
import { openIntervals, openState } from './open.ts'
import { subtract, type Interval } from './interval.ts'
import { parseOcpi, printOcpi } from './ocpi.ts'
import { parseIrve, parseOsm, printIrve, printOsm } from './osm.ts'
import { normalHours } from './week.ts'
import { DAY_MS, instantOf, isTimeZone, stretches, wallMs } from './zone.ts'

const HOUR_MS = DAY_MS / 24

/** Hours in the format of OpenStreetMap. */
const read = (text: string, zone?: string): OpeningHours => {
  const { hours, losses } = parseOsm(text, zone)
  expect(losses).toEqual([])
  if (!hours) throw new Error(`no hours: ${text}`)
  return hours
}
const at = (text: string): number => Date.parse(text)
/** The repeated local times of a year, in both occurrences. */
const repeatedHours = (...year: Parameters<typeof stretches>): Interval[] =>
  stretches(...year).flatMap(({ begin, offsetMs }, index, all) => {
    const backMs = (all[index - 1]?.offsetMs ?? offsetMs) - offsetMs
    return backMs > 0 ? [{ begin: begin - backMs, end: begin + backMs }] : []
  })
const iso = (when: number | undefined): string | undefined =>
  when === undefined ? undefined : new Date(when).toISOString().replace(':00.000Z', 'Z')

describe('open now', () => {
  test.each([
    ['before it opens', 'Mo-Fr 08:00-18:00', '2026-06-01T05:59Z', false, '2026-06-01T06:00Z'],
    ['when it opens', 'Mo-Fr 08:00-18:00', '2026-06-01T06:00Z', true, '2026-06-01T16:00Z'],
    ['when it closes', 'Mo-Fr 08:00-18:00', '2026-06-05T16:00Z', false, '2026-06-08T06:00Z'],
    [
      'between two spans',
      'Mo 08:00-12:00,14:00-18:00',
      '2026-06-01T10:30Z',
      false,
      '2026-06-01T12:00Z',
    ],
    ['past midnight', 'Fr 22:00-02:00', '2026-06-05T23:30Z', true, '2026-06-06T00:00Z'],
    ['past the end of Sunday', 'Su 22:00-02:00', '2026-06-07T23:30Z', true, '2026-06-08T00:00Z'],
    ['where days meet', 'Sa-Su 00:00-24:00', '2026-06-06T12:00Z', true, '2026-06-07T22:00Z'],
    ['always', '24/7', '2026-06-06T12:00Z', true, undefined],
    ['up to a closing', '24/7; 2026 Dec 25 off', '2026-12-20T12:00Z', true, '2026-12-24T23:00Z'],
    ['in a closing', '24/7; 2026 Dec 25 off', '2026-12-25T12:00Z', false, '2026-12-25T23:00Z'],
    [
      'in a long closing',
      'Mo 08:00-18:00; 2026 Jul 01-2026 Aug 31 off',
      '2026-07-02T00:00Z',
      false,
      '2026-09-07T06:00Z',
    ],
    [
      'before the hour that is skipped',
      'Su 00:00-06:00',
      '2026-03-29T00:30Z',
      true,
      '2026-03-29T04:00Z',
    ],
    [
      'into the hour that is skipped',
      'Su 00:00-02:30',
      '2026-03-29T00:30Z',
      true,
      '2026-03-29T01:00Z',
    ],
    [
      'from the hour that is skipped',
      'Su 02:30-06:00',
      '2026-03-29T00:30Z',
      false,
      '2026-03-29T01:00Z',
    ],
    [
      'within the hour that is skipped',
      'Su 02:15-02:45',
      '2026-03-29T00:30Z',
      false,
      '2026-04-05T00:15Z',
    ],
    [
      'over the hour that comes twice',
      'Su 00:00-06:00',
      '2026-10-24T22:30Z',
      true,
      '2026-10-25T05:00Z',
    ],
    [
      'in the hour that comes twice, at first',
      'Su 02:00-02:30',
      '2026-10-25T00:15Z',
      true,
      '2026-10-25T00:30Z',
    ],
    [
      'in the hour that comes twice, again',
      'Su 02:00-02:30',
      '2026-10-25T01:15Z',
      true,
      '2026-10-25T01:30Z',
    ],
  ])('%s', (_, text, when, isOpen, changesAt) => {
    const state = openState(read(text, 'Europe/Paris'), 'Europe/Paris', at(when))
    expect({ ...state, changesAt: iso(state.changesAt) }).toEqual({ isOpen, changesAt })
  })

  test('a day that begins at one in the morning', () => {
    // In Santiago the clock goes from 24:00 to 01:00 on the first Saturday of September.
    const hours = read('Sa 20:00-24:00', 'America/Santiago')
    expect(openState(hours, 'America/Santiago', at('2026-09-06T03:00Z'))).toEqual({
      isOpen: true,
      changesAt: at('2026-09-06T04:00Z'),
    })
    expect(instantOf('America/Santiago', Date.UTC(2026, 8, 6))).toBe(at('2026-09-06T04:00Z'))
  })

  test('agrees with the intervals of a year at any instant', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES).chain((zone) => fc.tuple(fc.constant(zone), hoursIn(zone))),
        fc.integer({ min: 0, max: 365 * 24 }),
        ([zone, hours], hour) => {
          const now = YEAR_BEGIN + hour * HOUR_MS
          const month = openIntervals(hours, zone, now, now + 30 * DAY_MS)
          const isOpen = month[0]?.begin === now
          const next = isOpen ? month[0]?.end : month[0]?.begin
          const isKnown = next !== undefined && next < now + 30 * DAY_MS
          const state = openState(hours, zone, now)
          expect({ isOpen, changesAt: isKnown ? next : state.changesAt }).toEqual(state)
        },
      ),
      { numRuns: 100 },
    )
  })
})

test('the spellings of a time zone use no additional memory', () => {
  const before = process.memoryUsage().rss
  const spelled = (index: number): string =>
    Array.from('America/Argentina/ComodRivadavia')
      .map((letter, place) => ((index >> place) & 1 ? letter.toUpperCase() : letter.toLowerCase()))
      .join('')
  for (let index = 0; index < 20_000; index++) expect(isTimeZone(spelled(index))).toBe(true)
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
})

test('converts to wall time and back', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: 365 * 96 }).map((quarter) => YEAR_BEGIN + quarter * (HOUR_MS / 4)),
      (zone, instant) => {
        const wall = wallMs(zone, instant)
        const back = instantOf(zone, wall)
        expect(back).toBeLessThanOrEqual(instant)
        expect(wallMs(zone, back)).toBe(wall)
      },
    ),
  )
})

describe('the French register', () => {
  test('all of its texts are read except one, which is a placeholder', () => {
    expect(register).toHaveLength(58)
    const refused = register.filter(({ horaires }) => parseIrve(horaires).losses.length > 0)
    expect(refused).toEqual([{ horaires: 'Mo 00:00-00:01', count: 25 }])
    expect(parseIrve('Mo 00:00-00:01')).toEqual({
      hours: undefined,
      losses: [{ text: 'Mo 00:00-00:01', reason: 'never_open' }],
    })
  })

  test('printed hours are valid, and parse to the same', () => {
    const PATTERN = /^(.*?)((\d{1,2}:\d{2})-(\d{1,2}:\d{2})|24\/7)$/
    for (const { horaires } of register) {
      const { hours } = parseIrve(horaires)
      if (!hours) continue
      expect(openingHoursSchema.safeParse(hours).success, horaires).toBe(true)
      expect(printIrve(hours)).toMatch(PATTERN)
      expect(parseIrve(printIrve(hours))).toEqual({ hours, losses: [] })
    }
  })

  test.each([
    ['Mo 06:00-23:59,Tu 00:00-01:00', 'Mo 06:00-01:00'],
    ['Mo-Fr 08:00-19:30, Mo-Fr 08:00-23:00, Sa 08:00-23:00', 'Mo-Sa 08:00-23:00'],
    ['Mo-Fr 00:00-00:00, Sa 00:00-00:00', 'Mo-Sa 00:00-24:00'],
    ['08:30-20:30', 'Mo-Su 08:30-20:30'],
    ['Sa 14:00-19:00, Sa 09:00-12:00', 'Sa 09:00-12:00,14:00-19:00'],
  ])('reads %s as %s', (text, meaning) => {
    const { hours } = parseIrve(text)
    expect(hours && printIrve(hours)).toBe(meaning)
  })
})

describe('OpenStreetMap', () => {
  test.each([
    ['mo-fr 8:00-18:00', 'Mo-Fr 08:00-18:00'],
    ['Mo-Su 08:00-20:00; Su off', 'Mo-Sa 08:00-20:00'],
    ['Mo-Su 08:00-20:00; We 10:00-12:00', 'Mo-Tu,Th-Su 08:00-20:00; We 10:00-12:00'],
    ['Mo-Fr 08:00-18:00, We 20:00-22:00', 'Mo-Tu,Th-Fr 08:00-18:00; We 08:00-18:00,20:00-22:00'],
    ['Mo-Fr 08:00-18:00; Mo-Fr 12:00-13:00 off', 'Mo-Fr 08:00-12:00,13:00-18:00'],
    ['Fr-Mo 10:00-12:00', 'Mo,Fr-Su 10:00-12:00'],
    ['Sa 18:00-26:00', 'Sa 18:00-02:00'],
    ['Mo-Su 00:00-24:00', '24/7'],
    ['Sa', 'Sa 00:00-24:00'],
    ['Mo-Fr: 08:00 - 18:00;', 'Mo-Fr 08:00-18:00'],
    // A rule after a semicolon replaces its whole day, including the rest of the evening before.
    ['Mo 22:00-02:00; Tu 05:00-08:00', 'Mo 22:00-24:00; Tu 05:00-08:00'],
    ['Mo 22:00-02:00, Tu 05:00-08:00', 'Mo 22:00-02:00, Tu 05:00-08:00'],
  ])('reads %s as %s', (text, meaning) => {
    expect(printOsm(read(text), 'UTC')).toBe(meaning)
  })

  test.each([
    ['Mo-Fr 08:00-18:00; PH off', 'Mo-Fr 08:00-18:00', 'PH off', 'holidays'],
    ['Mo-Fr,PH 08:00-18:00', 'Mo-Fr 08:00-18:00', 'PH', 'holidays'],
    ['Mo-Fr 08:00-18:00; Jul-Aug off', 'Mo-Fr 08:00-18:00', 'Jul-Aug off', 'season'],
    ['Mo-Fr 08:00-18:00; Dec 25 off', 'Mo-Fr 08:00-18:00', 'Dec 25 off', 'season'],
    ['Mo-Fr 08:00-18:00; 2026 Feb 30 off', 'Mo-Fr 08:00-18:00', '2026 Feb 30 off', 'season'],
    ['sunrise-sunset', undefined, 'sunrise-sunset', 'sun'],
    [
      'Mo-Fr 08:00-18:00 "by appointment"',
      undefined,
      'Mo-Fr 08:00-18:00 "by appointment"',
      'comment',
    ],
    ['Mo 25:00-26:00', undefined, 'Mo 25:00-26:00', 'not_understood'],
    ['ask inside', undefined, 'ask inside', 'not_understood'],
    ['Mo off', undefined, 'Mo off', 'never_open'],
  ])('of %s keeps %s', (text, kept, lost, reason) => {
    const { hours, losses } = parseOsm(text, 'UTC')
    expect(hours && printOsm(hours, 'UTC')).toBe(kept)
    expect(losses).toEqual([{ text: lost, reason }])
  })

  test('an empty text means no hours', () => {
    expect(parseOsm('  ')).toEqual({ hours: undefined, losses: [] })
  })

  test('any text is parsed without an error', () => {
    const words = [
      'Mo',
      '-',
      'Fr',
      ' ',
      '08:00',
      '24:00',
      ',',
      ';',
      'PH',
      'off',
      '2026',
      'Dec',
      '25',
      '"',
      '24/7',
    ]
    const text = fc.array(fc.constantFrom(...words)).map((parts) => parts.join(''))
    const isRead = fc.check(
      fc.property(fc.oneof(text, fc.string()), (input) => {
        const { hours = { twentyfourseven: true } } = parseOsm(input, 'Europe/Paris')
        return openingHoursSchema.safeParse(hours).success
      }),
    )
    expect(isRead).toMatchObject({ failed: false })
  })

  test('a printed week parses to the same', () => {
    fc.assert(
      fc.property(longWeek, (hours) => {
        expect(parseOsm(printOsm(hours, 'UTC'))).toEqual({
          hours: normalHours(hours),
          losses: [],
        })
      }),
    )
  })

  test('printed exceptions parse to the same', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES).chain((zone) => fc.tuple(fc.constant(zone), hoursIn(zone))),
        ([zone, hours]) => {
          const again = parseOsm(printOsm(hours, zone), zone).hours
          const year = [zone, YEAR_BEGIN, YEAR_BEGIN + 366 * DAY_MS] as const
          // A printed time cannot say which of two repeated times is meant.
          const twice = repeatedHours(...year)
          const open = (of: OpeningHours) => subtract(openIntervals(of, ...year), twice)
          expect(again && open(again)).toEqual(open(hours))
        },
      ),
    )
  })
})

describe('OCPI', () => {
  test('every span ends later than it begins, on the same day', () => {
    const { regular_hours } = printOcpi(read('Fr 22:00-02:00, Sa 08:00-24:00'))
    expect(regular_hours).toEqual([
      { weekday: 5, period_begin: '22:00', period_end: '23:59' },
      { weekday: 6, period_begin: '00:00', period_end: '02:00' },
      { weekday: 6, period_begin: '08:00', period_end: '23:59' },
    ])
  })

  test('a printed week parses to the same', () => {
    fc.assert(
      fc.property(
        week.filter(
          ({ twentyfourseven, regular_hours: spans = [] }) => twentyfourseven || spans.length > 0,
        ),
        (hours) => {
          const printed = printOcpi(hours)
          for (const { period_begin, period_end } of printed.regular_hours ?? [])
            expect(period_end > period_begin).toBe(true)
          expect(openingHoursSchema.safeParse(printed).success).toBe(true)
          expect(parseOcpi(printed)).toEqual({ hours: normalHours(hours), losses: [] })
        },
      ),
    )
  })

  const monday = { weekday: 1, period_begin: '08:00', period_end: '18:00' }
  test.each([
    [
      'nulls',
      { twentyfourseven: null, regular_hours: [monday], exceptional_openings: null },
      'Mo 08:00-18:00',
    ],
    ['no flag', { regular_hours: [{ ...monday, period_end: '24:00' }] }, 'Mo 08:00-24:00'],
    ['spans beside 24/7', { twentyfourseven: true, regular_hours: [monday] }, '24/7'],
    [
      'a week that counts from Sunday',
      { regular_hours: [{ ...monday, weekday: 0 }] },
      'Su 08:00-18:00',
    ],
    ['overlaps', { regular_hours: [monday, { ...monday, period_end: '20:00' }] }, 'Mo 08:00-20:00'],
    [
      'instants without a Z',
      {
        twentyfourseven: true,
        exceptional_closings: [
          { period_begin: '2026-12-25T00:00:00', period_end: '2026-12-26T00:00:00' },
        ],
      },
      '24/7; 2026 Dec 25 off',
    ],
  ])('reads %s', (_, value, meaning) => {
    const { hours, losses } = parseOcpi(value)
    expect(losses).toEqual([])
    expect(hours && printOsm(hours, 'UTC')).toBe(meaning)
  })

  test('keeps the readable parts and reports the rest', () => {
    const closed = { weekday: 7, period_begin: 'closed', period_end: 'closed' }
    const { hours, losses } = parseOcpi({ regular_hours: [monday, closed] })
    expect(hours?.regular_hours).toEqual([monday])
    expect(losses).toEqual([{ text: JSON.stringify(closed), reason: 'not_understood' }])
    expect(parseOcpi(null)).toEqual({ hours: undefined, losses: [] })
    expect(parseOcpi('24/7').losses).toHaveLength(1)
  })
})

describe('exceptions', () => {
  const hours: OpeningHours = read('Mo-Fr 08:00-18:00')

  test('reading very many of them as days takes little time', () => {
    const periods = (kind: 0 | 1) =>
      Array.from({ length: 200 }, (_, index) => {
        const begin = Date.UTC(2026, 0, 1) + (2 * index + kind) * 366 * DAY_MS
        return { period_begin: utc(begin), period_end: utc(begin + 365 * DAY_MS) }
      })
    const utc = (ms: number): string => new Date(ms).toISOString()
    const long = { ...hours, exceptional_openings: periods(0), exceptional_closings: periods(1) }
    expect(readExceptions(long, 'UTC').days).toHaveLength(400)
    expect(daysWithExceptions(long, 'UTC')).toHaveLength(400)
  })

  const days: SpecialDays[] = [
    { from: '2026-12-24', to: '2026-12-24', spans: [{ begin: 480, end: 720 }] },
    { from: '2026-12-25', to: '2026-12-26', spans: [] },
    { from: '2026-12-31', to: '2026-12-31', spans: [{ begin: 1080, end: 1560 }] },
  ]

  test('days in the time zone of the site are stored in the format of OCPI', () => {
    const { exceptional_closings, exceptional_openings } = withExceptions(
      hours,
      { days, openings: [], closings: [] },
      'Europe/Paris',
    )
    expect(exceptional_openings).toEqual([
      { period_begin: '2026-12-24T07:00:00Z', period_end: '2026-12-24T11:00:00Z' },
      { period_begin: '2026-12-31T17:00:00Z', period_end: '2027-01-01T01:00:00Z' },
    ])
    expect(exceptional_closings).toEqual([
      { period_begin: '2026-12-23T23:00:00Z', period_end: '2026-12-24T07:00:00Z' },
      { period_begin: '2026-12-24T11:00:00Z', period_end: '2026-12-26T23:00:00Z' },
      { period_begin: '2026-12-30T23:00:00Z', period_end: '2026-12-31T17:00:00Z' },
    ])
  })

  test('keep their days when moved to another time zone', () => {
    const exceptions = { days, openings: [], closings: [] }
    const moved = inZone(
      withExceptions(hours, exceptions, 'Europe/Paris'),
      'Europe/Paris',
      'America/New_York',
    )
    expect(moved).toEqual(withExceptions(hours, exceptions, 'America/New_York'))
  })

  test('days on which the clock changes are covered in full', () => {
    const closed = [{ from: '2026-03-29', to: '2026-03-29', spans: [] }]
    const special = withExceptions(
      hours,
      { days: closed, openings: [], closings: [] },
      'Europe/Paris',
    )
    expect(special.exceptional_closings).toEqual([
      { period_begin: '2026-03-28T23:00:00Z', period_end: '2026-03-29T22:00:00Z' },
    ])
  })

  test('a period of hours within a day is unchanged', () => {
    const closings = [{ period_begin: '2018-12-25T03:00:00Z', period_end: '2018-12-25T05:00:00Z' }]
    const always = { twentyfourseven: true, exceptional_closings: closings }
    const exceptions = readExceptions(always, 'Europe/Paris')
    expect(exceptions).toEqual({ days: [], openings: [], closings })
    expect(withExceptions(always, exceptions, 'Europe/Paris')).toEqual(always)
  })

  test('an added day replaces the hours within it, and not those of the day before', () => {
    const during = (begin: string, end: string) => [
      { period_begin: `2018-12-${begin}:00Z`, period_end: `2018-12-${end}:00Z` },
    ]
    const before: OpeningHours = {
      twentyfourseven: true,
      exceptional_openings: during('23T22:00', '24T02:00'),
      exceptional_closings: during('24T10:00', '24T12:00'),
    }
    const spans = [{ begin: 480, end: 840 }]
    const day = { from: '2018-12-24', to: '2018-12-24', spans }
    const none = { openings: [], closings: [] }
    const added = withExceptions({ twentyfourseven: false }, { days: [day], ...none }, 'UTC')
    expect(readExceptions(addExceptions(before, added, 'UTC'), 'UTC')).toEqual({
      days: [day],
      openings: during('23T22:00', '24T00:00'),
      closings: [],
    })
  })

  test('reading them returns what was written', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), specialDays, week, (zone, special, regular) => {
        const written = withExceptions(regular, { days: special, openings: [], closings: [] }, zone)
        const again = withExceptions(regular, readExceptions(written, zone), zone)
        const year = [zone, YEAR_BEGIN, YEAR_BEGIN + 366 * DAY_MS] as const
        expect(openIntervals(again, ...year)).toEqual(openIntervals(written, ...year))
        expect(readExceptions(again, zone)).toEqual(readExceptions(written, zone))
      }),
    )
  })
})

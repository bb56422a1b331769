import { describe, expect, test } from 'vitest'
import { openingHoursSchema, type OpeningHours, type RegularHours } from './hours.ts'
import { OPENING_HOURS_MAX_BYTES } from './limits.ts'

const span = (weekday: number, period_begin: string, period_end: string): RegularHours => ({
  weekday,
  period_begin,
  period_end,
})
const week = (...regular_hours: RegularHours[]): OpeningHours => ({
  twentyfourseven: false,
  regular_hours,
})

/** The path and the message of the first problem; undefined if there is none. */
const problem = (value: unknown): string | undefined => {
  const issue = openingHoursSchema.safeParse(value).error?.issues[0]
  return issue && `${issue.path.join('.')}: ${issue.message}`
}

test.each([
  ['around the clock', { twentyfourseven: true }],
  ['two spans a day', week(span(1, '08:00', '12:00'), span(1, '14:00', '18:30'))],
  ['spans that touch', week(span(1, '08:00', '12:00'), span(1, '12:00', '18:00'))],
  ['to the end of the day', week(span(1, '08:00', '00:00'), span(2, '00:00', '08:00'))],
  ['past midnight', week(span(5, '22:00', '02:00'), span(6, '02:00', '05:00'))],
  ['past midnight on Sunday', week(span(7, '22:00', '02:00'), span(1, '02:00', '05:00'))],
  ['a day from its beginning', week(span(1, '00:00', '00:00'), span(2, '00:00', '00:00'))],
  ['23:59 and midnight', week(span(1, '06:00', '23:59'), span(2, '00:00', '01:00'))],
  [
    'a closing',
    {
      twentyfourseven: true,
      exceptional_closings: [
        { period_begin: '2026-12-24T23:00:00Z', period_end: '2026-12-25T23:00:00.000Z' },
      ],
    },
  ],
])('accepts %s', (_, value) => {
  expect(problem(value)).toBeUndefined()
})

describe('refuses', () => {
  test.each([
    ['times that are none', week(span(1, '8:00', '25:00')), 'regular_hours.0.period_begin'],
    ['24:00', week(span(1, '08:00', '24:00')), 'regular_hours.0.period_end'],
    ['a weekday that is none', week(span(0, '08:00', '12:00')), 'regular_hours.0.weekday'],
    ['24/7 that is absent', {}, 'twentyfourseven: Must be true or false.'],
    ['24/7 as a text', { twentyfourseven: 'yes' }, 'twentyfourseven: Must be true or false.'],
    [
      'spans that are no list',
      { twentyfourseven: false, regular_hours: {} },
      'regular_hours: Must be a list of at most 70.',
    ],
    [
      'periods that are no list',
      { twentyfourseven: true, exceptional_closings: {} },
      'exceptional_closings: Must be a list of at most 200.',
    ],
    ['no span', week(), 'regular_hours: Must have a span if'],
    [
      'spans beside 24/7',
      { ...week(span(1, '08:00', '12:00')), twentyfourseven: true },
      'regular_hours: Must be empty',
    ],
    [
      'an overlap',
      week(span(1, '11:00', '18:00'), span(1, '08:00', '12:00')),
      'regular_hours.0: Overlaps span 2.',
    ],
    ['the same span twice', week(span(1, '08:00', '12:00'), span(1, '08:00', '12:00')), 'Overlaps'],
    [
      'an overlap past midnight',
      week(span(7, '22:00', '02:00'), span(1, '01:00', '05:00')),
      'regular_hours.1: Overlaps span 1.',
    ],
    [
      'a period that ends before it begins',
      {
        twentyfourseven: true,
        exceptional_closings: [
          { period_begin: '2026-12-25T00:00:00Z', period_end: '2026-12-24T00:00:00Z' },
        ],
      },
      'exceptional_closings.0.period_end: Must be later',
    ],
    [
      'a closing of years',
      {
        twentyfourseven: true,
        exceptional_closings: [
          { period_begin: '2026-01-01T00:00:00Z', period_end: '2028-01-01T00:00:00Z' },
        ],
      },
      'exceptional_closings.0.period_end: Must be at most 366 days',
    ],
    [
      'many long closings',
      {
        twentyfourseven: true,
        exceptional_closings: Array.from({ length: 6 }, (_, index) => ({
          period_begin: `${2026 + index}-01-01T00:00:00Z`,
          period_end: `${2027 + index}-01-01T00:00:00Z`,
        })),
      },
      'exceptional_closings: Must be at most 1830 days together',
    ],
    [
      'a local time where an instant belongs',
      {
        twentyfourseven: true,
        exceptional_openings: [
          { period_begin: '2026-12-24T00:00:00', period_end: '2026-12-25T00:00:00Z' },
        ],
      },
      'exceptional_openings.0.period_begin: Must be a date and time in UTC',
    ],
  ])('%s', (_, value, expected) => {
    expect(problem(value)).toContain(expected)
  })

  test('the limit on spans applies before the limit on bytes', () => {
    const period = {
      period_begin: '2026-12-24T23:00:00.000Z',
      period_end: '2026-12-25T23:00:00.000Z',
    }
    const most = {
      twentyfourseven: false,
      regular_hours: Array.from({ length: 70 }, (_, index) => {
        const begin = `${String((index % 10) * 2).padStart(2, '0')}:00`
        return span(Math.floor(index / 10) + 1, begin, begin.replace(':00', ':30'))
      }),
      exceptional_openings: Array.from({ length: 200 }, () => period),
      exceptional_closings: Array.from({ length: 200 }, () => period),
    }
    expect(problem(most)).toBeUndefined()
    expect(JSON.stringify(most).length).toBeLessThan(OPENING_HOURS_MAX_BYTES)
    expect(
      problem({ ...most, exceptional_closings: [...most.exceptional_closings, period] }),
    ).toContain('exceptional_closings')
  })
})

import { expect, test } from 'vitest'

import { CURRENT_TYPES, FORMATS, STANDARDS, type Standard } from './connector.ts'
import { warningsOf, impliedBy, isCapacityDoubtful, USUAL_PLUGS, type Described } from './plug.ts'

const about = (connector: Described) => warningsOf(connector).map((doubt) => doubt.about)

test.each<[string, Described]>([
  [
    'a preset',
    { standard: 'IEC_62196_T2', format: 'SOCKET', current_type: 'AC_3_PHASE', kw_rating: 22 },
  ],
  [
    '7.4 kW, one phase',
    { standard: 'IEC_62196_T2', format: 'CABLE', current_type: 'AC_1_PHASE', kw_rating: 7.4 },
  ],
  [
    '150 kW',
    { standard: 'IEC_62196_T2_COMBO', format: 'CABLE', current_type: 'DC', kw_rating: 150 },
  ],
  [
    'exactly 400 kW',
    { standard: 'IEC_62196_T2_COMBO', format: 'CABLE', current_type: 'DC', kw_rating: 400 },
  ],
  ['exactly 1 kW', { kw_rating: 1 }],
  [
    'a megawatt where that is the point',
    { standard: 'MCS', format: 'CABLE', current_type: 'DC', kw_rating: 1200 },
  ],
  [
    'North American Type 1',
    {
      standard: 'IEC_62196_T1',
      format: 'CABLE',
      current_type: 'AC_2_PHASE_SPLIT',
      kw_rating: 19.2,
    },
  ],
  ['nothing filled in', {}],
  ['what is an error anyway', { standard: 'CHADEMO', kw_rating: 0 }],
])('asks nothing about %s', (_what, connector) => {
  expect(warningsOf(connector)).toEqual([])
})

test.each<[string, Described, ReturnType<typeof warningsOf>]>([
  ['740 kW', { kw_rating: 740 }, [{ about: 'power' }]],
  ['400.1 kW', { kw_rating: 400.1 }, [{ about: 'power' }]],
  [
    '0.74 kW',
    { standard: 'IEC_62196_T2', current_type: 'AC_1_PHASE', kw_rating: 0.74 },
    [{ about: 'power' }],
  ],
  [
    '74 kW of AC',
    { standard: 'IEC_62196_T2', current_type: 'AC_3_PHASE', kw_rating: 74 },
    [{ about: 'powerOfPlug', maxKw: 44 }],
  ],
  [
    '11 kW from a household socket',
    { standard: 'DOMESTIC_F', current_type: 'AC_1_PHASE', kw_rating: 11 },
    [{ about: 'powerOfPlug', maxKw: 3.7 }],
  ],
  [
    '7.4 kW with three phases',
    { standard: 'IEC_62196_T2', current_type: 'AC_3_PHASE', kw_rating: 7.4 },
    [{ about: 'currentOfPower', usual: ['AC_1_PHASE', 'AC_2_PHASE'] }],
  ],
  [
    '22 kW with one phase',
    { standard: 'IEC_62196_T2', current_type: 'AC_1_PHASE', kw_rating: 22 },
    [{ about: 'currentOfPower', usual: ['AC_3_PHASE'] }],
  ],
  [
    'CHAdeMO with AC',
    { standard: 'CHADEMO', current_type: 'AC_3_PHASE' },
    [{ about: 'currentOfPlug', usual: ['DC'] }],
  ],
  [
    'CCS2 with AC',
    { standard: 'IEC_62196_T2_COMBO', current_type: 'AC_1_PHASE' },
    [{ about: 'currentOfPlug', usual: ['DC'] }],
  ],
  [
    'Type 1 with DC',
    { standard: 'IEC_62196_T1', current_type: 'DC' },
    [{ about: 'currentOfPlug', usual: ['AC_1_PHASE', 'AC_2_PHASE_SPLIT'] }],
  ],
  [
    'a socket for DC',
    { standard: 'IEC_62196_T2_COMBO', format: 'SOCKET' },
    [{ about: 'format', usual: 'CABLE' }],
  ],
  [
    'a cable at a household socket',
    { standard: 'DOMESTIC_F', format: 'CABLE' },
    [{ about: 'format', usual: 'SOCKET' }],
  ],
])('asks about %s', (_what, connector, warnings) => {
  expect(warningsOf(connector)).toEqual(warnings)
})

test('a connector can have several warnings', () => {
  const all = {
    standard: 'CHADEMO',
    format: 'SOCKET',
    current_type: 'AC_1_PHASE',
    kw_rating: 900,
  } as const
  expect(about(all)).toEqual(['currentOfPlug', 'power', 'format'])
})

test('values implied by a plug never cause a warning', () => {
  expect(impliedBy('CHADEMO')).toEqual({ current_type: 'DC', format: 'CABLE' })
  expect(impliedBy('IEC_62196_T2')).toEqual({ format: 'SOCKET', current_type: 'AC_3_PHASE' })
  expect(impliedBy('GBT_AC')).toEqual({})
  for (const standard of STANDARDS)
    expect(warningsOf({ standard, ...impliedBy(standard) })).toEqual([])
})

test('the table covers every plug, with the values of the value sets', () => {
  expect(Object.keys(USUAL_PLUGS).toSorted()).toEqual(STANDARDS.toSorted())
  for (const standard of Object.keys(USUAL_PLUGS) as Standard[]) {
    const { currents, formats } = USUAL_PLUGS[standard]
    expect(Object.keys(currents).length).toBeGreaterThan(0)
    expect(CURRENT_TYPES).toEqual(expect.arrayContaining(Object.keys(currents)))
    expect(FORMATS).toEqual(expect.arrayContaining([...formats]))
    for (const { min, max } of Object.values(currents)) expect(min).toBeLessThan(max)
  }
})

test.each([
  [1, [4], 4, true],
  [4, [4], 4, false],
  [1, [1, 1, 1], 3, false],
  [1, [1, 1, 1, 1], 4, true],
  [3, [1, 1], 2, true],
  [2, [], 0, false],
  // Two charge points with two plugs each charge two vehicles.
  [4, [2, 2], 2, true],
  [2, [2, 2], 2, false],
  // All at one charge point.
  [1, [1, 1, 1, 1], 1, false],
])(
  '%i vehicles at once with %j plugs of a kind at %i charge points: doubtful is %s',
  (capacity, kinds, points, isDoubtful) => {
    expect(isCapacityDoubtful(capacity, kinds, points)).toBe(isDoubtful)
  },
)

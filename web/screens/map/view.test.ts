import { describe, expect, test } from 'vitest'

import { NO_FILTER } from '#domain/public-read.ts'

import { readView, writeView, type MapView } from './view.ts'

const EMPTY: MapView = { center: undefined, filter: NO_FILTER, query: '', site: '' }
const PORTRUSH = { latitude: 55.2044, longitude: -6.6531, zoom: 13.25 }

describe('a view and its address', () => {
  test.each<[string, MapView]>([
    ['', EMPTY],
    ['?at=55.2044,-6.6531,13.25', { ...EMPTY, center: PORTRUSH }],
    ['?q=Saint-%C3%89tienne+%26+co', { ...EMPTY, query: 'Saint-Étienne & co' }],
    [
      '?plug=TYPE_2&plug=CCS_2&min_kw=150&free=true&available=true&open=now&access=PUBLIC&access=CUSTOMERS&site=abc&at=0,-180,0',
      {
        query: '',
        site: 'abc',
        center: { latitude: 0, longitude: -180, zoom: 0 },
        filter: {
          plugs: ['TYPE_2', 'CCS_2'],
          minKw: 150,
          free: true,
          available: true,
          openNow: true,
          access: ['PUBLIC', 'CUSTOMERS'],
        },
      },
    ],
  ])('%s', (search, view) => {
    expect(readView(search)).toEqual(view)
    expect(writeView(view)).toBe(search)
  })

  test('are as precise as a metre', () => {
    const center = { latitude: 55.204412345, longitude: -6.653100001, zoom: 13.254321 }
    expect(writeView({ ...EMPTY, center })).toBe('?at=55.20441,-6.6531,13.25')
  })

  test.each([
    '?at=91,0,3',
    '?at=1,181,3',
    '?at=1,2,23',
    '?at=1,2',
    '?at=1,2,3,4',
    '?at=one,2,3',
    '?min_kw=-5',
    '?min_kw=fast',
    '?plug=toaster',
    '?free=yes&open=later&access=NOBODY',
  ])('omit invalid values: %s', (search) => {
    expect(readView(search)).toEqual(EMPTY)
  })
})

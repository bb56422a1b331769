import { describe, expect, test } from 'vitest'

import { contradictionOf, joinKey, joinParts } from './join.ts'
import type { Station, Values } from './station.ts'

const piece = (site: Values, connectors: readonly Values[] = [], reference = 'A'): Station => ({
  reference,
  site,
  connectors,
  tariffs: [{ reference: 'T1', values: { name: 'Night' } }],
})

test('rows of one plug each become one station', () => {
  const joined = joinParts([
    piece(
      { name: '', payment: ['APP'], two_wheelers: false, wheelchair: 'UNKNOWN', cost: '0.59' },
      [{ evse: '1' }],
    ),
    piece(
      { name: 'Town hall', payment: ['APP', 'CASH'], two_wheelers: true, wheelchair: 'RESERVED' },
      [{ evse: '2' }],
    ),
  ])
  expect(joined).toEqual({
    reference: 'A',
    site: {
      name: 'Town hall',
      payment: ['APP', 'CASH'],
      two_wheelers: true,
      wheelchair: 'RESERVED',
      cost: '0.59',
    },
    connectors: [{ evse: '1' }, { evse: '2' }],
    tariffs: [{ reference: 'T1', values: { name: 'Night' } }],
  })
})

test('very many pieces that each extend a list are joined within the time of a request', () => {
  const pieces = Array.from({ length: 100_000 }, (_, index) => piece({ facilities: [`F${index}`] }))
  expect(joinParts(pieces).site['facilities']).toHaveLength(100_000)
})

test('pieces without an ID are joined by name and place', () => {
  const site = { name: 'Town hall', latitude: '48.1', longitude: 2.3 }
  expect(joinKey(piece(site, [], ''))).toBe(
    joinKey(piece({ ...site, latitude: 48.1, status: 'PLANNED' }, [], '')),
  )
  expect(joinKey(piece(site, [], ''))).not.toBe(joinKey(piece({ ...site, latitude: 9 }, [], '')))
  expect(joinKey(piece({ name: 'Town hall' }, [], ''))).toBe('')
  expect(joinKey(piece(site))).toBe('A')
})

test('pieces without a name are joined by address and position, if they have both', () => {
  const site = { address: 'Road 1', latitude: '48.1', longitude: 2.3 }
  const keyOf = (values: Values) => joinKey(piece(values, [], ''))
  expect(keyOf(site)).toBe(keyOf({ ...site, latitude: 48.1 }))
  expect(keyOf(site)).not.toBe(keyOf({ ...site, address: 'Road 2' }))
  expect(keyOf({ ...site, address: '' })).toBe('')
  expect(keyOf({ address: 'Road 1' })).toBe('')
})

test.each([
  ['chargers at one place', '', [2, 2], 4],
  ['plugs of one site', '', [3, 3], 3],
  ['a station with an id', 'A', [2, 2], 2],
])('capacity of %s', (_, reference, capacities, expected) => {
  const plugs = [{ standard: 'CCS' }, { standard: 'CCS' }]
  const pieces = capacities.map((count) =>
    piece({ vehicle_capacity: String(count) }, plugs, reference),
  )
  expect(Number(joinParts(pieces).site['vehicle_capacity'])).toBe(expected)
})

test('connectors with the same EVSE ID share a charge point', () => {
  const { connectors } = joinParts([
    piece({}, [{ standard: 'CCS', evse_id: 'DE*ABC*E1' }]),
    piece({}, [
      { standard: 'CHAdeMO', evse_id: ' DE*ABC*E1 ' },
      { standard: 'Type 2', evse_id: 'DE*ABC*E2' },
    ]),
    piece({}, [
      { standard: 'CCS', evse: 'left', evse_id: 'DE*ABC*E3' },
      { standard: 'CCS', evse: 'right', evse_id: 'DE*ABC*E3' },
      { standard: 'CCS', evse_id: '1' },
      { standard: 'CCS', evse_id: '1' },
    ]),
  ])
  expect(connectors.map(({ evse }) => evse)).toEqual([
    'DE*ABC*E1',
    'DE*ABC*E1',
    undefined,
    'left',
    'right',
    undefined,
    undefined,
  ])
})

describe('pieces with one ID', () => {
  const at = (name: string, latitude: unknown): Station => ({
    reference: '1',
    site: { name, latitude, longitude: '11.5' },
    connectors: [],
    tariffs: [],
  })

  test('are not one station if they name several sites in different places', () => {
    expect(contradictionOf([at('Post', '48,1'), at('Krone', '49,2')])).toEqual({
      code: 'id_of_several_sites',
      params: { value: '1' },
    })
  })

  test.each([
    ['another name at the same place', [at('Post', 48.1), at('Post 2', 48.101)]],
    ['the same name', [at('Post', 48.1), at('POST', 49.2)]],
    ['no position', [at('Post', 48.1), at('Krone', '')]],
  ])('are one station with %s', (_, pieces) => {
    expect(contradictionOf(pieces)).toBeUndefined()
  })

  test('are joined without repetitions of the same record', () => {
    const plugs = [{ standard: 'CHADEMO' }, { standard: 'CHADEMO' }]
    const row: Station = {
      reference: '',
      site: { vehicle_capacity: '2' },
      connectors: plugs,
      tariffs: [],
    }
    const [one, other] = [
      { ...row, record: '1' },
      { ...row, record: '2' },
    ] as const
    const joined = (...pieces: Station[]) => {
      const { connectors, site } = joinParts(pieces)
      return [connectors.length, Number(site['vehicle_capacity'])]
    }
    expect(joined(one, one, one)).toEqual([2, 2])
    expect(joined(one, other)).toEqual([4, 4])
    expect(joined(one, { ...one, connectors: plugs.toSpliced(1) })[0]).toBe(3)
    // Two plugs of a station, each in a row of a table.
    expect(joined(row, row)).toEqual([4, 4])
  })

  test('that repeat a connector with its ID add none', () => {
    const plug = { reference: '1:1', standard: 'IEC_62196_T2', kw_rating: 22 }
    const other = { ...plug, reference: '1:2' }
    const bare = { standard: 'CHADEMO', kw_rating: 50 }
    const withPlugs = (...connectors: Station['connectors']): Station => ({
      ...at('Post', 48.1),
      connectors,
    })
    expect(joinParts([withPlugs(plug, bare), withPlugs(plug, other, bare)]).connectors).toEqual([
      plug,
      bare,
      other,
      bare,
    ])
  })
})

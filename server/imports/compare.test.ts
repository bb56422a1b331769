import { expect, test } from 'vitest'

import type { ImportedStation } from '#domain/import.ts'
import type { Repair } from '#domain/repair.ts'

import { compareStation, pairConnectors, type StoredStation } from './compare.ts'

const plug = {
  standard: 'IEC_62196_T2',
  format: 'SOCKET',
  current_type: 'AC_3_PHASE',
  kw_rating: 22,
}
const compare = (
  station: ImportedStation,
  known: StoredStation,
  { hasSameIds = true, repairs = [] }: { hasSameIds?: boolean; repairs?: readonly Repair[] } = {},
) =>
  compareStation(station, known, {
    newId: () => 'new',
    pairing: pairConnectors(station.connectors, known.connectors, { hasSameIds }),
    repairs,
  })
const stored = (...references: string[]) => ({
  site: { id: 'site', version: '1', reference: 'A' },
  connectors: references.map((reference) => ({
    ...plug,
    id: `c-${reference}`,
    version: '1',
    reference,
  })),
})
const makeStation = (...references: string[]) => ({
  site: { reference: 'A' },
  connectors: references.map((reference) => ({ ...plug, reference })),
})

test('plugs match if their IDs were stored without the part of the station', () => {
  const { changes } = compare(makeStation('A:1', 'A:2'), stored('2', '1'))
  expect(changes).toEqual([
    { record: 'c-1', field: 'reference', before: '1', after: 'A:1' },
    { record: 'c-2', field: 'reference', before: '2', after: 'A:2' },
  ])
})

test('plugs with different IDs are different plugs', () => {
  const { changes } = compare(makeStation('A:3'), stored('1'))
  expect(changes.map(({ record, field }) => [record, field])).toEqual([
    ['new', '*'],
    ['c-1', '*'],
  ])
})

test('a very large number of plugs with different IDs are different plugs', () => {
  const count = 30_000
  const ids = (begin: string) => Array.from({ length: count }, (_, index) => begin + index)
  const { changes } = compare(makeStation(...ids('B')), stored(...ids('C')))
  expect(changes.filter(({ after }) => after === null)).toHaveLength(count)
  expect(changes).toHaveLength(2 * count)
})

test('a value that a rule filled in replaces only values that a rule filled in', () => {
  const repairs = [
    { rule: 'address_from_parts', field: 'address', before: null, after: '50.95, 6.97' },
    { rule: 'connector_left_out', field: 'connectors[0]', before: {}, after: null },
    { rule: 'format_from_standard', field: 'connectors[1].format', before: null, after: 'SOCKET' },
    { rule: 'format_from_standard', field: 'connectors[2].format', before: null, after: 'SOCKET' },
  ] as const
  const changesOf = (address: string) =>
    compare(
      {
        site: { name: 'Quay', address: '50.95, 6.97', latitude: 50.95, longitude: 6.97 },
        connectors: [{ ...plug, kw_rating: 11 }, plug],
      },
      {
        site: { id: 'site', version: '1', name: 'Quay', address, latitude: 50.94, longitude: 6.96 },
        connectors: [
          { ...plug, id: 'c-1', version: '1', format: 'CABLE' },
          { ...plug, id: 'c-2', version: '1', format: 'CABLE', kw_rating: 11 },
        ],
      },
      { hasSameIds: false, repairs },
    ).changes.map(({ field }) => field)
  expect(changesOf('Quay 1, Cologne')).toEqual(['latitude', 'longitude'])
  expect(changesOf('50.94, 6.96')).toEqual(['address', 'latitude', 'longitude'])
})

test('a file without plugs removes none', () => {
  expect(compare(makeStation(), stored('1', '2'))).toEqual({
    changes: [],
    records: { site: '1' },
  })
})

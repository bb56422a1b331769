import { describe, expect, test } from 'vitest'

import { STANDARDS } from '#domain/connector.ts'

import * as irve from './irve/values.ts'
import * as ocm from './ocm/values.ts'
import * as ocpi from './ocpi/values.ts'
import * as osm from './osm/values.ts'
import { valueTable, type ValueTable } from './value-table.ts'

test('the first row with a value applies, in each direction', () => {
  const table = valueTable([
    ['A', 1],
    ['B', 1],
    ['A', 2],
  ])
  expect([table.toFormat('A'), table.toFormat('B'), table.toFormat('C')]).toEqual([1, 1, undefined])
  expect([table.fromFormat(1), table.fromFormat(2), table.fromFormat('1')]).toEqual([
    'A',
    'A',
    undefined,
  ])
})

const tables: readonly [string, ValueTable<string, string | number>][] = [
  ['irve PLUG_COLUMNS', irve.PLUG_COLUMNS],
  ['irve PLACEMENTS', irve.PLACEMENTS],
  ['irve ACCESS', irve.ACCESS],
  ['irve WHEELCHAIR', irve.WHEELCHAIR],
  ['ocm CONNECTION_TYPES', ocm.CONNECTION_TYPES],
  ['ocm CURRENT_TYPES', ocm.CURRENT_TYPES],
  ['ocm STATUSES', ocm.STATUSES],
  ['ocm USAGE_TYPES', ocm.USAGE_TYPES],
  ['ocpi CAPABILITIES', ocpi.CAPABILITIES],
  ['ocpi CONNECTOR_CAPABILITIES', ocpi.CONNECTOR_CAPABILITIES],
  ['osm SOCKETS', osm.SOCKETS],
  ['osm ACCESS', osm.ACCESS],
  ['osm PAYMENTS', osm.PAYMENTS],
  ['osm WHEELCHAIR', osm.WHEELCHAIR],
  ['osm PARKING', osm.PARKING],
]

describe('the value tables of all formats', () => {
  test.each(tables)('each row of %s is needed in one direction', (_, table) => {
    const idle = table.rows.filter(
      ([ours, theirs]) => table.toFormat(ours) !== theirs && table.fromFormat(theirs) !== ours,
    )
    expect(idle).toEqual([])
  })

  test('IRVE has a column for every value in its tables', () => {
    for (const [, column] of irve.PLUG_COLUMNS.rows) expect(irve.IRVE_COLUMNS).toContain(column)
    expect(irve.IRVE_COLUMNS).toHaveLength(40)
  })

  test('Voltleaf has the values that are new in OCPI 2.3.0', () => {
    for (const plug of ['MCS', 'SAE_J3400']) {
      expect(STANDARDS).toContain(plug)
      expect(ocpi.NEW_IN_2_3_0).toContain(plug)
    }
  })

  test('Open Charge Map has levels by power and current', () => {
    expect([ocm.levelOf(2, 'AC_1_PHASE'), ocm.levelOf(22, 'AC_3_PHASE')]).toEqual([1, 2])
    expect([ocm.levelOf(43, 'AC_3_PHASE'), ocm.levelOf(20, 'DC')]).toEqual([3, 3])
    expect(ocm.UNKNOWN_CONNECTION_TYPE).toBe(0)
  })
})

import { expect, test } from 'vitest'

import {
  countChargePoints,
  leaveChargePoints,
  pairedRowIndex,
  shareChargePoints,
  sharedChargePoints,
} from './charge-points.ts'
import { BLANK_DETAILS, blankRow, type ConnectorRow } from './site-values.ts'

const row = (standard: string, count = 1, evses: readonly string[] = []): ConnectorRow => {
  const ids = Array.from({ length: count }, (_, at) => `${standard}${at}`)
  const details = Object.fromEntries(
    evses.map((evse, at) => [`${standard}${at}`, { ...BLANK_DETAILS, evse }]),
  )
  return { ...blankRow(''), standard, ids, details }
}
const evses = (rows: readonly ConnectorRow[]) =>
  rows.map(({ ids, details }) => ids.map((id) => details[id]?.evse ?? '').join(' '))
const said = (rows: readonly ConnectorRow[]) =>
  sharedChargePoints(rows).map(
    ({ evses: { length }, members }) =>
      `${length} of ${members.map((each) => `${each.count} ${each.row.standard}`).join(' and ')}`,
  )

test('equal numbers are paired', () => {
  const rows = shareChargePoints([row('ccs', 4), row('chademo', 4)], 1, 0)
  expect(evses(rows)).toEqual(['1 2 3 4', '1 2 3 4'])
  expect(said(rows)).toEqual(['4 of 1 ccs and 1 chademo'])
  expect(countChargePoints(rows)).toBe(4)
  expect(pairedRowIndex(rows, 1)).toBe(0)
})

test('two connectors share a charge point with a single one', () => {
  const rows = shareChargePoints([row('ccs', 2), row('chademo')], 1, 0)
  expect(said(rows)).toEqual(['1 of 2 ccs and 1 chademo'])
  expect(countChargePoints(rows)).toBe(1)
})

test('a third kind joins shared charge points, and keeps their ids', () => {
  const rows = [
    row('ccs', 2, ['a', 'b']),
    row('chademo', 2, ['a', 'b']),
    row('type2', 2, ['1', '2']),
  ]
  expect(said(rows)).toEqual(['2 of 1 ccs and 1 chademo'])
  const joined = shareChargePoints(rows, 2, 0)
  expect(evses(joined)).toEqual(['a b', 'a b', 'a b'])
  expect(said(joined)).toEqual(['2 of 1 ccs and 1 chademo and 1 type2'])
})

test('a row gets its own charge points again, or moves to others', () => {
  const rows = [row('a', 1, ['1']), row('b', 1, ['1']), row('c', 1, ['2']), row('d', 1, ['2'])]
  expect(evses(leaveChargePoints(rows, (each) => each === rows[1]))).toEqual(['1', '', '2', '2'])
  expect(evses(shareChargePoints(rows, 1, 2))).toEqual(['1', '2', '2', '2'])
  expect(evses(leaveChargePoints(rows, (_row, evse) => evse === '2'))).toEqual(['1', '1', '', ''])
})

test("the id of a single connector's charge point is not shared", () => {
  expect(said([row('a', 1, ['x']), row('b')])).toEqual([])
  expect(pairedRowIndex([row('a', 1, ['x']), row('b')], 0)).toBe(-1)
})

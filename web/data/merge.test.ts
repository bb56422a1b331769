import { describe, expect, test } from 'vitest'

import { keepMine, merge, mergeSite, takeTheirs, type Row, type Version } from './merge.ts'

const row = (id: string, kw = '22', plug = 'Type 2'): Row => ({ id, kw, plug })
const version = (fields: Version['fields'], ...rows: Row[]): Version => ({ fields, rows })
const base = version({ name: 'Quay', cost: '', power: '7.4' }, row('a'), row('b'))

describe('fields', () => {
  test('a change of one side is taken, and reported if it is theirs', () => {
    const mine = version({ ...base.fields, name: 'Pier' }, ...base.rows)
    const theirs = version({ ...base.fields, cost: 'Free' }, ...base.rows)
    expect(merge(base, mine, theirs)).toEqual({
      version: version({ name: 'Pier', cost: 'Free', power: '7.4' }, ...base.rows),
      conflicts: [],
      mergedFields: ['cost'],
      mergedRows: 0,
    })
  })

  test('a field that both changed differently is a conflict, and keeps mine until it is resolved', () => {
    const mine = version({ ...base.fields, name: 'Pier' }, ...base.rows)
    const theirs = version({ ...base.fields, name: 'Mole' }, ...base.rows)
    const merged = merge(base, mine, theirs)
    expect(merged.version.fields['name']).toBe('Pier')
    expect(merged.conflicts).toEqual([
      { kind: 'field', name: 'name', mine: 'Pier', theirs: 'Mole' },
    ])
    const decided = takeTheirs(merged.version, merged.conflicts[0]!)
    expect(decided.fields['name']).toBe('Mole')
    expect(keepMine(decided, merged.conflicts[0]!).fields['name']).toBe('Pier')
  })

  test('the same change on both sides is no conflict, in any notation', () => {
    const isSame = (_: string, one: unknown, other: unknown) =>
      String(one).replace(',', '.') === String(other).replace(',', '.')
    const mine = version({ ...base.fields, power: '11,5' }, ...base.rows)
    const theirs = version({ ...base.fields, power: '11.5' }, ...base.rows)
    const merged = merge(base, mine, theirs, isSame)
    expect(merged).toMatchObject({ conflicts: [], mergedFields: [], mergedRows: 0 })
    expect(merged.version.fields['power']).toBe('11,5')
  })
})

describe('a position', () => {
  const site = { cost: '', latitude: 55.2, longitude: -6.65 }
  const merged = (mine: object, theirs: object) =>
    mergeSite(version(site), version({ ...site, ...mine }), version({ ...site, ...theirs }))

  test('is never put together from two positions', () => {
    const {
      version: both,
      conflicts,
      mergedFields,
    } = merged({ latitude: 55.3 }, { longitude: 4.8 })
    expect(both.fields).toEqual({ ...site, latitude: 55.3 })
    expect(mergedFields).toEqual([])
    expect(conflicts).toEqual([
      { kind: 'field', name: 'latitude', mine: 55.3, theirs: 55.2 },
      { kind: 'field', name: 'longitude', mine: -6.65, theirs: 4.8 },
    ])
    expect(conflicts.reduce(takeTheirs, both).fields).toEqual({ ...site, longitude: 4.8 })
  })

  test('that one side changed, or both in the same way, is no conflict', () => {
    const moved = { latitude: 0, longitude: 4.8 }
    expect(merged({ cost: 'Free' }, moved)).toMatchObject({
      version: { fields: { ...moved, cost: 'Free' } },
      conflicts: [],
      mergedFields: ['latitude', 'longitude'],
    })
    for (const theirs of [{ cost: 'Free' }, moved])
      expect(merged(moved, theirs)).toMatchObject({ version: { fields: moved }, conflicts: [] })
  })
})

describe('the fields that the server derives from the position of a site', () => {
  const site = { cost: '', latitude: 55.2, longitude: -6.65, time_zone: 'Europe/London' }
  const moved = { ...site, latitude: 45.76, longitude: 4.83, time_zone: 'Europe/Paris' }
  const merged = (mine: object, theirs: object) =>
    mergeSite(version(site), version({ ...site, ...mine }), version({ ...site, ...theirs }))

  test('follow a position that they changed, and are not reported', () => {
    const { version: both, conflicts, mergedFields } = merged({ cost: 'Free' }, moved)
    expect(both.fields).toEqual({ ...moved, cost: 'Free' })
    expect([conflicts, mergedFields]).toEqual([[], ['latitude', 'longitude']])
    expect(merged(moved, moved)).toMatchObject({ conflicts: [], mergedFields: [] })
  })

  test('do not conflict with mine', () => {
    const { version: both, conflicts } = merged({ time_zone: 'Europe/Dublin' }, moved)
    expect(both.fields).toEqual({ ...moved, time_zone: 'Europe/Dublin' })
    expect(conflicts).toEqual([])
  })

  test('are merged like any other field if the position is unchanged', () => {
    const theirs = { time_zone: 'Europe/Paris' }
    expect(merged({}, theirs).mergedFields).toEqual(['time_zone'])
    expect(merged({ time_zone: 'Europe/Dublin' }, theirs).conflicts).toHaveLength(1)
  })
})

describe('rows', () => {
  const rowsOf = (mine: readonly Row[], theirs: readonly Row[]) =>
    merge(base, version(base.fields, ...mine), version(base.fields, ...theirs))

  test('theirs are added, mine stay, and those that they removed are dropped', () => {
    const merged = rowsOf([row('a'), row('b'), row('m')], [row('a'), row('t')])
    expect(merged.version.rows.map(({ id }) => id)).toEqual(['a', 'm', 't'])
    expect(merged).toMatchObject({ conflicts: [], mergedRows: 2 })
  })

  test('different fields of one row are both kept', () => {
    const merged = rowsOf([row('a', '50'), row('b')], [row('a', '22', 'CCS2'), row('b')])
    expect(merged.version.rows[0]).toEqual(row('a', '50', 'CCS2'))
    expect(merged).toMatchObject({ conflicts: [], mergedRows: 1 })
  })

  test('one field of a row, changed by both, is a conflict of the row', () => {
    const merged = rowsOf([row('a', '50'), row('b')], [row('a', '11'), row('b')])
    expect(merged.conflicts).toEqual([
      { kind: 'row', id: 'a', mine: row('a', '50'), theirs: row('a', '11') },
    ])
    expect(takeTheirs(merged.version, merged.conflicts[0]!).rows[0]).toEqual(row('a', '11'))
  })

  test('a row changed by one side and removed by the other is a conflict', () => {
    const merged = rowsOf([row('a', '50')], [row('b', '11')])
    expect(merged.conflicts).toEqual([
      { kind: 'row', id: 'a', mine: row('a', '50'), theirs: undefined },
      { kind: 'row', id: 'b', mine: undefined, theirs: row('b', '11') },
    ])
    expect(merged.version.rows).toEqual([row('a', '50')])
    const theirs = merged.conflicts.reduce(takeTheirs, merged.version)
    expect(theirs.rows).toEqual([row('b', '11')])
    expect(merged.conflicts.reduce(keepMine, theirs).rows).toEqual([row('a', '50')])
  })

  test('a row that I added and that was saved in the meantime keeps my values', () => {
    const merged = rowsOf([...base.rows, row('m', '50')], [...base.rows, row('m', '11')])
    expect(merged).toMatchObject({ conflicts: [], mergedRows: 0 })
    expect(merged.version.rows[2]).toEqual(row('m', '50'))
  })
})

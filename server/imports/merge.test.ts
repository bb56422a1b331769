import { expect, test } from 'vitest'

import type { Values } from '../formats/station.ts'
import type { Row } from '../records/records.ts'
import { isRemoval, WHOLE } from '#domain/import.ts'
import { compareStation } from './compare.ts'
import { mergeStation, type Base } from './merge.ts'

// A feed and the owner of a site change connectors at random, night after night. A model knows which record belongs to
// which connector of the feed, and what has to be in it.

/** Numbers from 0 to 1 that are the same in each run. */
const randomFrom = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const STANDARDS = ['IEC_62196_T2', 'IEC_62196_T1', 'CHADEMO', 'IEC_62196_T2_COMBO', 'DOMESTIC_F']
const OWN = 'TESLA_S'

const stationOf = (connectors: readonly Values[]) => ({
  reference: 'A',
  site: { name: 'Quay' },
  connectors,
  tariffs: [],
})

interface Plug {
  /** What the feed says of it, and has said the night before. */
  values: Values
  said: Values
  /** What its record has to be; undefined if the owner has deleted it. */
  expected: Values | undefined
}

const simulate = (seed: number, hasIds: boolean): void => {
  const random = randomFrom(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  let nextId = 0
  const plugs: Plug[] = []
  let rows: Row[] = []
  const own = new Set<string>()
  /** Without ids, another connector of the same kind would be the same one. */
  let removed: unknown[] = []
  let base: Base = { ...stationOf([]), records: [] }

  const add = (): void => {
    const used = [...removed, ...plugs.map(({ values }) => values['standard'])]
    const free = STANDARDS.filter((one) => hasIds || !used.includes(one))
    const standard = free[below(free.length)]
    if (standard === undefined) return
    const reference = hasIds ? { reference: `A:${nextId++}` } : {}
    const values = { standard, kw_rating: 1 + below(3), voltage: 230, ...reference }
    plugs.push({ values, said: values, expected: values })
  }
  const changeFeed = (): void => {
    const index = below(plugs.length + 1)
    const plug = plugs[index]
    if (plug === undefined || plugs.length === 0) return add()
    // A feed without any connectors says nothing about them.
    if (plugs.length > 1 && random() < 0.2) {
      plugs.splice(index, 1)
      removed.push(plug.values['standard'])
      return
    }
    const name = random() < 0.5 ? 'kw_rating' : 'voltage'
    const value = 1 + below(400)
    plug.values = { ...plug.values, [name]: value }
  }
  const find = (plug: Plug): Row | undefined => rows.find(({ id }) => id === links.get(plug))
  const links = new Map<Plug, string>()
  const changeSite = (): void => {
    const plug = plugs[below(plugs.length)]
    const row = plug && find(plug)
    if (random() < 0.2) {
      const id = `own${nextId++}`
      own.add(id)
      rows.push({ id, standard: OWN, kw_rating: 50, version: '1' })
    } else if (plug !== undefined && row !== undefined && random() < 0.3) {
      rows = rows.filter((one) => one !== row)
      plug.expected = undefined
    } else if (plug?.expected !== undefined && row !== undefined) {
      // Also to what another one has.
      const edit = {
        kw_rating: 1 + below(3),
        ...(random() < 0.3 && { standard: STANDARDS[below(5)] }),
      }
      Object.assign(row, edit)
      plug.expected = { ...plug.expected, ...edit }
    }
  }
  const passNight = (night: number, isSilent: boolean, isShort: boolean): void => {
    const sent = plugs.toSorted(() => random() - 0.5)
    const connectors = isSilent
      ? []
      : sent.map(({ values: { voltage, ...values } }) =>
          isShort ? values : { ...values, voltage },
        )
    const station = stationOf(connectors)
    const newId = (index: number): string => `${seed}.${night}.${index}`
    const merge = mergeStation(
      { station, imported: station, repairs: [] },
      base,
      { site: { id: 'site', name: 'Quay' }, connectors: rows },
      { hasSameIds: hasIds, missing: 'REMOVE', isReview: false, newId },
    )
    const stored = { site: { id: 'site', name: 'Quay', version: '1' }, connectors: rows }
    const { changes } = compareStation(merge.changed, stored, {
      newId,
      pairing: merge.pairing,
      mayChange: merge.hasChanged,
    })
    for (const change of changes) {
      const { record: id, field, after } = change
      if (isRemoval(change)) rows = rows.filter((row) => row['id'] !== id)
      else if (field === WHOLE) rows.push({ ...(after as Values), id, version: '1' })
      else Object.assign(rows.find((row) => row['id'] === id) ?? {}, { [field]: after })
    }
    for (const [index, plug] of isSilent ? [] : sent.entries())
      if (!links.has(plug)) links.set(plug, newId(index))
    base = JSON.parse(JSON.stringify(merge.next)) as Base
  }
  const check = (night: number): void => {
    removed = []
    for (const plug of plugs) {
      const changed = Object.entries(plug.values).filter(
        ([name, value]) => plug.said[name] !== value,
      )
      if (plug.expected !== undefined)
        plug.expected = { ...plug.expected, ...Object.fromEntries(changed) }
      plug.said = plug.values
    }
    const where = `seed ${seed}, ${hasIds ? 'with' : 'without'} ids, night ${night}`
    const known = new Map(rows.map((row) => [String(row['id']), row]))
    for (const plug of plugs) {
      const row = known.get(links.get(plug) ?? '')
      if (plug.expected === undefined) expect(row, where).toBeUndefined()
      else expect(row, where).toMatchObject(plug.expected)
      known.delete(links.get(plug) ?? '')
    }
    for (const id of own) expect(known.delete(id), where).toBe(true)
    expect([...known.keys()], where).toEqual([])
  }
  for (let night = 0; night < 30; night++) {
    for (let count = below(3); count > 0; count--) changeFeed()
    // A night in which the feed lacks a column, or all connectors, and one in which it is whole.
    passNight(night, random() < 0.1, random() < 0.5)
    passNight(night + 0.5, false, false)
    check(night)
    for (let count = below(3); count > 0; count--) changeSite()
  }
}

const [t2, ccs, chademo] = ['IEC_62196_T2', 'IEC_62196_T2_COMBO', 'CHADEMO'].map((standard) => ({
  standard,
  format: 'CABLE',
  current_type: standard === 'IEC_62196_T2' ? 'AC_3_PHASE' : 'DC',
}))
const at = (kw: number, kind: Values = {}): Values => ({ ...kind, kw_rating: kw })

test.each<[string, readonly Values[], readonly (Values | undefined)[]]>([
  ['two types', [at(50, chademo), at(22, ccs)], [at(50, ccs), at(22, t2)]],
  ['powers among equal types', [at(50, chademo), at(22, ccs)], [at(50, ccs), at(100, ccs)]],
  ['one of two twins', [at(22, t2), at(22, t2)], [at(11, t2), at(22, t2)]],
  ['a twin that was deleted', [at(22, t2), at(22, t2)], [undefined, at(22, t2)]],
])('nothing is written if a feed follows what its owner has corrected: %s', (_, before, after) => {
  const feed = after.filter((values) => values !== undefined)
  expect(changesOf(before, after, feed.toReversed())).toEqual([])
})

test('only the type is written if a feed corrects only that, also if its owner has done more', () => {
  const mine = { ...at(45, ccs), voltage: 500, evse_id: 'DE*ABC*E1' }
  const before = { ...at(50, chademo), voltage: 400 }
  expect(changesOf([before], [mine], [{ ...before, ...ccs }])).toEqual([])
  const other = { ...mine, ...t2, format: 'SOCKET' }
  expect(changesOf([before], [other], [{ ...before, ...ccs }])).toEqual([
    expect.objectContaining({ field: '*', before: null }),
    expect.objectContaining({ field: '*', after: null }),
  ])
})

test.each([
  ['that a person has corrected', [at(11, t2), at(22, t2)], ['r0', 'r1']],
  ['that a person has deleted', [undefined, at(22, t2)], ['r1']],
])('the values of a twin are not those of another, of one %s', (_, records, written) => {
  const volts = (of: readonly (Values | undefined)[], ...each: readonly number[]) =>
    of.flatMap((values, index) =>
      values === undefined ? [] : [{ ...values, voltage: each[index] }],
    )
  const twins = [at(22, t2), at(22, t2)]
  const kept = records.map((values, index) => values && { ...values, voltage: [230, 400][index] })
  const changes = changesOf(volts(twins, 230, 400), kept, volts(twins, 231, 401))
  expect(changes.map(({ record, after }) => [record, after])).toEqual(
    written.map((record) => [record, record === 'r0' ? 231 : 401]),
  )
})

test('charge points with different IDs are not exchanged if a person has corrected their power', () => {
  const evse = (nth: number, kw: number): Values => ({ ...at(kw, ccs), evse_id: `DE*ABC*E${nth}` })
  const changes = changesOf(
    [evse(1, 50), evse(2, 50)],
    [evse(1, 60), evse(2, 150)],
    [evse(1, 150), evse(2, 75)],
  )
  expect(changes.map(({ record, field, after }) => [record, field, after])).toEqual([
    ['r0', 'kw_rating', 150],
    ['r1', 'kw_rating', 75],
  ])
})

test('a record that a person has added is not that of a connector which the feed has had', () => {
  const corrected = { ...at(50, ccs), evse_id: 'DE*ABC*E1' }
  expect(changesOf([at(50, chademo)], [corrected, at(50, ccs)], [at(50, ccs)])).toEqual([])
})

/** The changes to records, the first of which are those of the base; a person has deleted those that are undefined. */
const changesOf = (
  connectors: readonly Values[],
  records: readonly (Values | undefined)[],
  feed: readonly Values[],
) => {
  const rows = records.flatMap((values, index): Row[] =>
    values === undefined ? [] : [{ ...values, id: `r${index}`, version: '1' }],
  )
  const site = { id: 'site', name: 'Quay', version: '1' }
  const station = stationOf(feed)
  const newId = (index: number): string => `new${index}`
  const base = { ...stationOf(connectors), records: connectors.map((_, index) => `r${index}`) }
  const stored = { site, connectors: rows }
  const options = { hasSameIds: false, missing: 'REMOVE', isReview: false, newId } as const
  const read = { station, imported: station, repairs: [] }
  const merge = mergeStation(read, base, stored, options)
  return compareStation(merge.changed, stored, {
    newId,
    pairing: merge.pairing,
    mayChange: merge.hasChanged,
  }).changes
}

test.each([true, false])('each connector stays the same one, with ids: %s', (hasIds) => {
  expect.hasAssertions()
  for (let seed = 1; seed <= 40; seed++) simulate(seed, hasIds)
})

import { expect, test } from 'vitest'

import { COLLECTIONS } from '../../domain/collections.ts'
import { COLUMNS, makeOwners, makeRows, siteIdOf } from './data.ts'

const GROUPS = [
  { owners: 1, sitesEach: 50, connectorsPerSite: 3 },
  { owners: 20, sitesEach: 1000, connectorsPerSite: 1 },
]

test('the same owners yield the same rows, with unique ids', () => {
  const owners = makeOwners(GROUPS)
  for (const [table, count] of [
    ['businesses', 21],
    ['sites', 20_050],
    ['connectors', 20_150],
  ] as const) {
    const rows = [...makeRows(table, owners)]
    expect(rows).toHaveLength(count)
    const ids = rows.map(([id]) => String(id))
    expect(new Set(ids).size).toBe(count)
    expect(ids.filter((id) => !/^[a-z0-9]{15}$/.test(id))).toEqual([])
    expect([...makeRows(table, makeOwners(GROUPS))].at(-1)).toEqual(rows.at(-1))
  }
})

test('connectors belong to the sites of their owner, and the columns match the collections', () => {
  const [reader, second] = makeOwners(GROUPS)
  if (reader === undefined || second === undefined) throw new Error('two owners')
  const site = COLUMNS.connectors.indexOf('site')
  const sites = new Set([...makeRows('connectors', [second])].map((row) => row[site]))
  expect(sites.size).toBe(1000)
  expect(sites.has(siteIdOf(second, 999))).toBe(true)
  expect(sites.has(siteIdOf(reader, 0))).toBe(false)
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const { fields } = COLLECTIONS[table as keyof typeof COLUMNS]
    expect(columns.filter((name) => name !== 'id' && !(name in fields))).toEqual([])
  }
})

import { afterAll, describe, expect, test } from 'vitest'

import { CONNECTORS, SITES } from '#domain/collection.ts'
import type { Import } from '#domain/import.ts'
import { API } from '#domain/paths.ts'

import { newOwnerWithSite } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'
import { bringIn, fileOf, plug, rowsOf, settled, station } from '../support/imports.ts'

const stack = await withStack()
afterAll(() => console.log(stack.logged.join('\n')))

type Owner = Awaited<ReturnType<typeof newOwnerWithSite>>

const act = async ({ client }: Owner, { id }: Import, what: 'run' | 'undo'): Promise<Import> => {
  await client.send(what === 'run' ? API.importRun(id) : API.importUndo(id), { method: 'POST' })
  return settled(client, id)
}

const sitesOf = ({ client }: Owner) =>
  client.collection(SITES).getFullList({ sort: 'reference,name', filter: 'reference != ""' })
const connectorsOf = ({ client }: Owner, site: string) =>
  client
    .collection(CONNECTORS)
    .getFullList({ sort: 'reference,kw_rating', filter: `site = "${site}"` })

test('a file is read and planned, and its rows are the owner’s alone', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const stranger = await newOwnerWithSite(stack.url)
  const planned = await bringIn(owner.client, fileOf([station('A'), station('B')]))
  expect(planned).toMatchObject({
    state: 'PLANNED',
    source: 'stations.jsonl',
    total: 2,
    done: 2,
    counts: { NEW: 2, CHANGED: 0, REFUSED: 0, included: 2, connectors: 2, new_connectors: 2 },
  })
  expect(await rowsOf(owner.client, planned.id)).toMatchObject([
    { number: 1, reference: 'A', name: 'Station A', action: 'NEW', state: 'PENDING' },
    { number: 2, reference: 'B', name: 'Station B', action: 'NEW', state: 'PENDING' },
  ])
  expect(await rowsOf(stranger.client, planned.id)).toEqual([])
  expect(await sitesOf(owner), 'nothing is written before the run').toEqual([])
})

describe('one import after another', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const first = [
    station('A', { cost: 'free', status: 'PLANNED' }, [
      plug({ reference: 'A1' }),
      plug({ reference: 'A2', kw_rating: 11 }),
    ]),
    station('B'),
    station('C'),
  ]
  let done: Import

  test('a run creates sites with their connectors', async () => {
    done = await act(owner, await bringIn(owner.client, fileOf(first)), 'run')
    expect(done).toMatchObject({ state: 'DONE', total: 3, done: 3, counts: { APPLIED: 3 } })
    const sites = await sitesOf(owner)
    expect(sites).toMatchObject([
      {
        reference: 'A',
        cost: 'free',
        status: 'PLANNED',
        time_zone: 'Europe/London',
        country: 'GBR',
      },
      { reference: 'B', status: 'AVAILABLE' },
      { reference: 'C' },
    ])
    expect(await connectorsOf(owner, sites[0]?.id ?? '')).toMatchObject([
      { reference: 'A1', kw_rating: 22 },
      { reference: 'A2', kw_rating: 11 },
    ])
    const [row] = await rowsOf(owner.client, done.id)
    expect(row).toMatchObject({ state: 'APPLIED', site: sites[0]?.id })
    const [change] = await owner.client
      .collection('changes')
      .getFullList({ filter: `record = "${sites[0]?.id}"` })
    expect(change).toMatchObject({ actor: owner.id, action: 'create', correlation_id: done.id })
  })

  test('a second run of the same file has nothing to do', async () => {
    const again = await bringIn(owner.client, fileOf(first))
    expect(again).toMatchObject({
      counts: { NEW: 0, CHANGED: 0, MISSING: 0, UNCHANGED: 3, included: 0 },
    })
    const before = await sitesOf(owner)
    expect(await act(owner, again, 'run')).toMatchObject({ state: 'DONE', counts: { APPLIED: 0 } })
    expect(await sitesOf(owner)).toEqual(before)
  })

  test('a changed file changes fields, connectors and missing sites, and an undo takes all of it back', async () => {
    const state = async () => {
      const sites = await sitesOf(owner)
      return Promise.all(
        sites.map(async ({ updated: _, ...site }) => ({
          ...site,
          connectors: (await connectorsOf(owner, site.id)).map(
            ({ updated: __, created: ___, ...one }) => one,
          ),
        })),
      )
    }
    const before = await state()
    const changed = [
      station('A', { cost: '', name: 'Renamed' }, [
        plug({ reference: 'A1', kw_rating: 7.4 }),
        plug({ reference: 'A3' }),
      ]),
      station('B'),
    ]
    const planned = await bringIn(owner.client, fileOf(changed))
    expect(planned.counts).toMatchObject({ CHANGED: 1, UNCHANGED: 1, MISSING: 1, included: 1 })
    const [row] = await rowsOf(owner.client, planned.id)
    expect((row?.changes as unknown as { field: string }[]).map(({ field }) => field)).toEqual([
      'name',
      'kw_rating',
      '*',
      '*',
    ])
    const { counts } = await owner.client.send<Import>(API.import(planned.id), {
      method: 'PATCH',
      body: { missing: 'REMOVE' },
    })
    expect(counts).toMatchObject({ included: 2 })
    await act(owner, planned, 'run')
    const [a, b, c] = await state()
    expect(a).toMatchObject({
      name: 'Renamed',
      cost: 'free',
      connectors: [{ reference: 'A1', kw_rating: 7.4 }, { reference: 'A3' }],
    })
    expect([b, c]).toEqual([before[1], { ...before[2], status: 'REMOVED' }])
    expect(await act(owner, planned, 'undo')).toMatchObject({
      state: 'UNDONE',
      counts: { UNDONE: 2, KEPT: 0 },
    })
    expect(await state()).toEqual(before)
  })

  test('an undo keeps what was changed since, and says why', async () => {
    const [a, b] = await sitesOf(owner)
    await owner.client.collection(SITES).update(a?.id ?? '', { cost: '0.59 a kWh' })
    await owner.client.collection(SITES).delete(b?.id ?? '')
    expect(await act(owner, done, 'undo')).toMatchObject({
      state: 'UNDONE',
      counts: { KEPT: 1, UNDONE: 2 },
    })
    expect(await sitesOf(owner)).toMatchObject([{ reference: 'A', cost: '0.59 a kWh' }])
    expect((await rowsOf(owner.client, done.id))[0]).toMatchObject({
      state: 'KEPT',
      problem: { code: 'changed_since_run' },
    })
  })
})

test('a site that its owner changes after the plan is left alone', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await act(owner, await bringIn(owner.client, fileOf([station('A'), station('B')])), 'run')
  const planned = await bringIn(
    owner.client,
    fileOf([station('A', { cost: '1' }), station('B', { cost: '2' })]),
  )
  const [a] = await sitesOf(owner)
  await owner.client.collection(SITES).update(a?.id ?? '', { name: 'Mine' })
  expect(await act(owner, planned, 'run')).toMatchObject({ counts: { APPLIED: 1, SKIPPED: 1 } })
  expect((await rowsOf(owner.client, planned.id))[0]).toMatchObject({
    state: 'SKIPPED',
    problem: { code: 'changed_since_plan' },
  })
  expect(await sitesOf(owner)).toMatchObject(
    [
      { name: 'Station B', cost: '2' },
      { name: 'Mine', cost: '' },
    ].toReversed(),
  )
})

test('rows that the checks or the database refuse fail alone, with the errors of their fields', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const planned = await bringIn(
    owner.client,
    fileOf([
      station('A', {}, [plug({ reference: 'same' })]),
      station('B', {}, [plug({ reference: 'same' })]),
      station('C', {}, [plug(), plug({ kw_rating: -1 })]),
      station('D', { name: `'); drop table sites; --` }),
    ]),
  )
  expect(await act(owner, planned, 'run')).toMatchObject({ counts: { APPLIED: 2, FAILED: 2 } })
  expect(await rowsOf(owner.client, planned.id)).toMatchObject([
    { state: 'APPLIED' },
    { state: 'FAILED', problem: { fields: { reference: { code: 'validation_not_unique' } } } },
    {
      state: 'FAILED',
      problem: {
        fields: { 'connectors[1].kw_rating': { code: 'validation_above_number_constraint' } },
      },
    },
    { state: 'APPLIED' },
  ])
  expect((await sitesOf(owner)).map(({ name }) => name as string)).toEqual([
    'Station A',
    `'); drop table sites; --`,
  ])
})

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { writeXlsx } from 'hucre/xlsx'
import type { ClientResponseError, RecordModel } from 'pocketbase'
import { describe, expect, onTestFinished, test } from 'vitest'

import { CONNECTORS, IMPORTS, SITES, USERS } from '#domain/collection.ts'
import { MAX_TARIFFS_PER_SITE } from '#domain/connector.ts'
import type { Import, ImportRow } from '#domain/import.ts'
import { IMPORT_API } from '#domain/import-paths.ts'
import { IMPORT_LIMITS } from '#domain/limits.ts'
import { openPath } from '#domain/open-data.ts'
import type { Repair } from '#domain/repair.ts'

import { findOwner, importFor } from '../../scripts/importing.ts'
import { provideEventSource } from '../support/event-source.ts'
import { connectorBody, newOwner, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'
import { startStack } from '../support/stack.ts'
import { bringIn, rowsOf, settled } from '../support/imports.ts'
import { fileOf, plug, station } from '../support/station-file.ts'
import { until } from '../start/launch.ts'

provideEventSource()

const stack = await withStack({ limits: { importsMs: 50 } })

type Owner = Awaited<ReturnType<typeof newOwnerWithSite>>

const act = async ({ client }: Owner, { id }: Import, what: 'run' | 'undo'): Promise<Import> => {
  await client.send(what === 'run' ? IMPORT_API.importRun(id) : IMPORT_API.importUndo(id), {
    method: 'POST',
  })
  return settled(client, id)
}

const sitesOf = ({ client }: Owner) =>
  client.collection(SITES).getFullList({ sort: 'reference,name', filter: 'reference != ""' })
const connectorsOf = ({ client }: Owner, site: string) =>
  client
    .collection(CONNECTORS)
    .getFullList({ sort: 'reference,kw_rating', filter: `site = "${site}"` })

test('a file is read and planned, and only its owner sees its rows', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const stranger = await newOwnerWithSite(stack.url)
  const planned = await bringIn(owner.client, fileOf([station('A'), station('B')]))
  expect(planned).toMatchObject({
    state: 'PLANNED',
    source: 'stations.json',
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

test('every change of a planned import changes its ETag', async () => {
  const { client } = await newOwnerWithSite(stack.url)
  const heard: { etag?: string; record: Import }[] = []
  await client.collection(IMPORTS).subscribe<Import>('*', (event) => heard.push(event))
  await bringIn(client, fileOf([station('A')]))
  await until(async () => heard.at(-1)?.record.state === 'PLANNED')
  await client.collection(IMPORTS).unsubscribe()
  const byEtag = Map.groupBy(heard, ({ etag }) => etag)
  for (const events of byEtag.values())
    expect(new Set(events.map(({ record }) => JSON.stringify(record))).size).toBe(1)
})

test('a site that reappears in its source comes back unchanged', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const bring = async (...names: string[]) => {
    const planned = await bringIn(owner.client, fileOf(names.map((name) => station(name))))
    await owner.client.send(IMPORT_API.import(planned.id), {
      method: 'PATCH',
      body: { missing: 'REMOVE' },
    })
    await act(owner, planned, 'run')
    return (await sitesOf(owner)).map(({ reference, status }) => `${reference} ${status}`)
  }
  expect(await bring('A', 'B')).toEqual(['A AVAILABLE', 'B AVAILABLE'])
  expect(await bring('A')).toEqual(['A AVAILABLE', 'B REMOVED'])
  expect(await bring('A', 'B')).toEqual(['A AVAILABLE', 'B AVAILABLE'])
})

test('a feature that a file contains twice adds its plugs once, unlike two equal rows of a table', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const feature = {
    type: 'Feature',
    id: 'charger.7',
    geometry: { type: 'Point', coordinates: [-6.9, 54.1] },
    properties: { name: 'Quay', plug: 'Type 2', kW: 22 },
  }
  const collection = { type: 'FeatureCollection', features: [feature, feature] }
  const repeated = await bringIn(
    owner.client,
    new File([JSON.stringify(collection)], 'sites.geojson'),
  )
  expect(repeated.counts).toMatchObject({ NEW: 1, new_connectors: 1 })
  await act(owner, repeated, 'run')
  const [site] = await sitesOf(owner)
  expect(await connectorsOf(owner, site?.id ?? '')).toHaveLength(1)
  const row = 'B;Mole;54.2;-6.9;Type 2;22\n'
  const table = new File([`id;name;lat;lon;plug;kW\n${row}${row}`], 'sites.csv')
  expect((await bringIn(owner.client, table)).counts).toMatchObject({ NEW: 1, new_connectors: 2 })
})

test('values derived from a file do not overwrite a person’s corrections', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const bring = (latitude: number) =>
    bringIn(
      owner.client,
      new File([`id;name;lat;lon;plug;kW\nA;Quay;${latitude};-6.9;Type 2;22\n`], 'sites.csv'),
    )
  await act(owner, await bring(54.1), 'run')
  const [site] = await sitesOf(owner)
  const [connector] = await connectorsOf(owner, site?.id ?? '')
  expect([site?.['address'], connector?.['format']]).toEqual(['54.1, -6.9', 'SOCKET'])
  await owner.client.collection(SITES).update(site?.id ?? '', { address: '1 Quay, Dundalk' })
  await owner.client.collection(CONNECTORS).update(connector?.id ?? '', { format: 'CABLE' })
  expect((await bring(54.1)).counts).toMatchObject({ UNCHANGED: 1, CHANGED: 0 })
  const moved = await rowsOf(owner.client, (await bring(54.2)).id)
  expect(moved).toMatchObject([{ changes: [{ field: 'latitude', after: 54.2 }] }])
})

test('postal codes that a spreadsheet stored as numbers get their leading zeros back', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const text = `Station ID;Name;Postal code;Country;Latitude;Longitude;Plug type;Power
bourg;Bourg;1000;France;46.2052;5.2257;Type 2;22
dresden;Dresden;1067;;51.0504;13.7373;Type 2;22
helsinki;Helsinki;100;FI;60.1699;24.9384;Type 2;22
san-juan;San Juan;901;US;18.4655;-66.1057;Type 2;22
basel;Basel;4051;;47.5596;7.5886;Type 2;22
basel-2;Basel;4051;DE;47.5596;7.5886;Type 2;22
vienna;Vienna;1010;AT;48.2082;16.3738;Type 2;22
lyon;Lyon;690;FR;45.764;4.8357;Type 2;22
kota-kinabalu;Kota Kinabalu;8810;MY;5.9749;116.0724;Type 2;22
paris;Paris;7500;FR;48.8566;2.3522;Type 2;22
lyon-2;Lyon;69001;FR;45.7645;4.8357;Type 2;22
`
  const planned = await bringIn(owner.client, new File([text], 'sites.csv'))
  const rows = await rowsOf(owner.client, planned.id)
  expect(
    rows.flatMap(({ reference, repairs }) =>
      Object.values(repairs as Readonly<Record<string, Repair>>)
        .filter(({ field }) => field === 'postal_code')
        .map(({ rule, before, after }) => [reference, rule, before, after]),
    ),
  ).toEqual([
    ['bourg', 'postal_code_zero', '1000', '01000'],
    ['dresden', 'postal_code_zero', '1067', '01067'],
    ['helsinki', 'postal_code_zero', '100', '00100'],
    ['san-juan', 'postal_code_zero', '901', '00901'],
  ])
})

test.each([
  [
    'table.csv',
    `Station ID;Name;Latitude;Longitude;Connector ID;Plug type;Power
A;Town hall;54.1;-6.9;1;Type 2;22
A;Town hall;54.1;-6.9;2;Type 2;22
B;Harbour;54.2;-6.9;1;CCS;50
`,
  ],
  [
    'ocpi.json',
    JSON.stringify(
      ['L1', 'L2'].map((id, index) => ({
        id,
        name: id,
        address: '1 Quay',
        country: 'GBR',
        coordinates: { latitude: `54.${index + 4}`, longitude: '-6.9' },
        evses: [
          {
            uid: '1',
            status: 'AVAILABLE',
            connectors: [
              {
                id: '1',
                standard: 'IEC_62196_T2',
                format: 'SOCKET',
                power_type: 'AC_3_PHASE',
                max_voltage: 230,
                max_amperage: 32,
                max_electric_power: 22000,
              },
            ],
          },
        ],
      })),
    ),
  ],
])('ids of plugs that are numbered per station do not collide: %s', async (name, text) => {
  const owner = await newOwnerWithSite(stack.url)
  const planned = await bringIn(owner.client, new File([text], name))
  expect((await act(owner, planned, 'run')).counts).toMatchObject({ APPLIED: 2, FAILED: 0 })
  expect((await bringIn(owner.client, new File([text], name))).counts).toMatchObject({
    UNCHANGED: 2,
  })
})

test('a workbook with time cells and a localised date is read', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const columns = Array.from({ length: 7 }, (_, index) =>
    index === 4 || index === 5 ? { numFmt: 'hh:mm' } : {},
  )
  const rows = [
    ['ID', 'Name', 'Latitude', 'Longitude', 'Open from', 'Open to', 'Confirmed'],
    ['A', 'Harbour', 54.2, -6.9, 8.5 / 24, 18 / 24, '31.12.2025'],
  ]
  const book = await writeXlsx({ sheets: [{ name: 'Sites', columns, rows }] })
  const planned = await bringIn(owner.client, new File([Buffer.from(book)], 'sites.xlsx'))
  expect((await act(owner, planned, 'run')).counts).toMatchObject({ APPLIED: 1 })
  const [site] = await sitesOf(owner)
  expect(site).toMatchObject({ confirmed: '2025-12-31 00:00:00.000Z' })
  expect(site?.['opening_hours'].regular_hours).toHaveLength(7)
  expect(site?.['opening_hours'].regular_hours).toContainEqual({
    weekday: 7,
    period_begin: '08:30',
    period_end: '18:00',
  })
})

test('OCPI locations are read in any form: a single one, one per line, keyed by id, with a Point', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const location = (id: string, coordinates: unknown) => ({
    id,
    name: id,
    address: '1 Quay',
    country: 'GBR',
    coordinates,
    evses: [],
  })
  const A = location('A', { latitude: '54.4', longitude: '-6.9' })
  const B = location('B', { type: 'Point', coordinates: [-6.8, 54.5] })
  const lines = `${JSON.stringify(A)}\n${JSON.stringify(B)}\n`
  const planOf = async (text: string) => {
    const planned = await bringIn(owner.client, new File([text], 'ocpi.json'))
    const rows = await rowsOf(owner.client, planned.id)
    return rows.map(({ reference, action }) => `${reference} ${action}`)
  }
  expect(await planOf(JSON.stringify(A, null, 2))).toEqual(['A NEW'])
  expect(await planOf(JSON.stringify({ data: B, status_code: 1000 }))).toEqual(['B NEW'])
  expect(await planOf(lines)).toEqual(['A NEW', 'B NEW'])
  expect(await planOf(JSON.stringify({ A, B }))).toEqual(['A NEW', 'B NEW'])
  expect(await planOf(JSON.stringify({ data: { A, B } }))).toEqual(['A NEW', 'B NEW'])
})

test.each(['CPMS-4711', ''])(
  'importing our own OCPI feed changes nothing: reference %j',
  async (reference) => {
    const { client, id: user } = await newOwner(stack.url)
    const business = await client.collection('businesses').create({ name: 'Harbour Lane', user })
    await client
      .collection('businesses')
      .update(business.id, { country_code: 'GB', party_id: reference === '' ? 'HLB' : 'HLA' })
    const site = await client
      .collection(SITES)
      .create({ ...siteBody(business.id), city: 'Portrush', reference })
    await client.collection(CONNECTORS).create({
      ...connectorBody(site.id),
      reference: reference === '' ? '' : `${reference}-1`,
      voltage: 920,
      amperage: 200,
    })
    const feed = await (await fetch(stack.url + openPath('ocpi-2.2.1', business.id))).text()
    const planned = await bringIn(client, new File([feed], 'ocpi.json'))
    expect(planned.counts).toMatchObject({ UNCHANGED: 1, CHANGED: 0, NEW: 0 })
  },
)

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
        time_zone: 'Europe/Dublin',
        country: 'IRL',
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
    expect(change).toMatchObject({
      actor: owner.id,
      action: 'create',
      correlation_id: `import:${done.id}`,
    })
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

  test('a changed file changes fields, connectors and missing sites, and an undo reverts all of it', async () => {
    const state = async () =>
      JSON.parse(
        JSON.stringify(
          await Promise.all(
            (await sitesOf(owner)).map(async (site) => ({
              ...site,
              connectors: await connectorsOf(owner, site.id),
            })),
          ),
          (key, value: unknown) => (['created', 'updated'].includes(key) ? undefined : value),
        ),
      ) as object[]
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
    expect(planned.counts).toMatchObject({ new_connectors: 1, missing_connectors: 1 })
    const [row] = await rowsOf(owner.client, planned.id)
    const changes = row?.changes as unknown as { field: string }[] | undefined
    expect(changes?.map(({ field }) => field)).toEqual(['name', 'kw_rating', '*', '*'])
    const change = async (body: object) =>
      (await owner.client.send<Import>(IMPORT_API.import(planned.id), { method: 'PATCH', body }))
        .counts
    expect(await change({ missing: 'REMOVE' })).toMatchObject({ included: 2 })
    // While missing sites stay, their rows are not among those that were left out.
    await change({ included: false })
    await change({ missing: 'KEEP' })
    await change({ included: true, where: { included: false } })
    expect(await change({ missing: 'REMOVE' })).toMatchObject({ included: 1, left_out: 1 })
    expect(await change({ included: true })).toMatchObject({ included: 2 })
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

  test('an undo keeps later changes and gives the reason', async () => {
    const [a, b] = await sitesOf(owner)
    await owner.client.collection(SITES).update(a?.id ?? '', { cost: '0.59 a kWh' })
    await owner.client.collection(SITES).delete(b?.id ?? '')
    expect(await act(owner, done, 'undo')).toMatchObject({
      state: 'UNDONE',
      counts: { KEPT: 2, UNDONE: 1 },
    })
    // The other site was removed and has come back.
    expect(await sitesOf(owner)).toMatchObject([
      { reference: 'A', cost: '0.59 a kWh' },
      { reference: 'C' },
    ])
    expect((await rowsOf(owner.client, done.id))[0]).toMatchObject({
      state: 'KEPT',
      problem: { code: 'changed_since_run' },
    })
  })
})

test('an undo works per record: the unchanged records of a changed site are reverted', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const plugs = [plug({ reference: 'A1' }), plug({ reference: 'A2' }), plug({ reference: 'A3' })]
  await act(owner, await bringIn(owner.client, fileOf([station('A', {}, plugs)])), 'run')
  const changed = plugs.map((each) => ({ ...each, kw_rating: 11 }))
  const done = await act(
    owner,
    await bringIn(owner.client, fileOf([station('A', { cost: 'free' }, changed)])),
    'run',
  )
  const [site] = await sitesOf(owner)
  const [, a2] = await connectorsOf(owner, site?.id ?? '')
  await owner.client.collection(CONNECTORS).update(a2?.id ?? '', { kw_rating: 7.4 })
  expect(await act(owner, done, 'undo')).toMatchObject({ counts: { KEPT: 1, UNDONE: 0 } })
  expect(await sitesOf(owner)).toMatchObject([{ reference: 'A', cost: '' }])
  expect(await connectorsOf(owner, site?.id ?? '')).toMatchObject([
    { reference: 'A1', kw_rating: 22 },
    { reference: 'A2', kw_rating: 7.4 },
    { reference: 'A3', kw_rating: 22 },
  ])
  expect(await rowsOf(owner.client, done.id)).toMatchObject([
    { state: 'KEPT', problem: { code: 'partly_changed_since_run' } },
  ])
})

test('changes of records that the run did not write do not prevent an undo', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await act(owner, await bringIn(owner.client, fileOf([station('A')])), 'run')
  const file = fileOf([station('A', {}, [plug({ kw_rating: 11 })])])
  const done = await act(owner, await bringIn(owner.client, file), 'run')
  const [site] = await sitesOf(owner)
  await owner.client.collection(SITES).update(site?.id ?? '', { cost: '0.59 a kWh' })
  expect(await act(owner, done, 'undo')).toMatchObject({ counts: { KEPT: 0, UNDONE: 1 } })
  expect(await sitesOf(owner)).toMatchObject([{ cost: '0.59 a kWh' }])
  expect(await connectorsOf(owner, site?.id ?? '')).toMatchObject([{ kw_rating: 22 }])
})

test('a run that failed halfway can be undone, and one that wrote nothing cannot', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const planned = await bringIn(owner.client, fileOf([station('A'), station('B')]))
  const done = await act(owner, planned, 'run')
  // The process that applied it has released its lease.
  await expect
    .poll(
      () => stack.sql`select 1 from import_work where import = ${done.id} and leased_until > now()`,
    )
    .toEqual([])
  // As if the last of too many interruptions had come after the first row.
  await stack.sql`
    update import_rows set state = 'PENDING' where import = ${done.id} and reference = 'B'`
  await stack.sql`
    with due as (update imports set state = 'RUNNING' where id = ${done.id} returning id)
    update import_work w set interruptions = 20, leased_until = now() from due d where w.import = d.id`
  expect(await settled(owner.client, done.id)).toMatchObject({
    state: 'FAILED',
    problem: { code: 'interrupted', params: { count: 20 } },
    counts: { APPLIED: 1 },
  })
  expect(await act(owner, done, 'undo')).toMatchObject({ state: 'UNDONE', counts: { UNDONE: 1 } })
  expect(await sitesOf(owner)).toMatchObject([{ reference: 'B' }])
  const broken = await bringIn(owner.client, new File([' '], 'empty.json'))
  expect(broken).toMatchObject({ state: 'FAILED' })
  await expect(act(owner, broken, 'undo')).rejects.toMatchObject({ status: 409 })
})

test('a site that its owner changes after the plan is skipped', async () => {
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

test('if a price was deleted or its id was taken by another owner, the row fails with a reason', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const stranger = await newOwnerWithSite(stack.url)
  const priced = (reference: string, price: number) => ({
    ...station(reference),
    tariff: {
      collectionName: 'tariffs',
      id: `price${reference}`,
      name: `Price of ${reference}`,
      currency: 'EUR',
      tax_included: 'YES',
      elements: [{ price_components: [{ type: 'ENERGY', price, step_size: 1 }] }],
    },
  })
  const file = (all: readonly ReturnType<typeof priced>[]) => {
    const sites = all.map(({ reference, site, tariff }) => ({
      collectionName: 'sites',
      id: `site${reference}`,
      reference,
      ...site,
      tariff: tariff.id,
    }))
    const connectors = sites.map(({ id }) => ({ site: id, ...plug() }))
    const tariffs = all.map(({ tariff }) => tariff)
    return new File([JSON.stringify({ tariffs, sites, connectors })], 'stations.json')
  }
  const all = [priced('A', 0.5), priced('B', 0.6)]
  const first = await bringIn(owner.client, file(all))
  const firstRows = await rowsOf(owner.client, first.id)
  await act(owner, first, 'run')
  const sites = await sitesOf(owner)
  expect(sites.map(({ tariff }) => tariff !== '')).toEqual([true, true])
  // The plan shows each new price under the id that it gets.
  expect(firstRows.map(({ prices }) => prices)).toMatchObject(
    sites.map(({ tariff: id }, index) => [
      { id, name: all[index]?.tariff.name, elements: all[index]?.tariff.elements, min_price: null },
    ]),
  )

  // Two known prices, one of which is deleted, and two new ones, one of whose ids somebody else takes.
  await owner.client.collection(SITES).update(sites[0]?.id ?? '', { tariff: '' })
  await owner.client.collection(SITES).update(sites[1]?.id ?? '', { tariff: '' })
  const planned = await bringIn(owner.client, file([...all, priced('C', 0.7), priced('D', 0.8)]))
  await owner.client.collection('tariffs').delete(sites[0]?.['tariff'] as string)
  const idsOf = (name: string) => stack.sql<{ tariff: string }[]>`
    select tariff from import_tariffs where content ->> 'name' = ${name}`
  const [taken] = await idsOf('Price of C')
  await stranger.client.collection('tariffs').create({
    id: taken?.tariff,
    business: stranger.business.id,
    name: 'Mine',
    currency: 'EUR',
    elements: all[0]?.tariff.elements,
  })
  expect(await act(owner, planned, 'run')).toMatchObject({ counts: { APPLIED: 2, FAILED: 2 } })
  expect(await rowsOf(owner.client, planned.id)).toMatchObject([
    { reference: 'A', state: 'FAILED', problem: { code: 'tariff_gone' } },
    { reference: 'B', state: 'APPLIED' },
    { reference: 'C', state: 'FAILED', problem: { code: 'tariff_gone' } },
    { reference: 'D', state: 'APPLIED' },
  ])
  // The id of a new price cannot be predicted: it differs in each plan.
  await bringIn(owner.client, file([priced('C', 0.7)]))
  expect(new Set((await idsOf('Price of C')).map(({ tariff }) => tariff)).size).toBe(2)
})

test('a site whose connectors have too many different prices is refused, or fails when it joins those it has', async () => {
  const owner = await newOwnerWithSite(stack.url)
  /** A station whose connectors have these prices. */
  const file = (prices: Readonly<Record<string, number>>) => {
    const tariffs = [...new Set(Object.values(prices))].map((price) => ({
      collectionName: 'tariffs',
      id: `price${price}`,
      name: `Price ${price}`,
      currency: 'EUR',
      tax_included: 'YES',
      elements: [{ price_components: [{ type: 'ENERGY', price, step_size: 1 }] }],
    }))
    const { reference, site } = station('A')
    const sites = [{ collectionName: 'sites', id: 'site', reference, ...site }]
    const connectors = Object.entries(prices).map(([name, price]) => ({
      site: 'site',
      ...plug({ reference: name, tariff: `price${price}` }),
    }))
    return new File([JSON.stringify({ tariffs, sites, connectors })], 'stations.json')
  }
  /** Connectors that have a price each. */
  const priced = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`E${n + 1}`, n + 1]))
  const tooMany = await bringIn(owner.client, file(priced(MAX_TARIFFS_PER_SITE + 1)))
  const params = { max: MAX_TARIFFS_PER_SITE }
  expect(await rowsOf(owner.client, tooMany.id)).toMatchObject([
    { action: 'REFUSED', problem: { code: 'tariffs_too_many', params } },
  ])
  const most = await bringIn(
    owner.client,
    file({ ...priced(MAX_TARIFFS_PER_SITE), same: 1, alike: 1 }),
  )
  expect(await act(owner, most, 'run')).toMatchObject({ counts: { APPLIED: 1 } })
  const error = { code: 'validation_too_many_distinct', params }
  // A new connector, and two that change to the same further price in one statement.
  for (const prices of [{ new: 100 }, { same: 100, alike: 100 }]) {
    const more = await bringIn(owner.client, file(prices))
    expect(await act(owner, more, 'run')).toMatchObject({ counts: { FAILED: 1 } })
    expect(await rowsOf(owner.client, more.id)).toMatchObject([
      { problem: { code: 'fields_invalid', fields: { 'connectors[].tariff': error } } },
    ])
  }
})

test('rows that the database refuses fail individually, with the errors of their fields', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const planned = await bringIn(
    owner.client,
    fileOf([
      station('A', {}, [plug({ reference: 'same' })]),
      station('B', {}, [plug({ reference: 'same' })]),
      station('C', {}, [plug(), plug({ standard: 'Gardena' })]),
      station('D', { name: `'); drop table sites; --` }),
    ]),
  )
  expect(await act(owner, planned, 'run')).toMatchObject({ counts: { APPLIED: 3, FAILED: 1 } })
  expect(await rowsOf(owner.client, planned.id)).toMatchObject([
    { state: 'APPLIED' },
    {
      state: 'FAILED',
      problem: { fields: { 'connectors[].reference': { code: 'validation_not_unique' } } },
    },
    { state: 'APPLIED', repaired: true, connectors: 1, repairs: [{ rule: 'connector_left_out' }] },
    { state: 'APPLIED' },
  ])
  expect((await sitesOf(owner)).map(({ name }) => name as string)).toEqual([
    'Station A',
    'Station C',
    `'); drop table sites; --`,
  ])
})

const siteTable = (...rows: string[]): File =>
  new File([`id,name,address,lat,lon\n${rows.join('\n')}\n`], 'sites.csv')

test('a list that is numbered anew does not turn one site into another', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await act(
    owner,
    await bringIn(owner.client, siteTable('1,Post,Ring 1,54.1,-6.9', '2,Krone,Ring 2,54.3,-6.9')),
    'run',
  )
  const before = await sitesOf(owner)
  const planned = await bringIn(
    owner.client,
    siteTable('1,Adler,Ring 3,54.2,-6.9', '2,Post,Ring 1,54.1,-6.9', '3,Krone,Ring 2,54.3,-6.9'),
  )
  expect(await rowsOf(owner.client, planned.id)).toMatchObject([
    { name: 'Adler', doubtful: true, included: false, candidates: [{ name: 'Post' }] },
    { name: 'Post', action: 'CHANGED', matched_by: 'POSITION', doubtful: false },
    { name: 'Krone', action: 'CHANGED', matched_by: 'POSITION', doubtful: false },
  ])
  await act(owner, planned, 'run')
  const kept = (all: typeof before) => all.map(({ id, name, address }) => [id, name, address])
  const after = await sitesOf(owner)
  expect(kept(after)).toEqual(kept(before))
  expect(after.map(({ reference }) => reference)).toEqual(['2', '3'])
  // A site that moves, or gets another name, stays the same.
  const changed = await bringIn(
    owner.client,
    siteTable('2,Post,Ring 9,54.5,-6.9', '3,Rose,Ring 2,54.3,-6.9'),
  )
  const rows = await rowsOf(owner.client, changed.id)
  expect(rows.slice(0, 2)).toMatchObject([
    { action: 'CHANGED', matched_by: 'REFERENCE', doubtful: false },
    { action: 'CHANGED', matched_by: 'REFERENCE', doubtful: false },
  ])
})

test('a site that is gone is missing although another site has its number now', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await act(
    owner,
    await bringIn(owner.client, siteTable('1,Post,Ring 1,54.1,-6.9', '2,Krone,Ring 2,54.3,-6.9')),
    'run',
  )
  const stateOf = async (name: string) => {
    const { id, status, reference } = await owner.client
      .collection(SITES)
      .getFirstListItem(`name = "${name}"`)
    return { id, status, reference } as const
  }
  const before = [await stateOf('Post'), await stateOf('Krone')]
  const planned = await bringIn(owner.client, siteTable('1,Krone,Ring 2,54.3,-6.9'))
  expect(await rowsOf(owner.client, planned.id)).toMatchObject([
    { name: 'Krone', action: 'CHANGED', matched_by: 'POSITION' },
    { name: 'Post', action: 'MISSING' },
  ])
  const body = { missing: 'REMOVE' }
  await owner.client.send(IMPORT_API.import(planned.id), { method: 'PATCH', body })
  expect(await act(owner, planned, 'run')).toMatchObject({ counts: { APPLIED: 2, FAILED: 0 } })
  expect([await stateOf('Post'), await stateOf('Krone')]).toMatchObject([
    { status: 'REMOVED', reference: '' },
    { status: 'AVAILABLE', reference: '1' },
  ])
  expect(await act(owner, planned, 'undo')).toMatchObject({ counts: { UNDONE: 2 } })
  expect([await stateOf('Post'), await stateOf('Krone')]).toEqual(before)
})

test('a long list that is numbered anew finds its sites, also when a question is answered', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const at = (reference: string, name: string, latitude: number, plugs = [plug()]) =>
    station(reference, { name, latitude, longitude: -6.9 }, plugs)
  const stored = fileOf([at('1', 'Post', 54.1), at('2', 'Krone', 54.3)])
  await act(owner, await bringIn(owner.client, stored), 'run')
  const [post, krone] = await sitesOf(owner)
  const powerless = plug({
    standard: 'DOMESTIC_F',
    current_type: 'AC_1_PHASE',
    kw_rating: undefined,
  })
  // More than one batch.
  const between = Array.from({ length: 500 }, (_, nth) =>
    at(`N${nth}`, `Station ${nth}`, 40 + nth / 100),
  )
  const { id } = await bringIn(
    owner.client,
    fileOf([
      at('1', 'Adler', 54.2),
      ...between,
      at('2', 'Post', 54.1, [powerless]),
      at('3', 'Krone', 54.3),
    ]),
  )
  expect((await rowsOf(owner.client, id)).slice(501)).toMatchObject([
    { name: 'Post', action: 'REFUSED', open_questions: 1 },
    { name: 'Krone', action: 'CHANGED', matched_by: 'POSITION', site: krone?.id },
  ])
  const answered = { method: 'PATCH', body: { answers: { power_usual: true } } }
  await owner.client.send(IMPORT_API.importRow(id, '502'), answered)
  expect((await rowsOf(owner.client, id)).slice(501)).toMatchObject([
    { name: 'Post', action: 'CHANGED', matched_by: 'POSITION', site: post?.id },
    { name: 'Krone', action: 'CHANGED', matched_by: 'POSITION', site: krone?.id },
  ])
})

test('a list of more than one batch that is numbered anew is applied and undone', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const count = 501
  const numbered = (offset: number) =>
    fileOf(
      Array.from({ length: count }, (_, nth) => {
        const number = (nth + offset) % count
        // Names and positions are so different that no station is taken for another.
        const name = ((nth * 2_654_435_761) % 2 ** 32).toString(36)
        const [latitude, longitude] = [1 + nth / 10, -6.9]
        const connector = plug({ reference: `P${number}` })
        return station(`${number}`, { name, latitude, longitude }, [connector])
      }),
    )
  await act(owner, await bringIn(owner.client, numbered(0)), 'run')
  const references = async () => {
    const connectors = await owner.client
      .collection(CONNECTORS)
      .getFullList({ filter: 'reference != ""', expand: 'site' })
    return connectors
      .map(({ expand, ...connector }): [string, string, string] => {
        const site = expand?.['site'] as RecordModel
        return [String(site['name']), String(site['reference']), String(connector['reference'])]
      })
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
  }
  const before = await references()
  const planned = await bringIn(owner.client, numbered(1))
  expect(planned.counts).toMatchObject({ CHANGED: count })
  expect(await act(owner, planned, 'run')).toMatchObject({ counts: { APPLIED: count } })
  const next = (number: string): number => (Number(number) + 1) % count
  expect(await references()).toEqual(
    before.map(([name, number]) => [name, `${next(number)}`, `P${next(number)}`]),
  )
  expect(await act(owner, planned, 'undo')).toMatchObject({ counts: { UNDONE: count } })
  expect(await references()).toEqual(before)
})

test('rows with one id for two sites are refused, and keep the site that has the id', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const table = (second: string): File =>
    new File(
      [`id,name,address,lat,lon\n1,Post,Ring 1,54.1,-6.9\n${second},Krone,Ring 2,54.3,-6.9\n`],
      'sites.csv',
    )
  const first = await bringIn(owner.client, table('2'))
  await act(owner, first, 'run')
  const planned = await bringIn(owner.client, table('1'))
  expect(await rowsOf(owner.client, planned.id)).toMatchObject([
    {
      action: 'REFUSED',
      name: 'Post',
      problem: { code: 'id_of_several_sites', params: { value: '1' } },
    },
  ])
  expect((await sitesOf(owner)).map(({ name }) => name)).toEqual(['Post', 'Krone'])
})

test('a file whose rows are all broken is refused row by row, with a reason', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const planned = await bringIn(
    owner.client,
    fileOf([
      station('A', { latitude: 95, longitude: 195 }),
      station('B', {}, [plug({ standard: 'Gardena' })]),
      station('C', { latitude: 'x' }),
    ]),
  )
  const rows = await rowsOf(owner.client, planned.id)
  expect(rows.map(({ action, included }) => [action, included])).toEqual(
    Array.from({ length: rows.length }, () => ['REFUSED', false]),
  )
  expect(rows.map(({ problem }) => problem)).toMatchObject([
    { code: 'position_impossible' },
    { code: 'connectors_invalid' },
    { code: expect.any(String) },
  ])
  expect(planned.counts).toMatchObject({ REFUSED: rows.length, connectors: 0, new_connectors: 0 })
  expect(await act(owner, planned, 'run')).toMatchObject({ state: 'DONE', counts: { APPLIED: 0 } })
})

test('an import that cannot be read fails with a reason', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const stateOf = async (file: File) => {
    const { state, problem, file: kept } = await bringIn(owner.client, file)
    expect(kept, 'nobody needs the file any more').toBe('')
    return [state, (problem as { code?: string } | null)?.code]
  }
  expect(await stateOf(new File([' '], 'empty.json'))).toEqual(['FAILED', 'source_empty'])
  expect(await stateOf(new File(['Hello there, this is a letter.'], 'letter.txt'))).toEqual([
    'FAILED',
    'table_empty',
  ])
})

test('a table with a NUL in its headings and first rows is read without it', async () => {
  const { client } = await newOwnerWithSite(stack.url)
  const text = 'ID;Na\0me;Latitude;Longitude\nA;Har\0bour;54.1;-6.9\n'
  expect(await bringIn(client, new File([text], 'sites.csv'))).toMatchObject({
    state: 'PLANNED',
    columns: { headings: ['ID', 'Name', 'Latitude', 'Longitude'] },
    counts: { NEW: 1 },
  })
})

test('a message that cuts a value off between the halves of a letter can be stored', async () => {
  const { client } = await newOwnerWithSite(stack.url)
  const text = `name;latitude;longitude\nHarbour;54.1;-6.9\nQuay;${'x'.repeat(59)}🔌 behind the hall;-6.9\n`
  const { id } = await bringIn(client, new File([text], 'sites.csv'))
  expect(await rowsOf(client, id)).toMatchObject([
    { name: 'Harbour', action: 'NEW' },
    {
      name: 'Quay',
      problem: { code: 'position_unreadable', params: { value: `${'x'.repeat(59)}\ufffd` } },
    },
  ])
})

test('an import whose content can never be stored fails after a limited number of attempts', async () => {
  const own = await startStack({ limits: { importsMs: 50 } })
  onTestFinished(() => own.close())
  await own.sql`alter table import_parts add constraint never check (key <> 'never')`
  const owner = await newOwnerWithSite(own.url)
  const body = new FormData()
  body.set('file', fileOf([station('A'), station('never')]))
  const { id } = await owner.client.send<Import>(IMPORT_API.imports, { method: 'POST', body })
  for (const attempt of [1, 2, 3]) {
    // It is logged once the attempt has ended.
    await until(
      () => own.logged.filter((line) => line.includes('imports could not')).length === attempt,
    )
    expect(
      await own.sql`select interruptions from import_work where import = ${id} and leased_until > now()`,
    ).toEqual([{ interruptions: attempt }])
    // The next attempt, without the pause: after the third, as if it had been the last.
    await own.sql`
      update import_work set interruptions = ${attempt === 3 ? 20 : attempt}, leased_until = now()
      where import = ${id}`
  }
  expect(await settled(owner.client, id)).toMatchObject({
    state: 'FAILED',
    problem: { code: 'interrupted', params: { count: 20 } },
  })
})

test('a station with too many or too long parts is refused, and long values are shortened in reports', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { site } = station('A')
  const long = 'x'.repeat(1_000_000)
  const file = [
    ...Array.from({ length: 9 }, () => ({ id: 'A', evses: [], name: long })),
    { id: 'B', evses: [], ...site, opening_times: { said: long } },
    { id: 'C', evses: [], ...site, latitude: 54.2 },
  ]
  const { id } = await bringIn(owner.client, new File([JSON.stringify(file)], 'locations.json'))
  const rows = await rowsOf(owner.client, id)
  expect(rows).toMatchObject([
    { action: 'REFUSED', problem: { code: 'record_too_large' } },
    {
      reference: 'B',
      repairs: expect.arrayContaining([expect.objectContaining({ rule: 'hours_partly_read' })]),
    },
    { reference: 'C', action: 'NEW' },
  ])
  expect(JSON.stringify(rows[1]).length).toBeLessThan(10_000)
})

test('an import has one source', async () => {
  const { client } = await newOwnerWithSite(stack.url)
  const url = 'https://feeds.example/stations.json'
  const body = new FormData()
  body.set('file', fileOf([station('A')]))
  body.set('url', url)
  for (const sent of [body, { text: '{}', url }])
    await expect(
      client.send(IMPORT_API.imports, { method: 'POST', body: sent }),
    ).rejects.toMatchObject({
      status: 400,
      response: { data: { url: { code: 'validation_json_shape' } } },
    })
  expect((await client.collection('imports').getList(1, 1)).totalItems).toBe(0)
})

test.each([
  { text: 5 },
  { text: ['Id;Name'] },
  { text: { stations: [] } },
  { text: false },
  { url: ['https://feeds.example/stations.json'] },
])('the source of an import is a text: %j is refused', async (sent) => {
  const { client } = await newOwnerWithSite(stack.url)
  const [field = ''] = Object.keys(sent)
  await expect(
    client.send(IMPORT_API.imports, { method: 'POST', body: sent }),
  ).rejects.toMatchObject({
    status: 400,
    response: {
      data: {
        [field]: {
          code: 'validation_json_shape',
          params: { path: field, reason: 'Must be a text.' },
        },
      },
    },
  })
})

test('an import refuses fields that have no effect on it', async () => {
  const { client } = await newOwnerWithSite(stack.url)
  await expect(
    client.send(IMPORT_API.imports, { method: 'POST', body: { text: 'x', missing: 'REMOVE' } }),
  ).rejects.toMatchObject({
    status: 400,
    response: { data: { missing: { code: 'validation_in_invalid' } } },
  })
  const body = new FormData()
  body.set('photo', new File(['name;latitude'], 'sites.csv'))
  await expect(client.send(IMPORT_API.imports, { method: 'POST', body })).rejects.toMatchObject({
    response: { data: { photo: { code: 'validation_in_invalid' } } },
  })
  expect((await client.collection('imports').getList(1, 1)).totalItems).toBe(0)
})

test('imports of one business take turns, so that other businesses need not wait for all of them', async () => {
  const [owner, other] = [await newOwnerWithSite(stack.url), await newOwnerWithSite(stack.url)]
  const held = await bringIn(owner.client, fileOf([station('A')]))
  const hold = (lease: string, state: string) => stack.sql`
    with held as (update imports set state = ${state} where id = ${held.id} returning id)
    update import_work w set lease = ${lease}, leased_until = now() + interval '1 hour'
    from held where w.import = held.id`
  await hold('another process', 'READING')
  const body = new FormData()
  body.set('file', fileOf([station('B')]))
  const waiting = await owner.client.send<Import>(IMPORT_API.imports, { method: 'POST', body })
  expect(await bringIn(other.client, fileOf([station('C')]))).toMatchObject({ state: 'PLANNED' })
  expect(await stack.sql`select lease from import_work where import = ${waiting.id}`).toEqual([
    { lease: '' },
  ])
  await hold('', 'PLANNED')
  expect(await settled(owner.client, waiting.id)).toMatchObject({ state: 'PLANNED' })
})

test('a transaction of an import writes a limited number of records', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const plugs = Array.from({ length: 1000 }, () => plug({ reference: '' }))
  const sites = Array.from({ length: 16 }, (_, index) =>
    station(`S${index}`, { latitude: 40 + index / 10 }, plugs),
  )
  const planned = await bringIn(owner.client, fileOf(sites))
  const largest = async (name: string, filter: string): Promise<number> => {
    const all = await owner.client.collection(name).getFullList({ filter, fields: 'created' })
    return Math.max(
      ...[...Map.groupBy(all, ({ created }) => created).values()].map(({ length }) => length),
    )
  }
  expect(await largest('import_rows', `import = "${planned.id}"`)).toBeLessThan(10)
  expect(await act(owner, planned, 'run')).toMatchObject({ state: 'DONE', counts: { APPLIED: 16 } })
  expect(await largest(CONNECTORS, 'site.reference ~ "S"')).toBeLessThan(10_000)
  expect(await act(owner, planned, 'undo')).toMatchObject({
    state: 'UNDONE',
    counts: { UNDONE: 16 },
  })
})

test('a page has at most a hundred rows, and no row exceeds a mebibyte', async () => {
  const owner = await newOwnerWithSite(stack.url)
  // Each plug is listed with all of its values, and with what was left out of it.
  const long = 'x'.repeat(900)
  const plugs = Array.from({ length: 900 }, (_, index) =>
    plug({ reference: `P${index}`, evse_id: long, evse: long }),
  )
  const stations = Array.from({ length: 101 }, (_, index) =>
    station(`S${index}`, { latitude: 40 + index / 10 }),
  )
  const { id } = await bringIn(owner.client, fileOf([station('A', {}, plugs), ...stations]))
  const page = await owner.client
    .collection('import_rows')
    .getList<ImportRow>(1, 1000, { filter: `import = "${id}"`, sort: 'number' })
  expect(page).toMatchObject({ perPage: 100, totalItems: 102 })
  expect(page.items[0]).toMatchObject({
    action: 'REFUSED',
    connectors: 900,
    problem: { code: 'record_too_large', params: { max: 1024 * 1024 } },
  })
  expect(await rowsOf(owner.client, id), 'all pages').toHaveLength(102)
})

test('the columns of a table are in the record while a person may need them, but not in progress events', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await owner.client.collection(IMPORTS).subscribe('*', () => {})
  const headings = 'reference,name,latitude,longitude,standard,kw_rating'
  const lines = [1, 2, 3].map((each) => `${each},Quay ${each},54.${each},-6.9,IEC_62196_T2,22`)
  const planned = await bringIn(
    owner.client,
    new File([[headings, ...lines].join('\n')], 'table.csv'),
  )
  expect(planned).toMatchObject({ state: 'PLANNED', columns: { headings: headings.split(',') } })
  expect(await act(owner, planned, 'run')).toMatchObject({ state: 'DONE', columns: null })
  const told = await stack.sql<{ state: string; hasColumns: boolean }[]>`
    select state ->> 'state' as state, bool_or(state -> 'columns' <> 'null') as "hasColumns"
    from change_log where record = ${planned.id} group by 1 order by 1`
  expect(told).toEqual([
    { state: 'DONE', hasColumns: false },
    { state: 'PLANNED', hasColumns: true },
    { state: 'READING', hasColumns: false },
    { state: 'RUNNING', hasColumns: false },
  ])
  await owner.client.realtime.unsubscribe()
})

test('a person maps the columns of a table, and it is read again', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const table = 'x1;x2;x3;x4;x5;x6\nQuay;1 Quay Street;54.5;-6.9;IEC_62196_T2;22\n'
  const unclear = await bringIn(owner.client, new File([table], 'table.csv'))
  expect(unclear).toMatchObject({ state: 'MAPPING', format: 'TABLE' })
  const { headings, preview } = unclear.columns as { headings?: string[]; preview?: string[][] }
  expect([headings, preview?.[0]?.[0]]).toEqual([['x1', 'x2', 'x3', 'x4', 'x5', 'x6'], 'Quay'])
  const map = (mapping: readonly string[]) =>
    owner.client.send(IMPORT_API.importMapping(unclear.id), { method: 'POST', body: { mapping } })
  await expect(map(['sites.business'])).rejects.toMatchObject({ status: 400 })
  const targets =
    'sites.name sites.address sites.latitude sites.longitude connectors.standard connectors.kw_rating'
  await map(targets.split(' '))
  expect(await settled(owner.client, unclear.id)).toMatchObject({ state: 'PLANNED' })
  expect(await rowsOf(owner.client, unclear.id)).toMatchObject([{ name: 'Quay', action: 'NEW' }])
})

test('a station is listed at the position of its first row in the file', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const row = (reference: number, kw: number) =>
    [reference, `Quay ${reference}`, 54 + reference / 100, -6.9, 'IEC_62196_T2', kw].join(',')
  const rows = [1, 2, 3, 4, 5, 6, 7].map((reference) => row(reference, 22))
  const table = [
    'reference,name,latitude,longitude,standard,kw_rating',
    ...rows,
    row(8, 22),
    row(8, 11),
    '9,,,,,',
  ]
  const { id } = await bringIn(owner.client, new File([table.join('\n')], 'plugs.csv'))
  expect((await rowsOf(owner.client, id)).map(({ position }) => position)).toEqual(
    [2, 3, 4, 5, 6, 7, 8, 9, 11].map((line) => `line ${line}`),
  )
})

test('stations without a reference are matched by place and name, and doubtful matches need a choice', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { latitude, longitude } = { latitude: 48.1, longitude: 11.5 }
  const at = (name: string, north = 0) => ({
    name,
    latitude: latitude + north / 111_195,
    longitude,
  })
  const stored = [
    at('Rathausplatz'),
    at('Bahnhof', 2000),
    at('Schwimmbad', 4000),
    at('Messe', 6000),
  ]
  await act(
    owner,
    await bringIn(owner.client, fileOf(stored.map((site) => station('', site)))),
    'run',
  )
  const planned = await bringIn(
    owner.client,
    fileOf([
      station('', at('Rathausplatz')),
      station('', at('Bahnhof', 2015), [plug({ kw_rating: 11 })]),
      station('', at('Schwimmbad', 4060)),
      station('', at('Lagerhaus', 6010)),
      station('', at('Flughafen', 8000)),
    ]),
  )
  const rows = await rowsOf(owner.client, planned.id)
  expect(
    rows.map(({ matched_by, action, doubtful, included }) => [
      matched_by,
      action,
      doubtful,
      included,
    ]),
  ).toEqual([
    ['POSITION', 'UNCHANGED', false, false],
    ['NEAR', 'CHANGED', false, true],
    ['NAME', 'CHANGED', false, true],
    ['', 'NEW', true, false],
    ['', 'NEW', false, true],
  ])
  expect(rows[3]).toMatchObject({
    problem: { code: 'match_doubtful' },
    candidates: [{ name: 'Messe', distance_m: 10 }],
  })
})

test('importing a file without ids again finds each of two neighbouring sites of the same name', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const table = `Straße;Hausnummer;Breitengrad;Längengrad;Steckertypen1;P1 [kW]
Parkgürtel;24;50,960305;6,93333;AC Steckdose Typ 2;22
Parkgürtel;24;50,960305;6,93333;AC Steckdose Typ 2;22
Parkgürtel;24;50,960305;6,93335;AC Steckdose Typ 2;11
`
  const bring = () => bringIn(owner.client, new File([table], 'register.csv'))
  const planned = await bring()
  expect(planned.counts, 'one site a place').toMatchObject({ NEW: 2, connectors: 3 })
  await act(owner, planned, 'run')
  expect((await bring()).counts).toMatchObject({ UNCHANGED: 2, doubtful: 0, included: 0 })
})

test('the file of the dashboard finds its sites by their ids, whatever happened to the references in it', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { business } = owner.site
  const named = (name: string, reference: string) =>
    owner.client.collection(SITES).create({ ...siteBody(business), name, reference })
  const east = await named('Quay East', 'E-1')
  const west = await named('Quay West', 'W-1')
  const north = await named('Quay North', '')
  const { address, latitude, longitude } = east
  const row = (name: string, reference: string, id: string) =>
    [name, address, latitude, longitude, 'Yes', reference, id].join(';')
  const bring = (...rows: string[]) => {
    const head = 'Site;Address;Latitude;Longitude;Show on the public map;Your own reference;ID'
    return bringIn(owner.client, new File([[head, ...rows].join('\n')], 'sites.csv'))
  }
  const changesIn = async ({ id }: Import) =>
    (await rowsOf(owner.client, id)).map(({ site, action, changes }) => [
      site,
      action,
      (changes as unknown as { field: string; after: unknown }[] | null)?.map((one) => [
        one.field,
        one.after,
      ]),
    ])

  // A number of twelve digits, as a spreadsheet saves it, and a reference for a site without one.
  const spoilt = await bring(
    row('Quay East', '4,97611E+11', east.id),
    row('Quay West', '4,97611E+11', west.id),
    row('Quay South', 'N-1', north.id),
    row('Unlike any other', '', ''),
  )
  expect(await changesIn(spoilt)).toEqual([
    [east.id, 'UNCHANGED', undefined],
    [west.id, 'UNCHANGED', undefined],
    [
      north.id,
      'CHANGED',
      [
        ['reference', 'N-1'],
        ['name', 'Quay South'],
      ],
    ],
    ['', 'NEW', undefined],
  ])
  const exchanged = await bring(row('Quay East', 'W-1', east.id), row('Quay West', 'E-1', west.id))
  expect((await changesIn(exchanged)).slice(0, 2)).toEqual([
    [east.id, 'CHANGED', [['reference', 'W-1']]],
    [west.id, 'CHANGED', [['reference', 'E-1']]],
  ])
  // A site that was deleted and imported again has another id.
  const older = await bring(row('Quay East', 'E-1', 'x'.repeat(15)))
  expect((await changesIn(older))[0]).toEqual([east.id, 'UNCHANGED', undefined])
})

test.each(['ID', 'Show on the public map', 'Your own reference'])(
  'the file of the dashboard changes only what was edited in it, also without its column %s',
  async (left) => {
    const owner = await newOwnerWithSite(stack.url)
    const { business } = owner.site
    const [north, south] = await Promise.all(
      ['N-1', 'S-1'].map(async (reference) => {
        // Two sites with the same name at the same place, which only ids and references distinguish.
        const site = await owner.client
          .collection(SITES)
          .create({ ...siteBody(business), name: 'Quay', reference, access: 'PUBLIC' })
        await owner.client
          .collection(CONNECTORS)
          .create({ ...connectorBody(site.id), kw_rating: 22.17025 })
        return site
      }),
    )
    const rowOf = (site: RecordModel | undefined, capacity: number) => ({
      Site: 'Quay',
      Address: site?.['address'],
      Latitude: site?.['latitude'],
      Longitude: site?.['longitude'],
      Status: 'Open',
      Cars: capacity,
      'Contact email': '',
      'Contact phone': '',
      'Show on the public map': 'Yes',
      'Opening hours': '',
      Town: '',
      'Who may charge': 'Everybody',
      'Your own reference': site?.['reference'],
      Connectors: 1,
      Plugs: '1 × Type 2 22.17 kW',
      'Power in kW': 22.17,
      ID: site?.id,
    })
    const lines = [rowOf(north, 7), rowOf(south, 9)].map((row) =>
      Object.entries(row).filter(([heading]) => heading !== left),
    )
    const csv = [
      lines[0]?.map(([heading]) => heading),
      ...lines.map((row) => row.map(([, v]) => v)),
    ]
    const file = new File([csv.map((cells) => cells?.join(';')).join('\n')], 'sites.csv')
    const rows = await rowsOf(owner.client, (await bringIn(owner.client, file)).id)
    const changes = rows.map((row) => [
      row.site,
      (row.changes as unknown as { field: string; after: unknown }[] | null)?.map((one) => [
        one.field,
        one.after,
      ]),
      row.repairs ?? [],
    ])
    expect(changes.slice(0, 2)).toEqual([
      [north?.id, [['vehicle_capacity', 7]], []],
      [south?.id, [['vehicle_capacity', 9]], []],
    ])
  },
)

test('the file of the dashboard exchanges references, and passes on that of a site that it lacks', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const at = ['Quay East', 'Quay West', 'Quay North'].map((name, index) => ({
    ...siteBody(owner.site.business),
    name,
    latitude: 61 + index,
    reference: `R-${index}`,
  }))
  const all = await Promise.all(
    at.map((body) => owner.client.collection(SITES).create(body, { requestKey: null })),
  )
  const bring = (rows: readonly (readonly [nth: number, reference: string])[]) => {
    const head = 'Site;Address;Latitude;Longitude;Show on the public map;Your own reference;ID'
    const lines = rows.map(([nth, reference]) => {
      const { name, address, latitude, longitude, id } = all[nth] as RecordModel
      return [name, address, latitude, longitude, 'Yes', reference, id].join(';')
    })
    return bringIn(owner.client, new File([[head, ...lines].join('\n')], 'sites.csv'))
  }
  const now = async () =>
    Promise.all(
      all.map(async ({ id }) => {
        const { reference, status } = await owner.client
          .collection(SITES)
          .getOne(id, { requestKey: null })
        return `${reference} ${status}`
      }),
    )
  await act(
    owner,
    await bring([
      [0, 'R-0'],
      [1, 'R-1'],
      [2, 'R-2'],
    ]),
    'run',
  )
  const exchanged = await bring([
    [0, 'R-1'],
    [1, 'R-0'],
    [2, 'R-2'],
  ])
  expect(await act(owner, exchanged, 'run')).toMatchObject({ counts: { APPLIED: 2, FAILED: 0 } })
  expect(await now()).toEqual(['R-1 AVAILABLE', 'R-0 AVAILABLE', 'R-2 AVAILABLE'])
  expect(await act(owner, exchanged, 'undo')).toMatchObject({ counts: { UNDONE: 2 } })
  expect(await now()).toEqual(['R-0 AVAILABLE', 'R-1 AVAILABLE', 'R-2 AVAILABLE'])

  const passed = await bring([
    [0, 'R-0'],
    [1, 'R-2'],
  ])
  const body = { missing: 'REMOVE' }
  await owner.client.send(IMPORT_API.import(passed.id), { method: 'PATCH', body })
  expect(await act(owner, passed, 'run')).toMatchObject({ counts: { APPLIED: 2, FAILED: 0 } })
  expect(await now()).toEqual(['R-0 AVAILABLE', 'R-2 AVAILABLE', ' REMOVED'])
  expect(await act(owner, passed, 'undo')).toMatchObject({ counts: { UNDONE: 2 } })
  expect(await now()).toEqual(['R-0 AVAILABLE', 'R-1 AVAILABLE', 'R-2 AVAILABLE'])

  const notPassed = await bring([
    [0, 'R-0'],
    [1, 'R-2'],
  ])
  await owner.client.send(IMPORT_API.import(notPassed.id), { method: 'PATCH', body })
  const leaveOut = { included: false, where: { action: 'CHANGED' } }
  await owner.client.send(IMPORT_API.import(notPassed.id), { method: 'PATCH', body: leaveOut })
  await act(owner, notPassed, 'run')
  expect(await now()).toEqual(['R-0 AVAILABLE', 'R-1 AVAILABLE', 'R-2 REMOVED'])
})

test('sites still come from their register after a file of the dashboard has changed them', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const stations = [station('A'), station('B', { latitude: 51 })]
  await act(owner, await bringIn(owner.client, fileOf(stations)), 'run')
  const sites = await sitesOf(owner)
  const [a] = sites.filter(({ reference }) => reference === 'A')
  const table = [
    'Site;Address;Latitude;Longitude;Show on the public map;Your own reference;Cars;ID',
    ['Quay', a?.address, a?.latitude, a?.longitude, 'Yes', 'A', 7, a?.id].join(';'),
  ].join('\n')
  const changed = await bringIn(owner.client, new File([table], 'sites.csv'))
  expect(changed.counts).toMatchObject({ CHANGED: 1, MISSING: 0 })
  await act(owner, changed, 'run')
  const withoutA = await bringIn(owner.client, fileOf(stations.slice(1)))
  expect(withoutA.counts).toMatchObject({ UNCHANGED: 1, MISSING: 1 })

  // Without a column for the status, the file does not open what the register has closed.
  const body = { missing: 'REMOVE' }
  await owner.client.send(IMPORT_API.import(withoutA.id), { method: 'PATCH', body })
  await act(owner, withoutA, 'run')
  const unchanged = await bringIn(owner.client, new File([table], 'sites.csv'))
  expect(unchanged.counts).toMatchObject({ UNCHANGED: 1, MISSING: 0 })
  // The register still opens it.
  const back = await bringIn(owner.client, fileOf(stations))
  await act(owner, back, 'run')
  expect((await sitesOf(owner)).map(({ status }) => status)).toEqual(['AVAILABLE', 'AVAILABLE'])
})

test('a person chooses the site of a doubtful row, or declares it new', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const stranger = await newOwnerWithSite(stack.url)
  const here = {
    latitude: owner.site['latitude'] as number,
    longitude: owner.site['longitude'] as number,
  }
  const planned = await bringIn(owner.client, fileOf([station('A', { ...here, cost: 'free' })]))
  expect(planned.counts).toMatchObject({ NEW: 1, doubtful: 1, included: 0 })
  const choose = (body: object, by = owner) =>
    by.client.send<ImportRow>(IMPORT_API.importRow(planned.id, '1'), { method: 'PATCH', body })
  expect(await choose({ included: true })).toMatchObject({ included: false })
  await expect(choose({ site: stranger.site.id })).rejects.toMatchObject({ status: 400 })
  await expect(choose({ site: '' }, stranger)).rejects.toMatchObject({ status: 404 })
  await expect(choose({ site: 'x', more: 1 })).rejects.toMatchObject({ status: 400 })
  expect(await choose({ site: '' })).toMatchObject({
    action: 'NEW',
    matched_by: 'CHOICE',
    included: true,
    doubtful: false,
    site: '',
    // The person may change the choice.
    candidates: [{ id: owner.site.id }],
  })
  expect(await choose({ site: owner.site.id })).toMatchObject({
    action: 'CHANGED',
    matched_by: 'CHOICE',
    site: owner.site.id,
  })
  await act(owner, planned, 'run')
  expect(await owner.client.collection(SITES).getOne(owner.site.id)).toMatchObject({
    reference: 'A',
    cost: 'free',
  })
  await expect(choose({ site: '' })).rejects.toMatchObject({ status: 409 })
})

test('rows are left out individually or by a filter', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const planned = await bringIn(
    owner.client,
    fileOf([station('A'), station('B', { name: 'Say "hi"' }), station('C')]),
  )
  const change = (body: object) =>
    owner.client.send<Import>(IMPORT_API.import(planned.id), { method: 'PATCH', body })
  expect(await change({ included: false })).toMatchObject({ counts: { included: 0, left_out: 3 } })
  expect(await change({ included: true, where: { name: 'SAY' } })).toMatchObject({
    counts: { included: 1, left_out: 2 },
  })
  await expect(change({ included: 'yes' })).rejects.toMatchObject({ status: 400 })
  await act(owner, planned, 'run')
  expect((await sitesOf(owner)).map(({ reference }) => reference as string)).toEqual(['B'])
})

test('a request that an import does not accept gets the accepted values', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const planned = await bringIn(owner.client, fileOf([station('A')]))
  const [whole, row] = [IMPORT_API.import(planned.id), IMPORT_API.importRow(planned.id, '1')]
  const mapping = IMPORT_API.importMapping(planned.id)
  const refused = async (method: string, path: string, body: object): Promise<unknown> => {
    const answer = owner.client.send<unknown>(path, { method, body })
    return answer.catch((error: ClientResponseError) => error.response['data'] as unknown)
  }
  const reasons: [method: string, path: string, body: object, field: string, reason: RegExp][] = [
    ['PATCH', whole, { missing: 'FORGET' }, 'missing', /^Must be one of KEEP, REMOVE\.$/],
    ['PATCH', whole, { include: true }, 'include', /^Must be an object of answers, missing, /],
    ['PATCH', whole, { included: 'yes' }, 'included', /^Must be true or false\.$/],
    ['PATCH', whole, { where: { actions: 'NEW' } }, 'where', /^Must be an object of action, /],
    ['PATCH', whole, { where: { action: 'OLD' } }, 'where', /^Must be one of NEW, /],
    ['PATCH', whole, { where: { name: 5 } }, 'where', /^Must be a text of at most 200 /],
    ['PATCH', whole, { answers: [] }, 'answers', /^Must be an object of the rules /],
    ['PATCH', row, { answers: { unknown: true } }, 'answers', /^Must be an object of the rules /],
    ['PATCH', row, { site: 'A' }, 'site', /^Must be the id of one of your sites, or empty\.$/],
    ['POST', mapping, {}, 'mapping', /^Must be a list of 1 to 2000 targets/],
    ['POST', mapping, { mapping: ['name'] }, 'mapping', /^Must be empty or one of sites\.name, /],
  ]
  for (const [method, path, body, field, reason] of reasons)
    expect(await refused(method, path, body), JSON.stringify(body)).toMatchObject({
      [field]: {
        code: 'validation_json_shape',
        params: { reason: expect.stringMatching(reason) },
      },
    })
})

test('the command line imports on behalf of an owner, and its report lists every row', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const account = await findOwner(stack.config, owner.email)
  if (account === undefined) throw new Error('The owner has a business.')
  const file = join(stack.dataDir, 'stations.json')
  const report = join(stack.dataDir, 'report.csv')
  const importAll = async (...stations: Parameters<typeof fileOf>[0]) => {
    await writeFile(file, await fileOf(stations).text())
    await importFor(stack.config, account, async (one) => {
      await one.plan({ file, name: 'stations.json' })
      await one.run()
      await one.saveReport(report)
    })
    return (await readFile(report, 'utf8')).trim().split('\r\n')
  }
  const lines = await importAll(
    station('A', { name: '=1+1' }, [plug({ reference: 'A1' }), plug({ reference: 'A2' })]),
    station('B', { name: 'Say "hi"' }),
  )
  expect(await sitesOf(owner)).toHaveLength(2)
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain(`"A","'=1+1","NEW","yes","APPLIED"`)
  expect(lines[2]).toContain(`"B","Say ""hi""","NEW","yes","APPLIED"`)
  // What is no longer in the file is kept, so the report has no change of it.
  const again = await importAll(station('A', { name: 'Quay' }, [plug({ reference: 'A1' })]))
  expect(again[1]).toContain('"CHANGED","yes","APPLIED"')
  expect(again[1]).toContain('"name: =1+1 → Quay"')
  expect(again[2]).toMatch(/"B",.*"MISSING",.*,"","","",""$/)
})

test('an import is kept with its rows and its file for ninety days after its last change', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const [old, kept, running] = [
    await bringIn(owner.client, fileOf([station('A')])),
    await bringIn(owner.client, fileOf([station('B')])),
    await bringIn(owner.client, fileOf([station('C')])),
  ]
  const since = (id: string, days: number) => stack.sql`
    update imports set updated = now() - ${days} * interval '1 day' where id = ${id}`
  await stack.sql`
    update import_work set leased_until = now() + interval '1 hour' where import = ${running.id}`
  await stack.sql`update imports set state = 'RUNNING' where id = ${running.id}`
  await since(running.id, IMPORT_LIMITS.keptDays + 1)
  await since(old.id, IMPORT_LIMITS.keptDays + 1)
  await since(kept.id, IMPORT_LIMITS.keptDays - 1)
  // Another server of the installation deletes expired imports when it starts.
  const second = await startStack({ beside: stack })
  const idsOf = async () => {
    const all = await owner.client.collection(IMPORTS).getFullList({ sort: 'created' })
    return all.map(({ id }) => id)
  }
  await expect.poll(idsOf).toEqual([kept.id, running.id])
  await expect.poll(() => stack.stored.names(`imports/${old.id}`)).toEqual([])
  await second.close()
  expect(await stack.stored.names(`imports/${kept.id}`)).toHaveLength(1)
  const left = await stack.sql`
    select distinct import from import_rows where import in (${old.id}, ${kept.id})`
  expect(left).toEqual([{ import: kept.id }])
  await stack.sql`update imports set state = 'PLANNED' where id = ${running.id}`
})

test('a business keeps a limited number of finished imports, of stations and of bytes', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { endedPerBusiness, endedRows, endedBytes } = IMPORT_LIMITS
  const former = (
    all: readonly { name: string; days: number; stations: number; bytes: number }[],
  ) =>
    stack.sql`
      with made as (
        insert into imports (id, business, source, state, updated)
        select rpad(name, 15, 'x'), ${owner.business.id}, name, 'DONE', now() - days * interval '1 day'
        from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as r(name text, days float)
        returning id, source)
      insert into import_work (import, stations, bytes)
      select m.id, r.stations, r.bytes
      from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as r(name text, stations int, bytes bigint)
        join made m on m.source = r.name`
  const left = async () => {
    const open = await bringIn(owner.client, fileOf([station('A')]))
    const all = await owner.client.collection(IMPORTS).getFullList<Import>({ sort: '-updated' })
    await owner.client.collection(IMPORTS).delete(open.id)
    return all.filter(({ state }) => state === 'DONE').map(({ source }) => source)
  }
  await former([
    { name: 'newest', days: 1, stations: endedRows + 1, bytes: 0 },
    { name: 'older', days: 2, stations: 1, bytes: 0 },
  ])
  expect(await left(), 'the last one stays').toEqual(['newest'])
  await stack.sql`update import_work set stations = 1 where import = 'newestxxxxxxxxx'`
  await former([
    { name: 'large', days: 3, stations: 1, bytes: endedBytes },
    { name: 'oldest', days: 4, stations: 1, bytes: 1 },
  ])
  expect(await left()).toEqual(['newest', 'large'])
  const many = Array.from({ length: endedPerBusiness }, (_, index) => `many${index}`)
  await former(
    many.map((name, index) => ({ name, days: 0.1 + index / 1000, stations: 1, bytes: 1 })),
  )
  expect(await left()).toEqual(many)
})

test('only one import of a business runs at a time, only from a state that allows it, and it cannot be deleted', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const one = await bringIn(owner.client, fileOf([station('A')]))
  const other = await bringIn(owner.client, fileOf([station('B')]))
  await stack.sql`update import_work set position = 0, leased_until = now() + interval '1 hour'
    where import = ${one.id}`
  await stack.sql`update imports set state = 'RUNNING' where id = ${one.id}`
  await expect(act(owner, other, 'run')).rejects.toMatchObject({ status: 409 })
  const imports = owner.client.collection(IMPORTS)
  const refused = { status: 409, response: { message: 'The record is RUNNING.' } }
  await expect(imports.delete(one.id)).rejects.toMatchObject(refused)
  const stranger = await newOwnerWithSite(stack.url)
  await expect(stranger.client.collection(IMPORTS).delete(one.id)).rejects.toMatchObject({
    status: 404,
  })
  await stack.sql`update import_work set leased_until = now() where import = ${one.id}`
  expect(await settled(owner.client, one.id)).toMatchObject({
    state: 'DONE',
    counts: { APPLIED: 1 },
  })
  await expect(act(owner, one, 'run')).rejects.toMatchObject({ status: 409 })
  expect(await act(owner, other, 'run')).toMatchObject({ state: 'DONE' })
  expect(await imports.delete(one.id)).toBe(true)
})

test('an account is deleted with its running import', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { id } = await bringIn(owner.client, fileOf([station('A')]))
  await stack.sql`update import_work set leased_until = now() + interval '1 hour' where import = ${id}`
  await stack.sql`update imports set state = 'UNDOING' where id = ${id}`
  await expect(owner.client.collection(IMPORTS).delete(id)).rejects.toMatchObject({ status: 409 })
  expect(await owner.client.collection(USERS).delete(owner.id)).toBe(true)
  expect(await stack.sql`select 1 from imports where id = ${id}`).toEqual([])
})

test('a site whose station is refused or waits for an answer is not missing', async () => {
  const owner = await newOwnerWithSite(stack.url)
  await act(owner, await bringIn(owner.client, fileOf([station('A'), station('B')])), 'run')
  const again = fileOf([station('A', { latitude: 95, longitude: 195 }), station('X')])
  expect((await bringIn(owner.client, again)).counts).toMatchObject({
    NEW: 1,
    REFUSED: 1,
    MISSING: 1,
  })
  // Without a reference, by its name, and by the id in our own exports.
  const broken = { latitude: 95, longitude: 195 }
  const nameless = fileOf([
    { ...station('', broken), site: { ...station('A', broken).site } },
    station('X'),
  ])
  expect((await bringIn(owner.client, nameless)).counts).toMatchObject({ REFUSED: 1, MISSING: 1 })
  const [a] = await sitesOf(owner)
  const own = fileOf([station(a?.id ?? '', { ...broken, name: 'Renamed' }), station('X')])
  expect((await bringIn(owner.client, own)).counts).toMatchObject({ REFUSED: 1, MISSING: 1 })
})

test('one answer applies to the question in all rows except those already answered', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const stranger = await newOwnerWithSite(stack.url)
  const powerless = plug({
    standard: 'DOMESTIC_F',
    current_type: 'AC_1_PHASE',
    kw_rating: undefined,
  })
  // More than one batch.
  const stations = Array.from({ length: 503 }, (_, at) =>
    station(`S${at}`, { latitude: 50 + at / 100, longitude: 5 }, [
      ...([0, 1, 502].includes(at) ? [] : [plug()]),
      ...([0, 1, 501, 502].includes(at) ? [powerless] : []),
    ]),
  )
  const { id, counts } = await bringIn(owner.client, fileOf(stations))
  expect(counts).toMatchObject({ NEW: 500, REFUSED: 3, questions: 4, unanswered: 3 })
  const patch = (path: string, body: object, { client }: Owner = owner) =>
    client.send<Import>(path, { method: 'PATCH', body })
  await patch(IMPORT_API.importRow(id, '2'), { answers: { power_usual: false } })
  await patch(IMPORT_API.importRow(id, '502'), { included: false })
  const answers = { answers: { power_usual: true } }
  await expect(patch(IMPORT_API.import(id), answers, stranger)).rejects.toMatchObject({
    status: 404,
  })
  expect((await patch(IMPORT_API.import(id), answers)).counts).toMatchObject({
    NEW: 502,
    REFUSED: 1,
    questions: 0,
    unanswered: 0,
    included: 501,
  })
  const rows = await rowsOf(owner.client, id)
  expect([0, 1, 501, 502].map((at) => rows[at])).toMatchObject([
    { action: 'NEW', included: true, questions: [{ answer: true }] },
    { action: 'REFUSED', included: false, questions: [{ answer: false }] },
    // This row had been left out.
    { action: 'NEW', included: false, connectors: 2 },
    { action: 'NEW', included: true },
  ])
})

test('a question is not asked again about a site that has what an answer gives', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const powerless = plug({
    standard: 'DOMESTIC_F',
    current_type: 'AC_1_PHASE',
    kw_rating: undefined,
  })
  // The second one loses a plug to the question, and the third one all.
  const stations = [
    station('A'),
    station('B', { latitude: 51 }, [plug(), powerless]),
    station('C', { latitude: 52 }, [powerless]),
  ]
  const first = await bringIn(owner.client, fileOf(stations))
  expect(first.counts).toMatchObject({ NEW: 2, REFUSED: 1, questions: 2 })
  const answer = (number: number, isAgreed: boolean) =>
    owner.client.send(IMPORT_API.importRow(first.id, String(number)), {
      method: 'PATCH',
      body: { answers: { power_usual: isAgreed } },
    })
  await answer(2, false)
  await answer(3, true)
  await act(owner, first, 'run')

  const again = await bringIn(owner.client, fileOf(stations))
  expect(again.counts).toMatchObject({ UNCHANGED: 3, included: 0, questions: 0 })
  expect(await rowsOf(owner.client, again.id)).toMatchObject([
    { questions: null },
    { questions: [{ rule: 'power_usual', answer: false }] },
    { questions: [{ rule: 'power_usual', answer: true }] },
  ])

  const [, , site] = await sitesOf(owner)
  const [socket] = await connectorsOf(owner, site?.id ?? '')
  const change = (fields: object) =>
    owner.client.collection(CONNECTORS).update(socket?.id ?? '', fields)
  await change({ kw_rating: 3.7 })
  const corrected = await bringIn(owner.client, fileOf(stations))
  // The source has no power, so that of a person stays.
  expect(corrected.counts).toMatchObject({ UNCHANGED: 3, questions: 0 })
  await change({ standard: 'DOMESTIC_G' })
  const changed = await bringIn(owner.client, fileOf(stations))
  expect(changed.counts).toMatchObject({ UNCHANGED: 2, REFUSED: 1, questions: 1 })
})

test('imports created at the same time do not exceed their number', async () => {
  const { client } = await newOwnerWithSite(stack.url)
  const created = await Promise.allSettled(
    Array.from({ length: 4 * IMPORT_LIMITS.openPerBusiness }, () => {
      const body = new FormData()
      body.set('text', 'Name;Latitude;Longitude;Plug type;Power kW\nQuay;54;-6;CCS;50')
      return client.send(IMPORT_API.imports, { method: 'POST', body, requestKey: null })
    }),
  )
  expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(
    IMPORT_LIMITS.openPerBusiness,
  )
})

test('none of these imports logs a problem for the operator', () => {
  expect(stack.logged).toEqual([])
})

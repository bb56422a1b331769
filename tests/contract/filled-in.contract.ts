import type { RecordService } from 'pocketbase'
import { expect, test, vi } from 'vitest'

import { BUSINESSES, CHANGES, CONNECTORS, SITES } from '#domain/collection.ts'

import { provideEventSource } from '../support/event-source.ts'
import { withStack } from '../support/fixtures.ts'
import { makePhoto } from '../support/images.ts'
import { connectorBody, newOwner, siteBody } from '../support/owner.ts'
import { startStack } from '../support/stack.ts'
import { newSuperuser } from '../support/superuser.ts'

// Decision 0079: the server fills in the time zone and the country of a site from its position.

const stack = await withStack()

const newSites = async () => {
  const owner = await newOwner(stack.url)
  const { id } = await owner.client
    .collection(BUSINESSES)
    .create({ name: 'Harbour Lane Hotels', user: owner.id })
  const sites = owner.client.collection(SITES)
  return { ...owner, sites, body: siteBody(id) }
}

const PORTRUSH = { time_zone: 'Europe/London', country: 'GBR' }
const LYON = { latitude: 45.7578, longitude: 4.832 }
const IN_LYON = { time_zone: 'Europe/Paris', country: 'FRA' }
const AT_SEA = { latitude: 56, longitude: 3 }
const NEITHER = { time_zone: '', country: '' }

test('a new site gets the time zone and the country of its position unless they are given', async () => {
  const { sites, body } = await newSites()
  expect(await sites.create(body)).toMatchObject(PORTRUSH)
  expect(await sites.create({ ...body, ...NEITHER })).toMatchObject(PORTRUSH)
  expect(await sites.create({ ...body, country: 'IRL' })).toMatchObject({
    ...PORTRUSH,
    country: 'IRL',
  })
  expect(await sites.create({ ...body, ...AT_SEA })).toMatchObject(NEITHER)
  expect(await sites.create({ ...body, latitude: 0, longitude: 0 })).toMatchObject(NEITHER)
  const form = { ...body, ...LYON, photos: [await makePhoto('front.jpg')] }
  expect(await sites.create(form)).toMatchObject(IN_LYON)
})

test('they follow the position of a site', async () => {
  const { sites, body } = await newSites()
  const { id } = await sites.create(body)
  expect(await sites.update(id, { name: 'Mole' })).toMatchObject(PORTRUSH)
  expect(await sites.update(id, LYON)).toMatchObject(IN_LYON)
  expect(await sites.update(id, AT_SEA)).toMatchObject(NEITHER)
  expect(await sites.update(id, { ...LYON, photos: [await makePhoto('front.jpg')] })).toMatchObject(
    IN_LYON,
  )
  expect(await sites.update(id, { longitude: body.longitude })).toMatchObject(NEITHER)
  expect(await sites.update(id, { latitude: body.latitude })).toMatchObject(PORTRUSH)
})

test('values that were given stay, and so do emptied ones', async () => {
  const { sites, body } = await newSites()
  const said = { time_zone: 'Europe/Dublin', country: 'IRL' }
  const { id } = await sites.create({ ...body, ...said })
  expect(await sites.update(id, LYON)).toMatchObject(said)
  // A value given together with the position stays, even if it is the one of the former position.
  const moved = await sites.create(body)
  expect(await sites.update(moved.id, { ...LYON, ...PORTRUSH })).toMatchObject(PORTRUSH)
  const emptied = await sites.create(body)
  expect(await sites.update(emptied.id, NEITHER)).toMatchObject(NEITHER)
  expect(await sites.update(emptied.id, { name: 'Mole' })).toMatchObject(NEITHER)
  expect(await sites.update(emptied.id, LYON)).toMatchObject(NEITHER)
  const one = await sites.create(body)
  await sites.update(one.id, { country: 'IRL' })
  expect(await sites.update(one.id, LYON)).toMatchObject({ ...IN_LYON, country: 'IRL' })
})

test('the same applies to batches, upserts, retries and superusers', async () => {
  const { client, sites, body } = await newSites()
  const batch = client.createBatch()
  batch.collection(SITES).create({ ...body, id: 'aaaaaaaaaaaaaa1' })
  batch.collection(SITES).update('aaaaaaaaaaaaaa1', LYON)
  batch.collection(SITES).upsert({ ...body, ...LYON, id: 'aaaaaaaaaaaaaa2' })
  batch.collection(SITES).upsert({ ...body, id: 'aaaaaaaaaaaaaa2' })
  const answers = await batch.send()
  expect(answers.map((answer) => answer.body as unknown)).toMatchObject([
    PORTRUSH,
    IN_LYON,
    IN_LYON,
    PORTRUSH,
  ])
  const headers = { 'Idempotency-Key': 'filled-in' }
  const first = await sites.create(body, { headers })
  await sites.update(first.id, LYON)
  expect(await sites.create(body, { headers })).toEqual(first)
  const { client: superuser } = await newSuperuser(stack)
  expect(await superuser.collection(SITES).update(first.id, AT_SEA)).toMatchObject(NEITHER)
})

test('a move gets one version, and events contain the derived values', async () => {
  provideEventSource()
  const { sites, body } = await newSites()
  const { id } = await sites.create(body)
  const etagOf = async (): Promise<string> => {
    let etag: string | null = null
    await sites.getOne(id, {
      fetch: async (url: string | URL | Request, init?: RequestInit) => {
        const response = await fetch(url, init)
        etag = response.headers.get('ETag')
        return response
      },
    })
    return etag ?? ''
  }
  const events: unknown[] = []
  await sites.subscribe(id, (event) => events.push(event))
  const before = await etagOf()
  await sites.update(id, LYON, { headers: { 'If-Match': before } })
  const after = await etagOf()
  expect(after).not.toBe(before)
  await expect(sites.update(id, AT_SEA, { headers: { 'If-Match': before } })).rejects.toMatchObject(
    { status: 412 },
  )
  await vi.waitUntil(() => events.length > 0, 10_000)
  expect(events).toMatchObject([{ action: 'update', record: IN_LYON, etag: after }])
  await sites.unsubscribe()
})

const changesOf = (changes: RecordService, record: string) =>
  changes.getFullList({ filter: `record = "${record}"`, sort: 'id' })

test('the audit log distinguishes derived values from given ones', async () => {
  const { client, id: user, sites, body } = await newSites()
  const changes = client.collection(CHANGES)
  const { id } = await sites.create({ ...body, country: 'IRL' })
  await sites.update(id, LYON)
  await sites.update(id, { ...AT_SEA, time_zone: 'Europe/Oslo' })
  expect(await changesOf(changes, id)).toMatchObject([
    { after: { time_zone: 'Europe/London', country: 'IRL' }, filled_in: ['time_zone'] },
    {
      actor: user,
      before: { latitude: body.latitude, time_zone: 'Europe/London' },
      after: { latitude: LYON.latitude, time_zone: 'Europe/Paris' },
      filled_in: ['time_zone'],
    },
    { after: { time_zone: 'Europe/Oslo' }, filled_in: [] },
  ])
  // In one transaction, each change lists its own derived values.
  const batch = client.createBatch()
  batch.collection(SITES).create({ ...body, id: 'bbbbbbbbbbbbbb1' })
  batch.collection(CONNECTORS).create(connectorBody('bbbbbbbbbbbbbb1'))
  batch.collection(SITES).update('bbbbbbbbbbbbbb1', { country: 'IRL' })
  batch.collection(SITES).delete('bbbbbbbbbbbbbb1')
  await batch.send()
  const told = await changes.getFullList({ filter: 'site = "bbbbbbbbbbbbbb1"', sort: 'id' })
  expect(told.map((each) => [each['collection'], each['action'], each['filled_in']])).toEqual([
    [SITES, 'create', ['time_zone', 'country']],
    [CONNECTORS, 'create', []],
    [SITES, 'update', []],
    [SITES, 'delete', []],
    [CONNECTORS, 'delete', []],
  ])
})

test('a starting server fills in older sites, once', async () => {
  const { client, sites, body } = await newSites()
  const former = await Promise.all(
    [body, { ...body, ...LYON }, { ...body, ...AT_SEA }, { ...body, country: 'IRL' }].map((each) =>
      sites.create(each),
    ),
  )
  const emptied = await sites.create(body)
  await sites.update(emptied.id, NEITHER)
  const [here, there, sea, said] = former.map(({ id }) => id)
  // The state of an older database: the migration notes the sites that have an empty field.
  await stack.sql`
    update sites set time_zone = '', country = case country when 'IRL' then country else '' end
    where id in (${here ?? ''}, ${there ?? ''}, ${sea ?? ''}, ${said ?? ''})`
  await stack.sql`
    insert into unfilled select 'sites', id from sites
    where id in (${here ?? ''}, ${there ?? ''}, ${sea ?? ''}, ${said ?? ''})`
  await stack.sql`insert into unfilled values ('sites', 'gonegonegonegon')`
  const isFilled = async () => (await stack.sql`select 1 from unfilled`).length === 0

  const other = await startStack({ beside: stack })
  await vi.waitUntil(isFilled, 10_000)
  const read = async () => {
    const all = await Promise.all([...former, emptied].map(({ id }) => sites.getOne(id)))
    return all.map(({ time_zone, country }) => ({ time_zone, country }))
  }
  const expected = [PORTRUSH, IN_LYON, NEITHER, { ...PORTRUSH, country: 'IRL' }, NEITHER]
  expect(await read()).toEqual(expected)
  expect((await changesOf(client.collection(CHANGES), there ?? '')).at(-1)).toMatchObject({
    actor_type: 'server',
    actor: '',
    before: NEITHER,
    after: IN_LYON,
    filled_in: ['time_zone', 'country'],
  })
  expect((await changesOf(client.collection(CHANGES), said ?? '')).at(-1)).toMatchObject({
    before: { time_zone: '' },
    filled_in: ['time_zone'],
  })
  await other.close()
  await sites.update(here ?? '', NEITHER)
  await (await startStack({ beside: stack })).close()
  expect(await read()).toEqual([NEITHER, ...expected.slice(1)])
})

import { randomBytes } from 'node:crypto'
import { request } from 'node:http'

import type PocketBase from 'pocketbase'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { REALTIME_LIMITS } from '#domain/limits.ts'
import { COLLECTIONS } from '#domain/collections.ts'

import { provideEventSource, TestEventSource } from '../support/event-source.ts'
import { connectorBody, newOwner, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'

// Record interface 6, with real streams: events of a write at one server arrive at the other. Both servers run in this
// process, so that a test can inspect them; further tests use separate processes.

let here: Stack
let there: Stack
beforeAll(async () => {
  provideEventSource()
  here = await startStack()
  there = await startStack({ beside: here })
})
afterAll(async () => {
  await there.close()
  await here.close()
})

/** Only an upper bound; the machine may be busy with other tests. */
const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, 10_000)

const clients: PocketBase[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.realtime.unsubscribe()
  for (const source of TestEventSource.opened.splice(0)) source.close()
})

/** The same account at another server. */
const at = async ({ url }: Pick<Stack, 'url'>, client: PocketBase): Promise<PocketBase> => {
  const { default: Client } = await import('pocketbase')
  const other = new Client(url)
  other.authStore.save(client.authStore.token, client.authStore.record)
  other.autoCancellation(false)
  clients.push(other)
  return other
}

interface Event {
  readonly action: string
  readonly record: Record<string, unknown>
}

/** Subscribes and collects events. */
const listen = async (
  client: PocketBase,
  topic: string,
  options?: Record<string, unknown>,
): Promise<Event[]> => {
  const events: Event[] = []
  clients.push(client)
  await client.realtime.subscribe(topic, (event: Event) => events.push(event), options)
  return events
}

const seen = (events: readonly Event[]) =>
  events.map(({ action, record }) => `${action} ${String(record['name'] ?? record['id'])}`)

/** Once this resolves, all events of earlier writes have arrived. */
const heardAll = async (...all: { client: PocketBase }[]): Promise<void> => {
  for (const { client } of all) {
    const id = client.authStore.record?.id ?? ''
    const mark = randomBytes(6).toString('hex')
    let isHeard = false
    const stop = await client
      .collection('users')
      .subscribe(id, ({ record }) => (isHeard ||= record['name'] === mark), { fields: 'id,name' })
    await client.collection('users').update(id, { name: mark })
    await until(() => isHeard)
    await stop()
  }
}

test('a write at one server reaches streams at the other: once, in order, and only the owner’s', async () => {
  const owner = await newOwnerWithSite(here.url)
  const other = await newOwnerWithSite(here.url)
  const client = await at(there, owner.client)
  const foreign = await at(there, other.client)
  const events = await listen(client, 'sites/*')
  const connectors = await listen(client, 'connectors/*')
  const nothing = await listen(foreign, 'sites/*')
  const nobody = await listen(foreign, `sites/${owner.site.id}`)

  const sites = owner.client.collection('sites')
  for (let n = 0; n < 20; n += 1) {
    const made = await sites.create({ ...siteBody(owner.business.id), name: `Site ${n}` })
    await owner.client.collection('connectors').create(connectorBody(made.id))
    await sites.update(made.id, { name: `Site ${n}, renamed` })
    if (n % 2 === 0) await sites.delete(made.id)
  }
  await heardAll({ client }, { client: foreign })

  const perSite = Map.groupBy(events, ({ record }) => record['id'])
  expect(perSite.size).toBe(20)
  for (const [index, each] of [...perSite.values()].entries())
    expect(each.map(({ action }) => action)).toEqual(
      index % 2 === 0 ? ['create', 'update', 'delete'] : ['create', 'update'],
    )
  expect(events.filter(({ action }) => action === 'create')).toHaveLength(20)
  // The cascade deleted the connectors of the ten deleted sites.
  expect(Map.groupBy(connectors, ({ action }) => action).get('delete')).toHaveLength(10)
  expect([...nothing, ...nobody]).toEqual([])
  expect([...here.logged, ...there.logged]).toEqual([])
})

describe('two operating-system processes', () => {
  let second: SecondProcess
  beforeAll(async () => {
    second = await startSecondProcess(here)
  })
  afterAll(() => second.close())

  test('a write in one reaches streams in the other: once, in order, and only the owner’s', async () => {
    expect(second.pid).not.toBe(process.pid)
    const owner = await newOwnerWithSite(here.url)
    const other = await newOwnerWithSite(here.url)
    const client = await at(second, owner.client)
    const foreign = await at(second, other.client)
    const events = await listen(client, 'sites/*')
    const nothing = await listen(foreign, 'sites/*')
    const nobody = await listen(foreign, `sites/${owner.site.id}`)

    const sites = owner.client.collection('sites')
    const written: string[] = []
    for (let n = 0; n < 16; n += 1) {
      const made = await sites.create({ ...siteBody(owner.business.id), name: `Site ${n}` })
      await sites.update(made.id, { name: `Site ${n}, renamed` })
      written.push(`create Site ${n}`, `update Site ${n}, renamed`)
      if (n % 2 > 0) continue
      await sites.delete(made.id)
      written.push(`delete Site ${n}, renamed`)
    }
    await heardAll({ client }, { client: foreign })

    expect(written).toHaveLength(40)
    expect(seen(events)).toEqual(written)
    expect([...nothing, ...nobody]).toEqual([])
    // The other owner does receive their own events.
    const own = await other.client.collection('sites').update(other.site.id, { name: 'Own' })
    await until(() => nothing.length > 0)
    expect(nothing).toMatchObject([{ action: 'update', record: own }])
    expect(nobody).toEqual([])
    expect([...here.logged, ...second.logged()]).toEqual([])
  })

  test('concurrent writes in both to one record reach both: once, in commit order', async () => {
    const owner = await newOwnerWithSite(here.url)
    const both = [await at(here, owner.client), await at(second, owner.client)] as const
    const [events, elsewhere] = await Promise.all(
      both.map((client) => listen(client, `sites/${owner.site.id}`)),
    )
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        both[n % 2 === 0 ? 0 : 1]
          .collection('sites')
          .update(owner.site.id, { 'vehicle_capacity+': 1, cost: `${n}` }),
      ),
    )
    await heardAll(...both.map((client) => ({ client })))
    const counts = events?.map(({ record }) => Number(record['vehicle_capacity']))
    expect(counts).toEqual(Array.from({ length: 40 }, (_, n) => n + 3))
    expect(elsewhere).toEqual(events)
    expect([...here.logged, ...second.logged()]).toEqual([])
  })
})

test('an event contains the record and its ETag as a read returns them, or the last state of a deleted record', async () => {
  const owner = await newOwnerWithSite(here.url)
  const events = await listen(await at(there, owner.client), 'sites/*')
  const sites = owner.client.collection('sites')
  const made = await sites.create({ ...siteBody(owner.business.id), name: 'Pier' })
  const etagOf = async (): Promise<string | null> => {
    const url = `${here.url}/api/collections/sites/records/${made.id}`
    const { headers } = await fetch(url, {
      headers: { authorization: owner.client.authStore.token },
    })
    return headers.get('etag')
  }
  const first = await etagOf()
  // A write without a change also creates a new version.
  const again = await sites.update(made.id, { name: 'Pier' })
  const second = await etagOf()
  await sites.delete(made.id)
  await until(() => events.length === 3)
  expect(events).toEqual([
    { action: 'create', record: made, etag: first },
    { action: 'update', record: again, etag: second },
    { action: 'delete', record: again, etag: second },
  ])
})

test('HEAD returns the headers of a stream without opening one', async () => {
  const headersOf = async (method: string) => {
    const answer = await fetch(`${here.url}/api/realtime`, { method })
    await answer.body?.cancel()
    const names = ['content-type', 'cache-control', 'x-accel-buffering', 'content-length']
    return [answer.status, ...names.map((name) => answer.headers.get(name))]
  }
  expect(await headersOf('HEAD')).toEqual(await headersOf('GET'))
})

test('there are no events before the commit, and none for rolled-back writes', async () => {
  const owner = await newOwnerWithSite(here.url)
  const client = await at(there, owner.client)
  const events = await listen(client, 'sites/*')
  const rename = (name: string) => here.sql`
    update sites set name = ${name}, version = nextval('record_version') where id = ${owner.site.id}`
  await here.sql
    .begin(async (sql) => {
      await sql`update sites set name = 'Never' where id = ${owner.site.id}`
      throw new Error('no')
    })
    .catch(() => {})
  await here.sql.begin(async (sql) => {
    await sql`update sites set name = 'First' where id = ${owner.site.id}`
    await heardAll({ client })
    expect(events).toEqual([])
  })
  await rename('Second')
  await until(() => events.length === 2)
  expect(seen(events).at(-1)).toBe('update Second')
})

test('a cascade is announced from the top down, with the last states', async () => {
  const owner = await newOwnerWithSite(here.url)
  const client = await at(there, owner.client)
  const events: string[] = []
  for (const collection of ['businesses', 'sites', 'connectors'])
    await client
      .collection(collection)
      .subscribe('*', ({ action, record }) =>
        events.push(`${action} ${record.collectionName} ${record.id}`),
      )
  await owner.client.collection('businesses').delete(owner.business.id)
  await heardAll({ client })
  expect(events).toEqual([
    `delete businesses ${owner.business.id}`,
    `delete sites ${owner.site.id}`,
    `delete connectors ${owner.connector.id}`,
  ])
})

test('a deleted user gets the event, then the stream ends', async () => {
  const owner = await newOwnerWithSite(here.url)
  const client = await at(there, owner.client)
  const users = await listen(client, `users/${owner.id}`)
  const sites = await listen(client, 'sites/*')
  const [stream] = TestEventSource.opened.slice(-1)
  await owner.client.collection('users').delete(owner.id)
  await until(() => users.length === 1 && sites.length === 1)
  expect(users[0]).toMatchObject({ action: 'delete', record: { id: owner.id, email: owner.email } })
  await until(() => stream?.isOver === true)
})

test('a stream ends when its session expires', async () => {
  const short = await startStack({ beside: here, limits: { heartbeatMs: 50 } })
  const owner = await newOwnerWithSite(here.url)
  const other = await newOwnerWithSite(here.url)
  await listen(await at(short, owner.client), 'sites/*')
  const [stream] = TestEventSource.opened.slice(-1)
  await listen(await at(short, other.client), 'sites/*')
  const [foreign] = TestEventSource.opened.slice(-1)
  await here.sql`update sessions set expires = now() where "user" = ${owner.id}`
  await until(() => stream?.isOver === true)
  expect(foreign?.isOver).toBe(false)
  await short.close()
})

test('a revoked session gets no more events, and its stream becomes a guest’s', async () => {
  const owner = await newOwnerWithSite(here.url)
  const client = await at(there, owner.client)
  const events = await listen(client, 'sites/*')
  await here.sql`delete from sessions where "user" = ${owner.id}`
  await here.sql`update sites set name = 'x' where id = ${owner.site.id}`
  const other = await newOwner(here.url)
  await heardAll({ client: other.client })
  expect(events).toEqual([])
  const again = await newOwner(here.url)
  client.authStore.save(again.client.authStore.token, again.client.authStore.record)
  await expect(listen(client, 'users/*')).resolves.toEqual([])
})

test('topics: by collection id, for one record, and without an asterisk', async () => {
  const owner = await newOwnerWithSite(here.url)
  const client = await at(there, owner.client)
  const second = await owner.client
    .collection('sites')
    .create({ ...siteBody(owner.business.id), name: 'Second' })
  const { id } = COLLECTIONS.sites
  const topics = [
    `${id}/*`,
    'sites',
    `sites/${second.id}`,
    `${id}/${second.id}`,
    'nothing/*',
    'x',
    'sites/*\r\nevent:x',
  ]
  const heard = await Promise.all(topics.map((topic) => listen(client, topic)))
  await owner.client.collection('sites').update(owner.site.id, { name: 'One' })
  await owner.client.collection('sites').update(second.id, { name: 'Two' })
  await heardAll({ client })
  const both = ['update One', 'update Two']
  expect(heard.map(seen)).toEqual([both, both, ['update Two'], ['update Two'], [], [], []])
})

test('options: filter, expand and fields; the event name is the subscription, byte for byte', async () => {
  const owner = await newOwnerWithSite(here.url)
  const client = await at(there, owner.client)
  const filtered = await listen(client, 'sites/*', { filter: 'vehicle_capacity > 5' })
  const expanded = await listen(client, 'sites/*', {
    expand: 'business,connectors_via_site',
    fields: 'name,expand.business.name,expand.connectors_via_site.kw_rating',
  })
  const sites = owner.client.collection('sites')
  await sites.update(owner.site.id, { vehicle_capacity: 5 })
  await sites.update(owner.site.id, { vehicle_capacity: 6 })
  // Expanded records are read when the event is read.
  await until(() => expanded.length === 2)
  await sites.delete(owner.site.id)
  await heardAll({ client })
  expect(filtered.map(({ action, record }) => [action, record['vehicle_capacity']])).toEqual([
    ['update', 6],
    ['delete', 6],
  ])
  const record = {
    name: 'Harbour Lane Quay',
    expand: { business: { name: 'Harbour Lane Hotels' } },
  }
  const [first, , last] = expanded
  expect(first?.record).toEqual({
    ...record,
    expand: { ...record.expand, connectors_via_site: [{ kw_rating: 150 }] },
  })
  expect([last?.action, last?.record]).toEqual(['delete', record])
})

test('every message has the client id, and responses must not be buffered or cached', async () => {
  const owner = await newOwnerWithSite(here.url)
  const client = await at(here, owner.client)
  const events = await listen(client, 'sites/*')
  await owner.client.collection('sites').update(owner.site.id, { name: 'Line one\nline two' })
  await until(() => events.length === 1)
  const { clientId } = client.realtime
  // A client of an earlier test, whose stream has ended, may just have reconnected.
  const stream = TestEventSource.opened.find(({ messages }) => messages[0]?.id === clientId)
  expect(clientId).toMatch(/^[a-zA-Z0-9]{40}$/)
  expect(stream?.messages[0]).toEqual({
    event: 'PB_CONNECT',
    id: clientId,
    data: JSON.stringify({ clientId }),
  })
  expect(stream?.messages.map(({ id }) => id)).toEqual([clientId, clientId])
  const headers = Object.fromEntries(stream?.headers ?? [])
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  expect(headers['content-encoding']).toBeUndefined()
})

test('writes in one transaction are separate events, and concurrent ones arrive in commit order', async () => {
  const owner = await newOwnerWithSite(here.url)
  const client = await at(there, owner.client)
  const events = await listen(client, `sites/${owner.site.id}`)
  await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      owner.client
        .collection('sites')
        .update(owner.site.id, { 'vehicle_capacity+': 1, cost: `${n}` }),
    ),
  )
  await heardAll({ client })
  expect(events).toHaveLength(30)
  const counts = events.map(({ record }) => Number(record['vehicle_capacity']))
  // Each event has the state after its write, however soon the next one follows.
  expect(counts).toEqual(Array.from({ length: 30 }, (_, n) => n + 3))
})

/** Opens a stream without the SDK and returns its client id. */
const open = async (stack: Stack): Promise<{ clientId: string; source: TestEventSource }> => {
  const source = new TestEventSource(`${stack.url}/api/realtime`)
  await until(() => source.messages.length > 0)
  return { clientId: source.messages[0]?.id ?? '', source }
}

const subscribe = async (stack: Stack, body: unknown, token = ''): Promise<[number, unknown]> => {
  const response = await fetch(`${stack.url}/api/realtime`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: token }) },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return [response.status, text === '' ? undefined : (JSON.parse(text) as unknown)]
}

const UNREADABLE_FIELDS = encodeURIComponent('{"query":{"fields":"name:excerpt()"}}')
const REFUSED_EXPAND = encodeURIComponent('{"query":{"expand":"site.connectors_via_site"}}')
const UNKNOWN_EXPAND = encodeURIComponent('{"query":{"expand":"nothing.of_this,site"}}')

test('subscribe: limits and errors', async () => {
  const { clientId } = await open(here)
  const many = Array.from({ length: REALTIME_LIMITS.subscriptions + 1 }, (_, n) => `t${n}`)
  const long = 'x'.repeat(REALTIME_LIMITS.subscriptionLength + 1)
  const code = (value: string) => expect.objectContaining({ code: value }) as unknown
  const rows: [body: unknown, status: number, answer?: object][] = [
    [{ clientId, subscriptions: many.slice(1) }, 204],
    [{ clientId, subscriptions: [long.slice(1)] }, 204],
    [{ clientId, subscriptions: [] }, 204],
    [{ clientId }, 204],
    [{ subscriptions: [] }, 400, { data: { clientId: code('validation_required') } }],
    [{ clientId: '' }, 400, { data: { clientId: code('validation_required') } }],
    [
      { clientId, subscriptions: many },
      400,
      { data: { subscriptions: code('validation_length_too_long') } },
    ],
    [
      { clientId, subscriptions: ['a', long] },
      400,
      { data: { subscriptions: { 1: code('validation_length_too_long') } } },
    ],
    [
      { clientId, subscriptions: ['sites/*', `sites/*?options=${UNREADABLE_FIELDS}`] },
      400,
      { data: { subscriptions: { 1: code('validation_invalid_value') } } },
    ],
    [
      { clientId, subscriptions: ['connectors/*', `connectors/abc?options=${REFUSED_EXPAND}`] },
      400,
      { data: { subscriptions: { 1: code('validation_invalid_value') } } },
    ],
    ...['no such', 'nofield = 1', '@request.auth.id != ""', '@collection.sites.name = "x"'].map(
      (filter): [body: unknown, status: number, answer: object] => [
        {
          clientId,
          subscriptions: [
            `sites/*?options=${encodeURIComponent(JSON.stringify({ query: { filter } }))}`,
          ],
        },
        400,
        { data: { subscriptions: { 0: code('validation_invalid_value') } } },
      ],
    ),
    ...[
      'notjson',
      '5',
      '[]',
      '{"query":5}',
      '{"query":{"filter":5}}',
      '{"query":{"expand":["site"]}}',
      '{"query":{"fields":{}}}',
    ].map((options): [body: unknown, status: number, answer: object] => [
      { clientId, subscriptions: [`sites/*?options=${encodeURIComponent(options)}`] },
      400,
      { data: { subscriptions: { 0: code('validation_invalid_value') } } },
    ]),
    ...[
      '',
      'null',
      '{}',
      '{"query":null,"headers":{"n":1}}',
      '{"query":{"filter":null,"n":1}}',
    ].map((options): [body: unknown, status: number] => [
      { clientId, subscriptions: [`sites/*?options=${encodeURIComponent(options)}`] },
      204,
    ]),
    [{ clientId, subscriptions: ['elsewhere?options=notjson'] }, 204],
    [{ clientId, subscriptions: [`connectors/*?options=${UNKNOWN_EXPAND}`] }, 204],
    [{ clientId: 'nobody' }, 404, { message: 'Missing or invalid client id.' }],
    [{ clientId: 'a'.repeat(40) }, 404, { message: 'Missing or invalid client id.' }],
    [{ clientId: 7 }, 400, {}],
    [{ clientId, subscriptions: 'sites/*' }, 400, {}],
    [{ clientId, subscriptions: [1] }, 400, {}],
    [[], 400, {}],
  ]
  for (const [body, status, answer] of rows) {
    const [found, data] = await subscribe(here, body)
    expect([JSON.stringify(body).slice(0, 80), found]).toEqual([
      JSON.stringify(body).slice(0, 80),
      status,
    ])
    expect({ data }).toMatchObject({ data: answer })
  }
})

test('subscribe: a limit on the total size of a client’s topics, which the server keeps in memory', async () => {
  const { clientId } = await open(here)
  const { token } = (await newOwner(here.url)).client.authStore
  const { subscriptions: most, totalLength } = REALTIME_LIMITS
  const ofLength = (length: number): string[] =>
    Array.from({ length: most }, (_, n) => `t${n}`.padEnd(length / most, 'x'))
  expect(await subscribe(here, { clientId, subscriptions: ofLength(totalLength) }, token)).toEqual([
    204,
    undefined,
  ])
  const tooLong = ofLength(totalLength + most)
  expect(await subscribe(here, { clientId, subscriptions: tooLong }, token)).toMatchObject([
    400,
    { data: { subscriptions: { code: 'validation_length_too_long' } } },
  ])
})

test('subscribe: a limit on the subscriptions of an account, each of which a change may reach', async () => {
  const [crowd, other] = [await newOwner(here.url), await newOwner(here.url)]
  const { subscriptions: most, subscriptionsPerAccount } = REALTIME_LIMITS
  const subscriptions = Array.from({ length: most }, (_, n) => `sites?${n}`)
  const as = async ({ client }: typeof crowd, clientId: string, topics = subscriptions) =>
    (await subscribe(there, { clientId, subscriptions: topics }, client.authStore.token))[0]
  const full = await Promise.all(
    Array.from({ length: subscriptionsPerAccount / most }, () => open(there)),
  )
  for (const { clientId } of full) expect(await as(crowd, clientId)).toBe(204)
  const { clientId } = await open(there)
  expect(await as(crowd, clientId, ['sites/*'])).toBe(429)
  const [first = { clientId }] = full
  expect(await as(crowd, first.clientId, [])).toBe(204)
  expect(await as(crowd, clientId)).toBe(204)
  expect(await as(other, (await open(there)).clientId)).toBe(204)
})

test('changes with many events are read in pieces', async () => {
  const statements: string[] = []
  const third = await startStack({ beside: here, onStatement: (text) => statements.push(text) })
  const { client, site } = await newOwnerWithSite(here.url)
  const { clientId, source } = await open(third)
  const options = encodeURIComponent('{"query":{"fields":"id"}}')
  const subscriptions = Array.from({ length: 600 }, (_, n) => `sites?options=${options}&${n}`)
  await subscribe(third, { clientId, subscriptions }, client.authStore.token)
  statements.length = 0
  const batch = client.createBatch()
  for (let n = 1; n <= 8; n += 1) batch.collection('sites').update(site.id, { vehicle_capacity: n })
  await batch.send()
  await until(() => source.messages.length > 8 * subscriptions.length)
  await third.close()
  expect(statements.length).toBeGreaterThanOrEqual(4)
})

test('subscribe: a guest’s stream may become a user’s, and a user’s stream stays with that user', async () => {
  const [one, two] = [await newOwner(here.url), await newOwner(here.url)]
  const { clientId } = await open(here)
  const as = async (token: string) =>
    (await subscribe(here, { clientId, subscriptions: ['sites/*'] }, token))[0]
  expect(await as('')).toBe(204)
  expect(await as(one.client.authStore.token)).toBe(204)
  expect(await as(two.client.authStore.token)).toBe(403)
  expect(await as('')).toBe(403)
  const { token } = await one.client.collection('users').authRefresh()
  expect(await as(token)).toBe(204)
})

test('subscribe: the request may reach another server than the stream', async () => {
  const owner = await newOwnerWithSite(here.url)
  const { clientId, source } = await open(there)
  const subscriptions = ['sites/*']
  const { token } = owner.client.authStore
  expect(await subscribe(here, { clientId, subscriptions }, token)).toEqual([204, undefined])
  expect((await subscribe(here, { clientId, subscriptions }))[0]).toBe(403)
  await owner.client.collection('sites').update(owner.site.id, { name: 'Heard' })
  await until(() => source.messages.length === 2)
  expect(source.messages[1]?.event).toBe('sites/*')
})

test('subscribe: a request from another address needs the cookie', async () => {
  const behind = await startStack({ beside: here, env: { TRUST_PROXY: 'on' } })
  try {
    const stream = await new Promise<{ clientId: string; cookie: string; end: () => void }>(
      (resolve, reject) => {
        const requested = request(`${behind.url}/api/realtime`, {
          headers: { 'x-forwarded-for': '192.0.2.1' },
        })
        requested.once('error', reject)
        requested.once('response', (response) => {
          const cookie = response.headers['set-cookie']?.[0] ?? ''
          response.once('data', (chunk: Buffer) =>
            resolve({
              clientId: /^id:(\w+)/.exec(chunk.toString())?.[1] ?? '',
              cookie,
              end: () => response.destroy(),
            }),
          )
        })
        requested.end()
      },
    )
    expect(stream.cookie).toMatch(/^realtime=\w{30}; Path=\/api; HttpOnly; SameSite=Lax$/)
    const from = async (address: string, cookie: string) => {
      const response = await fetch(`${behind.url}/api/realtime`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address, cookie },
        body: JSON.stringify({ clientId: stream.clientId, subscriptions: [] }),
      })
      return response.status
    }
    expect(await from('192.0.2.1', '')).toBe(204)
    expect(await from('192.0.2.1:51234', '')).toBe(204)
    expect(await from('192.0.2.2', '')).toBe(400)
    expect(await from('192.0.2.2', `realtime=${'a'.repeat(30)}`)).toBe(400)
    expect(await from('192.0.2.2', stream.cookie.split(';')[0] ?? '')).toBe(204)
    stream.end()
  } finally {
    await behind.close()
  }
})

test('the popup’s redirect: a page with the outcome, and the code in the stream', async () => {
  const { clientId, source } = await open(there)
  const [status] = await subscribe(there, { clientId, subscriptions: ['@oauth2'] })
  expect(status).toBe(204)
  const cookie = source.headers.get('set-cookie')?.split(';')[0] ?? ''
  const back = (query: string, headers: Record<string, string> = { cookie }) =>
    fetch(`${here.url}/api/oauth2-redirect${query}`, { headers })

  const unknown = await back(`?state=${'b'.repeat(40)}&code=c`)
  expect([unknown.status, await unknown.text()]).toEqual([
    200,
    expect.stringContaining('try again'),
  ])

  // The code of somebody else is not passed on, even from the same address.
  for (const headers of [{}, { cookie: `realtime=${'v'.repeat(30)}` }])
    expect(await (await back(`?state=${clientId}&code=theirs`, headers)).text()).toContain(
      'try again',
    )

  const page = await back(`?state=${clientId}&code=the-code`, {
    cookie,
    'accept-language': 'de-AT,de;q=0.9',
  })
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await page.text()).toContain('Sie können dieses Fenster schließen.')
  await until(() => source.messages.length === 2)
  expect(source.messages[1]).toEqual({
    event: '@oauth2',
    id: clientId,
    data: JSON.stringify({ state: clientId, code: 'the-code' }),
  })

  // The subscription can be used once.
  expect(await (await back(`?state=${clientId}&code=again`)).text()).toContain('try again')

  await subscribe(there, { clientId, subscriptions: ['@oauth2'] })
  // A form post arrives without the cookie; the browser sends the cookie when it follows the redirect.
  const form = await fetch(`${here.url}/api/oauth2-redirect`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ state: clientId, error: 'access_denied' }),
  })
  expect(form.status).toBe(303)
  const next = new URL(form.headers.get('location') ?? '', here.url)
  expect(next.pathname).toBe('/api/oauth2-redirect')
  const refused = await back(next.search)
  expect([refused.status, await refused.text()]).toEqual([
    200,
    expect.stringContaining('try again'),
  ])
  await until(() => source.messages.length === 3)
  expect(JSON.parse(source.messages[2]?.data ?? '')).toEqual({
    state: clientId,
    code: '',
    error: 'access_denied',
  })
  // The first message got no response.
  await until(async () => (await here.sql`select from realtime_messages`).length === 0)
})

test('a filter that waits does not delay the events of other accounts', async () => {
  const [slow, owner] = [await newOwnerWithSite(here.url), await newOwnerWithSite(here.url)]
  const held = await listen(await at(there, slow.client), 'sites/*', {
    filter: 'business.feeds_via_business.name = ""',
  })
  const events = await listen(await at(there, owner.client), 'sites/*')
  const holder = await here.sql.reserve()
  await holder`begin`
  await holder`lock table feeds in access exclusive mode`
  try {
    await slow.client.collection('sites').update(slow.site.id, { name: 'Held' })
    await owner.client.collection('sites').update(owner.site.id, { name: 'Heard' })
    await until(() => events.length === 1)
    expect(held).toEqual([])
  } finally {
    await holder`rollback`
    holder.release()
  }
  await until(() => held.length === 1)
  expect(seen(held)).toEqual(['update Held'])
})

test('if the listening connection is lost, streams end, and they work again after they reconnect', async () => {
  const owner = await newOwnerWithSite(here.url)
  const client = await at(there, owner.client)
  const events = await listen(client, 'sites/*')
  let disconnects = 0
  client.realtime.onDisconnect = () => (disconnects += 1)
  // The SDK reports a connection once it has subscribed again, which is later than it connects.
  let connects = 0
  await client.realtime.subscribe('PB_CONNECT', () => (connects += 1))
  await here.sql`select pg_terminate_backend(pid) from listeners`
  await until(() => connects === 1)
  expect(disconnects).toBe(1)
  await owner.client.collection('sites').update(owner.site.id, { name: 'After' })
  await until(() => events.length === 1)
  expect(seen(events)).toEqual(['update After'])
})

test('a client that does not read is disconnected, and others are not affected', async () => {
  const owner = await newOwnerWithSite(here.url)
  const client = await at(there, owner.client)
  const events = await listen(client, 'businesses/*')
  const requested = request(`${there.url}/api/realtime`)
  const closed = Promise.withResolvers<void>()
  requested.once('response', (response) => {
    response.once('data', (chunk: Buffer) => {
      const clientId = /^id:(\w+)/.exec(chunk.toString())?.[1]
      response.pause()
      response.once('close', closed.resolve).once('error', closed.resolve)
      const subscriptions = Array.from(
        { length: 900 },
        (_, n) => `businesses/*?options=${encodeURIComponent(JSON.stringify({ headers: { n } }))}`,
      )
      void subscribe(there, { clientId, subscriptions }, owner.client.authStore.token)
        .then(async () => {
          const description = 'x'.repeat(4900)
          for (let n = 0; n < 5; n += 1)
            await owner.client
              .collection('businesses')
              .update(owner.business.id, { description: description + String(n) })
        })
        .catch(() => {})
        .finally(() => response.resume())
    })
  })
  requested.once('error', closed.resolve)
  requested.end()
  await closed.promise
  await owner.client.collection('businesses').update(owner.business.id, { description: 'short' })
  await until(() => events.length === 6)
  expect(events.some(({ record }) => record['description'] === 'short')).toBe(true)
  expect(client.realtime.isConnected).toBe(true)
})

test('a stopping server ends its streams', async () => {
  const third = await startStack({ beside: here })
  const { source } = await open(third)
  const began = performance.now()
  await third.close()
  // Requests that the server waits for have 25 s.
  expect(performance.now() - began).toBeLessThan(15_000)
  await until(() => source.isOver)
  expect(source.isOver).toBe(true)
})

test('without streams, nothing is announced and nothing is stored', async () => {
  const quiet = await startStack()
  try {
    const owner = await newOwnerWithSite(quiet.url)
    await owner.client.collection('sites').delete(owner.site.id)
    expect(await quiet.sql`select 1 from change_log where not kept`).toHaveLength(0)
    const { source } = await open(quiet)
    expect(await quiet.sql`select 1 from listeners`).toHaveLength(1)
    source.close()
  } finally {
    await quiet.close()
  }
})

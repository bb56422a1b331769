import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import PocketBase from 'pocketbase'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { FEEDS, IMPORTS } from '#domain/collection.ts'
import { IDEMPOTENCY } from '#domain/limits.ts'

import { isBackground } from '../support/statements.ts'
import { makePhoto } from '../support/images.ts'
import { connectorBody, newOwner, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { formOf } from '../support/scenario.ts'
import { startSecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'

// Idempotency-Key on every write (record interface 9.10). The server replays the first response, and refuses another
// request with the same key. If two such requests are concurrent, one waits for the other, at any server.

let stack: Stack
let other: Stack
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
const statements: string[] = []
beforeAll(async () => {
  stack = await startStack({ onStatement: (text) => statements.push(text) })
  other = await startStack({ beside: stack })
  owner = await newOwnerWithSite(stack.url)
})
afterAll(async () => {
  await other.close()
  await stack.close()
})

const SITES = '/api/collections/sites/records'
const CONNECTORS = '/api/collections/connectors/records'

interface Sent {
  readonly path: string
  readonly method?: string
  readonly key?: string
  readonly body?: object
  readonly url?: string
  readonly client?: PocketBase
  readonly headers?: Readonly<Record<string, string>>
}

const send = async ({ path, method = 'POST', key, body, url, client, headers }: Sent) => {
  const answer = await fetch(`${url ?? stack.url}${path}`, {
    method,
    headers: {
      authorization: (client ?? owner.client).authStore.token,
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(body !== undefined &&
        !(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    text,
    etag: answer.headers.get('etag'),
    replayed: answer.headers.get('idempotency-replayed'),
  }
}

const countSites = async (): Promise<number> =>
  (await owner.client.collection('sites').getList(1, 1)).totalItems

let keys = 0
const newKey = (): string => `key-${(keys += 1)}`
const site = () => siteBody(owner.business.id)

test('a create is executed once and gets the same response from every server', async () => {
  const before = await countSites()
  const request = { path: SITES, key: newKey(), body: site() }
  const first = await send(request)
  expect([first.status, first.replayed]).toEqual([200, null])
  for (const url of [stack.url, other.url])
    expect(await send({ ...request, url })).toEqual({ ...first, replayed: 'true' })
  expect(await countSites()).toBe(before + 1)
})

test('an update with an increment is executed once', async () => {
  const sites = owner.client.collection('sites')
  const made = await sites.create(site())
  const request = {
    path: `${SITES}/${made.id}?fields=vehicle_capacity`,
    method: 'PATCH',
    key: newKey(),
    body: { 'vehicle_capacity+': 1 },
  }
  const first = await send(request)
  await sites.update(made.id, { name: 'Changed in the meantime' })
  expect(await send(request)).toEqual({ ...first, replayed: 'true' })
  expect(first.etag).toMatch(/^"/)
  expect(await sites.getOne(made.id)).toMatchObject({
    vehicle_capacity: 3,
    name: 'Changed in the meantime',
  })
})

test('a repeated delete gets 204 with the key, and 404 without', async () => {
  const made = await owner.client.collection('sites').create(site())
  const request = { path: `${SITES}/${made.id}`, method: 'DELETE', key: newKey() }
  expect(await send(request)).toMatchObject({ status: 204, text: '', replayed: null })
  expect(await send(request)).toMatchObject({ status: 204, text: '', replayed: 'true' })
  const { key: _key, ...without } = request
  expect(await send(without)).toMatchObject({ status: 404 })
})

test('a batch is executed once', async () => {
  const before = await countSites()
  const requests = [
    { method: 'POST', url: SITES, body: site() },
    { method: 'POST', url: SITES, body: site() },
  ]
  const request = { path: '/api/batch', key: newKey(), body: { requests } }
  const first = await send(request)
  expect(first.status).toBe(200)
  expect(await send({ ...request, url: other.url })).toEqual({ ...first, replayed: 'true' })
  expect(await countSites()).toBe(before + 2)
})

test('an upload is stored once, whatever the multipart boundary; another file is another request', async () => {
  const made = await owner.client.collection('sites').create(site())
  const [a, b] = [await makePhoto('a.jpg'), await makePhoto('a.jpg', { width: 320 })]
  const form = (photo: File) => formOf(['photos', photo], ['@jsonPayload', '{"name":"x"}'])
  const request = { path: `${SITES}/${made.id}`, method: 'PATCH', key: newKey() }
  const first = await send({ ...request, body: form(a) })
  expect(first.status).toBe(200)
  expect(await send({ ...request, body: form(a) })).toEqual({ ...first, replayed: 'true' })
  expect(await send({ ...request, body: form(b) })).toMatchObject({ status: 422 })
  expect(await readdir(join(stack.dataDir, 'storage', 'sites', made.id))).toHaveLength(1)
})

test('the SDK sends it as a header', async () => {
  const sites = owner.client.collection('sites')
  const headers = { 'Idempotency-Key': newKey() }
  const photo = await makePhoto('sdk.jpg')
  const first = await sites.create({ ...site(), photos: [photo] }, { headers })
  expect(await sites.create({ ...site(), photos: [photo] }, { headers })).toEqual(first)
})

test.each<[string, Partial<Sent>]>([
  ['another value', { body: { name: 'b' } }],
  ['another order of fields', { body: { cost: 'c', name: 'a' } }],
  ['another field', { body: { name: 'a', cost: 'c', contact_phone: '' } }],
  ['another type', { body: { name: 'a', cost: ['c'] } }],
  ['another query', { path: '?fields=id' }],
  ['another method', { method: 'DELETE' }],
  ['another record', { path: 'x' }],
])('under the same key is refused: %s', async (_name, change) => {
  const made = await owner.client.collection('sites').create(site())
  const request = {
    path: `${SITES}/${made.id}`,
    method: 'PATCH',
    key: newKey(),
    body: { name: 'a', cost: 'c' },
  }
  expect(await send(request)).toMatchObject({ status: 200 })
  const refused = await send({
    ...request,
    ...change,
    path: `${request.path}${change.path ?? ''}`,
  })
  expect(refused).toMatchObject({ status: 422, replayed: null, etag: null })
  expect(JSON.parse(refused.text)).toEqual({
    status: 422,
    message: 'The Idempotency-Key was used for another request.',
    data: {},
  })
  expect(await owner.client.collection('sites').getOne(made.id)).toMatchObject({ name: 'a' })
})

test('keys belong to their caller', async () => {
  const stranger = await newOwner(stack.url)
  const key = newKey()
  const first = await send({ path: SITES, key, body: site() })
  const foreign = await send({ path: SITES, key, body: site(), client: stranger.client })
  expect(foreign).toMatchObject({ status: 400, replayed: null })
  expect(foreign.text).not.toContain('Harbour')
  expect(first.status).toBe(200)
})

test('a key of a guest costs nothing', async () => {
  const written = { path: SITES, body: { name: 'token' }, client: new PocketBase(stack.url) }
  const without = await count(() => send(written))
  expect(await count(() => send({ ...written, key: newKey() }))).toBe(without)
})

test('an expired session gets no replay', async () => {
  const { client, id } = await newOwner(stack.url)
  const body = { user: id, name: 'Secret Works' }
  const request = { path: '/api/collections/businesses/records', key: newKey(), body, client }
  expect(await send(request)).toMatchObject({ status: 200 })
  await stack.sql`delete from sessions where "user" = ${id}`
  const again = await send(request)
  expect(again).toMatchObject({ status: 400, replayed: null })
  expect(again.text).not.toContain('Secret')
  const guest = await send({ ...request, headers: { authorization: '' } })
  expect(guest).toMatchObject({ status: 400, replayed: null })
})

test('a new session of the same person replays', async () => {
  const request = { path: SITES, key: newKey(), body: site() }
  const first = await send(request)
  const token = owner.client.authStore.token
  await owner.client.collection('users').authRefresh()
  expect(owner.client.authStore.token).not.toBe(token)
  expect(await send(request)).toEqual({ ...first, replayed: 'true' })
})

test('failures are not stored: a corrected request may reuse the key', async () => {
  const key = newKey()
  const wrong = { path: SITES, key, body: { ...site(), latitude: 91 } }
  expect(await send(wrong)).toMatchObject({ status: 400 })
  expect(await send(wrong)).toMatchObject({ status: 400, replayed: null })
  expect(await send({ path: SITES, key, body: site() })).toMatchObject({
    status: 200,
    replayed: null,
  })
  const [row] =
    await stack.sql`select count(*)::int as count from idempotency_keys where key = ${key}`
  expect(row?.['count']).toBe(1)
})

test.each([
  ['empty', ''],
  ['too long', 'x'.repeat(IDEMPOTENCY.keyLength + 1)],
  ['with a space', 'a b'],
])('a key that is %s is refused', async (_name, key) => {
  const before = await countSites()
  expect(await send({ path: SITES, key, body: site() })).toMatchObject({ status: 400 })
  expect(await countSites()).toBe(before)
})

test('one of many concurrent requests is executed, and the others wait for its response, across servers', async () => {
  const before = await countSites()
  const request = { path: SITES, key: newKey(), body: site() }
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, i) => send({ ...request, url: i % 2 ? stack.url : other.url })),
  )
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1)
  expect(await countSites()).toBe(before + 1)
})

test('one of two concurrent requests to two processes is executed', async () => {
  const second = await startSecondProcess(stack)
  try {
    expect(second.pid).not.toBe(process.pid)
    const before = await countSites()
    const urls = [stack.url, second.url]
    // The order of the two varies.
    for (let n = 1; n <= 10; n += 1) {
      const request = { path: SITES, key: newKey(), body: site() }
      const answers = await Promise.all(urls.map((url) => send({ ...request, url })))
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(answers[0]?.text).toBe(answers[1]?.text)
      expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1)
      expect(await countSites()).toBe(before + n)
    }
  } finally {
    await second.close()
  }
  expect(second.logged()).toEqual([])
})

test('concurrent uploads with one key leave one file', async () => {
  const made = await owner.client.collection('sites').create(site())
  const photo = await makePhoto('at once.jpg')
  const request = { path: `${SITES}/${made.id}`, method: 'PATCH', key: newKey() }
  const answers = await Promise.all(
    [stack.url, other.url, stack.url, other.url].map((url) =>
      send({ ...request, url, body: formOf(['photos', photo]) }),
    ),
  )
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await readdir(join(stack.dataDir, 'storage', 'sites', made.id))).toHaveLength(1)
})

test('a second request waits for the first and is executed if that fails', async () => {
  const made = await owner.client.collection('sites').create(site())
  const body = { ...connectorBody(made.id) }
  const request = { path: CONNECTORS, key: newKey(), body }
  let answered = false
  // The test holds the key like a first request, then rolls back.
  const holder = await stack.sql.reserve()
  await holder`begin`
  await holder`
    insert into idempotency_keys (key, "user", fingerprint) values (${request.key}, ${owner.id}, 'x')`
  const pending = send(request).finally(() => {
    answered = true
  })
  await sleep(300)
  expect(answered).toBe(false)
  await holder`rollback`
  holder.release()
  expect(await pending).toMatchObject({ status: 200, replayed: null })
})

test('keys expire after a day', async () => {
  const request = { path: SITES, key: newKey(), body: site() }
  const first = await send(request)
  await stack.sql`
    update idempotency_keys set created = now() - interval '25 hours' where key = ${request.key}`
  // Servers delete expired keys when they start.
  const third = await startStack({ beside: stack })
  await expect
    .poll(() => stack.sql`select 1 from idempotency_keys where key = ${request.key}`)
    .toHaveLength(0)
  await third.close()
  const again = await send(request)
  expect(again.replayed).toBeNull()
  expect(again.text).not.toBe(first.text)
})

test('fingerprints with a password use a slow hash, and another password makes another request', async () => {
  const made = await owner.client.collection('sites').create(site())
  const path = `${SITES}/${made.id}`
  const request = { path, method: 'PATCH', key: newKey(), body: { password: 'secret' } }
  expect(await send(request)).toMatchObject({ status: 200 })
  expect(await send(request)).toMatchObject({ status: 200, replayed: 'true' })
  expect(await send({ ...request, body: { password: 'other' } })).toMatchObject({ status: 422 })
  const quick = createHash('sha256').update(JSON.stringify(['PATCH', path, ['password', 'secret']]))
  const [row] = await stack.sql<{ fingerprint: string }[]>`
    select fingerprint from idempotency_keys where key = ${request.key}`
  expect(row?.fingerprint).not.toBe(quick.digest('base64url'))
})

const TABLE = 'name,address\nOne,1 Quay Street'
/** The ids of imports that have files. */
const withFiles = (): Promise<string[]> =>
  readdir(join(stack.dataDir, 'storage', IMPORTS)).catch(() => [])

test.for([
  ['a file', IMPORTS, () => formOf(['file', new File([TABLE], 'stations.csv')])],
  ['a text', IMPORTS, () => ({ text: TABLE })],
  ['an address', IMPORTS, () => ({ url: 'https://feed.example/list.json', token: 'secret' })],
  ['a feed', FEEDS, () => ({ url: 'https://feed.example/list.json', token: 'secret' })],
] as const)('%s is brought in once, at whichever server', async ([, collection, body]) => {
  const { client } = await newOwnerWithSite(stack.url)
  const before = await withFiles()
  const request = { path: `/api/${collection}`, key: newKey(), client }
  const [one, two] = await Promise.all([
    send({ ...request, body: body() }),
    send({ ...request, body: body(), url: other.url }),
  ])
  expect([one.status, two.status]).toEqual([200, 200])
  expect([one.replayed, two.replayed]).toEqual(expect.arrayContaining(['true', null]))
  const third = await send({ ...request, body: body() })
  expect([third.status, third.replayed]).toEqual([200, 'true'])
  const ids = [one, two, third].map(({ text }) => (JSON.parse(text) as { id: string }).id)
  expect(new Set(ids).size).toBe(1)
  const brought = { filter: collection === IMPORTS ? 'feed = ""' : '' }
  expect(await client.collection(collection).getFullList(brought)).toHaveLength(1)
  const stored = (await withFiles()).filter((record) => !before.includes(record))
  expect(ids).toEqual(expect.arrayContaining(stored))
  expect(await send({ ...request, body: { url: 'https://other.example/' } })).toMatchObject({
    status: 422,
  })
})

test('stored responses are deleted with the account', async () => {
  const { client, id } = await newOwner(stack.url)
  const body = { user: id, name: 'Short-lived' }
  const path = '/api/collections/businesses/records'
  expect(await send({ path, key: newKey(), body, client })).toMatchObject({ status: 200 })
  const leave = { path: `/api/collections/users/records/${id}`, method: 'DELETE', client }
  expect(await send({ ...leave, key: newKey() })).toMatchObject({ status: 204 })
  expect(await stack.sql`select 1 from idempotency_keys where "user" = ${id}`).toHaveLength(0)
})

const count = async (run: () => Promise<unknown>): Promise<number> => {
  statements.length = 0
  await run()
  return statements.filter((text) => !isBackground(text)).length
}

test('a write without a key costs no extra statement, one with a key costs BEGIN, COMMIT and three, and a replay one', async () => {
  const path = `${SITES}/${owner.site.id}`
  const update = { path, method: 'PATCH', body: { name: 'x' } }
  expect(await count(() => send({ path: SITES, body: site() }))).toBe(1)
  expect(await count(() => send(update))).toBe(4)
  const [create, change] = [
    { path: SITES, body: site(), key: newKey() },
    { ...update, key: newKey() },
  ]
  expect(await count(() => send(create))).toBe(1 + 5)
  expect(await count(() => send(change))).toBe(2 + 5)
  expect(await count(() => send(create))).toBe(1)
  expect(await count(() => send(change))).toBe(1)
})

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { BATCH_LIMITS } from '#domain/limits.ts'

import { makePhoto } from '../support/images.ts'
import { connectorBody, newOwner, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { waitForLock } from '../support/locks.ts'
import { isBackground } from '../support/statements.ts'
import { expectScenario, formOf, type Scenario } from '../support/scenario.ts'
import { withStack } from '../support/fixtures.ts'

// POST /api/batch (record interface 7.1): several writes in order, all or nothing.

const statements: string[] = []
const stack = await withStack({ onStatement: (text) => statements.push(text) })
const owner = await newOwnerWithSite(stack.url)
const stranger = await newOwnerWithSite(stack.url)
const known: Record<string, string> = {
  token: owner.client.authStore.token,
  business: owner.business.id,
  site: owner.site.id,
  foreign: stranger.site.id,
}

const state = async (): Promise<unknown> => {
  const rows = await stack.sql`
    select id, version from sites union all select id, version from connectors order by id`
  return rows.map((row) => `${String(row['id'])} ${String(row['version'])}`)
}

const SITES = '/api/collections/sites/records'
const CONNECTORS = '/api/collections/connectors/records'
const site = { ...siteBody('{business}') }

const batch = (requests: unknown): Pick<Scenario, 'send' | 'headers' | 'body'> => ({
  send: 'POST /api/batch',
  headers: { authorization: '{token}' },
  body: { requests },
})

describe('successful requests', () => {
  const rows: readonly Scenario[] = [
    {
      name: 'a create returns 200 with the record',
      ...batch([{ method: 'POST', url: SITES, body: { ...site, id: 'batchsite000001' } }]),
      status: 200,
      has: ['[{"body":{', '"id":"batchsite000001"', '"status":200,', 'cache-control: no-store'],
    },
    {
      name: 'children of a parent that the same batch creates',
      ...batch([
        { method: 'POST', url: SITES, body: { ...site, id: 'batchsite000002' } },
        { method: 'POST', url: CONNECTORS, body: connectorBody('batchsite000002') },
        { method: 'POST', url: CONNECTORS, body: connectorBody('batchsite000002') },
      ]),
      status: 200,
      has: ['"site":"batchsite000002"'],
    },
    {
      name: 'later items see earlier ones, expanded',
      ...batch([
        { method: 'PATCH', url: `${SITES}/batchsite000001`, body: { name: 'Renamed' } },
        {
          method: 'POST',
          url: `${CONNECTORS}?expand=site&fields=kw_rating,expand.site.name`,
          body: connectorBody('batchsite000001'),
        },
      ]),
      status: 200,
      has: ['{"body":{"kw_rating":150,"expand":{"site":{"name":"Renamed"}}},"status":200,'],
      lacks: ['"standard"'],
    },
    {
      name: 'fields of one item only',
      ...batch([
        { method: 'patch', url: `${SITES}/{site}?fields=id`, body: { cost: 'Free' } },
        { method: 'PATCH', url: `${SITES}/{site}`, body: {} },
      ]),
      status: 200,
      has: ['[{"body":{"id":"{site}"},"status":200,', '"cost":"Free"'],
    },
    {
      name: 'an upsert creates a missing record',
      ...batch([{ method: 'PUT', url: SITES, body: { ...site, id: 'batchsite000003' } }]),
      status: 200,
      has: ['"name":"Harbour Lane Quay"'],
    },
    {
      name: 'an upsert updates an existing record, and only the given fields',
      ...batch([
        {
          method: 'PUT',
          url: SITES,
          body: { id: 'batchsite000003', name: 'Upserted', 'vehicle_capacity+': 3 },
        },
      ]),
      status: 200,
      has: ['"name":"Upserted"', '"vehicle_capacity":5', '"address":"12 Quay Street, Portrush"'],
    },
    {
      name: 'an upsert without an id creates a record',
      ...batch([{ method: 'PUT', url: `${SITES}?fields=name`, body: site }]),
      status: 200,
      has: ['[{"body":{"name":"Harbour Lane Quay"},"status":200,'],
    },
    {
      name: 'a delete returns 204 with null, and later items do not see the record',
      ...batch([
        { method: 'DELETE', url: `${SITES}/batchsite000003` },
        { method: 'POST', url: SITES, body: { ...site, id: 'batchsite000003' } },
        { method: 'DELETE', url: `${SITES}/batchsite000003` },
      ]),
      status: 200,
      has: ['[{"body":null,"status":204},', ',{"body":null,"status":204}]'],
    },
    {
      name: 'collections by id, and unknown options',
      ...batch([
        { method: 'DELETE', url: '/api/collections/pbc_2001081480/records/batchsite000002?x=1' },
      ]),
      status: 200,
      has: ['[{"body":null,"status":204}]'],
    },
    {
      name: 'If-Match, per item',
      ...batch([
        { method: 'PATCH', url: `${SITES}/{site}`, headers: { 'If-Match': '*' }, body: {} },
      ]),
      status: 200,
    },
    {
      name: 'the Authorization of an item is ignored',
      ...batch([
        { method: 'PATCH', url: `${SITES}/{site}`, headers: { Authorization: 'x' }, body: {} },
      ]),
      status: 200,
    },
    {
      name: 'as a form with the payload in one part',
      send: 'POST /api/batch',
      headers: { authorization: '{token}' },
      body: formOf([
        '@jsonPayload',
        JSON.stringify({
          requests: [{ method: 'PATCH', url: `${SITES}/{site}`, body: { name: 'By form' } }],
        }),
      ]),
      status: 200,
      has: ['"name":"By form"'],
    },
  ]
  test.each(rows)('$name', async (scenario) => {
    await expectScenario(stack.url, scenario, known)
  })
})

describe('a refused batch changes nothing', () => {
  const good = { method: 'PATCH', url: `${SITES}/{site}`, body: { name: 'never kept' } }
  const failed = '"message":"Batch transaction failed."'
  const of = (index: number, response: string): string =>
    `"data":{"requests":{"${index}":{"code":"batch_request_failed","message":"Batch request failed.","response":${response}`
  const NOT_FOUND = `{"status":404,"message":"The requested resource wasn't found.","data":{}}`
  const GENERIC =
    '{"status":400,"message":"Something went wrong while processing your request.","data":{}}'
  const invalid = '"message":"Invalid batch request data."'
  const rows: readonly Scenario[] = [
    {
      name: 'a field error, with its index and its own response',
      ...batch([good, { method: 'POST', url: SITES, body: { ...site, latitude: 91 } }]),
      status: 400,
      has: [
        failed,
        of(1, '{"status":400,"message":"Failed to create record.","data":{"latitude":{'),
        'validation_max_number_constraint',
      ],
      lacks: ['"0":'],
    },
    {
      name: 'only the first failure is reported',
      ...batch([
        { ...good, url: `${SITES}/nosuchrecord123` },
        { method: 'GET', url: SITES },
      ]),
      status: 400,
      has: [of(0, NOT_FOUND)],
      lacks: ['"1":'],
    },
    {
      name: 'a foreign record is not found',
      ...batch([good, { ...good, url: `${SITES}/{foreign}` }]),
      status: 400,
      has: [of(1, NOT_FOUND)],
    },
    {
      name: 'an upsert of a foreign record',
      ...batch([good, { method: 'PUT', url: SITES, body: { ...site, id: '{foreign}' } }]),
      status: 400,
      has: ['"1":', 'validation_not_unique'],
      lacks: ['never kept'],
    },
    {
      name: 'a foreign record, deleted',
      ...batch([good, { method: 'DELETE', url: `${SITES}/{foreign}` }]),
      status: 400,
      has: [of(1, NOT_FOUND)],
    },
    {
      name: 'a foreign parent',
      ...batch([good, { method: 'POST', url: CONNECTORS, body: connectorBody('{foreign}') }]),
      status: 400,
      has: [of(1, '{"status":400,"message":"Failed to create record.","data":{}}')],
    },
    {
      name: 'an id that is created twice',
      ...batch([
        { method: 'POST', url: SITES, body: { ...site, id: 'batchsite000009' } },
        { method: 'POST', url: SITES, body: { ...site, id: 'batchsite000009' } },
      ]),
      status: 400,
      has: ['"1":', 'validation_not_unique'],
    },
    {
      name: 'an outdated version',
      ...batch([{ ...good, headers: { 'if-match': '"1-x"' } }]),
      status: 400,
      has: [of(0, '{"status":412,')],
    },
    ...[
      { name: 'an outdated version of what is put', id: '{site}' },
      { name: 'a version of what is not there yet', id: 'batchsite000009' },
    ].map(({ name, id }) => ({
      name,
      ...batch([
        good,
        { method: 'PUT', url: SITES, headers: { 'if-match': '"1-x"' }, body: { ...site, id } },
      ]),
      status: 400,
      has: [of(1, '{"status":412,')],
    })),
    {
      name: 'an outdated version of what is deleted',
      ...batch([
        good,
        { method: 'DELETE', url: `${SITES}/{site}`, headers: { 'if-match': '"1-x"' } },
      ]),
      status: 400,
      has: [of(1, '{"status":412,')],
    },
    {
      name: 'a locked collection',
      ...batch([good, { method: 'POST', url: '/api/collections/users/records', body: {} }]),
      status: 400,
      has: [of(1, '{"status":403,"message":"Only superusers can perform this action."')],
    },
    ...[
      ['a read', { method: 'GET', url: `${SITES}/{site}` }],
      ['a create below an id', { method: 'POST', url: `${SITES}/{site}` }],
      ['an update without an id', { method: 'PATCH', url: SITES }],
      ['a foreign host', { method: 'POST', url: `https://other.example${SITES}`, body: site }],
      ['a batch in a batch', { method: 'POST', url: '/api/batch', body: { requests: [] } }],
      ['a trailing slash', { method: 'POST', url: `${SITES}/`, body: site }],
      ['an id that cannot be decoded', { method: 'DELETE', url: `${SITES}/%E0%A4%A` }],
    ].map(([name, request]) => ({
      name: `no action: ${name as string}`,
      ...batch([good, request]),
      status: 400,
      has: [failed, of(1, GENERIC)],
    })),
    {
      name: 'an unknown collection',
      ...batch([good, { method: 'POST', url: '/api/collections/cars/records', body: {} }]),
      status: 400,
      has: [of(1, '{"status":404,"message":"Missing or invalid collection context."')],
    },
    {
      name: 'an unknown collection, deleted from',
      ...batch([good, { method: 'DELETE', url: '/api/collections/cars/records/x' }]),
      status: 400,
      has: [of(1, '{"status":404,"message":"Missing collection context."')],
    },
    {
      name: 'malformed fields',
      ...batch([good, { ...good, url: `${SITES}/{site}?fields=name:foo` }]),
      status: 400,
      has: ['"1":', 'validation_invalid_fields'],
    },
    {
      name: 'a guest',
      send: 'POST /api/batch',
      body: { requests: [good] },
      status: 400,
      has: [of(0, NOT_FOUND)],
    },
    {
      name: 'no requests',
      ...batch([]),
      status: 400,
      has: [invalid, '"requests":{"code":"validation_required"'],
    },
    {
      name: 'requests that are not a list',
      send: 'POST /api/batch',
      headers: { authorization: '{token}' },
      body: {},
      status: 400,
      has: [invalid, '"requests":{"code":"validation_required"'],
    },
    {
      name: 'too many requests',
      ...batch(Array.from({ length: BATCH_LIMITS.requests + 1 }, () => good)),
      status: 400,
      has: [
        invalid,
        '"requests":{"code":"validation_length_too_long"',
        '"params":{"min":0,"max":500}',
      ],
    },
    {
      name: 'items without a method, with an invalid one, without a URL, with a long one',
      ...batch([
        { url: SITES },
        good,
        { method: 'BREW', url: SITES },
        { method: 'POST' },
        { method: 'POST', url: `${SITES}?x=${'y'.repeat(2000)}` },
      ]),
      status: 400,
      has: [
        invalid,
        '"0":{"method":{"code":"validation_required"',
        '"2":{"method":{"code":"validation_in_invalid"',
        '"3":{"url":{"code":"validation_required"',
        '"4":{"url":{"code":"validation_length_too_long"',
      ],
      lacks: ['"1":'],
    },
    {
      name: 'an item with an idempotency key',
      ...batch([good, { ...good, headers: { 'idempotency-key': 'x' } }]),
      status: 400,
      has: [invalid, '"1":{"headers":{"code":"validation_json_shape"', 'headers.Idempotency-Key'],
      lacks: ['"0":'],
    },
    ...[
      ['requests that are no list', '{"requests":{}}'],
      ['an item that is no object', '{"requests":["x"]}'],
      ['a body that is no object', '{"requests":[{"method":"POST","url":"/x","body":[]}]}'],
      ['a method that is no text', '{"requests":[{"method":1,"url":"/x"}]}'],
      ['a list alone', '[]'],
      ['torn JSON', '{"requests":['],
    ].map(([name = '', body = '']) => ({
      name: `cannot be read: ${name}`,
      send: 'POST /api/batch',
      headers: { authorization: '{token}', 'content-type': 'application/json' },
      body,
      status: 400,
      has: ['"message":"Failed to read the submitted batch data."', '"data":{}'],
    })),
    {
      name: 'a batch is not read',
      send: 'GET /api/batch',
      status: 404,
    },
  ]
  test.each(rows)('$name', async (scenario) => {
    const before = await state()
    await expectScenario(stack.url, scenario, known)
    expect(await state()).toEqual(before)
  })
})

const stored = async (record: string): Promise<string[]> =>
  readdir(join(stack.dataDir, 'storage', 'sites', record)).catch(() => [])

test('the SDK’s batch, with files, a list next to an upload, and a record created by an earlier item', async () => {
  const { client, site: first } = owner
  const sites = client.collection('sites')
  const { photos } = await sites.update(first.id, {
    photos: [await makePhoto('a.jpg'), await makePhoto('b.jpg')],
  })
  const [a = '', b = ''] = photos as string[]
  const many = client.createBatch()
  many.collection('sites').create({
    ...siteBody(owner.business.id),
    id: 'batchphotos0001',
    photos: [await makePhoto('new.png', { type: 'png' })],
  })
  many.collection('sites').update(first.id, { photos: [b, await makePhoto('c.jpg')] })
  many.collection('sites').upsert({ id: 'batchphotos0001', 'photos+': await makePhoto('d.jpg') })
  many.collection('connectors').create(connectorBody('batchphotos0001'), { expand: 'site' })
  many.collection('connectors').delete(owner.connector.id)
  const results = await many.send()
  expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204])
  expect(results[1]?.body['photos']).toEqual([b, expect.stringMatching(/^c[a-z0-9]+_/)])
  expect(results[2]?.body['photos']).toEqual([
    expect.stringMatching(/^new_/),
    expect.stringMatching(/^d/),
  ])
  expect(results[3]?.body['expand']).toMatchObject({ site: { id: 'batchphotos0001' } })
  await expect.poll(() => stored(first.id)).not.toContain(a)
  expect((await stored('batchphotos0001')).toSorted()).toEqual(
    (results[2]?.body['photos'] as string[] | undefined)?.toSorted(),
  )
})

test('each response has the ETag for the next If-Match, except that of a delete', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const id = 'batchversion001'
  const first = client.createBatch()
  first.collection('sites').create({ ...siteBody(business.id), id })
  first.collection('sites').update(id, { cost: 'Free' }, { fields: 'cost' })
  first.collection('sites').upsert({ id, name: 'Third' })
  first.collection('connectors').create(connectorBody(id), { expand: 'site' })
  const key = { 'Idempotency-Key': 'batch-with-versions' }
  const answers = await first.send({ headers: key })
  expect(await first.send({ headers: key })).toEqual(answers)
  const etags = answers.map((answer) => (answer as { etag?: string }).etag ?? '')
  const read = await fetch(`${stack.url}${SITES}/${id}`, {
    headers: { authorization: client.authStore.token },
  })
  expect(read.headers.get('etag')).toBe(etags[2])

  const send = (etag: string) => {
    const next = client.createBatch()
    next.collection('sites').update(id, { cost: '' }, { headers: { 'If-Match': etag } })
    next
      .collection('connectors')
      .delete(String(answers[3]?.body['id']), { headers: { 'If-Match': etags[3] ?? '' } })
    return next.send()
  }
  for (const stale of etags.slice(0, 2))
    await expect(send(stale)).rejects.toMatchObject({
      response: { data: { requests: { 0: { response: { status: 412 } } } } },
    })
  expect((await send(etags[2] ?? '')).map((answer) => Object.keys(answer))).toEqual([
    ['body', 'status', 'etag'],
    ['body', 'status'],
  ])
})

test('both spellings of file fields work, and files without a request are ignored', async () => {
  const requests = [{ method: 'PATCH', url: `${SITES}/{site}`, body: { photos: [] } }]
  const answer = await expectScenario(
    stack.url,
    {
      name: '',
      send: 'POST /api/batch',
      headers: { authorization: '{token}' },
      body: formOf(
        ['requests[0].photos', await makePhoto('bracket.jpg')],
        ['requests.0.+photos', await makePhoto('dotted.jpg')],
        ['requests.7.photos', await makePhoto('nobody.jpg')],
        ['photos', await makePhoto('loose.jpg')],
        ['@jsonPayload', JSON.stringify({ requests })],
      ),
      status: 200,
    },
    known,
  )
  expect(answer).toMatch(/"photos":\["dotted_\w+\.jpg", ?"bracket_\w+\.jpg"\]/)
  await expect.poll(() => stored(owner.site.id)).toHaveLength(2)
})

test('a failed batch leaves no files, neither stored nor temporary', async () => {
  const many = owner.client.createBatch()
  const photos = [await makePhoto('a.jpg'), await makePhoto('b.jpg')]
  many.collection('sites').create({ ...siteBody(owner.business.id), id: 'batchphotos0002', photos })
  many.collection('sites').update(owner.site.id, { photos: [new File(['words'], 'words.png')] })
  await expect(many.send()).rejects.toMatchObject({
    status: 400,
    response: {
      data: {
        requests: {
          1: { response: { data: { photos: { code: 'validation_invalid_mime_type' } } } },
        },
      },
    },
  })
  expect(await stored('batchphotos0002')).toEqual([])
  expect(await readdir(join(stack.dataDir, 'tmp'))).toEqual([])
})

test('500 requests run in one transaction, with one statement each plus BEGIN and COMMIT', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const many = client.createBatch()
  for (let i = 0; i < BATCH_LIMITS.requests; i += 1)
    many.collection('sites').create(siteBody(business.id), { fields: 'id' })
  statements.length = 0
  const results = await many.send()
  expect(results).toHaveLength(500)
  const counted = statements.filter((text) => !isBackground(text))
  // A background task may run its own transaction at the same time.
  expect(counted.filter((text) => !/^(begin|commit)\s*$/.test(text))).toHaveLength(500)
  expect([counted.at(0)?.trim(), counted.at(-1)]).toEqual(['begin', 'commit'])
  expect((await client.collection('sites').getList(1, 1)).totalItems).toBe(501)
})

test('an update and an upsert take two statements each, a delete one', async () => {
  const { client, site: own, connector } = await newOwnerWithSite(stack.url)
  const many = client.createBatch()
  many.collection('sites').update(own.id, { name: 'x' })
  many.collection('sites').upsert({ id: own.id, name: 'y' })
  many.collection('connectors').delete(connector.id)
  statements.length = 0
  await many.send()
  expect(statements.filter((text) => !isBackground(text))).toHaveLength(7)
})

test('two batches that lock the same records in opposite order each succeed or fail as a whole', async () => {
  const { client, business, site: one } = await newOwnerWithSite(stack.url)
  const two = await client.collection('sites').create(siteBody(business.id))
  const send = async (ids: readonly string[], value: number): Promise<unknown> => {
    const many = client.createBatch()
    for (let round = 0; round < 20; round += 1)
      for (const id of ids) many.collection('sites').update(id, { 'vehicle_capacity+': value })
    return many.send()
  }
  await Promise.all([send([one.id, two.id], 1), send([two.id, one.id], 1)])
  for (const { id } of [one, two])
    expect(await client.collection('sites').getOne(id)).toMatchObject({ vehicle_capacity: 42 })
})

test('concurrent batches of many records in different orders all succeed', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const created = client.createBatch()
  for (let i = 0; i < 60; i += 1)
    created.collection('sites').create(siteBody(business.id), { fields: 'id' })
  const ids = (await created.send()).map(({ body }) => (body as { id: string }).id)
  const middle = ids.length / 2
  const orders = [ids, ids.toReversed(), [...ids.slice(middle), ...ids.slice(0, middle)]]
  await Promise.all(
    orders.map((order) => {
      const many = client.createBatch()
      for (const id of order) many.collection('sites').update(id, { 'vehicle_capacity+': 1 })
      return many.send()
    }),
  )
  const { vehicle_capacity: before } = siteBody(business.id)
  const changed = await client.collection('sites').getFullList({
    filter: `vehicle_capacity = ${before + orders.length}`,
  })
  expect(changed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
})

test('a delete that deadlocks with another write is retried after it', async () => {
  const { client, site: own, connector } = await newOwnerWithSite(stack.url)
  const locked = Promise.withResolvers<void>()
  const other = stack.sql.begin(async (transaction) => {
    await transaction`select from sites where id = ${own.id} for update`
    locked.resolve()
    // The delete has locked the connector and waits for the site.
    await waitForLock(stack.sql, 'delete from "connectors"')
    // PostgreSQL aborts the transaction that first has waited for a second, which has to be the delete.
    await sleep(500)
    await transaction`select from connectors where id = ${connector.id} for update`
  })
  // On a slow machine it may abort this transaction instead; the delete then succeeds right away.
  const done = other.catch((error: unknown) => {
    if ((error as { code?: string }).code !== '40P01') throw error
  })
  await locked.promise
  await client.collection('connectors').delete(connector.id)
  await done
  expect((await client.collection('connectors').getList(1, 1)).totalItems).toBe(0)
})

test('a batch that times out is rolled back', async () => {
  const before = await state()
  const { durationMs } = BATCH_LIMITS
  // The server runs in this process, so the test can change its limit.
  Object.assign(BATCH_LIMITS, { durationMs: -1 })
  const many = owner.client.createBatch()
  many.collection('sites').create({ ...siteBody(owner.business.id) })
  await expect(many.send()).rejects.toMatchObject({
    status: 400,
    response: { message: 'Batch transaction failed.', data: {} },
  })
  Object.assign(BATCH_LIMITS, { durationMs })
  expect(await state()).toEqual(before)
})

test('an owner without a business can create a business, a site and a connector in one batch', async () => {
  const { client, id } = await newOwner(stack.url)
  const many = client.createBatch()
  many.collection('businesses').create({ id: 'batchbusiness01', user: id, name: 'New' })
  many.collection('sites').create({ ...siteBody('batchbusiness01'), id: 'batchsite000099' })
  many.collection('connectors').create(connectorBody('batchsite000099'))
  expect(await many.send()).toHaveLength(3)
  expect((await client.collection('connectors').getList(1, 5)).totalItems).toBe(1)
})

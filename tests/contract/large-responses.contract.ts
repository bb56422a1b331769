import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { BUSINESSES, CONNECTORS, SITES } from '#domain/collection.ts'
import { BATCH_LIMITS, MAX_PER_PAGE } from '#domain/limits.ts'
import { API } from '#domain/paths.ts'
import { TestEventSource } from '../support/event-source.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { startStack, type Stack } from '../support/stack.ts'

// No account can cause a response that exhausts the memory of the server.

let stack: Stack
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
beforeAll(async () => {
  stack = await startStack()
  owner = await newOwnerWithSite(stack.url)
  const { client, business, site } = owner
  const periods = Array.from({ length: 200 }, (_, index) => ({
    period_begin: new Date(Date.UTC(2027, 0, 1 + 2 * index)).toISOString(),
    period_end: new Date(Date.UTC(2027, 0, 2 + 2 * index)).toISOString(),
  }))
  // JSON uses six bytes for each of these characters.
  const long = (length: number): string => `a${'\u0001'.repeat(length - 2)}z`
  await client
    .collection(BUSINESSES)
    .update(business.id, { description: long(5000), legal_name: long(200) })
  await client.collection(SITES).update(site.id, {
    address: long(500),
    cost: long(200),
    opening_hours: {
      twentyfourseven: true,
      exceptional_openings: periods,
      exceptional_closings: periods,
    },
  })
  await stack.sql`
    insert into connectors (id, site, standard, format, current_type, kw_rating, created, updated)
    select 'c' || left(md5(n::text), 14), ${site.id}, 'IEC_62196_T2_COMBO', 'CABLE', 'DC', 150, now(), now()
    from generate_series(2, ${MAX_PER_PAGE}) n`
}, 60_000)
afterAll(() => stack.close())

test('a list whose expanded records are too large is refused', async () => {
  const { client } = owner
  const connectors = client.collection(CONNECTORS)
  const expand = 'site.business'
  const list = await connectors.getList(1, 10, { expand })
  expect(list.items).toHaveLength(10)
  await expect(connectors.getList(1, MAX_PER_PAGE, { expand })).rejects.toMatchObject({
    status: 400,
    response: { message: 'The response is too large: request less.' },
  })
})

test('a batch whose response is too large is refused and writes nothing', async () => {
  const { client, business } = owner
  const batch = client.createBatch()
  for (let each = 0; each < BATCH_LIMITS.requests; each += 1)
    batch
      .collection(BUSINESSES)
      .update(business.id, { name: `Name ${each}` }, { expand: 'sites(business).connectors(site)' })
  await expect(batch.send()).rejects.toMatchObject({ status: 400 })
  expect(await client.collection(BUSINESSES).getOne(business.id)).toMatchObject({
    name: business['name'],
  })
})

test('events that are too large end their stream, so that the client reads everything again', async () => {
  const { client, business } = owner
  const stream = new TestEventSource(`${stack.url}${API.realtime}`)
  await vi.waitUntil(() => stream.messages.length === 1, 20_000)
  const options = { query: { expand: 'sites(business).connectors(site)' } }
  await client.send(API.realtime, {
    method: 'POST',
    body: {
      clientId: stream.messages[0]?.id,
      subscriptions: [`${BUSINESSES}/*?options=${encodeURIComponent(JSON.stringify(options))}`],
    },
  })
  const batch = client.createBatch()
  for (let each = 0; each < BATCH_LIMITS.requests; each += 1)
    batch.collection(BUSINESSES).update(business.id, { name: `Name ${each}` })
  await batch.send()
  await vi.waitUntil(() => stream.isOver, 30_000)
  expect(stream.messages.length).toBeLessThan(BATCH_LIMITS.requests)
})

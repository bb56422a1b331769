import { afterAll, beforeAll, expect, test } from 'vitest'

import { findCollection } from '#domain/collections.ts'
import { BUSINESSES, SITES } from '#domain/collection.ts'

import { newOwner, newOwnerWithSite, siteBody } from '../../tests/support/owner.ts'
import { startSecondProcess, type SecondProcess } from '../../tests/support/second-process.ts'
import { startStack, type Stack } from '../../tests/support/stack.ts'
import { list, type Page } from './read.ts'
import type { Runner } from './sql.ts'
import { createTotals } from './totals.ts'

// A total that was counted before is answered again while it is true, and not a moment longer.

const MANY = 1500

let one: Stack
let other: SecondProcess
beforeAll(async () => {
  one = await startStack({ env: { RATE_LIMITS: 'off' } })
  other = await startSecondProcess(one)
})
afterAll(async () => {
  await other.close()
  await one.close()
})

const addSites = (business: string, count: number) => one.sql`
  insert into sites (id, name, address, latitude, longitude, vehicle_capacity, status, business)
  select substr(md5(${business} || n || random()), 1, 15), 'Quay ' || n, '1 Quay', 1, 1, 1, 'AVAILABLE', ${business}
  from generate_series(1, ${count}::int) n`

const newOwnerOfMany = async () => {
  const owner = await newOwnerWithSite(one.url)
  await addSites(owner.business.id, MANY - 1)
  return owner
}

type Client = Awaited<ReturnType<typeof newOwner>>['client']
const total = async (client: Client, filter = ''): Promise<number> =>
  (await client.collection(SITES).getList(1, 20, { filter, requestKey: null })).totalItems

const elsewhere = (client: Client, method: string, path: string, body?: object) =>
  fetch(`${other.url}/api/collections/${path}`, {
    method,
    headers: { authorization: client.authStore.token, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

test('it follows every write, of this process, of another, and of none of ours', async () => {
  const { client, business, site, id } = await newOwnerOfMany()
  const open = 'status = "AVAILABLE" && business.name != "Closed"'
  const expectTotals = async (all: number, opened: number): Promise<void> => {
    // Twice: counted, and remembered.
    for (const _ of [1, 2]) {
      expect(await total(client)).toBe(all)
      expect(await total(client, open)).toBe(opened)
    }
  }
  await expectTotals(MANY, MANY)
  await client.collection(SITES).create(siteBody(business.id))
  await expectTotals(MANY + 1, MANY + 1)
  expect((await elsewhere(client, 'DELETE', `${SITES}/records/${site.id}`)).status).toBe(204)
  await expectTotals(MANY, MANY)
  await one.sql`update sites set status = 'OUTOFORDER' where business = ${business.id} and name < 'Quay 2'`
  const [closed] = await one.sql<[{ count: number }]>`
    select count(*)::int from sites where business = ${business.id} and status = 'OUTOFORDER'`
  expect(closed.count).toBeGreaterThan(10)
  await expectTotals(MANY, MANY - closed.count)
  await client.collection(BUSINESSES).update(business.id, { name: 'Closed' })
  await expectTotals(MANY, 0)

  const stranger = await newOwner(one.url)
  await one.sql`update businesses set "user" = ${stranger.id} where id = ${business.id}`
  expect(await total(client)).toBe(0)
  expect(await total(stranger.client)).toBe(MANY)
  await one.sql`update businesses set "user" = ${id} where id = ${business.id}`
  await expectTotals(MANY, 0)
})

test('a change that is not committed yet is not counted, and is not missed later', async () => {
  const { client, business } = await newOwnerOfMany()
  expect(await total(client)).toBe(MANY)
  await one.sql.begin(async (transaction) => {
    await transaction`
      insert into sites (id, name, address, latitude, longitude, vehicle_capacity, status, business)
      values (substr(md5(random()::text), 1, 15), 'Late', '1 Quay', 1, 1, 1, 'AVAILABLE', ${business.id})`
    // Begins after it, and is there before it.
    await client.collection(SITES).create(siteBody(business.id))
    expect(await total(client)).toBe(MANY + 1)
    expect(await total(client)).toBe(MANY + 1)
  })
  expect(await total(client)).toBe(MANY + 2)
})

test('whose session has ended is told nothing', async () => {
  const { client, id } = await newOwnerOfMany()
  expect(await total(client)).toBe(MANY)
  await one.sql`delete from sessions where "user" = ${id}`
  expect(await total(client)).toBe(0)
})

test('what depends on the time is counted each time', async () => {
  const { client, business } = await newOwnerOfMany()
  const filter = 'updated > "2020-01-01" && created < @now'
  expect(await total(client, filter)).toBe(MANY)
  // Leaves no note in the trail: no value was changed.
  await one.sql`update sites set updated = '2019-01-01' where business = ${business.id}`
  expect(await total(client, filter)).toBe(0)
})

test('what depends on the time without a macro is counted each time', async () => {
  const { client, business } = await newOwnerOfMany()
  const filter = `created < strftime('%Y-%m-%d', 'now', '+1 day')`
  expect(await total(client, filter)).toBe(MANY)
  await one.sql`update sites set created = '2999-01-01' where business = ${business.id}`
  expect(await total(client, filter)).toBe(0)
})

test('a remembered total counts no row', async () => {
  const { client, id } = await newOwnerOfMany()
  const [session] = await one.sql<[{ id: string }]>`select id from sessions where "user" = ${id}`
  const caller = { id, sessionId: session.id, superuser: false }
  const collection = findCollection(SITES)
  if (collection === undefined) throw new Error('no sites')
  const plans: string[] = []
  const runner = {
    unsafe: async (text: string, values: never[], options: object) => {
      const lines = await one.sql.unsafe<Record<string, string>[]>(
        `explain (analyze, costs off, timing off) ${text}`,
        values,
        options,
      )
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'))
      return one.sql.unsafe(text, values, options)
    },
  } as unknown as Runner
  const page: Page = {
    filter: '',
    sort: '',
    page: '1',
    perPage: '20',
    skipTotal: undefined,
    picks: undefined,
    expand: '',
  }
  const totals = createTotals()
  const ask = async (): Promise<string | undefined> => {
    const { body } = await list(runner, caller, collection, page, totals)
    return /"totalItems":(\d+)/.exec(body)?.[1]
  }
  expect(await ask()).toBe(String(MANY))
  expect(await ask()).toBe(String(MANY))
  await client
    .collection(SITES)
    .delete((await client.collection(SITES).getList(1, 1, { requestKey: null })).items[0]?.id ?? '')
  expect(await ask()).toBe(String(MANY - 1))
  const isCounted = plans.map((plan) => !plan.includes('Aggregate (never executed)'))
  expect(isCounted).toEqual([true, false, true])
})

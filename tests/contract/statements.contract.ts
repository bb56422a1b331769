import { afterAll, beforeAll, expect, test } from 'vitest'

import { makePhoto } from '../support/images.ts'
import { connectorBody, newOwner, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { startStack, type Stack } from '../support/stack.ts'

// Decisions 7: a read is one statement, whatever it holds; a write at most two besides BEGIN and COMMIT.

let stack: Stack
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
const statements: string[] = []
beforeAll(async () => {
  stack = await startStack({
    env: { RATE_LIMITS: 'on' },
    onStatement: (text) => statements.push(text),
  })
  owner = await newOwnerWithSite(stack.url)
  for (let i = 0; i < 20; i += 1) {
    const site = await owner.client.collection('sites').create(siteBody(owner.business.id))
    await owner.client.collection('connectors').create(connectorBody(site.id))
  }
})
afterAll(() => stack.close())

/**
 * What a connection asks once for itself, and what runs beside the requests, do not count. Limits are
 * counted for many requests at once, see `limits.contract.ts`.
 */
const BESIDE =
  /pg_catalog\.pg_type|removed_files|pg_\w*advisory|delete from (sessions|idempotency_keys|changes)|rate_counts|take_tokens/

const count = async (run: () => Promise<unknown>): Promise<number> => {
  statements.length = 0
  await run()
  return statements.filter((text) => !BESIDE.test(text)).length
}

test('reads', async () => {
  const { client, business, site } = owner
  const everything = 'sites(business).connectors(site),user'
  const reads: Record<string, () => Promise<unknown>> = {
    one: () => client.collection('sites').getOne(site.id),
    'one with what it leads to': () =>
      client.collection('businesses').getOne(business.id, { expand: everything }),
    'a page of 30 with totals': () => client.collection('sites').getList(1, 30),
    'a filtered, sorted and expanded page': () =>
      client.collection('connectors').getList(1, 30, {
        filter: `site.business.user="${owner.id}" && site.name~"quay"`,
        sort: '-site.name,created',
        expand: 'site.business.user',
      }),
    'the dashboard': () =>
      client
        .collection('businesses')
        .getFirstListItem(`user="${owner.id}"`, { expand: everything }),
    'what is not there': () =>
      client
        .collection('sites')
        .getOne('nosuchrecord123')
        .catch(() => {}),
  }
  for (const [name, run] of Object.entries(reads))
    expect([name, await count(run)]).toEqual([name, 1])
})

test('writes', async () => {
  const { client, business, site } = owner
  let made = ''
  const create = async () => {
    made = (await client.collection('sites').create(siteBody(business.id))).id
  }
  expect(await count(create)).toBe(1)
  // begin, insert, the read of what is expanded, commit
  const expanded = () =>
    client.collection('sites').create(siteBody(business.id), { expand: 'business' })
  expect(await count(expanded)).toBe(4)
  // begin, select for update, update, commit
  expect(await count(() => client.collection('sites').update(site.id, { name: 'x' }))).toBe(4)
  expect(await count(() => client.collection('sites').delete(made))).toBe(1)
})

test('files', async () => {
  const { client, site } = owner
  const photo = await makePhoto('a.jpg', { width: 64, height: 64 })
  const changed = await client.collection('sites').update(site.id, { photos: [photo] })
  const url = client.files.getURL(changed, (changed['photos'] as string[])[0] ?? '')
  // Whole, in part, in a size that has to be made, and in one that is there.
  for (const [query, range] of [
    ['', ''],
    ['', 'bytes=0-1'],
    ['?thumb=100x100', ''],
    ['?thumb=100x100', ''],
  ] as const)
    expect(await count(() => fetch(`${url}${query}`, { headers: { range } }))).toBe(1)
  expect(await count(() => client.files.getToken())).toBe(1)
})

test('conditional reads, uploads and sessions', async () => {
  const { client, site } = owner
  const url = `${stack.url}/api/collections/sites/records/${site.id}`
  const headers = { authorization: client.authStore.token }
  const { headers: answered } = await fetch(url, { headers })
  const known = { ...headers, 'if-none-match': answered.get('etag') ?? '' }
  let status = 0
  const conditional = async () => {
    status = (await fetch(url, { headers: known })).status
  }
  expect([await count(conditional), status]).toEqual([1, 304])

  let names: string[] = []
  const photos = [await makePhoto('a.jpg', { width: 8, height: 8 })]
  const upload = async () => {
    names = (await client.collection('sites').update(site.id, { photos }))['photos'] as string[]
  }
  // begin, select for update, update, commit
  expect(await count(upload)).toBe(4)
  const removal = { 'photos-': names.slice(0, 1) }
  expect(await count(() => client.collection('sites').update(site.id, removal))).toBe(4)

  // The new session, and the record that is answered with it.
  expect(await count(() => client.collection('users').authRefresh())).toBe(2)
  // begin, look for the person, make the user and the link, commit; then as for a refresh.
  expect(await count(() => newOwner(stack.url))).toBe(7)
})

import PocketBase from 'pocketbase'
import { describe, expect, test } from 'vitest'

import { connectorBody, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'

// A second user cannot see or change anything of the first one, through any route.

type Owner = Awaited<ReturnType<typeof newOwnerWithSite>>

const stack = await withStack()
const mine = await newOwnerWithSite(stack.url)
const theirs = await newOwnerWithSite(stack.url)

const COLLECTIONS = ['users', 'businesses', 'sites', 'connectors'] as const
const idOf = (owner: Owner, collection: (typeof COLLECTIONS)[number]): string =>
  ({
    users: owner.id,
    businesses: owner.business.id,
    sites: owner.site.id,
    connectors: owner.connector.id,
  })[collection]

/** All stored data, to check that nothing changed. */
const everything = () => stack.sql`
  select to_json(array(select t from users t order by id))::text
    || to_json(array(select t from businesses t order by id))::text
    || to_json(array(select t from sites t order by id))::text
    || to_json(array(select t from connectors t order by id))::text as all`

describe.each(COLLECTIONS)('%s', (collection) => {
  test('a list contains only the caller’s records', async () => {
    const all = await mine.client.collection(collection).getFullList()
    expect(all.map(({ id }) => id)).toEqual([idOf(mine, collection)])
  })

  test('a list filtered by a foreign id is empty', async () => {
    const found = await mine.client
      .collection(collection)
      .getList(1, 10, { filter: `id="${idOf(theirs, collection)}"` })
    expect(found).toMatchObject({ items: [], totalItems: 0 })
  })

  test('a filter that is always true discloses nothing', async () => {
    const found = await mine.client
      .collection(collection)
      .getList(1, 10, { filter: '1=1 || id!=""' })
    expect(found.totalItems).toBe(1)
  })

  test.each(['foreign', 'absent'])(
    'get, update and delete of a %s record all get 404',
    async (kind) => {
      const id = kind === 'foreign' ? idOf(theirs, collection) : 'nosuchrecord123'
      const before = await everything()
      const records = mine.client.collection(collection)
      const notFound = {
        status: 404,
        response: { status: 404, message: "The requested resource wasn't found.", data: {} },
      }
      await expect(records.getOne(id)).rejects.toMatchObject(notFound)
      await expect(records.update(id, { name: 'x' })).rejects.toMatchObject(notFound)
      await expect(records.update(id, { name: 'x'.repeat(9000) })).rejects.toMatchObject(notFound)
      await expect(records.delete(id)).rejects.toMatchObject(notFound)
      expect(await everything()).toEqual(before)
    },
  )

  test('a guest sees nothing and changes nothing', async () => {
    const guest = new PocketBase(stack.url)
    const records = guest.collection(collection)
    expect((await records.getList()).items).toEqual([])
    const id = idOf(theirs, collection)
    for (const attempt of [
      () => records.getOne(id),
      () => records.update(id, {}),
      () => records.delete(id),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 })
  })
})

test('expand discloses no foreign records', async () => {
  const { items } = await mine.client.collection('users').getList(1, 10, {
    expand: 'businesses_via_user.sites_via_business.connectors_via_site',
  })
  const text = JSON.stringify(items)
  expect(text).toContain(mine.connector.id)
  for (const collection of COLLECTIONS) expect(text).not.toContain(idOf(theirs, collection))
})

test('the owner path of another user matches nothing', async () => {
  const found = await mine.client
    .collection('connectors')
    .getFullList({ filter: `site.business.user="${theirs.id}"` })
  expect(found).toEqual([])
})

test('a record cannot be created below, or moved to, a foreign parent', async () => {
  const before = await everything()
  const { client } = mine
  const attempts = [
    () => client.collection('sites').create(siteBody(theirs.business.id)),
    () => client.collection('sites').create(siteBody('nosuchbusiness1')),
    () => client.collection('connectors').create(connectorBody(theirs.site.id)),
    () => client.collection('businesses').create({ name: 'x', user: theirs.id }),
  ]
  for (const attempt of attempts)
    await expect(attempt()).rejects.toMatchObject({
      status: 400,
      response: { message: 'Failed to create record.', data: {} },
    })
  const moves = [
    () => client.collection('sites').update(mine.site.id, { business: theirs.business.id }),
    () => client.collection('connectors').update(mine.connector.id, { site: theirs.site.id }),
    () => client.collection('connectors').update(mine.connector.id, { site: 'nosuchsite12345' }),
  ]
  for (const move of moves) await expect(move()).rejects.toMatchObject({ status: 404 })
  await expect(
    client.collection('businesses').update(mine.business.id, { user: theirs.id }),
  ).rejects.toMatchObject({
    status: 400,
    response: { data: { user: { code: 'validation_values_mismatch' } } },
  })
  expect(await everything()).toEqual(before)
})

test('users can neither be created through the API nor verify themselves', async () => {
  await expect(
    mine.client.collection('users').create({ email: 'x@example.org', password: 'abcdefgh' }),
  ).rejects.toMatchObject({ status: 403 })
  await expect(
    mine.client.collection('users').update(mine.id, { email: theirs.email }),
  ).rejects.toMatchObject({
    status: 400,
    response: { data: { email: { code: 'validation_values_mismatch' } } },
  })
})

test('a record can move between the caller’s own parents', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const other = await owner.client.collection('sites').create(siteBody(owner.business.id))
  const moved = await owner.client
    .collection('connectors')
    .update(owner.connector.id, { site: other.id })
  expect(moved['site']).toBe(other.id)
})

import PocketBase from 'pocketbase'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { businesses } from '#domain/business.ts'
import { AUTODATES, BUSINESSES, OWNERS, type Collection } from '#domain/collection.ts'
import { createSchema, SCHEMA } from '#domain/collections.ts'
import type { User } from '#domain/user.ts'

import { recordsIn } from '../../web/data/log.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { FakePage, newDevice, storeSession } from '../support/fake-page.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { provideEventSource } from '../support/event-source.ts'

// The effects of a declaration. This test declares a field and two collections that the product does not have; they get
// validation, access rules, realtime events, audit log entries and API descriptions. Only their columns are created by
// hand, as a migration would.

const withSlogan = {
  ...businesses,
  fields: { ...businesses.fields, slogan: { kind: 'text', max: 20 } },
} as const satisfies Collection

const vouchers = {
  id: 'pbc_vouchers',
  name: 'vouchers',
  owner: 'business.user',
  access: OWNERS,
  fields: {
    label: { kind: 'text', max: 10, required: true },
    price: { kind: 'number', min: 0 },
    business: { kind: 'relation', to: BUSINESSES, required: true },
    ...AUTODATES,
  },
} as const satisfies Collection

const posts = {
  id: 'pbc_posts',
  name: 'posts',
  owner: 'business.user',
  access: { ...OWNERS, read: { everybody: 'published = true' } },
  fields: {
    text: { kind: 'text', max: 100 },
    published: { kind: 'bool' },
    business: { kind: 'relation', to: BUSINESSES, required: true },
    ...AUTODATES,
  },
} as const satisfies Collection

const schema = createSchema([
  ...SCHEMA.declarations.map((each) => (each.name === BUSINESSES ? withSlogan : each)),
  vouchers,
  posts,
])

let without: Stack
let stack: Stack
beforeAll(async () => {
  provideEventSource()
  without = await startStack()
  const table = (name: string, columns: string) => `
    create table ${name} (
      id text collate "C" primary key, ${columns},
      business text collate "C" not null references businesses on delete cascade,
      created timestamptz(3) not null default now(),
      updated timestamptz(3) not null default now(),
      version bigint not null default nextval('record_version'));`
  await without.sql.unsafe(`
    alter table businesses add column slogan text collate "C" not null default '';
    ${table('vouchers', `label text collate "C" not null, price double precision not null`)}
    ${table('posts', `text text collate "C" not null, published boolean not null`)}`)
  // Runs next to a server without these declarations.
  stack = await startStack({ beside: without, schema })
})
afterAll(async () => {
  await stack.close()
  await without.close()
})

/** An owner who signs in at the first server and uses the one with the declarations. */
const newOwnerHere = async (): ReturnType<typeof newOwnerWithSite> => {
  const owner = await newOwnerWithSite(without.url)
  const client = new PocketBase(stack.url)
  client.autoCancellation(false)
  client.authStore.save(owner.client.authStore.token, owner.client.authStore.record)
  return { ...owner, client }
}

const voucher = (business: string) => ({ label: 'Night', price: 0.25, business })

test('a field is stored, validated, logged, documented and included in events', async () => {
  const { client, business } = await newOwnerHere()
  const collection = client.collection(BUSINESSES)
  expect(await collection.getOne(business.id)).toMatchObject({ slogan: '' })
  await expect(collection.update(business.id, { slogan: 'x'.repeat(21) })).rejects.toMatchObject({
    response: { data: { slogan: { code: 'validation_max_text_constraint' } } },
  })
  await collection.update(business.id, { slogan: 'Fast' })
  expect(await collection.getFullList({ filter: 'slogan ~ "fas"', sort: 'slogan' })).toMatchObject([
    { slogan: 'Fast' },
  ])
  const changes = await client
    .collection('changes')
    .getFullList({ filter: `record = "${business.id}"`, sort: 'id' })
  expect(changes.at(-1)).toMatchObject({ before: { slogan: '' }, after: { slogan: 'Fast' } })
})

test('a collection has an owner, and nobody else can access its records', async () => {
  const { client, business, id } = await newOwnerHere()
  const stranger = await newOwnerHere()
  const own = client.collection('vouchers')
  await expect(own.create({ ...voucher(business.id), label: '' })).rejects.toMatchObject({
    response: { data: { label: { code: 'validation_required' } } },
  })
  await expect(
    stranger.client.collection('vouchers').create(voucher(business.id)),
  ).rejects.toMatchObject({ status: 400 })
  const made = await own.create(voucher(business.id), { expand: 'business' })
  expect(made).toMatchObject({ ...voucher(business.id), expand: { business: { id: business.id } } })

  const others = stranger.client.collection('vouchers')
  expect(await others.getFullList()).toEqual([])
  expect(await new PocketBase(stack.url).collection('vouchers').getFullList()).toEqual([])
  for (const attempt of [
    () => others.getOne(made.id),
    () => others.update(made.id, { price: 1 }),
    () => others.delete(made.id),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 404 })
  expect(
    await client.collection(BUSINESSES).getFirstListItem('vouchers_via_business.price < 1', {
      expand: 'vouchers_via_business',
    }),
  ).toMatchObject({ expand: { vouchers_via_business: [{ id: made.id }] } })

  await own.update(made.id, { price: 0.5 })
  await client.collection(BUSINESSES).delete(business.id)
  const changes = await client
    .collection('changes')
    .getFullList({ filter: 'collection = "vouchers"', sort: 'id' })
  expect(changes).toMatchObject([
    {
      action: 'create',
      owner: id,
      actor: id,
      business: business.id,
      before: {},
      after: { label: 'Night' },
    },
    { action: 'update', before: { price: 0.25 }, after: { price: 0.5 } },
    { action: 'delete', business: business.id, before: { label: 'Night', price: 0.5 }, after: {} },
  ])
})

test('events are sent to the owner, and those of public records to everybody', async () => {
  const { client, business } = await newOwnerHere()
  const guest = new PocketBase(stack.url)
  const heard = { owner: [] as string[], guest: [] as string[] }
  const listen = async (who: PocketBase, to: string[]): Promise<void> => {
    for (const name of ['vouchers', 'posts'])
      await who
        .collection(name)
        .subscribe('*', ({ action, record }) =>
          to.push(`${action} ${record['label'] ?? record['text']}`),
        )
  }
  await listen(client, heard.owner)
  await listen(guest, heard.guest)
  await client.collection('vouchers').create(voucher(business.id))
  const post = await client
    .collection('posts')
    .create({ text: 'Open', published: false, business: business.id })
  await client.collection('posts').update(post.id, { published: true })
  await expect.poll(() => heard.owner).toEqual(['create Night', 'create Open', 'update Open'])
  await expect.poll(() => heard.guest).toEqual(['update Open'])
  for (const each of [client, guest]) await each.realtime.unsubscribe()
})

test('everybody reads published records, owners read all of theirs, and only the owner changes them', async () => {
  const { client, business } = await newOwnerHere()
  const stranger = await newOwnerHere()
  const own = client.collection('posts')
  const filter = `business = "${business.id}"`
  const draft = await own.create({ text: 'Draft', published: false, business: business.id })
  const open = await own.create({ text: 'Open', published: true, business: business.id })
  const texts = async (who: PocketBase) =>
    (await who.collection('posts').getFullList({ filter, sort: 'text' })).map(
      ({ text }) => text as string,
    )
  expect(await texts(client)).toEqual(['Draft', 'Open'])
  for (const each of [stranger.client, new PocketBase(stack.url)]) {
    const collection = each.collection('posts')
    expect(await texts(each)).toEqual(['Open'])
    expect(await collection.getOne(open.id, { expand: 'business' })).toEqual({
      ...open,
      expand: {},
    })
    await expect(collection.getOne(draft.id)).rejects.toMatchObject({ status: 404 })
    await expect(collection.update(open.id, { text: 'Mine' })).rejects.toMatchObject({
      status: 404,
    })
    await expect(collection.delete(open.id)).rejects.toMatchObject({ status: 404 })
  }
  await own.update(open.id, { published: false })
  expect(await texts(stranger.client)).toEqual([])
})

test('the description of the API contains them', async () => {
  const answer = await fetch(`${stack.url}/api/openapi.json`)
  const { paths, components } = (await answer.json()) as {
    paths: Record<string, object>
    components: { schemas: Record<string, { properties: object }> }
  }
  expect(Object.keys(paths['/api/collections/vouchers/records'] ?? {})).toEqual(['get', 'post'])
  expect(components.schemas['Business']?.properties).toHaveProperty('slogan')
  expect(components.schemas['VoucherInput']?.properties).toHaveProperty('price')
})

test('the app displays the records of a collection, receives its events, and sends changes', async () => {
  const { client, business } = await newOwnerHere()
  const made = await client.collection('vouchers').create(voucher(business.id))
  const open = async (): Promise<FakePage> => {
    const device = { ...newDevice(), now: Date.now() }
    const { token, record } = client.authStore
    storeSession(device, record as unknown as User, undefined, token)
    const page = new FakePage(device, undefined, { plain: [vouchers], server: stack.url })
    await page.store.start()
    await expect.poll(() => page.answered).toContain('POST /api/realtime')
    return page
  }
  const shown = (page: FakePage) => recordsIn(page.store.getState().data, 'vouchers')
  const here = await open()
  const there = await open()
  /** Waits until the other page displays the records; meanwhile, the clock of that page advances. */
  const hears = async (records: readonly object[]) => {
    const later = async () => {
      await there.advance(2000)
      return shown(there)
    }
    await expect.poll(later).toMatchObject(records)
  }
  expect(shown(there)).toEqual([{ id: made.id, label: 'Night', price: 0.25 }])

  const id = 'dayvoucher00000'
  const created = await here.store.createRecord('vouchers', id, { label: 'Day', price: 0.5 })
  expect(created).toEqual({ value: { isQueued: false } })
  await hears([{ label: 'Night' }, { id, label: 'Day', price: 0.5 }])
  const refused = await here.store.updateRecord('vouchers', id, { label: 'x'.repeat(11) })
  expect(refused.problem?.fields).toMatchObject({
    label: { code: 'validation_max_text_constraint' },
  })

  // A change is queued while offline and sent once online.
  here.device.isOnline = false
  await here.store.updateRecord('vouchers', id, { price: 0.75 }, { queue: true })
  expect(shown(here)).toContainEqual({ id, label: 'Day', price: 0.75 })
  here.device.isOnline = true
  here.emit('online')
  await hears([{ label: 'Night' }, { id, label: 'Day', price: 0.75 }])
  await here.store.removeRecord('vouchers', made.id)
  await hears([{ id, label: 'Day', price: 0.75 }])
  for (const page of [here, there]) page.emit('hide')
})

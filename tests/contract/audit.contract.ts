import type PocketBase from 'pocketbase'
import { expect, test } from 'vitest'

import { CHANGES_KEPT_DAYS } from '#domain/change.ts'

import { signInThroughPage } from '../../scripts/provider/sign-in.ts'
import { randomText } from '../../server/db/random.ts'
import { makePhoto } from '../support/images.ts'
import {
  connectorBody,
  newOwner,
  newOwnerWithSite,
  siteBody,
  type Owner,
} from '../support/owner.ts'
import { newPasswordUser, newSuperuser, PASSWORD } from '../support/superuser.ts'
import { withStack } from '../support/fixtures.ts'
import { startStack } from '../support/stack.ts'

// The audit log: the actor of each change of a record, and its fields before and after.

const stack = await withStack()
const root = await newSuperuser(stack)

interface Change {
  readonly id: string
  readonly owner: string
  readonly collection: string
  readonly record: string
  readonly business: string
  readonly site: string
  readonly action: string
  readonly actor_type: string
  readonly actor: string
  readonly impersonator: string
  readonly before: Record<string, unknown>
  readonly after: Record<string, unknown>
  readonly created: string
}

/** The audit log as a client reads it, oldest first. */
const readChanges = (client: PocketBase, filter = ''): Promise<Change[]> =>
  client.collection('changes').getFullList({ sort: 'id', filter })

/** The entries that `run` adds for a client. */
const added = async (client: PocketBase, run: () => Promise<unknown>): Promise<Change[]> => {
  const before = await readChanges(client)
  await run()
  return (await readChanges(client)).slice(before.length)
}

/** An entry without its time and owner. */
const summary = ({ action, collection, record, before, after }: Change) => ({
  action,
  collection,
  record,
  before,
  after,
})

const valuesOf = (record: Record<string, unknown>): Record<string, unknown> => {
  const unlisted = ['id', 'collectionId', 'collectionName', 'created', 'updated', 'expand']
  return Object.fromEntries(Object.entries(record).filter(([name]) => !unlisted.includes(name)))
}

test('create, update and delete in every collection are recorded with the values before and after', async () => {
  const owner = await newOwner(stack.url)
  const { client, id } = owner
  const business = await client.collection('businesses').create({ name: 'Quay', user: id })
  const site = await client.collection('sites').create(siteBody(business.id))
  const connector = await client.collection('connectors').create(connectorBody(site.id))
  const me = await client.collection('users').getOne(id)

  const made = await readChanges(client)
  expect(made.map(summary)).toEqual(
    [me, business, site, connector].map((record) => ({
      action: 'create',
      collection: record.collectionName,
      record: record.id,
      before: {},
      after: valuesOf(record),
    })),
  )
  // Before the first sign-in there is no actor.
  const [self, ...own] = made
  expect(self).toMatchObject({ owner: id, actor_type: 'server', actor: '', business: '', site: '' })
  for (const each of own)
    expect(each).toMatchObject({ owner: id, actor_type: 'user', actor: id, impersonator: '' })
  expect(own.map((each) => [each.business, each.site])).toEqual([
    [business.id, ''],
    [business.id, site.id],
    [business.id, site.id],
  ])
  expect(made.map(({ created }) => created)).toEqual(
    [me, business, site, connector].map((record) => record['created'] as string),
  )

  const photos = [await makePhoto('front.jpg'), await makePhoto('bays.jpg')]
  let stored: string[] = []
  const changed = await added(client, async () => {
    await client.collection('users').update(id, { name: 'Ada King', onboarded: true })
    await client.collection('businesses').update(business.id, { website: 'https://quay.example' })
    stored = (await client.collection('sites').update(site.id, { photos, cost: 'Free' }))[
      'photos'
    ] as string[]
    await client.collection('sites').update(site.id, { 'photos-': stored.slice(0, 1) })
    await client.collection('sites').update(site.id, { vehicle: 3, latitude: 55.2044 })
    await client.collection('connectors').update(connector.id, { 'kw_rating+': 12.5 })
    // An update without a change.
    await client.collection('sites').update(site.id, { vehicle_capacity: 3 })
    await client.collection('sites').update(site.id, {})
  })
  const update = (
    record: { id: string; collectionName: string },
    before: object,
    after: object,
  ) => ({ action: 'update', collection: record.collectionName, record: record.id, before, after })
  expect(changed.map(summary)).toEqual([
    update(
      me as never,
      { name: 'Ada Byron', onboarded: false },
      { name: 'Ada King', onboarded: true },
    ),
    update(business as never, { website: '' }, { website: 'https://quay.example' }),
    update(site as never, { photos: [], cost: '' }, { photos: stored, cost: 'Free' }),
    update(site as never, { photos: stored }, { photos: stored.slice(1) }),
    update(site as never, { vehicle_capacity: 2 }, { vehicle_capacity: 3 }),
    update(connector as never, { kw_rating: 150 }, { kw_rating: 162.5 }),
  ])
  expect(changed.every(({ actor }) => actor === id)).toBe(true)

  // Records deleted by a cascade are logged like the record itself, with the same actor.
  const last = await Promise.all([
    client.collection('connectors').getOne(connector.id),
    client.collection('sites').getOne(site.id),
    client.collection('businesses').getOne(business.id),
  ])
  const spare = await client.collection('connectors').create(connectorBody(site.id))
  const gone = await added(client, async () => {
    await client.collection('connectors').delete(spare.id)
    await client.collection('businesses').delete(business.id)
  })
  expect(gone.map(summary)).toEqual(
    [spare, ...last.toReversed()].map((record) => ({
      action: 'delete',
      collection: record.collectionName,
      record: record.id,
      before: valuesOf(record),
      after: {},
    })),
  )
  expect(gone.map((each) => [each.owner, each.actor, each.business, each.site])).toEqual([
    [id, id, business.id, site.id],
    [id, id, business.id, ''],
    [id, id, business.id, site.id],
    [id, id, business.id, site.id],
  ])

  // Clients read it through the record interface like any collection.
  const found = await client.collection('changes').getList<Change>(1, 2, {
    filter: `site = "${site.id}" && action = "update" && after ~ '"photos"'`,
    sort: '-created,-id',
    fields: 'id,action,after',
    expand: 'owner,site',
  })
  expect([found.totalItems, found.items]).toEqual([
    2,
    [changed[3], changed[2]].map((each) => ({
      id: each?.id,
      action: 'update',
      after: each?.after,
    })),
  ])
  expect(await client.collection('changes').getOne(made[0]?.id ?? '')).toEqual(made[0])
})

test('a failed write logs nothing, and a replayed write is not logged again', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const other = await newOwnerWithSite(stack.url)
  const { client, site, business } = owner
  const refused: readonly (() => Promise<unknown>)[] = [
    () => client.collection('sites').update(site.id, { latitude: 91 }),
    () => client.collection('sites').update(other.site.id, { name: 'Mine' }),
    () => client.collection('sites').delete(other.site.id),
    () => client.collection('sites').create(siteBody(other.business.id)),
    () => client.collection('connectors').create(connectorBody(other.site.id)),
    () => client.collection('businesses').create({ name: 'A second', user: owner.id }),
    () =>
      client
        .collection('sites')
        .update(site.id, { name: 'x' }, { headers: { 'If-Match': '"1-x"' } }),
    async () => {
      const batch = client.createBatch()
      batch.collection('sites').update(site.id, { name: 'Not for long' })
      batch.collection('sites').delete(site.id)
      batch.collection('sites').update(other.site.id, { name: 'Mine' })
      await batch.send()
    },
  ]
  const all = async () => [...(await readChanges(client)), ...(await readChanges(other.client))]
  const before = await all()
  for (const each of refused) await expect(each()).rejects.toMatchObject({ isAbort: false })
  expect(await all()).toEqual(before)

  const headers = { 'Idempotency-Key': randomText(20) }
  const replayed = await added(client, () =>
    Promise.all(
      Array.from({ length: 5 }, () =>
        client.collection('sites').update(site.id, { 'vehicle_capacity+': 1 }, { headers }),
      ),
    ),
  )
  expect(replayed.map(({ before: was, after }) => [was, after])).toEqual([
    [{ vehicle_capacity: 2 }, { vehicle_capacity: 3 }],
  ])

  // A batch is one transaction with several writes.
  const chosen = randomText(15)
  const batched = await added(client, async () => {
    const batch = client.createBatch()
    batch.collection('sites').create({ ...siteBody(business.id), id: chosen })
    batch.collection('connectors').create(connectorBody(chosen))
    batch.collection('sites').update(chosen, { cost: 'Free' })
    batch.collection('sites').upsert({ id: chosen, cost: '€1' })
    batch.collection('sites').delete(chosen)
    await batch.send()
  })
  expect(
    batched.map(({ action, collection, site: of, actor }) => [action, collection, of, actor]),
  ).toEqual(
    [
      ['create', 'sites'],
      ['create', 'connectors'],
      ['update', 'sites'],
      ['update', 'sites'],
      ['delete', 'sites'],
      ['delete', 'connectors'],
    ].map((each) => [...each, chosen, owner.id]),
  )
})

test('the Correlation-Id of a write finds its entries', async () => {
  const { client, site, connector } = await newOwnerWithSite(stack.url)
  const id = 'bulk-update_1'
  const headers = { 'Correlation-Id': id }
  const rename = (name: string, options = {}) =>
    client.collection('sites').update(site.id, { name }, options)
  await rename('One', { headers })
  await rename('Two')
  for (const name of ['Three', 'Four']) {
    const batch = client.createBatch()
    batch.collection('sites').update(site.id, { name })
    batch.collection('connectors').update(connector.id, { kw_rating: name.length })
    await batch.send({ headers })
  }
  await rename('Five', { headers: { 'Correlation-Id': 'no spaces' } })
  await rename('Six', { headers: { 'Correlation-Id': 'x'.repeat(65) } })

  const ofUpdate = await readChanges(client, client.filter('correlation_id = {:id}', { id }))
  expect(ofUpdate.map(({ after }) => Object.values(after))).toEqual([
    ['One'],
    ['Three'],
    [5],
    ['Four'],
    [4],
  ])
  const others = await readChanges(client, 'action = "update" && correlation_id = ""')
  expect(others.map(({ after }) => after)).toEqual(['Two', 'Five', 'Six'].map((name) => ({ name })))
  // The id applies to one transaction: another owner on the same connection has none.
  const other = await newOwnerWithSite(stack.url)
  expect(await readChanges(other.client, 'correlation_id != ""')).toEqual([])
})

test('the actor is a user, a superuser, an impersonating superuser, or the server', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { client, id, email, site, business } = owner
  const whoOf = ({ actor_type, actor, impersonator }: Change) => [actor_type, actor, impersonator]

  const byRoot = await added(client, async () => {
    await root.client.collection('sites').update(site.id, { status: 'CHARGING' })
    await root.client.collection('users').update(id, { verified: false })
  })
  expect(byRoot.map(whoOf)).toEqual([
    ['superuser', root.id, ''],
    ['superuser', root.id, ''],
  ])
  expect(byRoot[1]).toMatchObject({ owner: id, before: { verified: true } })

  const as = await root.client.collection('users').impersonate(id, 600)
  const inTheirName = await added(client, async () => {
    await as.collection('sites').update(site.id, { cost: 'Free' })
    await client.collection('sites').update(site.id, { cost: '' })
  })
  expect(inTheirName.map(whoOf)).toEqual([
    ['user', id, root.id],
    ['user', id, ''],
  ])

  // If a superuser moves a record to another owner, both see it, each with their own values.
  const other = await newOwnerWithSite(stack.url)
  const move = async () => {
    await root.client.collection('connectors').update(owner.connector.id, { site: other.site.id })
  }
  let received: Change[] = []
  const left = await added(client, async () => {
    received = await added(other.client, move)
  })
  const what = { before: { site: site.id }, after: { site: other.site.id } }
  expect(left).toMatchObject([{ ...what, owner: id, business: business.id, site: site.id }])
  expect(received).toMatchObject([
    { ...what, owner: other.id, business: other.business.id, site: other.site.id },
  ])
  // A superuser reads all entries.
  const seen = await readChanges(
    root.client,
    `record = "${owner.connector.id}" && action = "update"`,
  )
  expect(seen.map((each) => each.owner).toSorted()).toEqual([id, other.id].toSorted())

  // A sign-in verifies the address and ends all other sessions. Pooled connections keep no actor of an earlier request.
  const byServer = await added(root.client, () =>
    signInThroughPage(stack.url, { name: 'Ada', email }),
  )
  expect(byServer.map(whoOf)).toEqual([['server', '', '']])
  expect(byServer.map(summary)).toMatchObject([
    { collection: 'users', before: { verified: false }, after: { verified: true } },
  ])
})

test('only the owner can read the log, and nobody can write it', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const other = await newOwnerWithSite(stack.url)
  const [mine] = await readChanges(owner.client, `record = "${owner.site.id}"`)
  const id = mine?.id ?? ''
  const changes = other.client.collection('changes')
  await expect(changes.getOne(id)).rejects.toMatchObject({ status: 404 })
  const tricks = [
    '',
    `id = "${id}"`,
    `owner = "${owner.id}" || owner != "${owner.id}"`,
    `actor = "${owner.id}" || record = "${owner.site.id}" || 1 = 1`,
    `after ~ "${owner.business.id}" || before !~ "x"`,
  ]
  for (const filter of tricks)
    for (const each of await readChanges(other.client, filter)) expect(each.owner).toBe(other.id)
  await expect(readChanges(other.client, '@collection.changes.id != ""')).rejects.toMatchObject({
    status: 403,
  })
  // It has no relations in either direction.
  for (const filter of ['site.name != ""', 'owner.email != ""', 'before.name != ""'])
    await expect(readChanges(other.client, filter)).rejects.toMatchObject({ status: 400 })
  await expect(
    other.client.collection('users').getFullList({ filter: 'changes_via_owner.id != ""' }),
  ).rejects.toMatchObject({ status: 400 })

  const before = await readChanges(root.client)
  const answers: unknown[] = []
  for (const client of [owner.client, other.client, root.client])
    for (const record of [id, 'nosuchrecord123'])
      for (const write of [
        () => client.collection('changes').update(record, { after: {} }),
        () => client.collection('changes').delete(record),
        () => client.collection('changes').create({ id: record, owner: owner.id }),
      ])
        answers.push(await write().catch((error: { response: unknown }) => error.response))
  expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1)
  expect(answers[0]).toMatchObject({ status: 403, data: {} })
  expect(await readChanges(root.client)).toEqual(before)

  const subscribed = await fetch(`${stack.url}/api/realtime`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId: 'x'.repeat(40), subscriptions: ['sites/*', 'changes/*'] }),
  })
  expect([subscribed.status, await subscribed.json()]).toMatchObject([
    400,
    { data: { subscriptions: { 1: { code: 'validation_invalid_value' } } } },
  ])
})

test('the log contains no secrets, and no changes of secrets', async () => {
  const user = await newPasswordUser(stack, root, { name: 'Grace' })
  const next = 'quite another password'
  const changes = await added(root.client, () =>
    user.client
      .collection('users')
      .update(user.id, { oldPassword: PASSWORD, password: next, passwordConfirm: next }),
  )
  expect(changes).toEqual([])
  const all = await readChanges(root.client, `owner = "${user.id}"`)
  expect(all.map((each) => Object.keys(each.after).toSorted())).toEqual([
    ['email', 'emailVisibility', 'name', 'onboarded', 'username', 'verified'],
  ])
  const [row] = await stack.sql<[{ text: string }]>`
    select json_agg(c)::text as text from changes c where owner = ${user.id}`
  expect(row.text).toContain(user.email)
  for (const secret of [PASSWORD, next, 'argon2', 'hash', user.client.authStore.token])
    expect(row.text).not.toContain(secret)
})

test('the log is deleted with the account, and a reused id discloses nothing of the former owner', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const other = await newOwnerWithSite(stack.url)
  const { id: businessId } = other.business
  await other.client.collection('businesses').delete(businessId)
  // Ids of records that were public cannot be reused, so the test forgets that this one was.
  await stack.sql`delete from removed_places where business = ${businessId}`
  const before = await readChanges(other.client)
  await owner.client.collection('businesses').delete(owner.business.id)
  await owner.client
    .collection('businesses')
    .create({ id: businessId, name: 'Secret plans', user: owner.id })
  await owner.client.collection('sites').create({ ...siteBody(businessId), id: other.site.id })
  await owner.client.collection('connectors').create(connectorBody(other.site.id))
  await owner.client.collection('users').delete(owner.id)
  expect(await readChanges(other.client)).toEqual(before)
  const left = await stack.sql`
    select 1 from changes c where c::text like ${`%${owner.id}%`} or c::text like '%Secret plans%'`
  expect(left).toEqual([])
})

test('each of many concurrent writes is logged with its own actor', async () => {
  const owners = await Promise.all([newOwnerWithSite(stack.url), newOwnerWithSite(stack.url)])
  const write = async ({ client, site, business }: (typeof owners)[number], n: number) => {
    if (n % 4 === 0) return client.collection('connectors').create(connectorBody(site.id))
    if (n % 4 === 1) return client.collection('sites').update(site.id, { cost: `${n} €` })
    if (n % 4 === 2) return client.collection('sites').create(siteBody(business.id))
    const batch = client.createBatch()
    batch.collection('businesses').update(business.id, { name: `Quay ${n}` })
    return batch.send()
  }
  await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      owners.map((owner: Owner & (typeof owners)[number]) => write(owner, n)),
    ).flat(),
  )
  for (const { client, id } of owners) {
    const changes = (await readChanges(client)).filter(({ actor_type: by }) => by === 'user')
    expect(changes).toHaveLength(3 + 100)
    for (const each of changes) expect([each.owner, each.actor]).toEqual([id, id])
  }
})

test('entries are kept for two years', async () => {
  const { client, site, connector } = await newOwnerWithSite(stack.url)
  expect(CHANGES_KEPT_DAYS).toBe(730)
  const age = (record: string, days: number) => stack.sql`
    update changes set created = now() - ${days} * interval '1 day' where record = ${record}`
  await age(site.id, 729)
  await age(connector.id, 731)
  // A server deletes expired entries when it starts.
  const beside = await startStack({ beside: stack })
  const kept = async () => (await readChanges(client)).map(({ collection }) => collection)
  await expect.poll(kept).toEqual(['users', 'businesses', 'sites'])
  await beside.close()
})

import { randomBytes } from 'node:crypto'

import PocketBase from 'pocketbase'
import { describe, expect, test } from 'vitest'

import { signInThroughPage } from '../../scripts/provider/sign-in.ts'
import { holdLock, waitForLock } from '../support/locks.ts'
import { newOwner } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'
import {
  newEmail,
  newPasswordUser,
  newSuperuser,
  PASSWORD,
  signInWithPassword,
} from '../support/superuser.ts'

// Which account a sign-in with the provider uses, and how the sign-in changes it (record interface 5.4).

const stack = await withStack()
const root = await newSuperuser(stack)

const linksOf = async (id: string): Promise<readonly string[]> => {
  const rows = await stack.sql<{ provider: string }[]>`
    select provider from external_auths where "user" = ${id} order by provider`
  return rows.map(({ provider }) => provider)
}

/** Creates a link that somebody made with another provider. */
const linkElsewhere = (id: string) => stack.sql`
  insert into external_auths (provider, provider_id, "user")
  values ('https://elsewhere.example', ${randomBytes(6).toString('hex')}, ${id})`

const wrongPassword = { status: 400, response: { message: 'Failed to authenticate.' } }

describe('an account with the same address', () => {
  test('that is not verified loses its password, its other links and its sessions', async () => {
    const squatter = await newPasswordUser(stack, root)
    await linkElsewhere(squatter.id)
    const { record, meta } = await signInThroughPage(stack.url, {
      name: 'The Owner',
      email: squatter.email,
    })
    expect(record).toMatchObject({ id: squatter.id, email: squatter.email, verified: true })
    expect(meta['isNew']).toBe(false)
    // The sign-in does not overwrite the name; the product does so itself (spec 4, step 4).
    expect(record['name']).toBe('')
    await expect(signInWithPassword(stack.url, squatter.email, PASSWORD)).rejects.toMatchObject(
      wrongPassword,
    )
    await expect(squatter.client.collection('users').authRefresh()).rejects.toMatchObject({
      status: 401,
    })
    expect(await linksOf(squatter.id)).toEqual([stack.provider.issuer])
  })

  test('is not linked again by a sign-in that was waiting meanwhile', async () => {
    const [email, own] = [newEmail('owner'), newEmail('squatter')]
    const squat = (createData = {}) =>
      signInThroughPage(
        stack.url,
        { name: 'Squatter', email: own },
        new PocketBase(stack.url),
        createData,
      )
    const { record } = await squat({ email })
    const release = await holdLock(
      stack.sql,
      (transaction) => transaction`lock table user_languages in exclusive mode`,
    )
    const owning = signInThroughPage(stack.url, { name: 'The Owner', email })
    await waitForLock(stack.sql, 'into user_languages')
    const squatting = squat()
    await waitForLock(stack.sql, 'with found as')
    await release()
    const [owner, squatter] = await Promise.all([owning, squatting])
    expect(owner.record).toMatchObject({ id: record.id, verified: true })
    expect(squatter.record.id).not.toBe(record.id)
    expect(await linksOf(record.id)).toHaveLength(1)
  })

  test('that is verified keeps everything, and is linked', async () => {
    const user = await newPasswordUser(stack, root, { verified: true })
    await linkElsewhere(user.id)
    const { record } = await signInThroughPage(stack.url, {
      name: 'Ada',
      email: user.email.toUpperCase(),
    })
    expect(record.id).toBe(user.id)
    await signInWithPassword(stack.url, user.email, PASSWORD)
    expect((await user.client.collection('users').authRefresh()).record.id).toBe(user.id)
    expect(await linksOf(user.id)).toEqual(
      ['https://elsewhere.example', stack.provider.issuer].toSorted((a, b) => (a < b ? -1 : 1)),
    )
  })
})

/** Signs in with the provider, sending the token of a session. */
const signInAs = async (client: PocketBase, email: string) => {
  const fresh = new PocketBase(stack.url)
  fresh.authStore.save(client.authStore.token, client.authStore.record)
  return signInThroughPage(stack.url, { name: 'Ada', email }, fresh)
}

describe('a signed-in user', () => {
  test('links another address to the account', async () => {
    const owner = await newOwner(stack.url)
    const other = newEmail('second')
    const { record, meta } = await signInAs(owner.client, other)
    expect([record.id, meta['isNew']]).toEqual([owner.id, false])
    expect(record['email']).toBe(owner.email)
    expect((await linksOf(owner.id)).length).toBe(2)
    // From now on both addresses sign in to the account, without a session as well.
    const again = await signInThroughPage(stack.url, { name: 'Ada', email: other })
    expect(again.record.id).toBe(owner.id)
  })

  test('keeps an unverified password, and verifies the address if it is the same', async () => {
    const user = await newPasswordUser(stack, root)
    const { record } = await signInAs(user.client, user.email)
    expect(record).toMatchObject({ id: user.id, verified: true })
    await signInWithPassword(stack.url, user.email, PASSWORD)
  })

  test('without an address gets the address from the provider', async () => {
    const user = await newPasswordUser(stack, root)
    await stack.sql`update users set email = '', verified = false where id = ${user.id}`
    const client = await root.client.collection('users').impersonate(user.id, 600)
    const email = newEmail('filled')
    const { record } = await signInAs(client, email)
    expect(record).toMatchObject({ id: user.id, email, verified: true })
  })

  test('is ignored if the provider’s account is linked to another user', async () => {
    const [one, other] = [await newOwner(stack.url), await newOwner(stack.url)]
    const { record } = await signInAs(one.client, other.email)
    expect(record.id).toBe(other.id)
  })

  test('with an expired session or a superuser’s session counts as a guest', async () => {
    const owner = await newOwner(stack.url)
    await stack.sql`delete from sessions where "user" = ${owner.id}`
    const first = await signInAs(owner.client, newEmail('guest'))
    expect(first.meta['isNew']).toBe(true)
    const second = await signInAs(root.client, newEmail('guest'))
    expect(second.meta['isNew']).toBe(true)
  })
})

describe('a new user', () => {
  const createData = (data: Record<string, unknown>, email = newEmail('new')) =>
    signInThroughPage(stack.url, { name: 'Given Name', email }, new PocketBase(stack.url), data)

  test('gets the fields of createData, but is verified only by the provider', async () => {
    const email = newEmail('provider')
    const chosen = newEmail('chosen')
    const { record, meta } = await createData(
      { name: 'Chosen', onboarded: true, email: chosen, verified: false, password: PASSWORD },
      email,
    )
    expect(meta['isNew']).toBe(true)
    expect(record).toMatchObject({ name: 'Chosen', onboarded: true, email: chosen })
    expect(record['verified']).toBe(false)
    await expect(signInWithPassword(stack.url, chosen, PASSWORD)).rejects.toMatchObject(
      wrongPassword,
    )
    // The owner of the verified address takes over the account.
    const owner = await signInThroughPage(stack.url, { name: '', email: chosen })
    expect(owner.record).toMatchObject({ id: record.id, verified: true })
    const links = await linksOf(record.id)
    expect(links.length).toBe(1)
    const loser = await signInThroughPage(stack.url, { name: '', email })
    expect(loser.record.id).not.toBe(record.id)
  })

  test.each([
    ['an address', { email: 'nonsense' }, { email: { code: 'validation_is_email' } }],
    ['a name', { name: 'n'.repeat(256) }, { name: { code: 'validation_max_text_constraint' } }],
    [
      'a confirmed address',
      { email: 'ada@example.org', verified: true },
      { verified: { code: 'validation_values_mismatch' } },
    ],
    ['an id', { id: 'short' }, { id: { code: 'validation_min_text_constraint' } }],
  ])('cannot have %s that cannot be', async (_name, data, errors) => {
    await expect(createData(data)).rejects.toMatchObject({
      status: 400,
      response: { message: 'Failed to create record.', data: errors },
    })
  })

  test('cannot have an address or an id that is in use', async () => {
    const user = await newPasswordUser(stack, root)
    await expect(createData({ email: user.email })).rejects.toMatchObject({
      response: { data: { email: { code: 'validation_not_unique' } } },
    })
    await expect(createData({ id: user.id })).rejects.toMatchObject({
      response: { data: { id: { code: 'validation_not_unique' } } },
    })
  })
})

import PocketBase from 'pocketbase'
import { expect, test } from 'vitest'

import { signInThroughPage } from '../../scripts/provider/sign-in.ts'
import { newOwner, newOwnerWithSite } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'

// Sign-in through a real OpenID Connect provider over HTTP (spec 4, record interface 5).

const stack = await withStack()

test('auth-methods: one provider, with PKCE, and a URL that ends in an empty redirect_uri', async () => {
  const { oauth2, password } = await new PocketBase(stack.url).collection('users').listAuthMethods()
  expect(password).toEqual({ enabled: true, identityFields: ['email'] })
  expect(oauth2.enabled).toBe(true)
  const [provider] = oauth2.providers
  expect(provider).toMatchObject({ name: 'oidc', displayName: 'OIDC', codeChallengeMethod: 'S256' })
  expect(provider?.codeVerifier).toMatch(/^[\w-]{43}$/)
  const url = new URL(provider?.authURL ?? '')
  expect(provider?.authURL).toMatch(/&redirect_uri=$/)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge: provider?.codeChallenge,
    state: provider?.state,
  })
})

test('the first sign-in creates a verified user, the second finds it', async () => {
  const person = { name: 'Grace Hopper', email: 'grace@example.org' }
  const first = await signInThroughPage(stack.url, person)
  expect(first.record).toMatchObject({ ...person, verified: true, onboarded: false })
  expect(first.meta).toMatchObject({ name: 'Grace Hopper', email: person.email, isNew: true })
  expect(first.client.authStore.isValid).toBe(true)
  const second = await signInThroughPage(stack.url, { ...person, email: 'GRACE@example.org' })
  expect(second.record.id).toBe(first.record.id)
  expect(second.meta['isNew']).toBe(false)
})

test('a new name from the provider is returned but not stored (spec 4, step 4)', async () => {
  const first = await signInThroughPage(stack.url, { name: 'Old', email: 'renamed@example.org' })
  const second = await signInThroughPage(stack.url, { name: 'New', email: 'renamed@example.org' })
  expect(second.record['name']).toBe('Old')
  expect(second.meta['name']).toBe('New')
  expect(second.record.id).toBe(first.record.id)
})

test('a user without a name and an email', async () => {
  const { record } = await signInThroughPage(stack.url, { name: '', email: '' })
  expect(record).toMatchObject({ name: '', email: '' })
})

test('two concurrent first sign-ins create one user', async () => {
  const person = { name: 'Twin', email: 'twin@example.org' }
  const both = await Promise.all([
    signInThroughPage(stack.url, person),
    signInThroughPage(stack.url, person),
  ])
  expect(both[0].record.id).toBe(both[1].record.id)
})

test.each([
  ['provider', { provider: 'github' }, 'validation_invalid_provider'],
  ['code', { code: '' }, 'validation_required'],
  ['provider', { provider: '' }, 'validation_required'],
  ['redirectURL', { redirectURL: '' }, 'validation_invalid_url'],
  ['redirectURL', { redirectURL: 'https://evil.example/login' }, 'validation_invalid_url'],
])('a wrong %s is refused', async (field, change, code) => {
  const body = {
    provider: 'oidc',
    code: 'x',
    codeVerifier: 'y'.repeat(43),
    redirectURL: `${stack.url}/login`,
    ...change,
  }
  const attempt = new PocketBase(stack.url).send('/api/collections/users/auth-with-oauth2', {
    method: 'POST',
    body,
  })
  await expect(attempt).rejects.toMatchObject({
    status: 400,
    response: {
      message: 'An error occurred while loading the submitted data.',
      data: { [field]: { code } },
    },
  })
})

test('an invalid code and a malformed body are refused', async () => {
  const users = new PocketBase(stack.url).collection('users')
  await expect(
    users.authWithOAuth2Code('oidc', 'made-up', 'y'.repeat(43), `${stack.url}/login`),
  ).rejects.toMatchObject({
    status: 400,
    response: { message: 'Failed to fetch OAuth2 token.', data: {} },
  })
  const answer = await fetch(`${stack.url}/api/collections/users/auth-with-oauth2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '[]',
  })
  expect(answer.status).toBe(400)
})

test('auth-refresh returns a new token, the old one stays valid, and a guest gets 401', async () => {
  const { client, id } = await newOwner(stack.url)
  const before = client.authStore.token
  const { token, record } = await client.collection('users').authRefresh()
  expect(token).not.toBe(before)
  expect(record.id).toBe(id)
  const old = new PocketBase(stack.url)
  old.authStore.save(before, record)
  expect(await old.collection('users').getOne(id)).toMatchObject({ id })
  await expect(new PocketBase(stack.url).collection('users').authRefresh()).rejects.toMatchObject({
    status: 401,
    response: { message: 'The request requires valid record authorization token.' },
  })
})

test('a session stays one however often it is refreshed, and all its tokens stay valid', async () => {
  const { client, id } = await newOwner(stack.url)
  const tokens = [client.authStore.token]
  for (let n = 0; n < 20; n += 1) {
    const { token } = await client.collection('users').authRefresh()
    tokens.push(token)
  }
  expect(new Set(tokens).size).toBe(21)
  const [row] = await stack.sql<[{ sessions: number }]>`
    select count(*)::int as sessions from sessions where "user" = ${id}`
  expect(row.sessions).toBe(1)
  for (const token of tokens) {
    const each = new PocketBase(stack.url)
    each.authStore.save(token)
    expect(await each.collection('users').getOne(id)).toMatchObject({ id })
  }
})

test('a session ends 30 days after its sign-in, however often it is refreshed', async () => {
  const { client, id } = await newOwner(stack.url)
  const users = client.collection('users')
  const signedInAgo = (days: string) => stack.sql`
    update sessions set signed_in = now() - ${days}::interval where "user" = ${id}`
  await signedInAgo('29 days')
  const { token } = await users.authRefresh()
  expect(await secondsLeft(token)).toBeLessThanOrEqual(24 * 60 * 60)
  client.authStore.save(token)
  await signedInAgo('30 days')
  await expect(users.authRefresh()).rejects.toMatchObject({ status: 401 })
})

/** The remaining lifetime of a token and of its session; both end at the same time. */
const secondsLeft = async (token: string): Promise<number> => {
  const { exp, jti } = JSON.parse(atob(token.split('.')[1] ?? '')) as { exp: number; jti: string }
  const [row] = await stack.sql<[{ exp: number }]>`
    select extract(epoch from expires)::float8 as exp from sessions where id = ${jti}`
  expect(Math.abs(row.exp - exp)).toBeLessThan(2)
  return exp - Date.now() / 1000
}

test('fields and expand apply to the sign-in responses', async () => {
  const { client, business } = await newOwnerWithSite(stack.url)
  const answer = await client.send('/api/collections/users/auth-refresh', {
    method: 'POST',
    query: {
      fields: 'record.id,record.expand.businesses_via_user.id',
      expand: 'businesses_via_user',
    },
  })
  expect(answer).toEqual({
    record: { id: expect.any(String), expand: { businesses_via_user: { id: business.id } } },
  })
})

test('a revoked session counts as a guest from that moment on', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  const [, payload = ''] = client.authStore.token.split('.')
  const { jti } = JSON.parse(atob(payload)) as { jti: string }
  await stack.sql`delete from sessions where id = ${jti}`
  await expect(client.collection('sites').getOne(site.id)).rejects.toMatchObject({ status: 404 })
  expect((await client.collection('sites').getList()).items).toEqual([])
  await expect(client.collection('users').authRefresh()).rejects.toMatchObject({ status: 401 })
})

test.each([
  ['signed with another key', (token: string) => `${token.slice(0, -3)}AAA`],
  ['without a signature', (token: string) => `${btoa('{"alg":"none"}')}.${token.split('.')[1]}.`],
  ['no token at all', () => 'Bearer nonsense'],
])('a token that is %s counts as a guest, never as an error', async (_name, spoil) => {
  const { client, site } = await newOwnerWithSite(stack.url)
  const ask = (authorization: string) =>
    fetch(`${stack.url}/api/collections/sites/records/${site.id}`, { headers: { authorization } })
  expect((await ask(client.authStore.token)).status).toBe(200)
  expect((await ask(`Bearer ${client.authStore.token}`)).status).toBe(200)
  expect((await ask(spoil(client.authStore.token))).status).toBe(404)
})

test('a user who deletes their account loses the business, the sites and the sessions', async () => {
  const { client, id, business, site } = await newOwnerWithSite(stack.url)
  await client.collection('users').delete(id)
  const [left] = await stack.sql`
    select (select count(*)::int from businesses where id = ${business.id}) +
      (select count(*)::int from sites where id = ${site.id}) +
      (select count(*)::int from sessions where "user" = ${id}) as count`
  expect(left?.['count']).toBe(0)
})

import PocketBase from 'pocketbase'
import { expect, test } from 'vitest'

import { MAX_IMPERSONATION_S } from '#domain/limits.ts'

import { newOwnerWithSite } from '../support/owner.ts'
import { expectScenario, type Scenario } from '../support/scenario.ts'
import { withStack } from '../support/fixtures.ts'
import { newPasswordUser, newSuperuser, PASSWORD } from '../support/superuser.ts'

// A superuser acts as another account for a limited time (record interface 5.1, 5.2).

const stack = await withStack()
const root = await newSuperuser(stack)
const owner = await newOwnerWithSite(stack.url)
const revoked = await newSuperuser(stack)
const known: Record<string, string> = {
  root: root.client.authStore.token,
  owner: owner.client.authStore.token,
  revoked: revoked.client.authStore.token,
  id: owner.id,
  email: owner.email,
  rootId: root.id,
}
await stack.sql`delete from sessions where superuser = ${revoked.id}`

const USERS = '/api/collections/users'
const asRoot = { authorization: '{root}' }
const scenarios: readonly Scenario[] = [
  {
    name: 'a guest',
    send: `POST ${USERS}/impersonate/{id}`,
    status: 401,
    has: ['"message":"The request requires valid record authorization token."', '"data":{}'],
  },
  {
    name: 'a superuser whose session has ended',
    send: `POST ${USERS}/impersonate/{id}`,
    headers: { authorization: '{revoked}' },
    status: 401,
  },
  {
    name: 'a user, not even themselves',
    send: `POST ${USERS}/impersonate/{id}`,
    headers: { authorization: '{owner}' },
    status: 403,
    has: ['"message":"The authorized record is not allowed to perform this action."'],
    lacks: ['token"'],
  },
  {
    name: 'a user, a superuser',
    send: 'POST /api/collections/_superusers/impersonate/{rootId}',
    headers: { authorization: '{owner}' },
    status: 403,
  },
  {
    name: 'an unknown account',
    send: `POST ${USERS}/impersonate/nosuchrecord123`,
    headers: asRoot,
    status: 404,
  },
  {
    name: 'an invalid id',
    send: `POST ${USERS}/impersonate/a%00b`,
    headers: asRoot,
    status: 404,
  },
  {
    name: 'a record that cannot sign in',
    send: 'POST /api/collections/sites/impersonate/{id}',
    headers: asRoot,
    status: 404,
    has: ['"message":"Missing or invalid auth collection context."'],
  },
  {
    name: 'for a negative time',
    send: `POST ${USERS}/impersonate/{id}`,
    headers: asRoot,
    body: { duration: -1 },
    status: 400,
    has: ['"duration":{"code":"validation_min_greater_equal_than_required"', '"threshold":0'],
  },
  {
    name: 'for too long',
    send: `POST ${USERS}/impersonate/{id}`,
    headers: asRoot,
    body: { duration: MAX_IMPERSONATION_S + 1 },
    status: 400,
    has: ['"duration":{"code":"validation_max_less_equal_than_required"'],
  },
  {
    name: 'for a given time',
    send: `POST ${USERS}/impersonate/{id}`,
    headers: asRoot,
    body: { duration: 'a while' },
    status: 400,
    has: ['"message":"An error occurred while loading the submitted data."'],
  },
  {
    name: 'with fields and expand',
    send: `POST ${USERS}/impersonate/{id}?expand=businesses_via_user&fields=record.email,record.expand.businesses_via_user.name`,
    headers: asRoot,
    status: 200,
    has: ['{"record":{"email":"{email}","expand":{"businesses_via_user":{"name":"'],
    lacks: ['"token"'],
  },
]
test.each(scenarios)('impersonate: $name', async (scenario) => {
  await expectScenario(stack.url, scenario, known)
})

const claimsOf = (token: string) =>
  JSON.parse(atob(token.split('.')[1] ?? '')) as Record<string, number | string | boolean>

test('the token acts as the user for the given time, and cannot be refreshed', async () => {
  const client = await root.client.collection('users').impersonate(owner.id, 600)
  const { token } = client.authStore
  expect(claimsOf(token)).toMatchObject({
    id: owner.id,
    type: 'auth',
    collectionId: '_pb_users_auth_',
    refreshable: false,
  })
  expect(Math.abs(Number(claimsOf(token)['exp']) - Date.now() / 1000 - 600)).toBeLessThan(10)
  expect((await client.collection('sites').getFullList()).map(({ id }) => id)).toEqual([
    owner.site.id,
  ])
  await expect(client.collection('_superusers').getList()).rejects.toMatchObject({ status: 403 })

  const again = await client.collection('users').authRefresh()
  expect(again.token).toBe(token)
  expect(again.record).toMatchObject({ id: owner.id, email: owner.email })
  const { jti } = claimsOf(token)
  const sessions = await stack.sql`select refreshable from sessions where id = ${String(jti)}`
  expect(sessions).toMatchObject([{ refreshable: false }])
  await stack.sql`update sessions set expires = now() where id = ${String(jti)}`
  await expect(client.collection('users').authRefresh()).rejects.toMatchObject({ status: 401 })
})

test('the default duration is that of a session', async () => {
  const client = await root.client.collection('users').impersonate(owner.id, 0)
  const lifetimeS = Number(claimsOf(client.authStore.token)['exp']) - Date.now() / 1000
  expect(Math.abs(lifetimeS - 432_000)).toBeLessThan(10)
})

test('a superuser may impersonate another one', async () => {
  const other = await newSuperuser(stack)
  const client = await root.client.collection('_superusers').impersonate(other.id, 60)
  expect(client.authStore.isSuperuser).toBe(true)
  expect((await client.collection('users').getOne(owner.id))['email']).toBe(owner.email)
})

test('an impersonation ends with all other sessions when the password changes', async () => {
  const user = await newPasswordUser(stack, root)
  const client: PocketBase = await root.client.collection('users').impersonate(user.id, 600)
  const next = 'quite another password'
  await user.client
    .collection('users')
    .update(user.id, { oldPassword: PASSWORD, password: next, passwordConfirm: next })
  await expect(client.collection('users').authRefresh()).rejects.toMatchObject({ status: 401 })
})

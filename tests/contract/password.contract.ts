import PocketBase from 'pocketbase'
import { describe, expect, test } from 'vitest'

import { newOwner } from '../support/owner.ts'
import { expectAlike, json, Meter } from '../support/observe.ts'
import { isBackground } from '../support/statements.ts'
import { expectScenario, type Scenario } from '../support/scenario.ts'
import { withStack } from '../support/fixtures.ts'
import { holdLock, waitForLock } from '../support/locks.ts'
import { startStack } from '../support/stack.ts'
import {
  newEmail,
  newPasswordUser,
  newSuperuser,
  PASSWORD,
  signInWithPassword,
  type Account,
} from '../support/superuser.ts'

// Passwords (record interface 1.5, 2.2, 5.6).

const meter = new Meter()
const stack = await withStack({ onStatement: meter.onStatement, onHash: meter.onHash })
const root = await newSuperuser(stack)
const user = await newPasswordUser(stack, root)
const known: Record<string, string> = {
  root: root.client.authStore.token,
  user: user.client.authStore.token,
  userId: user.id,
  userEmail: user.email,
  rootId: root.id,
  rootEmail: root.email,
  password: PASSWORD,
}

const USERS = '/api/collections/users'
const ROOTS = '/api/collections/_superusers'
const VALIDATING = '"message":"An error occurred while validating the submitted data."'
const LOADING = '"message":"An error occurred while loading the submitted data."'
const LENGTH =
  '"code":"validation_length_out_of_range","message":"The length must be between 1 and 255.","params":{"min":1,"max":255}'
const REQUIRED = '"code":"validation_required","message":"Cannot be blank."'

const signIns: readonly Scenario[] = [
  {
    name: 'users',
    send: `POST ${USERS}/auth-with-password`,
    body: { identity: '{userEmail}', password: '{password}' },
    status: 200,
    has: [
      '"token":"',
      '"email":"{userEmail}"',
      '"collectionName":"users"',
      'cache-control: no-store',
    ],
    lacks: ['"meta"', 'argon2', '"password"', '"tokenKey"'],
  },
  {
    name: '_superusers',
    send: `POST ${ROOTS}/auth-with-password`,
    body: { identity: '{rootEmail}', password: '{password}', identityField: 'email' },
    status: 200,
    has: ['"token":"', '"email":"{rootEmail}"', '"collectionName":"_superusers"'],
    lacks: ['argon2', '"password"'],
  },
  {
    name: 'the id of the collection, a form, and fields',
    send: `POST /api/collections/_pb_users_auth_/auth-with-password?fields=record.id`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'identity={userEmail}&password=correct+horse+battery',
    status: 200,
    has: ['{"record":{"id":"{userId}"}}'],
    lacks: ['"token"'],
  },
  {
    name: 'an empty request',
    send: `POST ${USERS}/auth-with-password`,
    status: 400,
    has: [VALIDATING, `"identity":{${REQUIRED}}`, `"password":{${REQUIRED}}`],
  },
  {
    name: 'texts that are too long',
    send: `POST ${USERS}/auth-with-password`,
    body: { identity: 'ä'.repeat(128), password: 'x'.repeat(256) },
    status: 400,
    has: [VALIDATING, `"identity":{${LENGTH}}`, `"password":{${LENGTH}}`],
  },
  {
    name: 'an unknown identity field',
    send: `POST ${USERS}/auth-with-password`,
    body: { identity: '{userEmail}', password: '{password}', identityField: 'username' },
    status: 400,
    has: [
      VALIDATING,
      '"identityField":{"code":"validation_in_invalid","message":"Must be a valid value."}',
    ],
  },
  {
    name: 'malformed JSON',
    send: `POST ${USERS}/auth-with-password`,
    headers: { 'content-type': 'application/json' },
    body: '{"identity":',
    status: 400,
    has: [LOADING, '"data":{}'],
  },
  {
    name: 'a list',
    send: `POST ${USERS}/auth-with-password`,
    body: [],
    status: 400,
    has: [LOADING, '"data":{}'],
  },
  {
    name: 'an identity that is not a text',
    send: `POST ${USERS}/auth-with-password`,
    body: { identity: 5, password: 'x' },
    status: 400,
    has: [LOADING, '"data":{}'],
  },
  {
    name: 'another content type',
    send: `POST ${USERS}/auth-with-password`,
    headers: { 'content-type': 'text/plain' },
    body: 'hello',
    status: 400,
    has: ['"message":"Unsupported Content-Type."'],
  },
  {
    name: 'a superuser among the users',
    send: `POST ${USERS}/auth-with-password`,
    body: { identity: '{rootEmail}', password: '{password}' },
    status: 400,
    has: ['"message":"Failed to authenticate."', '"data":{}'],
  },
  {
    name: 'texts that PostgreSQL cannot store',
    send: `POST ${USERS}/auth-with-password`,
    body: { identity: 'a\0@example.org', password: '\ud800xxxxxxxx' },
    status: 400,
    has: ['"message":"Failed to authenticate."', '"data":{}'],
  },
  {
    name: 'a collection without sign-in',
    send: 'POST /api/collections/sites/auth-with-password',
    body: { identity: 'a', password: 'b' },
    status: 404,
    has: ['"message":"Missing or invalid auth collection context."'],
  },
  {
    name: 'auth-methods of the superusers: no provider',
    send: `GET ${ROOTS}/auth-methods`,
    status: 200,
    has: [
      '"password":{"enabled":true,"identityFields":["email"]}',
      '"oauth2":{"enabled":false,"providers":[]}',
      '"authProviders":null',
      '"emailPassword":true',
    ],
  },
  {
    name: 'a provider for the superusers',
    send: `POST ${ROOTS}/auth-with-oauth2`,
    body: { provider: 'oidc', code: 'x', codeVerifier: 'y', redirectURL: 'z' },
    status: 403,
    has: ['"message":"The collection is not configured to allow OAuth2 authentication."'],
  },
  {
    name: 'a refresh in the other collection',
    send: `POST ${ROOTS}/auth-refresh`,
    headers: { authorization: '{user}' },
    status: 403,
    has: ['"message":"The request requires auth record from users collection."'],
  },
  {
    name: 'a superuser’s refresh among the users',
    send: `POST ${USERS}/auth-refresh`,
    headers: { authorization: '{root}' },
    status: 403,
    has: ['"message":"The request requires auth record from _superusers collection."'],
  },
  {
    name: 'a superuser’s refresh',
    send: `POST ${ROOTS}/auth-refresh`,
    headers: { authorization: 'Bearer {root}' },
    status: 200,
    has: ['"token":"', '"email":"{rootEmail}"'],
  },
]
test.each(signIns)('sign-in: $name', async (scenario) => {
  await expectScenario(stack.url, scenario, known)
})

test('the token names its user, in characters that the SDK can decode', async () => {
  const client = await signInWithPassword(stack.url, user.email.toUpperCase(), PASSWORD)
  expect(client.authStore.isValid).toBe(true)
  expect(client.authStore.isSuperuser).toBe(false)
  expect(root.client.authStore.isSuperuser).toBe(true)
  const [header = '', payload = ''] = client.authStore.token.split('.')
  expect(JSON.parse(atob(header))).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(JSON.parse(atob(payload))).toEqual({
    id: user.id,
    type: 'auth',
    collectionId: '_pb_users_auth_',
    refreshable: true,
    jti: expect.stringMatching(/^[a-z0-9]{30}$/),
    exp: expect.any(Number),
  })
})

test('passwords are stored as argon2id with parameters, apart from the record', async () => {
  const [kept] = await stack.sql<{ hash: string }[]>`
    select hash from passwords where "user" = ${user.id}`
  expect(kept?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  const columns = await stack.sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_name in ('users', '_superusers')`
  expect(columns.filter(({ name }) => /pass|hash|secret/i.test(name))).toEqual([])
})

describe('responses do not disclose whether an account exists', () => {
  test.each(['users', '_superusers'])('%s: a wrong password', async (collection) => {
    const { email } = await newOwner(stack.url)
    const url = `${stack.url}/api/collections/${collection}/auth-with-password`
    const attempts = [
      { identity: collection === 'users' ? user.email : root.email, password: 'not that one' },
      { identity: newEmail('nobody'), password: 'not that one' },
      // An account that only signs in with the provider; there is no such superuser.
      { identity: email, password: 'not that one' },
      { identity: 'no address at all', password: 'not that one' },
    ]
    // Statements that run once per connection have been executed.
    for (const attempt of attempts) await fetch(url, json(attempt))
    const observed = []
    for (const attempt of attempts) observed.push(await meter.observe(url, json(attempt)))
    expectAlike(observed)
    expect(observed[0]).toMatchObject({ status: 400, statements: 1, hashes: 1 })
    expect(JSON.parse(observed[0]?.body ?? '')).toEqual({
      status: 400,
      message: 'Failed to authenticate.',
      data: {},
    })
  })
})

test('a sign-in with the right password takes three statements and one hash', async () => {
  const url = `${stack.url}${USERS}/auth-with-password`
  const right = json({ identity: user.email, password: PASSWORD })
  const { status, statements, hashes } = await meter.observe(url, right)
  expect({ status, statements, hashes }).toEqual({ status: 200, statements: 3, hashes: 1 })
})

test('many concurrent sign-ins all succeed, two hashes at a time', async () => {
  const clients = await Promise.all(
    Array.from({ length: 20 }, () => signInWithPassword(stack.url, user.email, PASSWORD)),
  )
  expect(new Set(clients.map(({ authStore }) => authStore.token)).size).toBe(20)
})

describe('a superuser creates accounts', () => {
  const passwords: readonly (readonly [string, object, object])[] = [
    [
      'too short',
      { password: 'ähnlich', passwordConfirm: 'ähnlich' },
      {
        password: {
          code: 'validation_min_text_constraint',
          message: 'Must be at least 8 character(s).',
        },
      },
    ],
    [
      'too long',
      { password: 'x'.repeat(72), passwordConfirm: 'x'.repeat(72) },
      {
        password: {
          code: 'validation_max_text_constraint',
          message: 'Must be less than 71 character(s).',
        },
      },
    ],
    [
      'confirmed otherwise',
      { password: PASSWORD, passwordConfirm: `${PASSWORD} ` },
      { passwordConfirm: { code: 'validation_values_mismatch', message: "Values don't match." } },
    ],
    [
      'not confirmed',
      { password: PASSWORD },
      { passwordConfirm: { code: 'validation_required', message: 'Cannot be blank.' } },
    ],
    [
      'confirmed only',
      { passwordConfirm: PASSWORD },
      {
        password: { code: 'validation_required', message: 'Cannot be blank.' },
        passwordConfirm: { code: 'validation_values_mismatch', message: "Values don't match." },
      },
    ],
    [
      'of half a character',
      { password: '\ud800aaaaaaaa', passwordConfirm: '\ud800aaaaaaaa' },
      { password: { code: 'validation_invalid_format', message: 'Invalid value format.' } },
    ],
  ]
  test.each(passwords)('a password that is %s, reported alone', async (_name, sent, data) => {
    for (const collection of ['users', '_superusers']) {
      const body = { email: newEmail('x'), id: 'short', name: 'n'.repeat(256), ...sent }
      const attempt = root.client.collection(collection).create(body)
      await expect(attempt).rejects.toMatchObject({
        status: 400,
        response: { status: 400, message: 'Failed to create record.', data },
      })
      const error = await attempt.catch((refusal: { response: { data: object } }) => refusal)
      expect('response' in error && error.response.data).toEqual(data)
    }
  })

  test('without a password: a user may be created, a superuser may not', async () => {
    const email = newEmail('later')
    const made = await root.client.collection('users').create({ email, verified: true })
    expect(made).toMatchObject({ email, verified: true })
    await expect(signInWithPassword(stack.url, email, PASSWORD)).rejects.toMatchObject({
      status: 400,
    })
    await expect(root.client.collection('_superusers').create({ email })).rejects.toMatchObject({
      response: {
        data: {
          password: { code: 'validation_required' },
          passwordConfirm: { code: 'validation_required' },
        },
      },
    })
  })

  test('another superuser, whose password and record a superuser may change and delete', async () => {
    const roots = root.client.collection('_superusers')
    const email = newEmail('second')
    const body = { email, password: PASSWORD, passwordConfirm: PASSWORD }
    const made = await roots.create(body)
    const second = await signInWithPassword(stack.url, email, PASSWORD, '_superusers')
    expect((await second.collection('_superusers').getList()).totalItems).toBeGreaterThan(1)
    const next = 'another horse battery'
    await roots.update(made.id, { password: next, passwordConfirm: next })
    await expect(second.collection('_superusers').authRefresh()).rejects.toMatchObject({
      status: 401,
    })
    await signInWithPassword(stack.url, email, next, '_superusers')
    await roots.delete(made.id)
    await expect(signInWithPassword(stack.url, email, next, '_superusers')).rejects.toMatchObject({
      status: 400,
    })
  })

  test('an address or an id that is in use', async () => {
    const attempt = (body: object) =>
      root.client.collection('users').create({ email: newEmail('x'), ...body })
    await expect(attempt({ email: user.email.toUpperCase() })).rejects.toMatchObject({
      response: { data: { email: { code: 'validation_not_unique' } } },
    })
    await expect(attempt({ id: user.id })).rejects.toMatchObject({
      response: { data: { id: { code: 'validation_not_unique' } } },
    })
    await expect(attempt({ id: root.id })).rejects.toMatchObject({
      response: { data: { id: { code: 'validation_invalid_auth_id' } } },
    })
  })

  test('by multipart and in a batch', async () => {
    const [first, second] = [newEmail('form'), newEmail('batch')]
    const form = new FormData()
    for (const [name, value] of Object.entries({
      email: first,
      password: '12345678',
      passwordConfirm: '12345678',
    }))
      form.append(name, value)
    await root.client.collection('users').create(form)
    const client = await signInWithPassword(stack.url, first, '12345678')
    expect(client.authStore.record?.['email']).toBe(first)
    const batch = root.client.createBatch()
    batch
      .collection('users')
      .create({ email: second, password: PASSWORD, passwordConfirm: PASSWORD })
    await batch.send()
    await signInWithPassword(stack.url, second, PASSWORD)
  })
})

describe('a user', () => {
  const own = async (): Promise<Account> => newPasswordUser(stack, root)
  const next = 'quite another password'

  test('is signed out by a change of the password during sign-in', async () => {
    const { id, email } = await newPasswordUser(stack, root)
    const release = await holdLock(
      stack.sql,
      (transaction) => transaction`select 1 from users where id = ${id} for update`,
    )
    // Its session may end before the sign-in has read the account.
    const signingIn = signInWithPassword(stack.url, email, PASSWORD).catch(() => undefined)
    await waitForLock(stack.sql, 'into sessions')
    // Like a change of the password, which would also wait for the account.
    const change = async () =>
      stack.pool`update passwords set hash = 'another' where "user" = ${id}`
    const changing = change()
    await Promise.race([changing, waitForLock(stack.sql, 'update passwords')])
    await release()
    await changing
    const client = await signingIn
    const renewed = await client
      ?.collection('users')
      .authRefresh()
      .catch(() => undefined)
    expect(renewed).toBeUndefined()
  })

  test('changes the password with the old one, which ends every session', async () => {
    const account = await own()
    const elsewhere = await signInWithPassword(stack.url, account.email, PASSWORD)
    const users = account.client.collection('users')
    const body = { oldPassword: PASSWORD, password: next, passwordConfirm: next, name: 'Ada' }
    meter.statements.length = 0
    expect(await users.update(account.id, body)).toMatchObject({ id: account.id, name: 'Ada' })
    const ofAccount = meter.statements.filter((text) => !isBackground(text))
    expect(ofAccount).toEqual([
      expect.stringContaining('select p.hash'),
      'begin',
      expect.stringContaining('for no key update'),
      expect.stringContaining('update "users"'),
      'commit',
    ])
    for (const client of [account.client, elsewhere]) {
      await expect(client.collection('users').authRefresh()).rejects.toMatchObject({ status: 401 })
      expect((await client.collection('users').getList()).items).toEqual([])
    }
    await expect(signInWithPassword(stack.url, account.email, PASSWORD)).rejects.toMatchObject({
      status: 400,
    })
    await signInWithPassword(stack.url, account.email, next)
  })

  test.each([
    ['without the old one', {}, { oldPassword: 'validation_required' }],
    [
      'with a wrong old one',
      { oldPassword: 'not that one' },
      { oldPassword: 'validation_invalid_old_password' },
    ],
    [
      'to one that is too short, without the old one',
      { password: 'short', passwordConfirm: 'shirt' },
      {
        password: 'validation_min_text_constraint',
        passwordConfirm: 'validation_values_mismatch',
        oldPassword: 'validation_required',
      },
    ],
    [
      'to nothing',
      { oldPassword: PASSWORD, password: '', passwordConfirm: '' },
      { password: 'validation_required', passwordConfirm: 'validation_required' },
    ],
  ])('may not change it %s', async (_name, sent, codes) => {
    const account = await own()
    const body = { password: next, passwordConfirm: next, name: 'n'.repeat(300), ...sent }
    const refusal = await account.client
      .collection('users')
      .update(account.id, body)
      .catch(
        (error: { status: number; response: { data: Record<string, { code: string }> } }) => error,
      )
    if (!('response' in refusal)) throw new Error('it was accepted')
    expect(refusal['status']).toBe(400)
    const data = (refusal['response'] as { data: Record<string, { code: string }> }).data
    expect(
      Object.fromEntries(Object.entries(data).map(([name, { code }]) => [name, code])),
    ).toEqual(codes)
    await signInWithPassword(stack.url, account.email, PASSWORD)
  })

  test.each(['', null])('cannot change it to %j', async (password) => {
    const { client, id } = await own()
    await expect(client.collection('users').update(id, { password })).rejects.toMatchObject({
      status: 400,
      response: { data: { password: { code: 'validation_required' } } },
    })
  })

  test('without a password can only set one by mail', async () => {
    const { client, id } = await newOwner(stack.url)
    const body = { oldPassword: 'anything at all', password: next, passwordConfirm: next }
    await expect(client.collection('users').update(id, body)).rejects.toMatchObject({
      response: { data: { oldPassword: { code: 'validation_invalid_old_password' } } },
    })
  })

  test('cannot change the password of another user, which gets 404', async () => {
    const [one, other] = [await own(), await own()]
    meter.statements.length = 0
    const body = { oldPassword: PASSWORD, password: next, passwordConfirm: next }
    await expect(one.client.collection('users').update(other.id, body)).rejects.toMatchObject({
      status: 404,
    })
    await expect(
      new PocketBase(stack.url).collection('users').update(other.id, body),
    ).rejects.toMatchObject({ status: 404 })
    await signInWithPassword(stack.url, other.email, PASSWORD)
  })

  test('one of two concurrent changes succeeds', async () => {
    const account = await own()
    const elsewhere = await signInWithPassword(stack.url, account.email, PASSWORD)
    const change = (client: PocketBase, password: string) =>
      client
        .collection('users')
        .update(account.id, { oldPassword: PASSWORD, password, passwordConfirm: password })
    const outcomes = await Promise.allSettled([
      change(account.client, `${next} 1`),
      change(elsewhere, `${next} 2`),
    ])
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    await signInWithPassword(stack.url, account.email, `${next} ${winner + 1}`)
  })

  test('has a limit on attempts with the old password', async () => {
    const account = await own()
    const attempt = () =>
      account.client
        .collection('users')
        .update(account.id, { oldPassword: 'guess', password: next, passwordConfirm: next })
        .catch((error: { status: number }) => error.status)
    const statuses = []
    for (let i = 0; i < 12; i += 1) statuses.push(await attempt())
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429])
  })

  test('sees their own address, cannot change it, and controls its visibility', async () => {
    const account = await own()
    const users = account.client.collection('users')
    const seen = await users.getOne(account.id)
    expect(seen).toMatchObject({ email: account.email, emailVisibility: false, verified: false })
    const body = { email: account.email, verified: false, emailVisibility: true }
    expect(await users.update(account.id, body)).toMatchObject({ emailVisibility: true })
    await expect(
      users.update(account.id, { email: newEmail('new'), verified: true, name: 'n'.repeat(300) }),
    ).rejects.toMatchObject({
      response: {
        message: 'Failed to update record.',
        data: {
          email: { code: 'validation_values_mismatch' },
          verified: { code: 'validation_values_mismatch' },
        },
      },
    })
  })

  test('signs in with the new address after a superuser has changed it', async () => {
    const account = await own()
    const email = newEmail('moved')
    await root.client.collection('users').update(account.id, { email })
    await expect(account.client.collection('users').authRefresh()).rejects.toMatchObject({
      status: 401,
    })
    await signInWithPassword(stack.url, email, PASSWORD)
  })
})

const LOCKED = '"message":"Only superusers can perform this action."'
const locked: readonly Scenario[] = ['{user}', ''].flatMap((authorization) =>
  [
    ['list', `GET ${ROOTS}/records`],
    ['list by id of the collection', 'GET /api/collections/pbc_3142635823/records'],
    ['view', `GET ${ROOTS}/records/{rootId}`],
    ['create', `POST ${ROOTS}/records`],
    ['update', `PATCH ${ROOTS}/records/{rootId}`],
    ['delete', `DELETE ${ROOTS}/records/{rootId}`],
  ].map(([name, send]) => ({
    name: `${authorization === '' ? 'a guest' : 'a user'}: ${name}`,
    send: send ?? '',
    headers: { authorization },
    ...(!/^(GET|DELETE)/.test(send ?? '') && {
      body: { email: 'evil@example.org', password: PASSWORD, passwordConfirm: PASSWORD },
    }),
    status: 403,
    has: [LOCKED, '"data":{}'],
    lacks: ['{rootEmail}'],
  })),
)
describe('the superusers collection is locked', () => {
  test.each(locked)('$name', async (scenario) => {
    await expectScenario(stack.url, scenario, known)
  })
  test('and a user cannot become a superuser with a forged token', async () => {
    const [header = '', payload = '', signature = ''] = (known['user'] ?? '').split('.')
    const claims = JSON.parse(atob(payload)) as object
    const forged = btoa(JSON.stringify({ ...claims, collectionId: 'pbc_3142635823' }))
    const answer = await fetch(`${stack.url}${ROOTS}/records`, {
      headers: { authorization: [header, forged, signature].join('.') },
    })
    expect(answer.status).toBe(403)
  })
})

test('thirty attempts a minute for an address, however the path is spelled', async () => {
  const limited = await startStack({ env: { RATE_LIMITS: 'on' } })
  try {
    const paths = [
      'users/auth-with-password',
      'USERS/auth-with-passwor%64',
      '_superusers/auth-with-password',
      '_pb_users_auth_/auth-with-oauth2',
    ]
    const statuses = []
    for (let i = 0; i < 32; i += 1) {
      const url = `${limited.url}/api/collections/${paths[i % paths.length] ?? ''}`
      statuses.push((await fetch(url, json({ identity: newEmail('x'), password: 'x' }))).status)
    }
    expect(statuses).toEqual([...Array<number>(30).fill(400), 429, 429])
  } finally {
    await limited.close()
  }
})

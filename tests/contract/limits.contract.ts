import PocketBase from 'pocketbase'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { API } from '#domain/paths.ts'

import { signInThroughPage } from '../../scripts/provider/sign-in.ts'
import { newOwner, type Owner } from '../support/owner.ts'
import { startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'
import {
  newEmail,
  newPasswordUser,
  newSuperuser,
  PASSWORD,
  type Account,
} from '../support/superuser.ts'

// Rate limits per minute, across all processes of an installation (spec 12).

let stack: Stack
let second: SecondProcess
const statements: string[] = []
beforeAll(async () => {
  stack = await startStack({
    env: { RATE_LIMITS: 'on' },
    onStatement: (text) => statements.push(text),
  })
  second = await startSecondProcess(stack, { RATE_LIMITS: 'on' })
})
afterAll(async () => {
  await second.close()
  await stack.close()
})
// The tests send more requests a minute than people do.
afterEach(() => stack.sql`delete from rate_counts where key not like 'old-password%'`)

const LIMITED = { status: 429, message: 'Too Many Requests.', data: {} }

/** Sends requests, a hundred at a time. @returns the statuses; every 429 must have a `Retry-After` */
const sendAll = async (count: number, send: (index: number) => Promise<Response>, windowS = 60) => {
  const statuses: Record<number, number> = {}
  for (let start = 0; start < count; start += 100) {
    const length = Math.min(100, count - start)
    await Promise.all(
      Array.from({ length }, async (_, index) => {
        const answer = await send(start + index)
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        if (answer.status !== 429) return
        const waitS = Number(answer.headers.get('retry-after'))
        expect(waitS > 0 && waitS <= windowS).toBe(true)
        expect(await answer.json()).toEqual(LIMITED)
      }),
    )
  }
  return statuses
}

const rename = (url: string, { id, client }: Owner): Promise<Response> =>
  fetch(`${url}/api/collections/users/records/${id}`, {
    method: 'PATCH',
    headers: { authorization: client.authStore.token, 'content-type': 'application/json' },
    body: '{"name":"x"}',
  })
const urlOf = (index: number): string => (index % 2 === 0 ? stack.url : second.url)
const post = (url: string, path: string, body: object): Promise<Response> =>
  fetch(`${url}/api/collections/users/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** As if another process had admitted this many requests within the last seconds. */
const countBefore = (key: string, used: number) => stack.sql`
  insert into rate_counts values (${key}, now(), ${used})
  on conflict (key) do update set started = now(), used = ${used}`

const usedOf = async (key: string): Promise<number> => {
  const [row] = await stack.sql<[{ used: number }]>`
    select used from rate_counts where key = ${key}`
  return row.used
}

test('two processes together allow 600 writes a minute, and other accounts are not affected', async () => {
  const [busy, other] = [await newOwner(stack.url), await newOwner(stack.url)]
  await countBefore(`writes ${busy.id}`, 450)
  expect(await sendAll(200, (index) => rename(urlOf(index), busy))).toEqual({ 200: 150, 429: 50 })
  expect((await rename(second.url, other)).status).toBe(200)
})

test('a limit that is exhausted in one process is exhausted in another', async () => {
  const owner = await newOwner(stack.url)
  await countBefore(`writes ${owner.id}`, 570)
  expect(await sendAll(30, () => rename(stack.url, owner))).toEqual({ 200: 30 })
  expect((await rename(second.url, owner)).status).toBe(429)
})

test('tokens that a process reserved but does not need are returned', async () => {
  const owner = await newOwner(stack.url)
  await countBefore(`writes ${owner.id}`, 570)
  expect((await rename(second.url, owner)).status).toBe(200)
  const used = () => usedOf(`writes ${owner.id}`)
  expect(await used()).toBeGreaterThan(571)
  await expect.poll(used).toBe(571)
  expect(await sendAll(30, () => rename(stack.url, owner))).toEqual({ 200: 29, 429: 1 })
})

test('tokens reserved by two sessions of an account are returned together', async () => {
  const owner = await newOwner(stack.url)
  const { client } = await signInThroughPage(stack.url, { name: 'Ada', email: owner.email })
  for (const each of [owner, { ...owner, client }])
    expect((await rename(stack.url, each)).status).toBe(200)
  const used = () => usedOf(`writes ${owner.id}`)
  expect(await used()).toBeGreaterThan(20)
  await expect.poll(used).toBe(2)
})

test('counting takes no statement per read, and one for many writes', async () => {
  const owner = await newOwner(stack.url)
  const counting = () => statements.filter((text) => text.includes('take_tokens')).length
  statements.length = 0
  const read = () =>
    fetch(`${stack.url}/api/collections/users/records/${owner.id}`, {
      headers: { authorization: owner.client.authStore.token },
    })
  for (let i = 0; i < 50; i += 1) await read()
  const own = statements.filter((text) => /from "?users/.test(text))
  expect(own).toHaveLength(50)
  // Processes share their counts once a second, in one statement for all.
  const told = counting()
  for (let i = 0; i < 60; i += 1) await rename(stack.url, owner)
  const ofWrites = statements.filter(
    (text) => text.includes('take_tokens') && !text.includes('unnest'),
  )
  expect(ofWrites.length).toBeLessThanOrEqual(8)
  console.log(`Limits: ${told} statements beside 50 reads, ${ofWrites.length} for 60 writes`)
})

test('requests with an ended session count for their address, not for their account', async () => {
  const former = await newOwner(stack.url)
  const writes = `writes ${former.id}`
  expect((await rename(stack.url, former)).status).toBe(200)
  const fresh = await signInThroughPage(stack.url, { name: 'Ada', email: former.email })
  const stolen = { ...former, client: new PocketBase(stack.url) }
  stolen.client.authStore.save(former.client.authStore.token)
  await former.client.send(API.endSessions('users'), { method: 'POST' })
  const again = await signInThroughPage(stack.url, { name: 'Ada', email: former.email })
  const owner = { ...former, client: again.client }
  expect(again.record.id).toBe(former.id)
  await countBefore(writes, 590)
  // As if the session had been ended by another process.
  expect(await sendAll(60, (index) => rename(urlOf(index), stolen))).toEqual({ 404: 60 })
  expect((await rename(stack.url, { ...owner, client: fresh.client })).status).toBe(404)
  expect(await sendAll(12, () => rename(stack.url, owner))).toEqual({ 200: 10, 429: 2 })
  // A caller without a valid session shares the limit of guests of the address.
  await countBefore('writes 127.0.0.1', 600)
  await expect.poll(async () => (await rename(stack.url, stolen)).status).toBe(429)
})

test('an account may try an old password ten times a minute, across processes', async () => {
  const account = await newPasswordUser(stack, await newSuperuser(stack))
  const attempt = (index: number) =>
    fetch(`${urlOf(index)}/api/collections/users/records/${account.id}`, {
      method: 'PATCH',
      headers: {
        authorization: account.client.authStore.token,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        oldPassword: 'guess',
        password: 'another password',
        passwordConfirm: 'another password',
      }),
    })
  expect(await sendAll(14, attempt)).toEqual({ 400: 10, 429: 4 })
})

describe('sign-ins with a password, from a new address each', () => {
  let proxied: Stack
  let root: Account
  beforeAll(async () => {
    proxied = await startStack({ env: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' }, beside: stack })
    root = await newSuperuser(stack)
  })
  afterAll(() => proxied.close())

  let address = 0
  const signIn = (identity: string, password: string, token = '', collection = 'users') => {
    address += 1
    return fetch(`${proxied.url}${API.authWithPassword(collection)}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `203.0.113.${address}`,
        ...(token !== '' && { authorization: token }),
      },
      body: JSON.stringify({ identity, password }),
    })
  }
  /** Fails once, and counts that as 70 times. */
  const failOften = async (...[identity, token, collection]: Parameters<typeof guess>) => {
    expect((await signIn(identity, 'guess', token, collection)).status).toBe(400)
    await stack.sql`update rate_counts set used = 70 where key like 'password %' and used = 1`
  }
  const guess = async (identity: string, token?: string, collection?: string) => {
    await failOften(identity, token, collection)
    return sendAll(35, () => signIn(identity, 'guess', token, collection), 900)
  }

  test('an account allows 100 failed ones in 15 minutes; so does an address without an account', async () => {
    const { email } = await newPasswordUser(stack, root)
    for (const identity of [email, newEmail('nobody')]) {
      expect(await guess(identity)).toEqual({ 400: 30, 429: 5 })
      expect((await signIn(identity.toUpperCase(), PASSWORD)).status).toBe(429)
    }
    expect(await guess(root.email, '', '_superusers')).toEqual({ 400: 30, 429: 5 })
  })

  test('a device that has signed in before is counted apart, even if its token has expired', async () => {
    const account = await newPasswordUser(stack, root)
    const other = await newPasswordUser(stack, root)
    const former = await root.client.collection('users').impersonate(account.id, 1)
    const { token } = former.authStore
    const isOver = () =>
      former
        .collection('users')
        .authRefresh()
        .then(
          () => false,
          () => true,
        )
    await expect.poll(isOver).toBe(true)
    await guess(account.email)
    expect((await signIn(account.email, PASSWORD, token)).status).toBe(200)
    expect((await signIn(account.email, PASSWORD, other.client.authStore.token)).status).toBe(429)
    expect((await signIn(account.email, PASSWORD, `${token}x`)).status).toBe(429)
    await account.client.collection('users').authRefresh()
    expect(await guess(account.email, token)).toEqual({ 400: 30, 429: 5 })
    const { token: another } = account.client.authStore
    expect((await signIn(account.email, PASSWORD, another)).status).toBe(200)
  })

  test('successful ones do not count', async () => {
    const { email } = await newPasswordUser(stack, root)
    await failOften(email)
    for (let n = 0; n < 40; n += 1) expect((await signIn(email, PASSWORD)).status).toBe(200)
  })
})

test('an address may sign in 30 times and request 10 mails a minute, across processes', async () => {
  const signIns = await sendAll(40, (index) =>
    post(urlOf(index), 'auth-with-oauth2', { provider: 'none' }),
  )
  expect(signIns).toEqual({ 400: 30, 429: 10 })
  const mails = await sendAll(14, (index) =>
    post(urlOf(index), 'request-password-reset', { email: `a${index}@example.org` }),
  )
  expect(mails).toEqual({ 204: 10, 429: 4 })
})

test('public reads have their own limit', async () => {
  await countBefore('public reads 127.0.0.1', 3000)
  const read = () => fetch(`${stack.url}/api/public/sites/nosuchrecord123`)
  await expect.poll(async () => (await read()).status).toBe(429)
  expect((await fetch(`${stack.url}/api/collections/users/auth-methods`)).status).toBe(200)
})

test('an address may send 3,000 other requests a minute; health checks and metrics do not count', async () => {
  const read = (url: string) => fetch(`${url}/api/collections/users/auth-methods`)
  await countBefore('others 127.0.0.1', 2900)
  const used = () => usedOf('others 127.0.0.1')
  await sendAll(10, (index) => read(urlOf(index)))
  await expect.poll(used).toBeGreaterThanOrEqual(2910)
  // No request is refused too early. The processes share their counts once a second, so a few extra ones are admitted.
  expect(await sendAll(40, (index) => read(urlOf(index)))).toEqual({ 200: 40 })
  expect([...stack.logged, ...second.logged()]).toEqual([])
  for (const url of [stack.url, second.url]) {
    await expect.poll(async () => (await read(url)).status, { interval: 5 }).toBe(429)
    expect(await (await read(url)).json()).toEqual(LIMITED)
    for (const path of ['/api/health', '/api/ready', '/metrics'])
      expect((await fetch(url + path)).status).toBe(200)
  }
})

test('if a proxy adds ports to addresses, the limit applies to the address', async () => {
  const proxied = await startStack({
    env: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' },
    beside: stack,
  })
  const signIn = (from: string) =>
    fetch(`${proxied.url}/api/collections/users/auth-with-oauth2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: '{"provider":"none"}',
    })
  try {
    for (const [address, other] of [
      ['203.0.113.7', '203.0.113.8:50000'],
      ['[2001:db8:1:2::7]', '[2001:db8:1:3::7]:50000'],
    ] as const) {
      const statuses = await sendAll(35, (index) => signIn(`${address}:${50_000 + index}`))
      expect(statuses).toEqual({ 400: 30, 429: 5 })
      expect((await signIn(address.replace(/[[\]]/g, ''))).status).toBe(429)
      expect((await signIn(other)).status).toBe(400)
    }
  } finally {
    await proxied.close()
  }
})

// Last, because a process that could not access the table counts on its own for a while.
test('while the database does not respond, each process counts on its own', async () => {
  const alone = await startStack({ env: { RATE_LIMITS: 'on' }, beside: stack })
  try {
    await stack.sql`alter table rate_counts rename to rate_counts_away`
    const signIn = () => post(alone.url, 'auth-with-oauth2', { provider: 'none' })
    expect(await sendAll(35, signIn)).toEqual({ 400: 30, 429: 5 })
    expect(alone.logged.join('\n')).toContain('rate limits are counted per process')
  } finally {
    await stack.sql`alter table rate_counts_away rename to rate_counts`
    await alone.close()
  }
})

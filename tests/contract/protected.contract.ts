import { afterAll, beforeAll, expect, test } from 'vitest'

import { FILE_TOKEN_LIFETIME_S } from '#domain/limits.ts'
import { businesses } from '#domain/business.ts'

import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { startStack, type Stack } from '../support/stack.ts'

// Protected files (record interface 4.4). The product has no protected field. Because declarations are data, this test
// protects the logo before the server starts, and afterwards releases it for the files that share the process.

let stack: Stack
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
let stranger: Awaited<ReturnType<typeof newOwnerWithSite>>
let logo: string
let photo: string
beforeAll(async () => {
  Object.assign(businesses.fields.logo, { protected: true })
  stack = await startStack()
  owner = await newOwnerWithSite(stack.url)
  stranger = await newOwnerWithSite(stack.url)
  const business = await owner.client
    .collection('businesses')
    .update(owner.business.id, { logo: await makePhoto('logo.png', { type: 'png' }) })
  const site = await owner.client
    .collection('sites')
    .update(owner.site.id, { photos: [await makePhoto('photo.jpg')] })
  logo = owner.client.files.getURL(business, String(business['logo']))
  photo = owner.client.files.getURL(site, (site['photos'] as string[])[0] ?? '')
})
afterAll(async () => {
  await stack.close()
  Object.assign(businesses.fields.logo, { protected: false })
})

const status = async (url: string, init?: RequestInit): Promise<number> =>
  (await fetch(url, init)).status

test('without a token the file is not found', async () => {
  const authorization = owner.client.authStore.token
  const answer = await fetch(logo)
  expect(answer.status).toBe(404)
  expect(await answer.json()).toEqual({
    status: 404,
    message: "The requested resource wasn't found.",
    data: {},
  })
  // The Authorization header is ignored, because pages contain file URLs.
  expect(await status(logo, { headers: { authorization } })).toBe(404)
  // A token of another kind grants no access, because URLs get shared.
  expect(await status(`${logo}?token=${authorization}`)).toBe(404)
  expect(await status(`${logo}?token=nonsense`)).toBe(404)
  expect(await status(`${logo}?thumb=100x100`)).toBe(404)
  expect(await status(logo, { method: 'HEAD' })).toBe(404)
})

test('the owner’s token grants access in every size, without caching', async () => {
  const token = await owner.client.files.getToken()
  for (const query of ['', '&thumb=100x100', '&download=1']) {
    const answer = await fetch(`${logo}?token=${token}${query}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  }
  const part = await fetch(`${logo}?token=${token}`, { headers: { range: 'bytes=0-1' } })
  expect([part.status, part.headers.get('cache-control')]).toEqual([206, 'private, no-store'])
})

test('another user’s token grants no access', async () => {
  const token = await stranger.client.files.getToken()
  expect(await status(`${logo}?token=${token}`)).toBe(404)
})

test('a file token works for files only, and is short-lived', async () => {
  const token = await owner.client.files.getToken()
  const [, payload = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  expect(claims).toMatchObject({ id: owner.id, type: 'file', collectionId: '_pb_users_auth_' })
  const left = Number(claims['exp']) - Date.now() / 1000
  expect(left).toBeGreaterThan(FILE_TOKEN_LIFETIME_S - 20)
  expect(left).toBeLessThanOrEqual(FILE_TOKEN_LIFETIME_S)
  const list = await fetch(`${stack.url}/api/collections/sites/records`, {
    headers: { authorization: token },
  })
  expect(await list.json()).toMatchObject({ totalItems: 0 })
})

test('a file token ends with its session', async () => {
  const token = await owner.client.files.getToken()
  const [{ session } = { session: '' }] = await stack.sql<{ session: string }[]>`
    delete from sessions where "user" = ${owner.id} returning id as session`
  expect(session).not.toBe('')
  expect(await status(`${logo}?token=${token}`)).toBe(404)
  await expect(owner.client.files.getToken()).rejects.toMatchObject({
    status: 401,
    response: { message: 'The request requires valid record authorization token.' },
  })
})

test('a guest gets no token', async () => {
  const answer = await fetch(`${stack.url}/api/files/token`, { method: 'POST' })
  expect(answer.status).toBe(401)
})

test('unprotected files need no token', async () => {
  expect(await status(photo)).toBe(200)
  const answer = await fetch(`${photo}?token=nonsense`)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ])
})

import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import type PocketBase from 'pocketbase'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { fromBufferPromise } from 'yauzl'

import { OWNED } from '#domain/owned.ts'
import { API } from '#domain/paths.ts'

import { signInThroughPage } from '../../scripts/provider/sign-in.ts'
import { provideEventSource, TestEventSource } from '../support/event-source.ts'
import { makePhoto } from '../support/images.ts'
import { bringIn } from '../support/imports.ts'
import { holdLock, waitForLock } from '../support/locks.ts'
import { connectorBody, newOwnerWithSite, siteBody, tariffBody } from '../support/owner.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { fileOf, station } from '../support/station-file.ts'

// A user's own account (spec 10): ending every session, exporting everything, and deleting everything.

let stack: Stack
let there: Stack
beforeAll(async () => {
  provideEventSource()
  stack = await startStack()
  there = await startStack({ beside: stack })
})
afterAll(async () => {
  for (const source of TestEventSource.opened.splice(0)) source.close()
  await there.close()
  await stack.close()
})

const post = (path: string, token = '', method = 'POST'): Promise<Response> =>
  fetch(`${stack.url}${path}`, { method, headers: { authorization: token } })

/** Signs the same person in on another device, at another server. */
const again = async (email: string): Promise<PocketBase> => {
  const { client } = await signInThroughPage(stack.url, { name: 'Ada Byron', email })
  client.baseURL = there.url
  client.autoCancellation(false)
  return client
}

/** The token counts as a guest now: it can neither read nor write, nor be refreshed. */
const expectDead = async (token: string, userId: string): Promise<void> => {
  expect((await post('/api/collections/users/auth-refresh', token)).status).toBe(401)
  expect((await post('/api/files/token', token)).status).toBe(401)
  expect((await post('/api/collections/users/end-sessions', token)).status).toBe(401)
  expect((await post('/api/export', token, 'GET')).status).toBe(401)
  expect((await post(`/api/collections/users/records/${userId}`, token, 'DELETE')).status).toBe(404)
  for (const { name } of [...OWNED, { name: 'changes' }]) {
    const list = await post(`/api/collections/${name}/records`, token, 'GET')
    expect(await list.json()).toMatchObject({ totalItems: 0 })
  }
}

const isAlive = async (token: string): Promise<boolean> =>
  (await post('/api/collections/users/auth-refresh', token)).status === 200

test('"log out everywhere" ends every session of the account, and no others', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const other = await newOwnerWithSite(stack.url)
  const otherSession = await again(owner.email)
  const tokens = [owner.client.authStore.token, otherSession.authStore.token]
  const fileToken = await otherSession.files.getToken()

  await otherSession.collection('sites').subscribe('*', () => {})
  await other.client.collection('sites').subscribe('*', () => {})
  const [stream, foreign] = TestEventSource.opened.slice(-2)

  const guest = await post('/api/collections/users/end-sessions')
  expect([guest.status, await guest.json()]).toMatchObject([401, { status: 401 }])
  const wrong = await post('/api/collections/_superusers/end-sessions', tokens[0])
  expect(wrong.status).toBe(403)
  expect(await isAlive(tokens[0] ?? '')).toBe(true)

  const done = await post('/api/collections/users/end-sessions', tokens[0])
  expect([done.status, done.headers.get('cache-control')]).toEqual([204, 'no-store'])
  for (const token of tokens) await expectDead(token, owner.id)
  expect((await post(`/api/export?token=${fileToken}`, '', 'GET')).status).toBe(401)
  // Its stream was connected to the other server.
  await vi.waitUntil(() => stream?.isOver, 10_000)

  expect(await isAlive(other.client.authStore.token)).toBe(true)
  expect(foreign?.isOver).toBe(false)
  // Only the sessions have ended.
  expect(await (await again(owner.email)).collection('sites').getFullList()).toHaveLength(1)
})

/** Opens an archive with an independent reader, which checks its checksums and sizes. */
const unzip = async (archive: Buffer): Promise<Map<string, Buffer>> => {
  const opened = await fromBufferPromise(archive, { validateEntrySizes: true })
  const files = new Map<string, Buffer>()
  for await (const entry of opened.eachEntry())
    files.set(entry.fileName, await buffer(await opened.openReadStreamPromise(entry)))
  return files
}

test('"log out everywhere" also ends a session that is being refreshed', async () => {
  const { client, id, email } = await newOwnerWithSite(stack.url)
  const otherSession = await again(email)
  // The refresh stores the language, and here it waits for another transaction that changes it.
  const release = await holdLock(
    stack.sql,
    (transaction) =>
      transaction`update user_languages set language = language where "user" = ${id}`,
  )
  const renewing = otherSession.collection('users').authRefresh()
  await waitForLock(stack.sql, 'into user_languages')
  const ending = client.send(API.endSessions('users'), { method: 'POST' })
  await Promise.race([ending, waitForLock(stack.sql, 'end_sessions')])
  await release()
  await ending
  // Either the refresh fails, or its new token is invalid.
  const token = await renewing.then(
    (renewed) => renewed.token,
    () => '',
  )
  expect(await isAlive(token)).toBe(false)
})

test('"download my data" returns one archive with every record and every file of the account, and nothing else', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const stranger = await newOwnerWithSite(stack.url)
  const { client, business, site } = owner
  await stranger.client
    .collection('sites')
    .update(stranger.site.id, { photos: [await makePhoto('foreign.jpg')] })
  const branded = await client
    .collection('businesses')
    .update(business.id, { logo: await makePhoto('logo.png', { type: 'png' }) })
  const photos = [await makePhoto('front.jpg'), await makePhoto('bays.webp', { type: 'webp' })]
  const named = await client
    .collection('sites')
    .update(site.id, { name: '../Straße „1“/..\\x', photos })
  const tariff = await client.collection('tariffs').create(tariffBody(business.id))
  // More than one page.
  for (let sent = 0; sent < 600; sent += 200) {
    const batch = client.createBatch()
    for (let each = 0; each < 200; each += 1)
      batch.collection('connectors').create(connectorBody(site.id))
    await batch.send()
  }
  await client.collection('sites').create({ ...siteBody(business.id), name: 'Pier' })

  const address = `${stack.url}/api/export?token=${await client.files.getToken()}`
  const answer = await fetch(address)
  expect(answer.status).toBe(200)
  const head = await fetch(address, { method: 'HEAD' })
  expect(head.status).toBe(200)
  for (const name of ['content-type', 'cache-control', 'content-disposition', 'content-length'])
    expect([name, head.headers.get(name)]).toEqual([name, answer.headers.get(name)])
  expect((await fetch(`${stack.url}/api/export`, { method: 'HEAD' })).status).toBe(401)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="voltleaf-\d{4}-\d\d-\d\d\.zip"$/,
  )
  const files = await unzip(Buffer.from(await answer.arrayBuffer()))

  const text = files.get('data.json')?.toString() ?? ''
  const data = JSON.parse(text) as Record<string, Record<string, unknown>[]>
  expect(Object.keys(data)).toEqual([...OWNED.map(({ name }) => name), 'import_rows', 'changes'])
  expect(data['tariffs']).toEqual([tariff])
  expect(data['users']).toEqual([await client.collection('users').getOne(owner.id)])
  expect(data['businesses']).toEqual([branded])
  expect(data['sites']).toEqual(await client.collection('sites').getFullList({ sort: 'id' }))
  expect(data['connectors']).toEqual(
    await client.collection('connectors').getFullList({ sort: 'id' }),
  )
  expect(data['connectors']).toHaveLength(601)
  expect(data['changes']).toEqual(await client.collection('changes').getFullList({ sort: 'id' }))
  expect(data['changes']?.length).toBeGreaterThan(601)
  expect(text).not.toContain(client.authStore.token)
  expect(text).not.toMatch(/password|tokenKey|secret/i)
  expect(text).not.toContain(stranger.id)

  const stored = [branded['logo'] as string, ...(named['photos'] as string[])]
  expect([...files.keys()].toSorted()).toEqual(
    [
      'data.json',
      `businesses/Harbour-Lane-Hotels-${business.id}/${stored[0]}`,
      `sites/Straße-1-x-${site.id}/${stored[1]}`,
      `sites/Straße-1-x-${site.id}/${stored[2]}`,
    ].toSorted(),
  )
  for (const [path, bytes] of files) {
    if (path === 'data.json') continue
    const [collection = '', , name = ''] = path.split('/')
    const record = collection === 'sites' ? named : branded
    const served = await fetch(client.files.getURL(record, name))
    expect([path, bytes.equals(Buffer.from(await served.arrayBuffer()))]).toEqual([path, true])
  }

  // The request also works with the header, and is refused without a session.
  expect((await post('/api/export', client.authStore.token, 'GET')).status).toBe(200)
  expect((await post('/api/export', '', 'GET')).status).toBe(401)
  expect((await post('/api/export?token=nonsense', client.authStore.token, 'GET')).status).toBe(401)
})

test('an archive is truncated if the session ends during the download', async () => {
  const { client, id, site } = await newOwnerWithSite(stack.url)
  // Larger than the buffers along the way.
  const photo = (name: string) => makePhoto(name, { width: 4000, height: 3000, type: 'png' })
  await client
    .collection('sites')
    .update(site.id, { photos: [await photo('a.png'), await photo('b.png')] })
  const folder = join(stack.dataDir, 'storage', 'sites', site.id)
  for (const name of await readdir(folder))
    await writeFile(join(folder, name), randomBytes(16 * 1024 * 1024))
  const answer = await post('/api/export', client.authStore.token, 'GET')
  const reader = answer.body?.getReader()
  await reader?.read()
  await stack.sql`delete from sessions where "user" = ${id}`
  const readAll = async () => {
    while ((await reader?.read())?.done === false);
  }
  await expect(readAll()).rejects.toThrow('terminated')
})

test('"delete my account" deletes every row, every file and every session', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const other = await newOwnerWithSite(stack.url)
  const otherSession = await again(owner.email)
  const { client, business, site } = owner
  await client
    .collection('sites')
    .update(site.id, { photos: [await makePhoto('a.jpg'), await makePhoto('b.jpg')] })
  await client
    .collection('businesses')
    .update(business.id, { logo: await makePhoto('logo.png', { type: 'png' }) })
  const path = `/api/collections/users/records/${owner.id}`

  expect((await post(path, other.client.authStore.token, 'DELETE')).status).toBe(404)
  expect((await post(path, '', 'DELETE')).status).toBe(404)
  expect(await isAlive(client.authStore.token)).toBe(true)

  await client.collection('users').delete(owner.id)
  const [left] = await stack.sql`
    select (select count(*)::int from users where id = ${owner.id}) as users,
      (select count(*)::int from businesses where id = ${business.id}) as businesses,
      (select count(*)::int from sites where business = ${business.id}) as sites,
      (select count(*)::int from connectors where site = ${site.id}) as connectors,
      (select count(*)::int from sessions where "user" = ${owner.id}) as sessions,
      (select count(*)::int from external_auths where "user" = ${owner.id}) as identities,
      (select count(*)::int from changes c where c::text like '%' || ${owner.id} || '%') as changes`
  expect(left).toEqual({
    users: 0,
    businesses: 0,
    sites: 0,
    connectors: 0,
    sessions: 0,
    identities: 0,
    changes: 0,
  })
  for (const token of [client.authStore.token, otherSession.authStore.token])
    await expectDead(token, owner.id)
  const stored = async (folder: string): Promise<string[]> =>
    readdir(join(stack.dataDir, 'storage', folder)).catch(() => [])
  await vi.waitFor(async () => {
    expect(await stored(`sites/${site.id}`)).toEqual([])
    expect(await stored(`businesses/${business.id}`)).toEqual([])
  }, 10_000)

  // The other account is unchanged, and a new sign-in creates a new account.
  expect(await other.client.collection('connectors').getFullList()).toHaveLength(1)
  const anew = await again(owner.email)
  expect(anew.authStore.record?.id).not.toBe(owner.id)
  expect(await anew.collection('businesses').getFullList()).toEqual([])
})

describe('a write that takes longer than a statement may', () => {
  const STATEMENT_MS = 1000
  /** Delays each statement that does so to rows of the table, also as part of another one. */
  const delay = async (action: 'update' | 'delete', table: string): Promise<void> => {
    await stack.sql.unsafe(`
      create function delayed_${table}() returns trigger language plpgsql as
        'begin perform pg_sleep(${(2 * STATEMENT_MS) / 1000}); return null; end';
      create trigger delayed after ${action} on ${table}
        for each statement execute function delayed_${table}()`)
    onTestFinished(
      async () => void (await stack.sql.unsafe(`drop function delayed_${table} cascade`)),
    )
  }
  /** An owner at a server with a short timeout for statements. */
  const hasten = async () => {
    const owner = await newOwnerWithSite(stack.url)
    const limits = { statementMs: STATEMENT_MS, databaseAnswerMs: 1.5 * STATEMENT_MS }
    const hasty = await startStack({ beside: stack, limits })
    onTestFinished(() => hasty.close())
    owner.client.baseURL = hasty.url
    return { ...owner, logged: hasty.logged }
  }

  test('fails if it concerns one site', async () => {
    const { client, site } = await hasten()
    await delay('delete', 'connectors')
    await expect(client.collection('sites').delete(site.id)).rejects.toMatchObject({ status: 503 })
    expect(await client.collection('sites').getFullList()).toHaveLength(1)
  })

  test('succeeds if it deletes an account or a business with all of its sites', async () => {
    const [one, other] = [await hasten(), await hasten()]
    await delay('delete', 'connectors')
    await one.client.collection('businesses').delete(one.business.id)
    expect(await one.client.collection('connectors').getFullList()).toEqual([])
    await other.client.collection('users').delete(other.id)
    await expectDead(other.client.authStore.token, other.id)
    expect([...one.logged, ...other.logged]).toEqual([])
  })

  test('succeeds if it renames a business with all of its public sites, or changes their price', async () => {
    const { client, business, site } = await hasten()
    const tariff = await client.collection('tariffs').create(tariffBody(business.id))
    await client.collection('sites').update(site.id, { tariff: tariff.id })
    await delay('update', 'place_docs')
    await client.collection('businesses').update(business.id, { name: 'Quay Hotels' })
    await client.collection('tariffs').update(tariff.id, { currency: 'GBP' })
    const read = await fetch(`${stack.url}${API.publicSite(site.id)}`)
    expect(await read.json()).toMatchObject({
      business: { name: 'Quay Hotels' },
      tariffs: [{ currency: 'GBP' }],
    })
  })
})

test('the export of an account contains every row of its imports', async () => {
  const { client } = await newOwnerWithSite(stack.url)
  const names = Array.from({ length: 150 }, (_, index) => `E${index}`)
  await bringIn(client, fileOf(names.map((name) => station(name))))
  const answer = await fetch(`${stack.url}/api/export?token=${await client.files.getToken()}`)
  const files = await unzip(Buffer.from(await answer.arrayBuffer()))
  const data = JSON.parse(files.get('data.json')?.toString() ?? '') as Record<string, unknown[]>
  expect(data['import_rows']).toHaveLength(150)
})

import { rename } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { API, SERVICE_API } from '#domain/paths.ts'
import { SITES, USERS } from '#domain/collection.ts'

import { randomText } from '../../server/db/random.ts'
import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite, siteBody } from '../support/owner.ts'
import { FAULTY, startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { addUp, meet, within, type Ask, type CodedError } from './faults.ts'
import { times } from './figures.ts'

// The disk with the files is full, broken, locked, read-only or gone; and the clock jumps.

/** Each round adds a photo, and a site can have 20. */
const ROUNDS = times(1, 2)
const HOUR_MS = 60 * 60 * 1000

let stack: Stack
let server: SecondProcess
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
let photo: File
beforeAll(async () => {
  stack = await startStack()
  server = await startSecondProcess(stack, { ...FAULTY, RATE_LIMITS: 'on' })
  owner = await newOwnerWithSite(stack.url)
  photo = await makePhoto('new.jpg', { width: 64, height: 48 })
  await owner.client.collection(SITES).update(owner.site.id, { photos: [photo] })
})
afterAll(async () => {
  await server.close()
  await stack.close()
})

const photos = async (): Promise<string[]> =>
  (await owner.client.collection(SITES).getOne(owner.site.id))['photos'] as string[]

const upload = (method: string, path: string, fields: object = {}) => {
  const key = randomText(20)
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value))
  body.append('photos', photo)
  return (url: string) =>
    fetch(url + path, {
      method,
      headers: { authorization: owner.client.authStore.token, 'idempotency-key': key },
      body,
    })
}
const get = (path: string) => (url: string) =>
  fetch(url + path, { headers: { authorization: owner.client.authStore.token } })

const prepareAsks = async (): Promise<Ask[]> => [
  {
    name: 'upload',
    send: upload('PATCH', API.record(SITES, owner.site.id)),
    during: 503,
  },
  {
    name: 'create',
    send: upload('POST', API.records(SITES), siteBody(owner.business.id)),
    during: 503,
  },
  {
    name: 'photo',
    send: get(API.file(SITES, owner.site.id, (await photos())[0] ?? '')),
    during: 200,
  },
  // Requests that succeed without files.
  { name: 'list', send: get(API.records(SITES)), during: 200 },
  { name: 'page', send: get('/'), during: 200 },
]

const below = (name: string): string => join(stack.dataDir, name)
const planted = (
  name: string,
  code: string,
  folder: string,
  during: Readonly<Record<string, number>> = {},
): CodedError => ({
  name,
  begin: () =>
    server.fail({ disk: { folder: below(folder), code, reads: during['photo'] === 503 } }),
  end: () => server.fail({}),
  during: { ready: 200, ...during },
})

const FAULTS: readonly CodedError[] = [
  planted('full', 'ENOSPC', ''),
  planted('full for this account', 'EDQUOT', ''),
  planted('locked', 'EACCES', ''),
  planted('read-only', 'EROFS', 'storage'),
  planted('broken', 'EIO', 'storage', { photo: 503 }),
  planted('out of handles', 'EMFILE', '', { photo: 503 }),
  {
    name: 'without the folder for temporary files',
    begin: () => rename(below('tmp'), below('tmp-away')),
    end: () => rename(below('tmp-away'), below('tmp')),
  },
]

const sum = addUp('Faults of the disk')
afterAll(() => sum.report())

test.each(FAULTS)('a disk that is $name', async (fault) => {
  for (let round = 0; round < ROUNDS; round++) {
    const before = await photos()
    const outcome = await meet(
      {
        server,
        dataDir: stack.dataDir,
        asks: await prepareAsks(),
        connections: () => 0,
        mostKept: 0,
        ...(fault.during?.['ready'] === undefined && { unready: 'files' }),
      },
      fault,
    )
    sum.add(outcome)
    expect(outcome.problems).toEqual([])
    expect(await photos()).toHaveLength(before.length + 1)
    expect((await stack.stored.names(`sites/${owner.site.id}`)).length).toBe(before.length + 1)
  }
})

const clock = addUp('Jumps of the clock')
afterAll(() => clock.report())

test.each([
  ['an hour ahead', HOUR_MS],
  ['an hour back', -HOUR_MS],
  ['ten minutes ahead', HOUR_MS / 6],
])('a clock that jumps %s and back signs nobody out', async (name, clockMs) => {
  const { token } = owner.client.authStore
  const create = upload('POST', API.records(SITES), siteBody(owner.business.id))
  const first = await create(server.url)
  const refresh = async (): Promise<string> => {
    const answer = await fetch(server.url + API.authRefresh(USERS), {
      method: 'POST',
      headers: { authorization: token },
    })
    return ((await answer.json()) as { token: string }).token
  }
  const problems: string[] = []
  const look = async (when: string, tokens: readonly string[]): Promise<void> => {
    for (const each of tokens) {
      const answer = await fetch(server.url + API.records(SITES), {
        headers: { authorization: each },
      })
      const { items } = (await answer.json()) as { items?: unknown[] }
      if (!items?.length) problems.push(`${when}: ${answer.status}, ${items?.length} sites`)
    }
    const again = await create(server.url)
    if (again.headers.get('idempotency-replayed') !== 'true')
      problems.push(`${when}: the key is forgotten (${again.status})`)
    const ready = await within(async () => {
      const { status } = await fetch(server.url + SERVICE_API.ready)
      return status === 200 ? undefined : String(status)
    })
    if (ready !== undefined) problems.push(`${when}: not ready (${ready})`)
  }
  await server.fail({ clockMs })
  const during = await refresh()
  await look('meanwhile', [token, during])
  await server.fail({})
  await look('afterwards', [token, during, await refresh()])
  clock.add({ cells: 7, problems: problems.map((problem) => `${name}: ${problem}`) })
  expect(first.status).toBe(200)
  expect(problems).toEqual([])
})

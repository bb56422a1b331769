import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { SITES, USERS } from '#domain/collection.ts'
import { MiB } from '#domain/limits.ts'
import { API } from '#domain/paths.ts'
import { SMALL_BODY_BYTES } from '../../server/limits.ts'
import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite, siteBody } from '../support/owner.ts'
import { head, openRaw } from '../support/raw.ts'
import { startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'

// Load shedding: the server refuses excess requests immediately, and loses no admitted request.

const UPLOADS = 3
const LIMITS = {
  working: 40,
  waitingPerCaller: 36,
  uploads: UPLOADS + 1,
  uploadsPerCaller: UPLOADS,
  heldBytes: 16 * MiB,
}

let stack: Stack
let server: SecondProcess
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
beforeAll(async () => {
  stack = await startStack()
  owner = await newOwnerWithSite(stack.url)
  server = await startSecondProcess(stack, {}, LIMITS)
})
afterAll(async () => {
  await server.close()
  await stack.close()
})

const create = (name: string, ballast = ''): Promise<Response> =>
  fetch(`${server.url}/api/collections/sites/records`, {
    method: 'POST',
    headers: {
      authorization: owner.client.authStore.token,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ...siteBody(owner.business.id), name, ballast }),
  })

const countSites = async (name: string): Promise<number> => {
  const [row] = await stack.sql<[{ count: number }]>`
    select count(*)::int as count from sites where name = ${name}`
  return row.count
}

/** The peak memory of a process, in bytes; where that is unavailable, its current memory. */
const peakOf = (pid: number): number => {
  const file = `/proc/${pid}/status`
  const peak = existsSync(file) && /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1]
  return 1024 * Number(peak || execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString())
}

/** Sends requests while the table of sites is locked; releases the lock once `isFull`. */
const flood = async (count: number, name: string, ballast = ''): Promise<Response[]> => {
  const holder = await stack.sql.reserve()
  await holder`begin`
  await holder`lock table sites in exclusive mode`
  let refused = 0
  const answers = Array.from({ length: count }, async () => {
    const answer = await create(name, ballast)
    if (answer.status === 503) refused += 1
    return answer
  })
  try {
    // Refused requests do not wait for admitted ones.
    await expect.poll(() => refused, { timeout: 12_000 }).toBeGreaterThan(0)
    // Health checks are exempt.
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toContain('voltleaf_http_overload_total{reason=')
  } finally {
    await holder`rollback`
    holder.release()
  }
  return Promise.all(answers)
}

const expectRecovered = async (): Promise<void> => {
  const again = await Promise.all(Array.from({ length: 10 }, () => create('afterwards')))
  expect(again.map(({ status }) => status)).toEqual(Array(10).fill(200))
}

test('each of 200 requests to a stalled database succeeds or gets 503', async () => {
  const answers = await flood(200, 'held up')
  const done = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 503)
  expect(done.length + refused.length).toBe(200)
  expect(done.length).toBeGreaterThan(0)
  expect(await countSites('held up')).toBe(done.length)
  for (const answer of refused) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.json()).toMatchObject({ status: 503, data: {} })
  }
  await expectRecovered()
  console.log(
    `Overload: 200 sent, ${done.length} done, ${refused.length} told to come back, 0 lost`,
  )
})

test('requests of one account that wait for a lock do not delay other accounts', async () => {
  const [crowd, other] = [await newOwnerWithSite(stack.url), await newOwnerWithSite(stack.url)]
  const path = (id: string) => `${server.url}/api/collections/sites/records/${id}`
  const headers = (of: typeof owner) => ({
    authorization: of.client.authStore.token,
    'content-type': 'application/json',
  })
  const holder = await stack.sql.reserve()
  await holder`begin`
  await holder`select from sites where id = ${crowd.site.id} for update`
  let answered = 0
  const waiting = Array.from({ length: 20 }, async (_, index) => {
    const body = JSON.stringify({ cost: `${index}` })
    const answer = await fetch(path(crowd.site.id), {
      method: 'PATCH',
      headers: headers(crowd),
      body,
    })
    answered += 1
    return answer.status
  })
  try {
    const read = await fetch(path(other.site.id), { headers: headers(other) })
    const body = JSON.stringify({ cost: 'free' })
    const written = await fetch(path(other.site.id), {
      method: 'PATCH',
      headers: headers(other),
      body,
    })
    const listed = await fetch(`${server.url}/api/public/sites?near=55,-6`)
    expect([read.status, written.status, listed.status]).toEqual([200, 200, 200])
    // The account can still end its sessions, even if one of them floods the server.
    const ended = await fetch(`${server.url}${API.endSessions(USERS)}`, {
      method: 'POST',
      headers: { authorization: crowd.client.authStore.token },
    })
    expect(ended.status).toBe(204)
    expect(answered).toBe(0)
  } finally {
    await holder`rollback`
    holder.release()
  }
  // Requests in progress are completed; the others no longer have a session.
  const statuses = await Promise.all(waiting)
  expect(statuses.filter((status) => ![200, 401, 404].includes(status))).toEqual([])
  expect(statuses).toContain(404)
})

test('queued bodies do not fill the memory', async () => {
  const before = peakOf(server.pid)
  const answers = await flood(120, 'large', 'x'.repeat(2 * MiB))
  const done = answers.filter(({ status }) => status === 200).length
  expect(done + answers.filter(({ status }) => status === 503).length).toBe(120)
  // 16 MiB of bodies at the same time, raw and parsed.
  expect(done).toBeLessThanOrEqual(8)
  expect(await countSites('large')).toBe(done)
  const grownMiB = Math.round((peakOf(server.pid) - before) / MiB)
  expect(grownMiB).toBeLessThan(200)
  await expectRecovered()
  console.log(`Overload: 240 MiB sent, ${done} of 120 done, the memory grew by ${grownMiB} MiB`)
})

test('a form with a batch counts towards the bytes of all bodies', async () => {
  const form = new FormData()
  const url = `/api/collections/sites/records/${owner.site.id}`
  const requests = [{ method: 'PATCH', url, body: { cost: 'Free' } }]
  form.append('@jsonPayload', JSON.stringify({ requests, ballast: 'x'.repeat(9 * MiB) }))
  const heldBytes = async (): Promise<number> => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    return Number(/^voltleaf_http_held_bytes (\d+)/m.exec(metrics)?.[1])
  }
  const holder = await stack.sql.reserve()
  await holder`begin`
  await holder`lock table sites in exclusive mode`
  const answer = fetch(server.url + API.batch, {
    method: 'POST',
    headers: { authorization: owner.client.authStore.token },
    body: form,
  })
  try {
    await expect.poll(heldBytes).toBeGreaterThan(9 * MiB)
  } finally {
    await holder`rollback`
    holder.release()
  }
  expect((await answer).status).toBe(200)
  expect(await heldBytes()).toBe(0)
})

test('an account has a limit of concurrent uploads, which get 429 above it, and releases it', async () => {
  const path = `/api/collections/sites/records/${owner.site.id}`
  const photo = Buffer.from(
    await (await makePhoto('a.jpg', { width: 64, height: 64 })).arrayBuffer(),
  )
  // A short form does not count.
  const padding = `--edge\r\ncontent-disposition: form-data; name="padding"\r\n\r\n${'x'.repeat(SMALL_BODY_BYTES)}\r\n`
  const start = `${padding}--edge\r\ncontent-disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n`
  const end = '\r\n--edge--\r\n'
  const begin = async () => {
    const connection = await openRaw(server.url)
    connection.send(
      head('PATCH', path, {
        authorization: owner.client.authStore.token,
        'content-type': 'multipart/form-data; boundary=edge',
        'content-length': start.length + photo.length + end.length,
        connection: 'close',
      }) + start,
    )
    return connection
  }
  const under = []
  for (let i = 0; i < UPLOADS; i += 1) under.push(await begin())
  const metrics = async () => (await fetch(`${server.url}/metrics`)).text()
  const inFlight = async () =>
    /^voltleaf_http_in_flight\{kind="upload"\} (\d+)$/m.exec(await metrics())?.[1]
  await expect.poll(inFlight).toBe(String(UPLOADS))
  const excess = await begin()
  expect(await excess.until('\r\n\r\n')).toMatch(/^HTTP\/1.1 429[^]*retry-after: 2\r\n/)
  excess.close()
  // One account cannot set off an alarm for overload.
  expect(await metrics()).not.toMatch(/^voltleaf_\w*\{[^}]*"uploads"[^}]*\} [1-9]/m)
  // Requests without files are not affected.
  await expectRecovered()
  // One client disconnects during its upload, the others complete.
  under.pop()?.close()
  await expect.poll(inFlight).toBe(String(UPLOADS - 1))
  for (const connection of under) {
    connection.send(photo)
    connection.send(end)
    expect((await connection.ended()).slice(9, 12)).toBe('200')
  }
  await expect.poll(inFlight).toBe('0')
})

test.for(['GET', 'HEAD'])('a list that takes too long is refused for good: %s', async (method) => {
  const impatient = await startStack({ beside: stack, limits: { statementMs: 300 } })
  onTestFinished(() => impatient.close())
  const holder = await stack.sql.reserve()
  onTestFinished(async () => {
    await holder`rollback`
    holder.release()
  })
  await holder`begin`
  await holder`lock table sites in access exclusive mode`
  const headers = { authorization: owner.client.authStore.token }
  const refused = await fetch(`${impatient.url}${API.records(SITES)}`, { method, headers })
  expect(refused.status).toBe(400)
  expect(refused.headers.get('retry-after')).toBeNull()
})

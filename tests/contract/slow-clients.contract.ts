import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect, onTestFinished, test } from 'vitest'

import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { head, openRaw, type RawConnection } from '../support/raw.ts'
import { withStack } from '../support/fixtures.ts'
import { startStack } from '../support/stack.ts'

// The server disconnects deliberately slow clients, but not clients on a slow connection. The limits are small, so that
// tests reach them soon.

const LIMITS = {
  headersMs: 1000,
  stallMs: 1000,
  stallBytes: 2000,
  connections: 40,
  streams: 3,
}

const stack = await withStack({ limits: LIMITS })
const owner = await newOwnerWithSite(stack.url)

const statusOf = (answer: string): string => answer.slice(9, 12)
const gauge = async (name: string): Promise<number> => {
  const text = await (await fetch(`${stack.url}/metrics`)).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}
const recordPath = (): string => `/api/collections/sites/records/${owner.site.id}`
const authorization = (): string => owner.client.authStore.token

/** Sends a chunk repeatedly until the connection ends. */
const trickle = async (connection: RawConnection, piece: string | Buffer): Promise<string> => {
  const ended = connection.ended()
  while (!connection.socket.destroyed && connection.socket.writable) {
    connection.send(piece)
    await Promise.race([ended, sleep(50)])
  }
  return ended
}

test('unfinished headers time out', async () => {
  const silent = await openRaw(stack.url)
  const slow = await openRaw(stack.url)
  slow.send('GET /api/health HTTP/1.1\r\nhost: x\r\n')
  const answers = await Promise.all([silent.ended(), trickle(slow, 'x-more: x\r\n')])
  expect(answers.map(statusOf).filter((status) => status !== '')).toEqual(['408', '408'])
})

const FORM = 'multipart/form-data; boundary=edge'
const formHead = '--edge\r\ncontent-disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n'

test.each([
  ['JSON', 'application/json', '{"name":"'],
  ['a form', FORM, formHead],
])('a stalled body of %s is aborted and leaves no files', async (_, type, start) => {
  const connection = await openRaw(stack.url)
  connection.send(
    head('PATCH', recordPath(), {
      authorization: authorization(),
      'content-type': type,
      'content-length': 1_000_000,
    }) + start,
  )
  const answer = await trickle(connection, 'x')
  expect(statusOf(answer)).toBe('408')
  expect(answer).toContain('"message":"The request took too long."')
  expect(answer).toContain('x-content-type-options: nosniff')
  await expect.poll(() => readdir(join(stack.dataDir, 'tmp'))).toEqual([])
  const { name, photos } = await owner.client.collection('sites').getOne(owner.site.id)
  expect([name, photos]).toEqual([owner.site['name'], []])
})

test('an upload over a slow but steady connection completes', async () => {
  const photo = await makePhoto('slow.jpg', { width: 2400, height: 1800 })
  const bytes = Buffer.from(await photo.arrayBuffer())
  const end = '\r\n--edge--\r\n'
  const connection = await openRaw(stack.url)
  connection.send(
    head('PATCH', recordPath(), {
      authorization: authorization(),
      'content-type': FORM,
      'content-length': formHead.length + bytes.length + end.length,
      connection: 'close',
    }) + formHead,
  )
  // Three times as long as the stall timeout.
  const pieces = 60
  const size = Math.ceil(bytes.length / pieces)
  expect(size * 10).toBeGreaterThan(LIMITS.stallBytes)
  for (let at = 0; at < bytes.length; at += size) {
    connection.send(bytes.subarray(at, at + size))
    await sleep(60)
  }
  connection.send(end)
  expect(statusOf(await connection.ended())).toBe('200')
  const { photos } = await owner.client.collection('sites').getOne(owner.site.id)
  expect(photos).toHaveLength(1)
})

test('a response that the client does not read is aborted', async () => {
  const connection = await openRaw(stack.url)
  connection.socket.pause()
  // Larger than the buffers along the way.
  connection.send(head('GET', '/api/openapi.json').repeat(150))
  const TIMEOUT = { timeout: 30_000 }
  await expect.poll(() => gauge('voltleaf_http_stalled_total'), TIMEOUT).toBe(3)
  connection.socket.resume()
  const answers = (await connection.ended()).split('HTTP/1.1 200 OK').length - 1
  expect(answers).toBeGreaterThan(0)
  expect(answers).toBeLessThan(150)
})

test('the number of connections is limited; when some end, others are accepted', async () => {
  const opened = await Promise.all(
    Array.from({ length: LIMITS.connections + 10 }, () => openRaw(stack.url)),
  )
  const ask = async (connection: RawConnection): Promise<string> => {
    connection.send(head('GET', '/api/health'))
    return connection.until('API is healthy.').then(
      () => 'answered',
      () => 'closed',
    )
  }
  const outcomes = await Promise.all(opened.map(ask))
  const answered = outcomes.filter((outcome) => outcome === 'answered')
  expect(answered.length).toBeLessThanOrEqual(LIMITS.connections)
  expect(answered.length).toBeGreaterThan(0)
  expect(outcomes.filter((outcome) => outcome === 'closed').length).toBeGreaterThanOrEqual(10)
  for (const connection of opened) connection.close()
  await expect
    .poll(() =>
      fetch(`${stack.url}/api/health`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
})

test('the connections of one address are limited, except behind a trusted proxy', async () => {
  const limit = 5
  const status = async (url: string, localAddress: string): Promise<string> => {
    const connection = await openRaw(url, { localAddress })
    onTestFinished(() => connection.close())
    connection.send(head('GET', '/api/health'))
    return connection.until('API is healthy.').then(statusOf, () => 'closed')
  }
  for (const trustProxy of ['off', 'on']) {
    const server = await startStack({
      beside: stack,
      env: { TRUST_PROXY: trustProxy },
      limits: { connectionsPerAddress: limit },
    })
    onTestFinished(() => server.close())
    const first = Array.from({ length: limit }, () => status(server.url, '127.0.0.1'))
    expect(new Set(await Promise.all(first))).toEqual(new Set(['200']))
    expect(await status(server.url, '127.0.0.1')).toBe(trustProxy === 'on' ? '200' : 'closed')
    // Other systems have only one loopback address.
    const others = process.platform === 'linux' ? ['127.0.0.2'] : []
    for (const other of others) expect(await status(server.url, other)).toBe('200')
  }
})

test('the event streams of one address are limited', async () => {
  const open = () => fetch(`${stack.url}/api/realtime`)
  const streams = []
  for (let i = 0; i < LIMITS.streams; i += 1) streams.push(await open())
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
  const refused = await open()
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true])
  expect(await gauge('voltleaf_streams')).toBe(3)
  await streams[0]?.body?.cancel()
  await expect
    .poll(async () => {
      const another = await open()
      await another.body?.cancel()
      return another.status
    })
    .toBe(200)
  for (const { body } of streams.slice(1)) await body?.cancel()
})

import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

import PocketBase, { ClientResponseError } from 'pocketbase'
import { describe, expect, onTestFinished, test } from 'vitest'

import { IMPORT_API } from '#domain/import-paths.ts'
import { MiB } from '#domain/limits.ts'
import { API, SERVICE_API } from '#domain/paths.ts'
import { SITES, USERS } from '#domain/collection.ts'

import { openFaultyProxy } from '../support/faulty-proxy.ts'
import { makeNoise } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { head, openRaw } from '../support/raw.ts'
import { withStack } from '../support/fixtures.ts'

// A refusal reaches the client even while it is still sending the body.

const LIMITS = { uploads: 0, stallMs: 500, lingerMs: 2000, lingerBytes: 32 * MiB, lingering: 3 }

const stack = await withStack({ limits: LIMITS, env: { RATE_LIMITS: 'on' } })
const owner = await newOwnerWithSite(stack.url)

/**
 * Sends a long body to a path that responds with 429 before it reads a body. The server remembers for a second that the
 * limit of mails is reached; after that it reads the body and responds with 413.
 */
const sendWithoutMails = async (send: () => Promise<number>): Promise<void> => {
  const users = new PocketBase(stack.url).collection(USERS)
  const attempt = async (): Promise<number> => {
    for (let i = 0; i < 11; i += 1) await users.requestVerification('a@example.org').catch(() => {})
    return send()
  }
  await expect.poll(attempt, { timeout: 30_000 }).toBe(429)
}

const text = (bytes: number): string => JSON.stringify({ name: 'x'.repeat(bytes) })
const pasted = (bytes: number): string => JSON.stringify({ text: 'x'.repeat(bytes) })
const photos = (count: number): FormData => {
  const form = new FormData()
  for (let i = 0; i < count; i += 1) form.append('photos', makeNoise(`${i}.jpg`, 20 * MiB))
  return form
}
async function* stalled(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('{"name":"')
  await new Promise((resolve) => setTimeout(resolve, 60_000).unref())
}

const records = API.records(SITES)
const { imports } = IMPORT_API
const REFUSALS: readonly [string, number, string, boolean, () => RequestInit['body']][] = [
  ['JSON over the limit', 413, records, true, () => text(70 * MiB)],
  ['a form over the limit', 413, records, true, () => photos(4)],
  [
    'JSON over the limit, of no stated length',
    413,
    records,
    true,
    () => new Response(text(70 * MiB)).body,
  ],
  [
    'an import as JSON, over what is held of an account',
    413,
    imports,
    true,
    () => pasted(70 * MiB),
  ],
  [
    'such an import, of no stated length',
    413,
    imports,
    true,
    () => new Response(pasted(70 * MiB)).body,
  ],
  ['a pasted text over its limit, as JSON', 413, imports, true, () => pasted(9 * MiB)],
  ['a form of a guest', 401, records, false, () => photos(2)],
  ['JSON of a guest', 401, records, false, () => text(30 * MiB)],
  ['one mail too many', 429, API.requestVerification(USERS), false, () => text(30 * MiB)],
  ['one upload too many', 503, records, true, () => photos(2)],
  ['a body that has stopped', 408, records, true, () => stalled() as never],
]

describe('Node’s fetch reads', () => {
  test.each(REFUSALS)('the refusal of %s: %i', async (_, status, path, signedIn, body) => {
    const send = async (): Promise<number> => {
      const sent = body()
      const answer = await fetch(stack.url + path, {
        method: 'POST',
        headers: {
          ...(signedIn && { authorization: owner.client.authStore.token }),
          ...(!(sent instanceof FormData) && { 'content-type': 'application/json' }),
        },
        body: sent,
        duplex: 'half',
      } as RequestInit)
      expect(await answer.json()).toMatchObject({ status: answer.status })
      return answer.status
    }
    if (status === 429) return sendWithoutMails(send)
    // Several times, because a lost response would be a matter of timing.
    for (let i = 0; i < (status === 408 ? 1 : 3); i += 1) expect(await send()).toBe(status)
  })
})

const BOUNDARY = 'b'
const FORM = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="name"\r\n\r\nx\r\n--${BOUNDARY}--\r\n`

/** A few hundred bytes can decompress to gigabytes, so no limit on the body would bound the result. */
test.each([
  ['br', brotliCompressSync],
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['zstd', zstdCompressSync],
] as const)('a body compressed with %s is refused unread', async (encoding, compress) => {
  const bodies = [
    ['application/json', '{"name":"x"}'],
    [`multipart/form-data; boundary=${BOUNDARY}`, FORM],
  ] as const
  for (const [type, body] of bodies)
    for (const authorization of [owner.client.authStore.token, '']) {
      const answer = await fetch(`${stack.url}${API.record(SITES, owner.site.id)}`, {
        method: 'PATCH',
        headers: { authorization, 'content-type': type, 'content-encoding': encoding },
        body: compress(body),
      })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ message: 'Unsupported Content-Encoding.' })
    }
})

test('a body with the encoding identity is accepted', async () => {
  const answer = await fetch(`${stack.url}${API.record(SITES, owner.site.id)}`, {
    method: 'PATCH',
    headers: {
      authorization: owner.client.authStore.token,
      'content-type': 'application/json',
      'content-encoding': 'identity',
    },
    body: '{"name":"Identity Quay"}',
  })
  expect(await answer.json()).toMatchObject({ name: 'Identity Quay' })
})

/** The SDK sends forms and objects, whose bodies are complete before they are sent. */
const SENT_BY_SDK: readonly [string, number, string, boolean, () => FormData | object][] = [
  ['a record over the limit', 413, records, true, () => ({ name: 'x'.repeat(70 * MiB) })],
  ['a form over the limit', 413, records, true, () => photos(4)],
  ['a form of a guest', 401, records, false, () => photos(2)],
  [
    'one mail too many',
    429,
    API.requestVerification(USERS),
    false,
    () => ({ email: 'a@example.org', name: 'x'.repeat(30 * MiB) }),
  ],
  ['one upload too many', 503, records, true, () => photos(2)],
]

test.each(SENT_BY_SDK)(
  'the SDK reads the refusal of %s: %i',
  async (_, status, path, own, body) => {
    const client = own ? owner.client : new PocketBase(stack.url)
    const sent = body()
    const send = async (): Promise<number> => {
      const error = await client.send(path, { method: 'POST', body: sent }).catch((e: unknown) => e)
      expect(error).toBeInstanceOf(ClientResponseError)
      return (error as ClientResponseError).status
    }
    if (status === 429) return sendWithoutMails(send)
    expect(await send()).toBe(status)
  },
)

test('the SDK reads the refusal of a stalled body: 408', async () => {
  const { hostname, port } = new URL(stack.url)
  const proxy = await openFaultyProxy({ host: hostname, port: Number(port) })
  onTestFinished(() => proxy.close())
  await proxy.fail('stuck')
  const client = new PocketBase(`http://127.0.0.1:${proxy.port}`)
  client.authStore.save(owner.client.authStore.token)
  const sent = client.collection(SITES).create({ name: 'x'.repeat(20 * MiB) })
  await expect(sent).rejects.toMatchObject({ status: 408, response: { status: 408 } })
})

describe('a client that does not close the connection', () => {
  const beginRefused = async () => {
    const connection = await openRaw(stack.url, { allowHalfOpen: true })
    connection.send(
      head('POST', records, { 'content-type': 'application/json', 'content-length': 60 * MiB }),
    )
    await connection.until('HTTP/1.1 401')
    return connection
  }
  test('gets a short linger time, on a limited number of connections', async () => {
    const opened = await Promise.all(Array.from({ length: 5 }, beginRefused))
    const gone = (): number => {
      for (const { socket } of opened) if (socket.writable) socket.write('x')
      return opened.filter(({ socket }) => socket.destroyed).length
    }
    await expect.poll(gone).toBeGreaterThanOrEqual(opened.length - LIMITS.lingering)
    await expect.poll(gone).toBe(opened.length)
  })

  test('may send a limited amount', async () => {
    const connection = await beginRefused()
    const { socket } = connection
    const piece = Buffer.alloc(MiB)
    let sent = 0
    const pour = (): void => {
      do sent += 1
      while (socket.write(piece))
    }
    socket.on('drain', pour)
    pour()
    await connection.ended()
    // The bytes that were read, and those in the buffers along the way.
    expect(sent).toBeLessThan(55)
  })

  test('cannot begin another request', async () => {
    const connection = await beginRefused()
    connection.send(Buffer.alloc(60 * MiB))
    connection.send(head('GET', SERVICE_API.health))
    expect((await connection.ended()).split('HTTP/1.1').length - 1).toBe(1)
  })
})

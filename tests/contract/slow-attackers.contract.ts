import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { MAX_BODY_BYTES } from '#domain/limits.ts'
import { API, SERVICE_API } from '#domain/paths.ts'
import { SITES, USERS } from '#domain/collection.ts'

import { SMALL_BODY_BYTES } from '../../server/limits.ts'
import { makePhoto } from '../support/images.ts'
import { newOwner, newOwnerWithSite } from '../support/owner.ts'
import { head, openRaw, type RawConnection } from '../support/raw.ts'
import { startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'

// Slow bodies do not affect other owners: the tests time the requests of an owner.

const LIMITS = {
  uploads: 4,
  uploadsPerCaller: 2,
  uploadsPerAddress: 3,
  heldBytes: 4 * 1024 * 1024,
  heldBytesPerCaller: 2 * 1024 * 1024,
  heldBytesPerAddress: 3 * 1024 * 1024,
  paceMs: 500,
  working: 30,
}

let stack: Stack
let server: SecondProcess
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
let accounts: readonly string[]
let photo: File
beforeAll(async () => {
  stack = await startStack()
  owner = await newOwnerWithSite(stack.url)
  // Each request sets its client address.
  server = await startSecondProcess(stack, { TRUST_PROXY: 'true' }, LIMITS)
  const others = await Promise.all(Array.from({ length: 4 }, () => newOwner(stack.url)))
  accounts = others.map(({ client }) => client.authStore.token)
  photo = await makePhoto('a.jpg', { width: 900, height: 700 })
})
afterAll(async () => {
  await server.close()
  await stack.close()
})

const FORM = 'multipart/form-data; boundary=edge'
const JSON_TYPE = 'application/json'
const START = {
  [FORM]: '--edge\r\ncontent-disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n',
  [JSON_TYPE]: '{"name":"',
}

interface Attack {
  readonly path: string
  readonly type: typeof FORM | typeof JSON_TYPE
  /** The declared length of a body; 0 if it is not declared. */
  readonly bytes: number
  readonly connections: number
  /** The sender on the n-th connection, and the client address. */
  readonly token?: (index: number) => string | undefined
  readonly address: (index: number) => string
}

/** Opens the connections of an attack; each sends the beginning of a body, then almost nothing. */
const begin = async (attack: Attack): Promise<() => void> => {
  const { path, type, bytes, connections, token, address } = attack
  const opened: RawConnection[] = []
  for (let i = 0; i < connections; i += 1) {
    const connection = await openRaw(server.url)
    opened.push(connection)
    const authorization = token?.(i)
    connection.send(
      head('POST', path, {
        'x-forwarded-for': address(i),
        'content-type': type,
        ...(authorization !== undefined && { authorization }),
        ...(bytes > 0 ? { 'content-length': bytes } : { 'transfer-encoding': 'chunked' }),
      }) + (bytes > 0 ? START[type] : `${START[type].length.toString(16)}\r\n${START[type]}\r\n`),
    )
  }
  const trickle = setInterval(() => {
    for (const connection of opened)
      if (connection.socket.writable) connection.send(bytes > 0 ? 'x' : '1\r\nx\r\n')
  }, 20)
  return () => {
    clearInterval(trickle)
    for (const connection of opened) connection.close()
  }
}

const headers = (): Record<string, string> => ({
  authorization: owner.client.authStore.token,
  'x-forwarded-for': '192.0.2.1',
})

/** A sequence of requests by an owner: adds and removes a photo, sends a long batch, reads the list. */
const ownersDay = async (): Promise<number[]> => {
  const path = server.url + API.record(SITES, owner.site.id)
  const form = new FormData()
  form.append('photos', photo)
  form.append('padding', 'x'.repeat(SMALL_BODY_BYTES))
  const added = await fetch(path, { method: 'PATCH', headers: headers(), body: form })
  const { photos = [] } = (await added.json()) as { photos?: string[] }
  const removed = await fetch(path, {
    method: 'PATCH',
    headers: { ...headers(), 'content-type': JSON_TYPE },
    body: JSON.stringify({ 'photos-': photos }),
  })
  const batch = await fetch(server.url + API.batch, {
    method: 'POST',
    headers: { ...headers(), 'content-type': JSON_TYPE },
    body: JSON.stringify({
      requests: [
        { method: 'PATCH', url: API.record(SITES, owner.site.id), body: { cost: 'Free' } },
      ],
      padding: 'x'.repeat(1024 * 1024),
    }),
  })
  const list = await fetch(server.url + API.records(SITES), { headers: headers() })
  for (const answer of [removed, batch, list]) await answer.arrayBuffer()
  return [added, removed, batch, list].map(({ status }) => status)
}

/** The first resource that uploads still use; undefined once all are released. */
const inUse = async (): Promise<string | undefined> => {
  const metrics = await (await fetch(server.url + SERVICE_API.metrics)).text()
  return /^voltleaf_http_(held_bytes|in_flight\{kind="upload"\}) [^0]/m.exec(metrics)?.[0]
}

const ofGuests = (attack: Partial<Attack>): Attack => ({
  path: API.records(SITES),
  type: FORM,
  bytes: 60_000_000,
  connections: 60,
  address: (i) => `198.51.100.${i}`,
  ...attack,
})

describe('an owner is not affected by', () => {
  test.each<[string, () => Attack]>([
    ['guests that upload', () => ofGuests({})],
    ['guests that upload without a length', () => ofGuests({ bytes: 0 })],
    ['guests with long JSON', () => ofGuests({ type: JSON_TYPE })],
    ['guests with JSON of no declared length', () => ofGuests({ type: JSON_TYPE, bytes: 0 })],
    [
      'guests that sign in with a form of any length',
      () => ofGuests({ path: API.authWithPassword(USERS), bytes: 0 }),
    ],
    [
      'guests that sign in with a short form, slowly',
      () => ofGuests({ path: API.authWithPassword(USERS), bytes: SMALL_BODY_BYTES }),
    ],
    [
      'guests that sign in with short JSON, slowly',
      () =>
        ofGuests({ path: API.authWithPassword(USERS), type: JSON_TYPE, bytes: SMALL_BODY_BYTES }),
    ],
    ['guests that send to an unknown path', () => ofGuests({ path: '/api/nothing' })],
    ['one account with uploads from many addresses', () => ofGuests({ token: () => accounts[0] })],
    [
      'many accounts with uploads from one address',
      () => ofGuests({ token: (i) => accounts[i % 4], address: () => '198.51.100.1' }),
    ],
    [
      'addresses of one IPv6 network',
      () => ofGuests({ token: (i) => accounts[i % 4], address: (i) => `2001:db8::${i + 1}` }),
    ],
    [
      'one account with the longest allowed JSON',
      () => ofGuests({ type: JSON_TYPE, bytes: MAX_BODY_BYTES, token: () => accounts[0] }),
    ],
    [
      'two accounts with long JSON from many addresses',
      () => ofGuests({ type: JSON_TYPE, bytes: 1024 * 1024, token: (i) => accounts[i % 2] }),
    ],
  ])('%s', async (_, attack) => {
    const end = await begin(attack())
    try {
      expect(await ownersDay()).toEqual([200, 200, 200, 200])
    } finally {
      end()
    }
    // Otherwise the rest of this attack would add its guests to those of the next one.
    await expect.poll(inUse).toBeUndefined()
  })
})

test('if many accounts and addresses use all upload slots, the slow ones are aborted', async () => {
  const end = await begin(
    ofGuests({ connections: 4, token: (i) => accounts[i], address: (i) => `198.51.100.${i}` }),
  )
  try {
    await expect.poll(ownersDay).toEqual([200, 200, 200, 200])
  } finally {
    end()
  }
})

test('refused and aborted requests release all resources', async () => {
  const send = (type: string) =>
    fetch(server.url + API.records(SITES), {
      method: 'POST',
      headers: { ...headers(), 'content-type': type },
      body: new Response('x'.repeat(200_000)).body,
      duplex: 'half',
    } as RequestInit)
  for (const type of ['text/plain', FORM, JSON_TYPE]) expect((await send(type)).status).toBe(400)
  const end = await begin(ofGuests({ type: JSON_TYPE, bytes: 0, token: () => accounts[0] }))
  end()
  await expect.poll(inUse).toBeUndefined()
})

import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { API } from '#domain/paths.ts'
import { CONNECTORS, SITES, USERS } from '#domain/collection.ts'

import { openDatabase } from '../../server/db/open.ts'
import type { Sql } from '../../server/db/sql.ts'
import { startEmbeddedDatabase, type EmbeddedDatabase } from '../../server/db/embedded.ts'
import { randomText } from '../../server/db/random.ts'
import { openFaultyProxy, type FaultyProxy } from '../support/faulty-proxy.ts'
import { makePhoto } from '../support/images.ts'
import { connectorBody, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { makeTemporaryFolder } from '../support/temporary.ts'
import { addUp, meet, within, type Ask, type CodedError } from './faults.ts'
import { times } from './figures.ts'

// The database fails in realistic ways under a running server.

const ROUNDS = times(1, 5)
/** The pool and the listening connection. */
const MAX_CONNECTIONS = 7
/** Short, so that the tests are fast; the real limits are in `server/limits.ts`. */
const LIMITS = { statementMs: 600, databaseConnectMs: 600, databaseAnswerMs: 900 }

let folder: string
let database: EmbeddedDatabase
let admin: Sql
let locker: Sql
let proxy: FaultyProxy
let stack: Stack
let server: SecondProcess
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
let photo: File

const startDatabase = async (): Promise<string> => {
  database = await startEmbeddedDatabase({ dataDir: folder })
  admin = await openDatabase(database.place, { max: 1 })
  return 'socketPath' in database.place ? database.place.socketPath : ''
}

beforeAll(async () => {
  folder = await makeTemporaryFolder('faults')
  const socket = await startDatabase()
  // With a role to which the limits of the database apply.
  await admin`create role tenant login`
  await admin`create database faults owner tenant`
  proxy = await openFaultyProxy({ path: socket })
  const direct = `postgres://tenant@localhost/faults?host=${encodeURIComponent(dirname(socket))}`
  stack = await startStack({ env: { DATABASE_URL: direct } })
  const address = `postgres://tenant@127.0.0.1:${proxy.port}/faults`
  locker = await openDatabase({ url: direct }, { max: 1 })
  server = await startSecondProcess(stack, { DATABASE_URL: address }, LIMITS)
  owner = await newOwnerWithSite(stack.url)
  photo = await makePhoto('new.jpg', { width: 64, height: 48 })
  await owner.client.collection(SITES).update(owner.site.id, { photos: [photo] })
})
afterAll(async () => {
  await server.close()
  await locker.end()
  await stack.close()
  await proxy.close()
  await admin.end()
  await database.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Requests of every kind. Writes have idempotency keys, so that they can be repeated and count once. */
const prepareAsks = async (): Promise<Ask[]> => {
  const { client, site, business, id } = owner
  const { token } = client.authStore
  const doomed = await client.collection(CONNECTORS).create(connectorBody(site.id))
  const stored = await client.collection(SITES).getOne(site.id)
  const send = (method: string, path: string, body?: object) => {
    const key = randomText(20)
    return (url: string) =>
      fetch(url + path, {
        method,
        headers: {
          authorization: token,
          ...(method !== 'GET' && { 'idempotency-key': key }),
          ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
        },
        ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      })
  }
  const upload = new FormData()
  upload.append('photos', photo)
  const requests = [
    { method: 'POST', url: API.records(SITES), body: siteBody(business.id) },
    { method: 'PATCH', url: API.record(SITES, site.id), body: { 'vehicle_capacity+': 1 } },
  ]
  const reads: readonly (readonly [string, (url: string) => Promise<Response>])[] = [
    ['list', send('GET', API.records(SITES))],
    ['record', send('GET', API.record(SITES, site.id))],
    ['photo', send('GET', API.file(SITES, site.id, String(stored['photos'][0])))],
    ['export', send('GET', API.export)],
  ]
  const writes: readonly (readonly [string, (url: string) => Promise<Response>, number?])[] = [
    ['create', send('POST', API.records(SITES), siteBody(business.id))],
    ['sum', send('PATCH', API.record(SITES, site.id), { 'vehicle_capacity+': 1 })],
    ['upload', send('PATCH', API.record(SITES, site.id), upload)],
    ['delete', send('DELETE', API.record(CONNECTORS, doomed.id)), 204],
    ['batch', send('POST', API.batch, { requests })],
    ['user', send('PATCH', API.record(USERS, id), { onboarded: true })],
    ['refresh', send('POST', API.authRefresh(USERS))],
    [
      'mail',
      send('POST', API.requestPasswordReset(USERS), { email: `${randomText(9)}@a.example` }),
      204,
    ],
  ]
  return [
    ...reads.map(([name, ask]) => ({ name, send: ask, during: 503 })),
    ...writes.map(([name, ask, after = 200]) => ({ name, send: ask, during: 503, after })),
    // Requests that succeed without a database.
    { name: 'page', send: (url) => fetch(`${url}/`), during: 200 },
    { name: 'sign-in page', send: (url) => fetch(url + API.authMethods(USERS)), during: 200 },
  ]
}

const onTheWay = (fault: Parameters<FaultyProxy['fail']>[0] & string): CodedError => ({
  name: fault,
  begin: () => proxy.fail(fault),
  end: () => proxy.fail(undefined),
})

/** Closes existing connections, which do not use the new settings. */
const renew = async (): Promise<void> => {
  await proxy.fail('reset')
  await proxy.fail(undefined)
}

/** Waits until as many concurrent reads succeed as the pool has connections. */
const awaitReads = (url: string): Promise<string | undefined> =>
  within(async () => {
    const headers = { authorization: owner.client.authStore.token }
    const ask = async () => (await fetch(url + API.records(SITES), { headers })).status
    const statuses = await Promise.all(Array.from({ length: MAX_CONNECTIONS }, ask))
    return statuses.every((status) => status === 200) ? undefined : statuses.join()
  })

const READS = { list: 200, record: 200, photo: 200, export: 200, ready: 200 }

const FAULTS: readonly CodedError[] = [
  ...(['refused', 'reset', 'closed', 'silent', 'garbage'] as const).map(onTheWay),
  {
    name: 'killed',
    begin: async () => {
      const pid = Number(
        (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0],
      )
      await admin.end()
      process.kill(pid, 'SIGKILL')
      // Its child processes respond until they notice that it is gone.
      await within(async () => (proxy.connections() === 0 ? undefined : 'connected'))
    },
    end: async () => {
      await database.stop()
      await startDatabase()
    },
  },
  {
    name: 'too many connections',
    begin: async () => {
      await admin`alter role tenant connection limit 0`
      await renew()
    },
    end: () => admin`alter role tenant connection limit -1`,
  },
  {
    name: 'read-only, as after a failover',
    begin: async () => {
      await admin`alter database faults set default_transaction_read_only = on`
      await renew()
      await awaitReads(server.url)
    },
    end: async () => {
      await admin`alter database faults reset default_transaction_read_only`
      await renew()
    },
    during: READS,
  },
  {
    name: 'slow',
    begin: async () => {
      const held = Promise.withResolvers<void>()
      const taken = Promise.withResolvers<void>()
      release = held.resolve
      const locking = locker.begin(async (sql) => {
        await sql`lock table sites, users, connectors, sessions, mail_requests in access exclusive mode`
        taken.resolve()
        await held.promise
      })
      locking.catch(taken.reject)
      await taken.promise
    },
    end: async () => release(),
    // The requests do the same work after the wait.
    during: { list: 400, record: 400, photo: 400, export: 400, ready: 200 },
  },
]
let release = (): void => {}

const sum = addUp('Faults of the database')
afterAll(() => sum.report())

test.each(FAULTS)('a database that is $name', async (fault) => {
  for (let round = 0; round < ROUNDS; round++) {
    const { photos } = await owner.client.collection(SITES).getOne(owner.site.id)
    // Each round adds a photo, and a site can have 20.
    const before = await owner.client
      .collection(SITES)
      .update(owner.site.id, { photos: (photos as string[]).slice(0, 1) })
    const outcome = await meet(
      {
        server,
        dataDir: stack.dataDir,
        asks: await prepareAsks(),
        connections: () => proxy.connections(),
        mostKept: MAX_CONNECTIONS,
        unready: 'database',
      },
      fault,
    )
    sum.add(outcome)
    expect(outcome.problems).toEqual([])
    // The other server got no requests meanwhile, and may still have connections to a killed database.
    expect(await awaitReads(stack.url)).toBe(undefined)
    const after = await owner.client.collection(SITES).getOne(owner.site.id)
    expect(after['photos']).toHaveLength((before['photos'] as string[]).length + 1)
    expect(after['vehicle_capacity']).toBe(Number(before['vehicle_capacity']) + 2)
  }
})

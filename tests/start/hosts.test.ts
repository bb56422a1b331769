import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { API } from '#domain/paths.ts'
import { SITES } from '#domain/collection.ts'

import { connect } from '../../server/db/connect.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Sql } from '../../server/db/sql.ts'
import { openFaultyProxy } from '../support/faulty-proxy.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { startPair, type Pair } from '../support/tcp-postgres.ts'
import { startStack } from '../support/stack.ts'
import { until } from './launch.ts'

// Real PostgreSQL servers with TLS, in URLs with one and with several hosts.

const TIMEOUT = { connectMs: 1000, answerMs: 1000 }

let pair: Pair
beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.close())

const address = (hosts: string, query: string): string =>
  `postgres://voltleaf@${hosts}/voltleaf?${query}`
const at = ({ port }: { readonly port: number }): string => `127.0.0.1:${port}`

const open = async (url: string): Promise<Sql> => {
  const sql = await openDatabase({ url }, { max: 2, timeouts: TIMEOUT })
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}

test('every request to a frozen database behind TLS gets a response', async () => {
  const stack = await startStack({
    env: { DATABASE_URL: address(at(pair.primary), 'sslmode=require') },
    limits: { databaseConnectMs: 600, databaseAnswerMs: 900 },
  })
  onTestFinished(() => stack.close())
  const { client, site } = await newOwnerWithSite(stack.url)
  const headers = { authorization: client.authStore.token, 'content-type': 'application/json' }
  const send = async (path: string, init: RequestInit = {}): Promise<number> =>
    (await fetch(stack.url + path, { ...init, headers })).status
  const write = { method: 'PATCH', body: JSON.stringify({ cost: 'Free' }) }
  const [row] = await stack.pool<[{ ssl: boolean }]>`
      select ssl from pg_stat_ssl where pid = pg_backend_pid()`
  expect(row.ssl).toBe(true)

  await pair.primary.freeze()
  try {
    const asks = Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0 ? send(API.record(SITES, site.id), write) : send(API.records(SITES)),
    )
    expect(new Set(await Promise.all(asks))).toEqual(new Set([503]))
    // New connections fail, too.
    expect(await send(API.records(SITES))).toBe(503)
  } finally {
    pair.primary.thaw()
  }
  await until(async () => (await send(API.record(SITES, site.id), write)) === 200)
})

test('the certificate is verified if the URL asks for it', async () => {
  const hosts = at(pair.primary)
  const root = encodeURIComponent(pair.certificate)
  const sql = await open(address(hosts, `sslmode=verify-full&sslrootcert=${root}`))
  expect(await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`).toEqual([
    { ssl: true },
  ])
  await expect(open(address(hosts, 'sslmode=verify-full'))).rejects.toThrow(
    /^The database at DATABASE_URL .* cannot be used: self-signed certificate/,
  )
})

test.each(['primary', 'read-write'])(
  'the writable one of several hosts is chosen: target_session_attrs=%s',
  async (target) => {
    const hosts = `127.0.0.1:1,${at(pair.standby)},${at(pair.primary)}`
    const sql = await open(address(hosts, `sslmode=require&target_session_attrs=${target}`))
    const rows = await sql`select pg_is_in_recovery() as copy, inet_server_port() as port`
    expect(rows).toEqual([{ copy: false, port: pair.primary.port }])
  },
)

test('requests get 503 while the writable host is gone', async () => {
  const proxy = await openFaultyProxy({ host: '127.0.0.1', port: pair.primary.port })
  onTestFinished(() => proxy.close())
  const hosts = `${at(proxy)},${at(pair.standby)}`
  const stack = await startStack({
    env: { DATABASE_URL: address(hosts, 'sslmode=require&target_session_attrs=read-write') },
    limits: { databaseConnectMs: 600 },
  })
  onTestFinished(() => stack.close())
  const { client } = await newOwnerWithSite(stack.url)
  const headers = { authorization: client.authStore.token }
  const ask = async (): Promise<number> =>
    (await fetch(stack.url + API.records(SITES), { headers })).status
  expect(await ask()).toBe(200)
  await proxy.fail('refused')
  const statuses = []
  for (let turn = 0; turn < 10; turn++) statuses.push(await ask())
  expect(new Set(statuses)).toEqual(new Set([503]))
  await proxy.fail(undefined)
  await until(async () => (await ask()) === 200)
})

test('several unusable hosts are reported in one sentence', async () => {
  const hosts = `127.0.0.1:1,${at(pair.standby)}`
  const url = address(hosts, 'sslmode=require&target_session_attrs=read-write')
  await expect(open(url)).rejects.toThrow(
    new RegExp(`^The database at DATABASE_URL \\(postgres://voltleaf@${hosts}/voltleaf\\) cannot `),
  )
})

test('the server waits for a database that starts later', async () => {
  const proxy = await openFaultyProxy({ host: '127.0.0.1', port: pair.primary.port })
  onTestFinished(() => proxy.close())
  await proxy.fail('refused')
  const said: string[] = []
  const onWait = (sentence: string): void => {
    said.push(sentence)
    void proxy.fail(undefined)
  }
  const url = address(at(proxy), 'sslmode=prefer')
  const sql = await openDatabase({ url }, { max: 1, waitMs: 30_000, onWait })
  onTestFinished(() => sql.end({ timeout: 1 }))
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  expect(said).toHaveLength(1)
})

test('a server without TLS is refused if the URL requires it', async () => {
  const proxy = await openFaultyProxy({ host: '127.0.0.1', port: pair.primary.port })
  onTestFinished(() => proxy.close())
  await proxy.fail('garbage')
  const sql = connect({ url: address(at(proxy), 'sslmode=require') }, { max: 1, timeouts: TIMEOUT })
  onTestFinished(() => sql.end({ timeout: 1 }))
  await expect(sql`select 1`).rejects.toMatchObject({ code: 'ECONNRESET' })
})

import { createServer } from 'node:net'
import { randomBytes } from 'node:crypto'

import { beforeEach, expect, onTestFinished, test } from 'vitest'

import { API } from '#domain/paths.ts'
import { SITES } from '#domain/collection.ts'

import { connect } from '../../server/db/connect.ts'
import { openDatabase } from '../../server/db/open.ts'
import { demandDedicatedSessions } from '../../server/db/dedicated-sessions.ts'
import { preparePooler } from '../../server/db/pooled.ts'
import { times } from '../proof/figures.ts'
import { AT_ONCE, mixedResponses } from '../support/mixed-responses.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { freePort } from '../support/ports.ts'
import { startPooler, type Pooler, type PoolMode } from '../support/pooler.ts'
import { postgresSocketFolder } from '../support/postgres.ts'
import { startStack } from '../support/stack.ts'

// The server behind a real PgBouncer in each of its three pool modes.

/** The number of requests for each of two users. */
const REQUESTS = times(2_000, 10_000)
const MAX_MS = 600_000

let database: string
let direct: string
beforeEach(async () => {
  database = `pooled_${randomBytes(6).toString('hex')}`
  const folder = encodeURIComponent(await postgresSocketFolder())
  const admin = connect(
    { url: `postgres://voltleaf@localhost/postgres?host=${folder}` },
    { max: 1 },
  )
  await admin`create database ${admin(database)}`
  await admin.end()
  direct = `postgres://voltleaf@localhost/${database}?host=${folder}`
})

const refusal = (mode: PoolMode) =>
  new RegExp(
    `^The database at DATABASE_URL \\(.*\\) is behind a connection pooler in ${mode} mode, .*Set the pooler to session mode .*direct address of the database\\.$`,
  )

test.each([
  { mode: 'transaction', poolSize: 20 },
  { mode: 'transaction', poolSize: 1 },
  { mode: 'statement', poolSize: 20 },
  { mode: 'statement', poolSize: 1 },
] as const)('a start behind $mode mode, with a pool of $poolSize, is refused', async (pool) => {
  const pooler = await startPooler(pool.mode, pool.poolSize)
  onTestFinished(() => pooler.close())
  const started = startStack({ env: { DATABASE_URL: pooler.url(database) } })
  await expect(started).rejects.toThrow(refusal(pool.mode))
  const sql = await openDatabase({ url: direct }, { max: 1 })
  onTestFinished(() => sql.end())
  // The server has written nothing.
  expect(await sql`select 1 from pg_tables where schemaname = 'public'`).toHaveLength(0)
})

test('a pooler in session mode with one connection is reported as too small', async () => {
  const pooler = await startPooler('session', 1)
  onTestFinished(() => pooler.close())
  const requested = demandDedicatedSessions(pooler.url(database), { connectMs: 1000 })
  await expect(requested).rejects.toThrow(
    / lets in one connection and keeps the next one waiting: /,
  )
})

test(
  'behind session mode with its defaults, every response belongs to its request',
  async () => {
    const pooler = await startPooler('session')
    onTestFinished(() => pooler.close())
    const stack = await startStack({ env: { DATABASE_URL: pooler.url(database) } })
    onTestFinished(() => stack.close())
    const wrong = await mixedResponses(stack, REQUESTS)
    expect(wrong).toEqual([[], []])
    expect(stack.logged).toEqual([])
  },
  MAX_MS,
)

test('a pooler that changes to transaction mode later stops the server', async () => {
  const pooler = await startPooler('session')
  onTestFinished(() => pooler.close())
  const lost = Promise.withResolvers<Error>()
  const stack = await startStack({
    env: { DATABASE_URL: pooler.url(database) },
    onLost: lost.resolve,
  })
  const over = new AbortController()
  onTestFinished(async () => {
    over.abort()
    await stack.close()
  })
  const { client, site } = await newOwnerWithSite(stack.url)
  const headers = { authorization: client.authStore.token }
  const read = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const answer = await fetch(stack.url + API.record(SITES, site.id), { headers })
      await answer.text()
    }
  }
  const readers = Array.from({ length: AT_ONCE }, read)
  await pooler.change('transaction')
  const { message } = await lost.promise
  expect(message).toMatch(refusal('transaction'))
  over.abort()
  await Promise.all(readers)
})

test('a start beside DATABASE_DIRECT_URL waits for the pooler', async () => {
  const port = await freePort()
  const url = `postgres://voltleaf@127.0.0.1:${port}/${database}`
  const sql = await openDatabase({ url: direct }, { max: 1 })
  onTestFinished(() => sql.end())
  const waits: string[] = []
  const started = Promise.withResolvers<Pooler>()
  const onWait = (sentence: string): void => {
    waits.push(sentence)
    // In session mode, because the system's PgBouncer may be too old to keep prepared statements.
    started.resolve(startPooler('session', 20, { port }))
  }
  await preparePooler(sql, { url, directUrl: direct }, { waitMs: MAX_MS, onWait })
  await (await started.promise).close()
  expect(waits).toEqual([
    expect.stringMatching(/^The database at DATABASE_URL \(.*\) does not answer yet \(ECONN/),
  ])
  await expect(preparePooler(sql, { url, directUrl: direct })).rejects.toThrow(
    /^The database at DATABASE_URL \(.*\) cannot be used: .*ECONNREFUSED/,
  )
})

test('a pooler that breaks every connection is not said to lack prepared statements', async () => {
  const broken = createServer((socket) => socket.resetAndDestroy())
  const port = await freePort()
  await new Promise<void>((resolve) => broken.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void broken.close())
  const sql = await openDatabase({ url: direct }, { max: 1 })
  onTestFinished(() => sql.end())
  const url = `postgres://voltleaf@127.0.0.1:${port}/${database}`
  await expect(preparePooler(sql, { url, directUrl: direct })).rejects.toThrow(
    /^The database at DATABASE_URL \(.*\) cannot be used: .*ECONNRESET/,
  )
})

test('a direct PostgreSQL connection is not mistaken for a pooler', async () => {
  await expect(demandDedicatedSessions(direct)).resolves.toBeUndefined()
})

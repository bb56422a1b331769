import { beforeAll, expect, onTestFinished, test } from 'vitest'

import { needProgram } from '../../scripts/testing/programs.ts'
import { mixedResponses } from '../support/mixed-responses.ts'
import { startPooler, type Pooler } from '../support/pooler.ts'
import { directUrlOf, startStack, type Stack } from '../support/stack.ts'
import { countFailures, report, times } from './figures.ts'

// Servers behind a PgBouncer in transaction mode, with DATABASE_DIRECT_URL for operations that need a session. The
// Vitest project "pooled" runs the whole contract in this setup.

const SERVERS = 3
const SESSIONS = 5
/** The number of requests for each of two users of a server. */
const REQUESTS = times(1_000, 5_000)

let program: string
let ground: Stack
let database: string
beforeAll(async () => {
  program = needProgram('pgbouncer-1.24')
  ground = await startStack()
  database = new URL(directUrlOf(ground)).pathname.slice(1)
  return () => ground.close()
})
const { failures } = countFailures()

const startPool = async (size: number, settings = {}): Promise<Pooler> => {
  const pooler = await startPooler('transaction', size, { program, settings })
  onTestFinished(() => pooler.close())
  return pooler
}

/** A server with the database of the ground stack, through a pooler. */
const startPooled = (pooler: Pooler, directUrl = directUrlOf(ground)): Promise<Stack> =>
  startStack({
    beside: ground,
    env: { DATABASE_URL: pooler.url(database), DATABASE_DIRECT_URL: directUrl },
  })

test(`${SERVERS} servers share ${SESSIONS} sessions, and every response belongs to its request`, async () => {
  const pooler = await startPool(SESSIONS)
  const servers = await Promise.all(Array.from({ length: SERVERS }, () => startPooled(pooler)))
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.close()))
  })
  const wrong = await Promise.all(servers.map((server) => mixedResponses(server, REQUESTS, ground)))
  expect(wrong.flat(2)).toEqual([])
  expect(servers.flatMap(({ logged }) => logged)).toEqual([])
  // Here its console accepts everybody.
  const sessions = await pooler.ask('pgbouncer', 'show servers')
  const clients = await pooler.ask('pgbouncer', 'show clients')
  expect(sessions.length).toBeLessThanOrEqual(SESSIONS)
  expect(clients.length).toBeGreaterThan(SESSIONS)
  await report('pooled', {
    failures: failures(),
    servers: SERVERS,
    connections: clients.length,
    'sessions of the database': sessions.length,
    requests: SERVERS * 2 * REQUESTS,
  })
}, 600_000)

test('sessions that the server did not set up have the server’s settings', async () => {
  const server = await startPooled(await startPool(SESSIONS))
  await server.close()
  const fresh = await startPool(1)
  const [row] = await fresh.ask(
    database,
    `select current_setting('plan_cache_mode') as plans, current_setting('jit') as jit,
      current_setting('statement_timeout') as timeout, current_setting('TimeZone') as zone`,
  )
  expect(row).toEqual({ plans: 'force_generic_plan', jit: 'off', timeout: '15s', zone: 'UTC' })
})

test('a pooler that keeps no prepared statements is refused', async () => {
  const started = startPooled(await startPool(SESSIONS, { max_prepared_statements: 0 }))
  await expect(started).rejects.toThrow(
    /^The pooler at DATABASE_URL \(.*\) does not support prepared statements: PgBouncer must be 1\.21 or newer/,
  )
})

test('a pooler with one session is refused', async () => {
  await expect(startPooled(await startPool(1))).rejects.toThrow(
    / allows only one session at a time: /,
  )
})

test('two URLs of different databases are refused', async () => {
  const other = await startStack()
  onTestFinished(() => other.close())
  const started = startPooled(await startPool(SESSIONS), directUrlOf(other))
  await expect(started).rejects.toThrow(/ and DATABASE_DIRECT_URL lead to different databases/)
})

test('a direct URL that leads through a pooler in transaction mode is refused', async () => {
  const pooler = await startPool(SESSIONS)
  const started = startPooled(pooler, pooler.url(database))
  await expect(started).rejects.toThrow(/ is behind a connection pooler in transaction mode, /)
})

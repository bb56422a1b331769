import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { startStack, type Stack } from '../../tests/support/stack.ts'
import { connect } from './db.ts'

// What the driver does on a connection that has just been lost (decision 0031).

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.close())

test('whoever still speaks on a lost connection is told so, and the next is served', async () => {
  const sql = connect({ url: stack.config.databaseUrl ?? '' }, { max: 1 })
  const lost = sql.begin(async (transaction) => {
    const [row] = await transaction<[{ pid: number }]>`select pg_backend_pid() as pid`
    await stack.sql`select pg_terminate_backend(${row.pid})`
    await sleep(100)
    await transaction`select 1`
  })
  await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  // One more may be told so before the pool has a new connection.
  const ask = async () => (await sql`select 1 as one`)[0]?.['one']
  expect(await ask().catch(ask)).toBe(1)
  await sql.end()
})

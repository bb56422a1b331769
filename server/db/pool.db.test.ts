import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'

import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'

import { startStack, type Stack } from '../../tests/support/stack.ts'
import { connect, type ConnectionOptions } from './connect.ts'
import type { Sql } from './sql.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
  await stack.sql`create table notes (id serial primary key, text text not null)`
})
beforeEach(() => stack.sql`truncate notes`)
afterAll(() => stack.close())

const open = (options: ConnectionOptions, query = ''): Sql => {
  const sql = connect({ url: (stack.config.databaseUrl ?? '') + query }, options)
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}
const pidOf = async (sql: Pick<Sql, 'unsafe'>): Promise<unknown> =>
  (await sql.unsafe('select pg_backend_pid() as pid'))[0]?.['pid']
const countNotes = async (sql = stack.sql): Promise<unknown> =>
  (await sql`select count(*)::int as count from notes`)[0]?.['count']

test('templates nest, names are quoted and values bound', async () => {
  const sql = open({ max: 1 })
  const text = `'; drop table notes; --`
  const isSame = sql`${sql('text')} = ${text}`
  await sql`insert into notes (text) values (${text}), ('other')`
  expect(
    await sql`select text, ${[text, null, 'a"b']}::text[] as all from ${sql('notes')} where ${isSame}`,
  ).toEqual([{ text, all: [text, null, 'a"b'] }])
  await expect(sql`select ${undefined as unknown as string}`).rejects.toThrow(/undefined/)
})

test('a statement on a lost connection fails, and the next one succeeds', async () => {
  const sql = open({ max: 1 })
  const lost = sql.begin(async (transaction) => {
    const pid = await pidOf(transaction)
    await stack.sql`select pg_terminate_backend(${pid as number})`
    for (;;) await transaction`select 1`
  })
  // A write to a closed connection fails with EPIPE.
  await expect(lost).rejects.toMatchObject({
    code: expect.stringMatching(/^(ECONNRESET|EPIPE|57P01)$/),
  })
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('concurrent statements never join a transaction', async () => {
  const sql = open({ max: 2 })
  const rolledBack = Array.from({ length: 50 }, (_, index) =>
    sql
      .begin(async (transaction) => {
        await transaction`insert into notes (text) values (${`undone ${index}`})`
        throw new Error('roll it back')
      })
      .catch(() => {}),
  )
  const written = Array.from(
    { length: 200 },
    (_, index) => sql`insert into notes (text) values (${`written ${index}`})`,
  )
  await Promise.all([...rolledBack, ...written])
  expect(await countNotes()).toBe(200)
})

test('a statement does not queue behind one that waits for a lock', async () => {
  const sql = open({ max: 2 })
  const holder = await stack.sql.reserve()
  await holder`begin`
  await holder`lock table notes`
  const stalled = countNotes(sql)
  const gate = Promise.withResolvers<void>()
  const held = Promise.withResolvers<unknown>()
  const work = sql.begin(async (transaction) => {
    held.resolve(await pidOf(transaction))
    await gate.promise
  })
  const pid = await held.promise
  await setTimeout(200)
  const later = pidOf(sql)
  gate.resolve()
  await work
  await holder`rollback`
  holder.release()
  expect(await later).toBe(pid)
  await stalled
})

test('a connection that is released takes statements that wait for another one', async () => {
  const sql = open({ max: 2 })
  const held = await sql.reserve()
  await sql`select 1` // opens the other one
  const pids = Array.from({ length: 20 }, () => pidOf(sql))
  held.release()
  expect(new Set(await Promise.all(pids)).size).toBe(2)
})

test('a transaction with a failed statement is not reported as committed', async () => {
  const sql = open({ max: 1 })
  const work = sql.begin(async (transaction) => {
    await transaction`insert into notes (text) values ('first')`
    await transaction`insert into notes (text) values (null)`.catch(() => {})
  })
  await expect(work).rejects.toThrow(/has failed/)
  expect(await countNotes()).toBe(0)
})

test('a prepared statement still works after its table has changed', async () => {
  const sql = open({ max: 1 })
  await stack.sql`insert into notes (id, text) values (1, 'a')`
  const read = () => sql`select * from notes`
  expect(await read()).toEqual([{ id: 1, text: 'a' }])
  await stack.sql`alter table notes add column more int`
  onTestFinished(async () => void (await stack.sql`alter table notes drop column more`))
  expect(await Promise.all([read(), read()])).toEqual([
    [{ id: 1, text: 'a', more: null }],
    [{ id: 1, text: 'a', more: null }],
  ])
})

test('a statement that cannot be prepared fails alone', async () => {
  const sql = open({ max: 1 })
  const pid = await pidOf(sql)
  const wrong = () => sql`select * from nowhere`.catch(({ code }: { code: string }) => code)
  const answers = await Promise.all([wrong(), wrong(), sql`select 1 as one`])
  expect(answers).toEqual(['42P01', '42P01', [{ one: 1 }]])
  expect(await pidOf(sql)).toBe(pid)
})

test('rows are copied out and in, even with a slow reader', async () => {
  const sql = open({ max: 1 })
  await sql`insert into notes (text) select repeat('ä\t', 500) from generate_series(1, 5000)`
  const copied = await sql.begin(async (transaction) => {
    const rows = transaction.copyOut('copy notes (text) to stdout')
    await once(rows, 'readable')
    return buffer(rows)
  })
  await sql`truncate notes`
  await sql.begin((transaction) =>
    pipeline(Readable.from([copied]), transaction.copyIn('copy notes (text) from stdin')),
  )
  expect(await sql`select count(*)::int as count, min(text) as text from notes`).toEqual([
    { count: 5000, text: 'ä\t'.repeat(500) },
  ])
})

test('a copy on a lost connection fails for its reader, even one that starts to read late', async () => {
  const sql = open({ max: 1 })
  const lost = sql.begin(async (transaction) => {
    const [{ pid }] = await transaction<[{ pid: number }]>`select pg_backend_pid() as pid`
    await open({ max: 1 })`select pg_terminate_backend(${pid}, 5000)`
    await transaction`select 1`.catch(() => {})
    const rows = transaction.copyOut('copy notes to stdout')
    await new Promise((resolve) => rows.once('close', resolve))
    return buffer(rows)
  })
  await expect(lost).rejects.toMatchObject({ code: 'ECONNRESET', syscall: 'connect' })
})

test('an aborted copy leaves the connection usable', async () => {
  const sql = open({ max: 1 })
  await sql`insert into notes (text) select repeat('a', 1000) from generate_series(1, 5000)`
  const pid = await pidOf(sql)
  await sql.begin(async (transaction) => {
    const rows = transaction.copyOut('copy notes to stdout')
    await once(rows, 'readable')
    rows.destroy()
  })
  const failed = sql.begin((transaction) =>
    pipeline(
      Readable.from(['1\ta\n', 'x\n']),
      transaction.copyIn('copy notes (id, text) from stdin'),
    ),
  )
  await expect(failed).rejects.toMatchObject({ code: '22P02' })
  expect(await pidOf(sql)).toBe(pid)
})

test('sslmode=prefer connects without encryption if the server has none', async () => {
  expect(await open({ max: 1 }, '&sslmode=prefer')`select 1 as one`).toEqual([{ one: 1 }])
  await expect(open({ max: 1 }, '&sslmode=require')`select 1`).rejects.toMatchObject({
    code: 'CONNECT_TLS',
  })
})

test('end() waits for running statements and refuses new ones', async () => {
  const sql = open({ max: 1 })
  const all = Promise.all([sql.unsafe('select 1 as one'), sql.unsafe('select 2 as two')])
  await sql.end()
  expect(await all).toEqual([[{ one: 1 }], [{ two: 2 }]])
  await expect(sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
})

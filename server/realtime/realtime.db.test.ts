import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { GUEST } from '../caller.ts'
import { SCHEMA } from '#domain/collections.ts'

import { startStack, type Stack } from '../../tests/support/stack.ts'
import { createRealtime, type Realtime } from './realtime.ts'

let stack: Stack
let realtime: Realtime
const problems: unknown[] = []
beforeAll(async () => {
  stack = await startStack()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  realtime = createRealtime({
    sql: stack.sql,
    schema: SCHEMA,
    records: { readEvents: async () => [] },
    onProblem: (problem) => problems.push(problem),
    heartbeatMs: 25_000,
  })
})
afterAll(async () => {
  vi.useRealTimers()
  await realtime.close()
  await stack.close()
})

const peer = { address: '127.0.0.1', browser: undefined }
const connect = async () => {
  const written: string[] = []
  let ends = 0
  await realtime.ready()
  const disconnect = realtime.connect(peer, {
    write: (text) => written.push(text),
    end: () => (ends += 1),
  })
  return { written, disconnect, isOver: () => ends > 0 }
}
const listeners = async (): Promise<number> => (await stack.sql`select from listeners`).length

test('an idle stream gets a comment every 25 seconds and stays open', async () => {
  const { written, disconnect, isOver } = await connect()
  expect(written[0]).toMatch(/^id:(\w{40})\nevent:PB_CONNECT\ndata:\{"clientId":"\1"\}\n\n$/)
  for (let minute = 0; minute < 60; minute += 1) await vi.advanceTimersByTimeAsync(60_000)
  expect(written.length).toBe(1 + (60 * 60) / 25)
  expect(new Set(written.slice(1))).toEqual(new Set([':\n\n']))
  expect(isOver()).toBe(false)
  disconnect()
})

test('the listening connection closes some time after the last client has left', async () => {
  const realTimeout = globalThis.setTimeout
  const spy = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((task: () => void, ms?: number) =>
      realTimeout(task, ms === 30_000 ? 300 : ms)) as typeof setTimeout)
  const { disconnect } = await connect()
  disconnect()
  expect(await listeners()).toBe(1)
  await vi.waitUntil(async () => (await listeners()) === 0, 5000)
  spy.mockRestore()
  // It is reopened for the next client.
  const again = await connect()
  expect(await listeners()).toBe(1)
  again.disconnect()
  expect(problems).toEqual([])
})

test('the streams of a process that is no longer registered end, so that clients reconnect', async () => {
  const { isOver } = await connect()
  await stack.sql`delete from listeners`
  await vi.advanceTimersByTimeAsync(25_000)
  await vi.waitUntil(() => isOver(), 5000)
  expect(problems).toHaveLength(1)
})

test('a message for an unknown client results in 404', async () => {
  await expect(realtime.subscribe('x', peer, GUEST, [])).rejects.toMatchObject({ status: 404 })
  expect(await realtime.handOver('x', peer, { code: 'c', error: '' })).toBe(false)
})

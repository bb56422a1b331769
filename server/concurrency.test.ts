import { setImmediate as turn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { createLanes } from './lanes.ts'

test('of ten tasks two run, three wait, five are refused, and then there is room again', async () => {
  const lanes = createLanes({ atOnce: 2, mostWaiting: 3 })
  const gate = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const task = async (): Promise<string> => {
    running += 1
    most = Math.max(most, running)
    await gate.promise
    running -= 1
    return 'done'
  }
  const all = Array.from({ length: 10 }, () =>
    lanes.run(task).catch((error: { status: number; retryAfterS: number }) => error),
  )
  await turn()
  expect(lanes.load()).toEqual({ busy: 2, waiting: 3 })
  gate.resolve()
  const outcomes = await Promise.all(all)
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(5)
  expect(outcomes.filter((outcome) => typeof outcome !== 'string')).toEqual(
    Array(5).fill(expect.objectContaining({ status: 503, retryAfterS: 2 })),
  )
  expect(most).toBe(2)
  expect(lanes.load()).toEqual({ busy: 0, waiting: 0 })
  expect(await lanes.run(task)).toBe('done')
})

test('a task that fails makes room like any other', async () => {
  const lanes = createLanes({ atOnce: 1, mostWaiting: 1 })
  const failing = lanes.run(async () => {
    throw new Error('no')
  })
  const next = lanes.run(async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

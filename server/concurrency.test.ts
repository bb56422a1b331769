import { setImmediate as turn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { createConcurrencyLimiter } from './concurrency.ts'

test('of ten tasks two run, three queue and five are refused; later tasks run again', async () => {
  const limiter = createConcurrencyLimiter({ concurrency: 2, maxQueue: 3 })
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
    limiter.run(task).catch((error: { status: number; retryAfterS: number }) => error),
  )
  await turn()
  expect(limiter.load()).toEqual({ busy: 2, waiting: 3 })
  gate.resolve()
  const outcomes = await Promise.all(all)
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(5)
  expect(outcomes.filter((outcome) => typeof outcome !== 'string')).toEqual(
    Array(5).fill(expect.objectContaining({ status: 503, retryAfterS: 2 })),
  )
  expect(most).toBe(2)
  expect(limiter.load()).toEqual({ busy: 0, waiting: 0 })
  expect(await limiter.run(task)).toBe('done')
})

test('a failed task lets the next one run', async () => {
  const limiter = createConcurrencyLimiter({ concurrency: 1, maxQueue: 1 })
  const failing = limiter.run(async () => {
    throw new Error('no')
  })
  const next = limiter.run(async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

import { setImmediate } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { createPublicReadQueue } from './read-queue.ts'

const statusOf = ({ status }: { status: number }): number => status

test('slow lines do not delay other reads, and their queue is short', async () => {
  const { read, readLine } = createPublicReadQueue()
  const { promise: end, resolve } = Promise.withResolvers<string>()
  const lines = Array.from({ length: 40 }, (_, index) =>
    readLine(`10.0.0.${index}`, () => end).catch(statusOf),
  )
  await expect(read('10.0.0.1', async () => 'a list')).resolves.toBe('a list')
  resolve('a line')
  expect(await Promise.all(lines)).toEqual([
    ...Array.from({ length: 32 }, () => 'a line'),
    ...Array.from({ length: 8 }, () => 503),
  ])
})

test('lines of one address use one slot, so that those of others run', async () => {
  const { readLine } = createPublicReadQueue()
  const { promise: end, resolve } = Promise.withResolvers<string>()
  const lines = Array.from({ length: 12 }, () => readLine('10.0.0.1', () => end).catch(statusOf))
  await expect(readLine('10.0.0.2', async () => 'another line')).resolves.toBe('another line')
  resolve('a line')
  expect(await Promise.all(lines)).toEqual([
    ...Array.from({ length: 9 }, () => 'a line'),
    ...Array.from({ length: 3 }, () => 503),
  ])
  await expect(readLine('10.0.0.1', async () => 'a line')).resolves.toBe('a line')
})

test('a client with very many reads delays only itself', async () => {
  const { read } = createPublicReadQueue()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (address: string) =>
    read(address, () => {
      begun.push(address)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      return promise
    })
  const requested = [...Array.from({ length: 100 }, () => ask('many')), ask('one'), ask('other')]
  await Promise.resolve()
  expect(begun).toEqual(['many', 'many', 'many', 'many'])
  for (let count = 1; count <= 4; count += 1) {
    ends.shift()?.()
    await setImmediate()
  }
  expect(begun.slice(4)).toEqual(['many', 'one', 'other', 'many'])
  while (begun.length < requested.length || ends.length > 0) {
    ends.shift()?.()
    await setImmediate()
  }
  await Promise.all(requested)
})

import { expect, test } from 'vitest'

import { createPublicTurns } from './turns.ts'

test('lines that take long keep no other read waiting, and few of them wait', async () => {
  const { read, readLine } = createPublicTurns()
  const { promise: end, resolve } = Promise.withResolvers<string>()
  const lines = Array.from({ length: 40 }, () =>
    readLine(() => end).catch(({ status }: { status: number }) => status),
  )
  await expect(read(async () => 'a list')).resolves.toBe('a list')
  resolve('a line')
  expect(await Promise.all(lines)).toEqual([
    ...Array.from({ length: 32 }, () => 'a line'),
    ...Array.from({ length: 8 }, () => 503),
  ])
})

import { expect, test } from 'vitest'

import { parseStat } from './process-tree.ts'

test('the CPU time of a process includes its ended children', () => {
  const line = '42 (a) b (c)) S 7 42 42 0 -1 4194560 1 2 3 4 100 20 3 4 20 0 1 0 999'
  expect(parseStat(42, line)).toEqual({ pid: 42, parent: 7, cpuMs: 1270 })
})

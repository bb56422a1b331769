import { expect, test } from 'vitest'

import { createStatementCache } from './statement-cache.ts'

const options = { max: 3, maxPerCaller: 3, windowMs: 1000, maxLength: 10 }
const useOften = (
  cache: ReturnType<typeof createStatementCache>,
  text: string,
  by = 'ann',
): boolean => [1, 2, 3].map(() => cache.shouldPrepare(text, by)).at(-1) === true

test('a statement is prepared from its third use on, a long one never', () => {
  const cache = createStatementCache(options)
  expect(['a', 'a', 'a', 'a'].map((text) => cache.shouldPrepare(text, 'ann'))).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(useOften(cache, 'longer than ten')).toBe(false)
})

test('the number of newly prepared statements in a window is limited', () => {
  let time = 0
  const cache = createStatementCache({ ...options, now: () => time })
  const ask = (prefix: string) =>
    Array.from({ length: 50 }, (_, index) => useOften(cache, `${prefix}${index}`)).filter(Boolean)
  expect(ask('a')).toHaveLength(3)
  expect(ask('b')).toHaveLength(0)
  expect(cache.shouldPrepare('a0', 'ann')).toBe(true)
  time = 1000
  expect(ask('c')).toHaveLength(3)
  expect(cache.shouldPrepare('a0', 'ann')).toBe(false)
})

test('the least recently used statement is evicted', () => {
  let time = 0
  const cache = createStatementCache({ ...options, now: () => time })
  for (const text of ['a', 'b', 'c', 'a']) useOften(cache, text)
  time = 1000
  expect(useOften(cache, 'd')).toBe(true)
  expect(['a', 'c', 'd', 'b'].map((text) => cache.shouldPrepare(text, 'ann'))).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('one caller cannot use up the limit of all', () => {
  const cache = createStatementCache({ ...options, maxPerCaller: 2 })
  expect(['a', 'b', 'c'].map((text) => useOften(cache, text))).toEqual([true, true, false])
  expect(useOften(cache, 'd', 'bob')).toBe(true)
  // A frequent statement is prepared for every caller.
  expect(cache.shouldPrepare('a', 'eve')).toBe(true)
})

import { expect, test } from 'vitest'

import { createShapes } from './shapes.ts'

const options = { max: 3, maxPerCaller: 3, windowMs: 1000, maxLength: 10 }
const often = (shapes: ReturnType<typeof createShapes>, text: string, by = 'ann'): boolean =>
  [1, 2, 3].map(() => shapes.isUsual(text, by)).at(-1) === true

test('a statement is prepared from its third use on, a long one never', () => {
  const shapes = createShapes(options)
  expect(['a', 'a', 'a', 'a'].map((text) => shapes.isUsual(text, 'ann'))).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(often(shapes, 'longer than ten')).toBe(false)
})

test('the number of newly prepared statements in a window is limited', () => {
  let time = 0
  const shapes = createShapes({ ...options, now: () => time })
  const ask = (prefix: string) =>
    Array.from({ length: 50 }, (_, index) => often(shapes, `${prefix}${index}`)).filter(Boolean)
  expect(ask('a')).toHaveLength(3)
  expect(ask('b')).toHaveLength(0)
  expect(shapes.isUsual('a0', 'ann')).toBe(true)
  time = 1000
  expect(ask('c')).toHaveLength(3)
  expect(shapes.isUsual('a0', 'ann')).toBe(false)
})

test('the least recently used statement is evicted', () => {
  let time = 0
  const shapes = createShapes({ ...options, now: () => time })
  for (const text of ['a', 'b', 'c', 'a']) often(shapes, text)
  time = 1000
  expect(often(shapes, 'd')).toBe(true)
  expect(['a', 'c', 'd', 'b'].map((text) => shapes.isUsual(text, 'ann'))).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('one caller cannot use up the limit of all', () => {
  const shapes = createShapes({ ...options, maxPerCaller: 2 })
  expect(['a', 'b', 'c'].map((text) => often(shapes, text))).toEqual([true, true, false])
  expect(often(shapes, 'd', 'bob')).toBe(true)
  // A frequent statement is prepared for every caller.
  expect(shapes.isUsual('a', 'eve')).toBe(true)
})

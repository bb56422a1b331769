import { expect, test } from 'vitest'

import { estimate, exactly } from './stats.ts'
import { doubtOf, find, judge } from './verdict.ts'

const between = (low: number, value: number, high: number) => ({ low, value, high })

test('a target is met or missed only if noise cannot explain it', () => {
  const threefold = { atLeast: 3 }
  expect(judge(between(3, 4, 5), threefold)).toBe('met')
  expect(judge(between(1, 2, 2.9), threefold)).toBe('not met')
  expect(judge(between(2.9, 4, 5), threefold)).toBe('inconclusive')
  expect(judge(between(1, 2, 3), threefold)).toBe('inconclusive')
  const third = { atMost: 1 / 3 }
  expect(judge(between(0.1, 0.2, 0.3), third)).toBe('met')
  expect(judge(between(0.34, 0.4, 0.5), third)).toBe('not met')
  expect(judge(between(0.3, 0.33, 0.4), third)).toBe('inconclusive')
  expect(judge(between(1, 2, 3), undefined)).toBe('no target')
})

test('a count needs no interval', () => {
  expect(judge(exactly(2), { atMost: 2 })).toBe('met')
  expect(judge(exactly(52), { atMost: 2 })).toBe('not met')
})

test('too few pairs are inconclusive', () => {
  expect(judge(estimate([9, 9, 9]), { atLeast: 3 })).toBe('inconclusive')
})

test('a peer that swings by more than 2.5x makes a comparison inconclusive', () => {
  expect(doubtOf(2.5)).toBeUndefined()
  expect(doubtOf(2.6)).toContain('2.6x')
  expect(judge(between(9, 9, 9), { atLeast: 3 }, doubtOf(2.6))).toBe('inconclusive')
})

test('a line of the table has the target, the figure, and the reason if it is inconclusive', () => {
  const figure = { part: 'server', what: 'list', unit: 'x', target: { atLeast: 3 } }
  expect(find({ ...figure, estimate: between(3.21, 4.567, 5) })).toEqual({
    part: 'server',
    what: 'list',
    target: '≥ 3x',
    measured: '4.57x (3.21 to 5)',
    verdict: 'met',
  })
  expect(find({ ...figure, estimate: between(2, 4, 5) })).toMatchObject({
    verdict: 'inconclusive',
    reason: 'the target is within what noise can do',
  })
  expect(find({ ...figure, estimate: exactly(12_345), target: undefined })).toMatchObject({
    target: '',
    measured: '12,345x',
    verdict: 'no target',
  })
})

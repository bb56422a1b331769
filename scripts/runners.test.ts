import { expect, test } from 'vitest'
import { countPlaywright, countVitest, judge, summarize } from './runners.ts'

test('a skipped test counts as failed', () => {
  expect(countVitest({ numPassedTests: 7, numTotalTests: 10 })).toEqual({ passed: 7, failed: 3 })
  const stats = { expected: 5, unexpected: 1, skipped: 2, flaky: 1 }
  expect(countPlaywright({ stats })).toEqual({ passed: 5, failed: 4 })
})

test.each([
  ['all is well', 0, { passed: 3, failed: 0 }, { passed: 3, failed: 0 }],
  ['some failed', 1, { passed: 3, failed: 2 }, { passed: 3, failed: 2 }],
  ['nothing was run', 0, { passed: 0, failed: 0 }, { passed: 0, failed: 1 }],
  ['there is no report', 1, undefined, { passed: 0, failed: 1 }],
  ['the runner complains of something else', 1, { passed: 3, failed: 0 }, { passed: 3, failed: 1 }],
])('%s', (_, status, counted, expected) => {
  expect(judge(status, counted)).toEqual(expected)
})

test('the closing line sums up, and one failure fails the whole', () => {
  const passing = { passed: 3, failed: 0 }
  expect(summarize([passing, passing])).toEqual({ line: '6 passed, 0 failed', exitCode: 0 })
  expect(summarize([passing, { passed: 0, failed: 1 }])).toEqual({
    line: '3 passed, 1 failed',
    exitCode: 1,
  })
})

import { expect, test } from 'vitest'

import type { Visit } from './lighthouse.ts'
import { judgeVisits } from './pages.ts'

const GOOD: Visit = {
  performance: 99,
  accessibility: 100,
  bestPractices: 100,
  seo: 100,
  shift: 0,
  firstPaintMs: 1000,
  largestPaintMs: 1500,
  blockedMs: 0,
  speedIndexMs: 1000,
  benchmark: 2000,
  complaints: [],
}
const verdicts = (...seen: Visit[]) =>
  judgeVisits('Home', seen, undefined).map(({ verdict }) => verdict)

test('visits meet the targets, miss them, or are inconclusive', () => {
  expect(verdicts(GOOD, GOOD, GOOD)).toEqual(['met', 'met', 'met', 'met'])
  const shifted = { ...GOOD, shift: 0.05, performance: 90, largestPaintMs: 2000 }
  expect(verdicts(shifted, shifted)).toEqual(['not met', 'met', 'not met', 'not met'])
  const seven = Array.from({ length: 7 }, (_, index) => ({
    ...GOOD,
    largestPaintMs: 1750 + index * 20,
  }))
  expect(verdicts(...seven)).toEqual(['met', 'met', 'met', 'inconclusive'])
})

test('on a slow computer only deterministic figures count', () => {
  const busy = { ...GOOD, benchmark: 300, shift: 0.1 }
  expect(verdicts({ ...busy, largestPaintMs: 2400 }, { ...busy, largestPaintMs: 2500 })).toEqual([
    'met',
    'met',
    'not met',
    'inconclusive',
  ])
})

import { expect, test } from 'vitest'

import { judgeCount, judgeTimes } from './judge.ts'

const dashboard = {
  title: 'dashboard',
  targets: { throughput: 5, p99: 1 / 3, cpu: 1 / 3, statements: 2 },
}
const CEILING = 40_000

const measured = (perSecond: number) => ({
  operations: perSecond * 3,
  seconds: 3,
  perSecond,
  p50Ms: 30_000 / perSecond,
  p99Ms: 90_000 / perSecond,
  clientCpuMs: 1,
  cpuMsEach: 1000 / perSecond,
})
const pairsOf = (ours: readonly number[], peer: readonly number[]) =>
  ours.map((rate, index) => ({ ours: measured(rate), peer: measured(peer[index] ?? 0) }))
const verdicts = (ours: readonly number[], peer: readonly number[], doubt?: string) =>
  judgeTimes(dashboard, pairsOf(ours, peer), CEILING, doubt).map(({ verdict }) => verdict)

const PEER = [70, 75, 72, 69, 80, 71, 74]

test('a dashboard with one statement per call meets the target; one with a request per site misses it', () => {
  expect(verdicts([690, 640, 700, 720, 650, 695, 660], PEER)).toEqual(['met', 'met', 'met'])
  expect(verdicts([40, 41, 39, 40, 42, 40, 38], PEER)).toEqual(['not met', 'not met', 'not met'])
  expect(judgeCount(dashboard, 2).verdict).toBe('met')
  expect(judgeCount(dashboard, 52).verdict).toBe('not met')
})

test('a result is inconclusive if one pair of seven is on the other side of the target, or the peer swings', () => {
  expect(verdicts([690, 640, 700, 100, 650, 695, 660], PEER)).toEqual([
    'inconclusive',
    'inconclusive',
    'inconclusive',
  ])
  expect(verdicts([690, 640, 700, 720, 650, 695, 660], [30, ...PEER.slice(1)])).toEqual([
    'inconclusive',
    'inconclusive',
    'inconclusive',
  ])
})

test('a result is inconclusive for a quick run, or a client at its ceiling', () => {
  expect(verdicts([690, 640, 700, 720, 650, 695, 660], PEER, 'quick')).not.toContain('met')
  const [rate] = judgeTimes(dashboard, pairsOf(Array(7).fill(30_000), PEER), CEILING)
  expect(rate).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('ceiling'),
  })
})

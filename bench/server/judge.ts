import { estimate, exactly, swing } from '../measure/stats.ts'
import { doubtOf, find, type Finding } from '../measure/verdict.ts'
import type { Pair } from './measure.ts'
import type { Workload } from './workloads.ts'

/** The measurements of a workload. */
type Judged = Pick<Workload, 'title' | 'targets'>
type Reading = (side: Pair['ours']) => number

/** Above this share of the client's ceiling, figures are meaningless. */
const MAX_OF_CEILING = 0.5

/**
 * Compares the ratios of the pairs with their targets. An unstable peer, or a client close to its ceiling, makes
 * them inconclusive.
 * @param ceiling operations per second that the client reaches with a server that does no work
 * @param doubt the reason why the whole run is inconclusive
 */
export const judgeTimes = (
  { title, targets }: Judged,
  pairs: readonly Pair[],
  ceiling: number,
  doubt?: string,
): readonly Finding[] => {
  const by = (pick: Reading) => estimate(pairs.map(({ ours, peer }) => pick(ours) / pick(peer)))
  const fastest = Math.max(...pairs.map(({ ours }) => ours.perSecond))
  const doubts = (pick: Reading): string | undefined =>
    doubt ??
    (fastest > ceiling * MAX_OF_CEILING ? 'the client is near its own ceiling' : undefined) ??
    doubtOf(swing(pairs.map(({ peer }) => pick(peer))))
  const rate: Reading = ({ perSecond }) => perSecond
  const slowest: Reading = ({ p99Ms }) => p99Ms
  const cpu: Reading = ({ cpuMsEach }) => cpuMsEach
  return [
    find({
      part: 'server',
      what: `${title}: operations per second, ours by the peer's`,
      estimate: by(rate),
      target: targets.throughput === undefined ? undefined : { atLeast: targets.throughput },
      unit: 'x',
      doubt: doubts(rate),
    }),
    find({
      part: 'server',
      what: `${title}: p99, ours by the peer's`,
      estimate: by(slowest),
      target: targets.p99 === undefined ? undefined : { atMost: targets.p99 },
      unit: 'x',
      doubt: doubts(slowest),
    }),
    find({
      part: 'server',
      what: `${title}: CPU time of one operation, ours by the peer's`,
      estimate: by(cpu),
      target: targets.cpu === undefined ? undefined : { atMost: targets.cpu },
      unit: 'x',
      doubt: doubts(cpu),
    }),
  ]
}

/** Compares the number of SQL statements of one operation with its target. A count has no noise. */
export const judgeCount = ({ title, targets }: Judged, count: number): Finding =>
  find({
    part: 'server',
    what: `${title}: SQL statements of one operation`,
    estimate: exactly(count),
    target: targets.statements === undefined ? undefined : { atMost: targets.statements },
    unit: '',
  })

/** The finding if one side failed. */
export const notMeasured = ({ title }: Judged, error: unknown): Finding => ({
  part: 'server',
  what: `${title}: not measured`,
  target: '',
  measured: '',
  verdict: 'inconclusive',
  reason: (error instanceof Error ? error.message : String(error)).split('\n', 1).join(''),
})

import { median } from '../measure/stats.ts'
import { format } from '../measure/verdict.ts'
import type { Report } from '../part.ts'
import type { Measurement } from '../server/measure.ts'

/** The figures behind a finding: the medians of its rounds. */
export const describe = (
  what: string,
  sites: number,
  rounds: readonly Measurement[],
): Report['details'][number] => {
  const middle = (pick: (one: Measurement) => number) => format(median(rounds.map(pick)))
  return {
    read: what,
    sites: format(sites),
    'per second': middle(({ perSecond }) => perSecond),
    'p50 ms': middle(({ p50Ms }) => p50Ms),
    'p99 ms': middle(({ p99Ms }) => p99Ms),
    'CPU ms each': middle(({ cpuMsEach }) => cpuMsEach),
  }
}

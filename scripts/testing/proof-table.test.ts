import { expect, test } from 'vitest'

import { proofTable } from './proof-table.ts'

test('the table lists the counts, the duration and the total of failures', () => {
  const text = proofTable([
    { proof: 'Kills', figures: { failures: 0, kills: 60 }, seconds: 12, peakMiB: 180 },
    {
      proof: 'Power cuts',
      figures: { failures: 2, cuts: 50, answered: 10_000 },
      seconds: 200,
      peakMiB: 90,
    },
  ])
  expect(text).toBe(
    [
      'Proof       Failures  Time   Memory   Tried',
      'Kills       0         12 s   180 MiB  60 kills',
      'Power cuts  2         200 s  90 MiB   50 cuts, 10000 answered',
      'failures: 2',
    ].join('\n'),
  )
})

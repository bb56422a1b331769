import { appendFile } from 'node:fs/promises'
import { afterEach } from 'vitest'

import { MiB } from '#domain/limits.ts'
import type { ProofReport } from '../../scripts/testing/proof-table.ts'

/** The figures of a proof. `failures` decides the result; the others count the attempts. */
export type Figures = ProofReport['figures']

/** Whether this is the long run. */
export const isLong = process.env['PROOF'] === 'long'

/** The number of attempts: few in `npm test`, many in `npm run proof`. */
export const times = (short: number, long: number): number => (isLong ? long : short)

/**
 * Reports the figures of a proof in the output and in the table of `npm run proof`, with the time since the start of
 * the file and the peak memory of the process.
 */
export const report = async (proof: string, figures: Figures): Promise<void> => {
  const text = Object.entries(figures).map(([name, value]) => `${value} ${name}`)
  const seconds = Math.round(performance.now() / 1000)
  const peakMiB = Math.round((process.resourceUsage().maxRSS * 1024) / MiB)
  console.log(`${proof}: ${text.join(', ')} (${seconds} s, ${peakMiB} MiB)`)
  const file = process.env['PROOF_FIGURES']
  const line: ProofReport = { proof, figures, seconds, peakMiB }
  if (file !== undefined) await appendFile(file, `${JSON.stringify(line)}\n`)
}

/** Counts the failed tests of the file from here on, for the report at the end. */
export const countFailures = (): { readonly failures: () => number } => {
  let failures = 0
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') failures++
  })
  return { failures: () => failures }
}

import { appendFile } from 'node:fs/promises'
import { afterEach } from 'vitest'

import { MiB } from '#domain/limits.ts'
import type { ProofReport } from '../../scripts/testing/proof-table.ts'

/** What a proof has counted. `failures` decides; everything else says how much was tried. */
export type Figures = ProofReport['figures']

/** Is this the long run, which nobody waits for? */
export const isLong = process.env['PROOF'] === 'long'

/** How often something is tried: a little within `npm test`, a lot within `npm run proof`. */
export const times = (short: number, long: number): number => (isLong ? long : short)

/**
 * Tells what a proof has counted, to whoever reads the output and to the table of `npm run proof`:
 * with the time since its file was begun, and the most memory that its own process has taken.
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

/** Counts the tests of the file that fail, from here on; for the report that comes after all. */
export const countFailures = (): { readonly failures: () => number } => {
  let failures = 0
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') failures++
  })
  return { failures: () => failures }
}

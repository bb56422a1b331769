import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { root } from '../process.ts'

/** The figures that one proof reports. */
export interface ProofReport {
  readonly proof: string
  /** `failures` decides the result; the other figures count the attempts. */
  readonly figures: { readonly failures: number; readonly [name: string]: number | string }
  readonly seconds: number
  /** Peak memory of the proof's process. */
  readonly peakMiB: number
}

/**
 * Makes all proofs that run from now on, in any process, record their figures.
 * @returns a function that reads them
 */
export const gatherFigures = async (): Promise<() => Promise<readonly ProofReport[]>> => {
  const file = join(root, '.cache/reports/proof.jsonl')
  await mkdir(dirname(file), { recursive: true })
  await rm(file, { force: true })
  process.env['PROOF_FIGURES'] = file
  return async () => {
    if (!existsSync(file)) return []
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    return lines.map((line) => JSON.parse(line) as ProofReport)
  }
}

const HEAD = ['Proof', 'Failures', 'Time', 'Memory', 'Tried']

/** The last table of `npm run proof`, with a line for each proof and the total of failures. */
export const proofTable = (reports: readonly ProofReport[]): string => {
  const rows = reports.map(({ proof, figures, seconds, peakMiB }) => {
    const { failures, ...tried } = figures
    const text = Object.entries(tried).map(([name, value]) => `${value} ${name}`)
    return [proof, String(failures), `${seconds} s`, `${peakMiB} MiB`, text.join(', ')]
  })
  const failures = reports.reduce((sum, { figures }) => sum + figures.failures, 0)
  const widths = HEAD.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
  return [line(HEAD), ...rows.map(line), `failures: ${failures}`].join('\n')
}

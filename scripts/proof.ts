import { globSync } from 'node:fs'

import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'
import { ensurePooler } from './pooler.ts'
import { exitWith, root } from './process.ts'
import { gatherFigures, proofTable } from './proof-table.ts'
import { runPlaywright, runVitest, summarize, type Outcome } from './runners.ts'

// What "npm test" proves in short is tried here for long: `npm run proof`, or some of it by the
// names of their files, `npm run proof -- kills power-cut`.

/** Proofs that stand among other tests, in their project of Vitest or in the browser. */
const CONTRACTS = [
  'access/matrix',
  'hostile-sign-in',
  'overload',
  'slow-clients',
  'pooler',
  'question-shapes',
  's3.contract',
]
const BROWSER = ['hostile-files']

try {
  const wanted = process.argv.slice(2)
  const among = (names: readonly string[]): string[] =>
    wanted.length === 0 ? [...names] : names.filter((name) => wanted.some((w) => name.includes(w)))
  process.env['VOLTLEAF_CHROMIUM'] = await ensureBrowser()
  process.env['VOLTLEAF_PGBOUNCER'] = ensurePooler()
  process.env['PROOF'] = 'long'
  const figures = await gatherFigures()
  await buildIfStale()
  const outcomes: Outcome[] = []
  const contracts = among(CONTRACTS)
  const browser = among(BROWSER)
  if (contracts.length > 0) outcomes.push(await runVitest('contract', contracts))
  if (browser.length > 0) outcomes.push(await runPlaywright(browser))
  const proofs = among(globSync('tests/proof/**/*.test.ts', { cwd: root }))
  if (proofs.length > 0) outcomes.push(await runVitest('proof', proofs))
  console.log(`\n${proofTable(await figures())}`)
  const { text, exitCode } = summarize(outcomes)
  console.log(`\n${text}`)
  process.exit(exitCode)
} catch (error) {
  exitWith(error)
}

import { globSync } from 'node:fs'

import { ensureBrowser, findBrowser } from './testing/browser.ts'
import { buildIfStale } from './build/build.ts'
import { exitWith, root } from './process.ts'
import { ensurePooler, POSTGRES_MAJORS } from './testing/programs.ts'
import { gatherFigures, proofTable } from './testing/proof-table.ts'
import { runPlaywright, runVitest, summarize, type Outcome } from './testing/runners.ts'

// Runs the proofs of "npm test" at length: `npm run proof`, or some of them by their file names,
// `npm run proof -- kills power-cut`.

/** Proofs that are part of other projects, in Vitest or in the browser. */
const CONTRACTS = [
  'access/matrix',
  'hostile-sign-in',
  'overload',
  'slow-clients',
  'pooler',
  'question-shapes',
  'survival',
  'queries/queries',
  's3.contract',
]
const BROWSER = ['hostile-files', 'killed']
/** The whole contract once more, behind a pooler in transaction mode: a project of Vitest. */
const POOLED = 'transaction-mode'
/** Proofs that need programs that "npm test" does not install. They install them, or fail. */
const EQUIPPED = [
  'deploy',
  'image',
  'patroni',
  'pooled',
  'promtool',
  'replica',
  'rolling',
  // Its data is not ours to keep.
  ...(process.env['REGISTER'] === undefined ? [] : ['duplicates']),
  ...(process.env['REAL_DATA'] === undefined ? [] : ['open-data']),
  ...(process.env['OCPI_CLIENT'] === undefined ? [] : ['ocpi-client']),
  // No registry has it, so it is wanted by name alone.
  ...(process.argv.slice(2).includes('citus') ? ['citus'] : []),
  'rolling-state',
].map((name) => `tests/proof/${name}.long.ts`)

try {
  const wanted = process.argv.slice(2)
  const among = (names: readonly string[]): string[] =>
    wanted.length === 0 ? [...names] : names.filter((name) => wanted.some((w) => name.includes(w)))
  // A full browser opens more kinds of files than the headless shell.
  process.env['VOLTLEAF_CHROMIUM'] = (await findBrowser()) ?? (await ensureBrowser())
  process.env['VOLTLEAF_PGBOUNCER'] = ensurePooler()
  process.env['PROOF'] = 'long'
  const figures = await gatherFigures()
  await buildIfStale()
  const outcomes: Outcome[] = []
  const contracts = among(CONTRACTS)
  const browser = among(BROWSER)
  if (contracts.length > 0) outcomes.push(await runVitest(['contract'], contracts))
  if (browser.length > 0) outcomes.push(await runPlaywright(browser))
  // "npm run proof -- transaction-mode" is this one.
  if (among([POOLED]).length > 0) outcomes.push(await runVitest(['pooled']))
  // "npm run proof -- postgres-15" is one of these.
  for (const major of POSTGRES_MAJORS) {
    if (among([`postgres-${major}`]).length === 0) continue
    process.env['VOLTLEAF_TEST_MAJOR'] = String(major)
    outcomes.push(await runVitest(['hosted']))
  }
  if (wanted.includes('citus')) {
    process.env['VOLTLEAF_TEST_CITUS'] = 'on'
    outcomes.push(await runVitest(['hosted']))
  }
  const proofs = among([...globSync('tests/proof/**/*.test.ts', { cwd: root }), ...EQUIPPED])
  if (proofs.length > 0) outcomes.push(await runVitest(['proof'], proofs))
  console.log(`\n${proofTable(await figures())}`)
  const { text, exitCode } = summarize(outcomes)
  console.log(`\n${text}`)
  process.exit(exitCode)
} catch (error) {
  exitWith(error)
}

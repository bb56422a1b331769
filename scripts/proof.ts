import { globSync } from 'node:fs'
import { basename } from 'node:path'

import { ensureBrowser, findBrowser } from './testing/browser.ts'
import { buildIfStale } from './build/build.ts'
import { run, root } from './process.ts'
import { ensurePooler, POSTGRES_MAJORS } from './testing/programs.ts'
import { gatherFigures, proofTable } from './testing/proof-table.ts'
import { runPlaywright, runVitest, summarize, type Outcome } from './testing/runners.ts'

// Runs the long form of the proofs in "npm test": `npm run proof`, or some of them by file name,
// `npm run proof -- kills power-cut`.

/** Proofs in other projects of Vitest or in the browser tests. */
const CONTRACTS = [
  'access/matrix',
  'hostile-sign-in',
  'overload',
  'slow-clients',
  'pooler',
  'survival',
  'queries/queries',
  's3.contract',
]
const BROWSER = ['hostile-files', 'killed']
/** The whole contract behind a pooler in transaction mode, a Vitest project. */
const POOLED = 'transaction-mode'
/** Proofs that need third-party data or programs, with the setting that names these. */
const WITH_DATA: Readonly<Record<string, string>> = {
  duplicates: 'REGISTER',
  'import-feeds': 'IMPORT_FEEDS',
  'ocpi-client': 'OCPI_CLIENT',
  'open-data': 'REAL_DATA',
}
/** Proofs that only run if named: no registry has Citus, and ten million sites take hours and most of a disk. */
const BY_NAME = ['citus', 'ten-million']

const wanted = process.argv.slice(2)

/** Whether a proof that takes long, or needs programs that "npm test" does not install, can run and is selected. */
const isPossible = (file: string): boolean => {
  const name = basename(file, '.long.ts')
  const setting = WITH_DATA[name]
  const hasData = setting === undefined || process.env[setting] !== undefined
  return hasData && (!BY_NAME.includes(name) || wanted.includes(name))
}

await run(async () => {
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
  // Selected by "npm run proof -- transaction-mode".
  if (among([POOLED]).length > 0) outcomes.push(await runVitest(['pooled']))
  // Selected by names such as "npm run proof -- postgres-15".
  for (const major of POSTGRES_MAJORS) {
    if (among([`postgres-${major}`]).length === 0) continue
    process.env['VOLTLEAF_TEST_MAJOR'] = String(major)
    outcomes.push(await runVitest(['hosted']))
  }
  if (wanted.includes('citus')) outcomes.push(await runVitest(['citus']))
  const proofs = among([
    ...globSync('tests/proof/**/*.test.ts', { cwd: root }),
    ...globSync('tests/proof/*.long.ts', { cwd: root }).filter(isPossible),
  ])
  if (proofs.length > 0) outcomes.push(await runVitest(['proof'], proofs))
  console.log(`\n${proofTable(await figures())}`)
  const { text, exitCode } = summarize(outcomes)
  console.log(`\n${text}`)
  return exitCode
})

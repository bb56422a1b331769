import { ensureBrowser } from './testing/browser.ts'
import { buildIfStale } from './build/build.ts'
import { run } from './process.ts'
import { ensurePooler } from './testing/programs.ts'
import { gatherFigures, proofTable } from './testing/proof-table.ts'
import { runChecks, runPlaywright, runVitest, summarize, type Outcome } from './testing/runners.ts'
import { checkSizes } from './build/sizes.ts'

await run(async () => {
  process.env['VOLTLEAF_CHROMIUM'] = await ensureBrowser()
  process.env['VOLTLEAF_PGBOUNCER'] = ensurePooler()
  const figures = await gatherFigures()
  const outcomes: Outcome[] = [await runChecks()]
  try {
    await buildIfStale()
    outcomes.push(await checkSizes())
  } catch (error) {
    const complaint = error instanceof Error ? error.message : String(error)
    outcomes.push({ passed: 0, failed: 1, complaints: [complaint] })
  }
  outcomes.push(await runVitest(['unit', 'db', 'contract', 's3', 'proof', 'start']))
  outcomes.push(await runPlaywright())
  const { text, exitCode } = summarize(outcomes)
  console.log(
    `\n== What was proved, in short; "npm run proof" tries more\n${proofTable(await figures())}`,
  )
  console.log(`\n${text}`)
  return exitCode
})

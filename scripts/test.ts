import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'
import { exitWith } from './process.ts'
import { runChecks, runPlaywright, runVitest, summarize, type Outcome } from './runners.ts'

try {
  process.env['VOLTLEAF_CHROMIUM'] = await ensureBrowser()
  const outcomes: Outcome[] = [await runChecks()]
  try {
    await buildIfStale()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    outcomes.push({ passed: 0, failed: 1 })
  }
  for (const project of ['unit', 'db', 'contract', 'start']) outcomes.push(await runVitest(project))
  outcomes.push(await runPlaywright())
  const { line, exitCode } = summarize(outcomes)
  console.log(`\n${line}`)
  process.exit(exitCode)
} catch (error) {
  exitWith(error)
}

import { ensureBrowser } from './testing/browser.ts'
import { buildIfStale } from './build/build.ts'
import { run } from './process.ts'
import { ensurePooler } from './testing/programs.ts'
import { gatherFigures, proofTable } from './testing/proof-table.ts'
import { runChecks, runPlaywright, runVitest, summarize, type Outcome } from './testing/runners.ts'
import { checkSizes } from './build/sizes.ts'

const checkBuild = async (build: Promise<unknown>): Promise<Outcome> => {
  try {
    await build
    return await checkSizes()
  } catch (error) {
    const complaint = error instanceof Error ? error.message : String(error)
    return { passed: 0, failed: 1, complaints: [complaint] }
  }
}

await run(async () => {
  process.env['VOLTLEAF_CHROMIUM'] = await ensureBrowser()
  process.env['VOLTLEAF_PGBOUNCER'] = ensurePooler()
  const figures = await gatherFigures()
  // The checks leave half of a processor to the build, whose outcome is reported after theirs.
  const build = buildIfStale()
  build.catch(() => {})
  const outcomes: Outcome[] = [await runChecks(), await checkBuild(build)]
  outcomes.push(await runVitest(['unit', 'db', 'contract', 's3', 'proof', 'start']))
  outcomes.push(await runPlaywright())
  const { text, exitCode } = summarize(outcomes)
  console.log(
    `\n== What was proved, in short; "npm run proof" tries more\n${proofTable(await figures())}`,
  )
  console.log(`\n${text}`)
  return exitCode
})

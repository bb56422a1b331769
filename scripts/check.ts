import { buildIfStale } from './build/build.ts'
import { run } from './process.ts'
import { runChecks, summarize } from './testing/runners.ts'
import { checkSizes } from './build/sizes.ts'

await run(async () => {
  const checks = await runChecks()
  await buildIfStale()
  return summarize([checks, await checkSizes()]).exitCode
})

import { buildIfStale } from './build/build.ts'
import { exitWith } from './process.ts'
import { runChecks, summarize } from './testing/runners.ts'
import { checkSizes } from './build/sizes.ts'

try {
  const checks = await runChecks()
  await buildIfStale()
  process.exit(summarize([checks, await checkSizes()]).exitCode)
} catch (error) {
  exitWith(error)
}

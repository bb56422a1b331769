import { buildIfStale } from './build.ts'
import { exitWith } from './process.ts'
import { runChecks, summarize } from './runners.ts'
import { checkSizes } from './sizes.ts'

try {
  const checks = await runChecks()
  await buildIfStale()
  process.exit(summarize([checks, await checkSizes()]).exitCode)
} catch (error) {
  exitWith(error)
}

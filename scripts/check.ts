import { exitWith } from './process.ts'
import { runChecks } from './runners.ts'

try {
  const { failed } = await runChecks()
  process.exit(failed === 0 ? 0 : 1)
} catch (error) {
  exitWith(error)
}

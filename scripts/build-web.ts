import { buildIfStale } from './build/build.ts'
import { exitWith } from './process.ts'

// The parent process may end first.
process.once('disconnect', () => process.exit(1))
await buildIfStale().then(() => process.exit(0), exitWith)

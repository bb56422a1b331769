import { buildIfStale } from './build.ts'
import { exitWith } from './process.ts'

// Whoever started it may end before it does.
process.once('disconnect', () => process.exit(1))
await buildIfStale().then(() => process.exit(0), exitWith)

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { StartupError } from '../server/problem.ts'
import { run, root } from './process.ts'

// The bench's own dependencies are in bench/package.json, and only this command installs them.

const folder = join(root, 'bench')

const install = (): void => {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const stamp = join(folder, 'node_modules/.installed-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.error('Installing the dependencies of the bench.')
  const { status } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: folder, stdio: ['ignore', 2, 2] },
  )
  if (status !== 0)
    throw new StartupError(
      'The dependencies of the bench could not be installed; see the output of npm above. Fix the problem and run the same command again.',
    )
  writeFileSync(stamp, lock)
}

// Stops every process that the bench has started: the peer does not watch a channel.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(1))

await run(async () => {
  install()
  const { bench } = await import('../bench/main.ts')
  await bench(process.argv.slice(2))
  return 0
})

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { StartupError } from '../server/problem.ts'

/** The program of PgBouncer: what `VOLTLEAF_PGBOUNCER` names, else the one of the system. */
export const findPooler = (): string | undefined => {
  const chosen = process.env['VOLTLEAF_PGBOUNCER']
  if (chosen) return chosen
  // Debian keeps it where the PATH of an ordinary user does not lead.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), '/usr/sbin']
  return folders.map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file))
}

/**
 * Finds PgBouncer, which the tests run the server behind, or installs it where that is possible.
 * @throws {StartupError} when there is none and none can be had.
 */
export const ensurePooler = (): string => {
  const found = findPooler()
  if (found !== undefined) return found
  if (process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing PgBouncer for the tests; this happens once.')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args: string[]): boolean =>
      spawnSync('apt-get', ['-q', ...args], { stdio: 'inherit', env }).status === 0
    const isInstalled =
      apt('update') && apt('install', '-y', '--no-install-recommends', 'pgbouncer')
    const installed = isInstalled ? findPooler() : undefined
    if (installed !== undefined) return installed
  }
  throw new StartupError(
    'The tests need PgBouncer, and it could not be installed: install it ("sudo apt-get install pgbouncer", "brew install pgbouncer"), or set VOLTLEAF_PGBOUNCER to its program.',
  )
}

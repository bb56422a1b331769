import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { StartupError } from '../../server/problem.ts'

/** The first of these programs in `PATH`, or where Debian keeps programs for administrators. */
export const findProgram = (...names: readonly string[]): string | undefined => {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), '/usr/sbin']
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file))
}

/** Installs Debian packages where possible. @returns whether it could */
export const installPackages = (...packages: readonly string[]): boolean => {
  if (process.geteuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  console.log(`Installing ${packages.join(', ')} for the tests; this happens once.`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]): boolean =>
    spawnSync('apt-get', ['-q', ...args], { stdio: 'inherit', env }).status === 0
  return apt('update') && apt('install', '-y', '--no-install-recommends', ...packages)
}

/** The program that a setting names, or one of the system, which is installed if missing. */
const ensureProgram = (setting: string, name: string, debianPackage: string): string | undefined =>
  process.env[setting] ||
  findProgram(name) ||
  (installPackages(debianPackage) ? findProgram(name) : undefined)

/**
 * Finds or installs PgBouncer, behind which tests run the server.
 * @throws {StartupError} if there is none and none can be installed
 */
export const ensurePooler = (): string => {
  const program = ensureProgram('VOLTLEAF_PGBOUNCER', 'pgbouncer', 'pgbouncer')
  if (program !== undefined) return program
  throw new StartupError(
    'The tests need PgBouncer, and it could not be installed: install it ("sudo apt-get install pgbouncer", "brew install pgbouncer"), or set VOLTLEAF_PGBOUNCER to its program.',
  )
}

/** Finds or installs promtool, the checker of Prometheus; undefined where it cannot be installed. */
export const ensurePromtool = (): string | undefined =>
  ensureProgram('VOLTLEAF_PROMTOOL', 'promtool', 'prometheus')

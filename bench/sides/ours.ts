import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { root } from '../../scripts/process.ts'
import { createPasswords } from '../../server/auth/password.ts'
import { putSuperuser } from '../../server/auth/superuser.ts'
import { connect } from '../../server/db/connect.ts'
import type { Sql } from '../../server/db/sql.ts'
import { findRunningDatabase } from '../../server/db/embedded.ts'
import { rowsOf, type Owner, type Row, type Rows } from './data.ts'
import { call, signInOwners, SUPERUSER, untilHealthy, type Ground, type Side } from './side.ts'
import { freePort } from '../../tests/support/ports.ts'

/** The settings of our server in the bench; all others have their defaults. */
export const settingsOf = (
  { folder, provider, settings }: Pick<Ground, 'folder' | 'provider' | 'settings'>,
  port: number,
): Record<string, string> => ({
  DATA_DIR: join(folder, 'data'),
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  RATE_LIMITS: 'off',
  // No request log.
  LOG_LEVEL: 'warn',
  MAP_STYLE_URL: 'none',
  GEOCODER_URL: 'none',
  ...settings,
})

interface Package {
  readonly scripts: Readonly<Record<'start', string>>
}

/** Starts our server like `npm start`, and fills its database. */
export const startOurs = async (ground: Ground): Promise<Side> => {
  const port = await freePort()
  const settings = settingsOf(ground, port)
  const log = openSync(join(ground.folder, 'log'), 'a')
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Package
  const child = spawn(process.execPath, scripts.start.replace(/^exec node /, '').split(' '), {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    // The server stops when the channel closes, however the bench ends.
    stdio: ['ignore', log, log, 'ipc'],
  })
  const ended = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  try {
    await untilHealthy(port, () => child.exitCode !== null)
    const tokens = await fill(ground, port)
    return {
      name: 'ours',
      title: 'Voltleaf',
      port,
      pid: child.pid ?? 0,
      tokenOf: (owner) => tokens.get(owner.id) ?? '',
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const fill = async (
  { folder, owners, signedIn, rows = rowsOf(owners) }: Ground,
  port: number,
): Promise<ReadonlyMap<string, string>> => {
  const place = await findRunningDatabase(join(folder, 'data'))
  if (place === undefined) throw new Error('The server has no database.')
  // The settings of its session must last until everything is loaded, which takes longer than the lifetime of a pooled
  // connection.
  const sql = connect(place, { max: 1, keepOpen: true })
  try {
    await putSuperuser(sql, createPasswords(), SUPERUSER.email, SUPERUSER.password)
    const { token } = await call<{ token: string }>(
      port,
      'POST',
      '/api/collections/_superusers/auth-with-password',
      { body: { identity: SUPERUSER.email, password: SUPERUSER.password } },
    )
    const tokens = await signInOwners(port, token, signedIn)
    await loadAll(sql, owners, signedIn, rows)
    return tokens
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const loadAll = async (
  sql: Sql,
  owners: readonly Owner[],
  present: readonly Owner[],
  rows: Rows,
): Promise<void> => {
  await sql`set statement_timeout = 0`
  // The rows are valid: foreign keys and triggers are off while they are loaded.
  await sql`set session_replication_role = replica`
  const known = new Set(present.map(({ id }) => id))
  const others = owners.filter(({ id }) => !known.has(id))
  await copy(
    sql,
    'users',
    ['id', 'email', 'name', 'verified'],
    others.map(({ id, email, number }) => [id, email, `Owner ${number}`, 'true']),
  )
  for (const [table, { columns, rows: each }] of Object.entries(rows))
    await copy(sql, table, columns, each())
  await sql`set session_replication_role = origin`
  // As after a restore, the public data is derived from the rows.
  await sql`select rebuild_places()`
  await sql`vacuum analyze`
  await sql`checkpoint`
}

const copy = async (
  sql: Sql,
  table: string,
  columns: readonly string[],
  rows: Iterable<Row>,
): Promise<void> => {
  const text = `copy ${table} (${columns.map((name) => `"${name}"`).join(', ')}) from stdin`
  await sql.begin((transaction) => pipeline(Readable.from(encode(rows)), transaction.copyIn(text)))
}

const BATCH = 1000

/** The text format of COPY; our values contain no tabs or backslashes. */
function* encode(rows: Iterable<Row>): Generator<string> {
  let lines: string[] = []
  for (const row of rows) {
    lines.push(row.join('\t'))
    if (lines.length < BATCH) continue
    yield `${lines.join('\n')}\n`
    lines = []
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`
}

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from 'pg'

import { ensurePooler } from '../../scripts/testing/programs.ts'
import { chooseLauncher } from '../../server/db/launch.ts'
import { postgresSocketFolder } from './postgres.ts'
import { freePort } from './ports.ts'
import { runProgram } from './program.ts'

export type PoolMode = 'session' | 'transaction' | 'statement'

/** A PgBouncer in front of the PostgreSQL of the run. */
export interface Pooler {
  /** The URL of a database through the pooler. */
  url(database: string): string
  /** Sends a query on a separate connection without any setup, to a database or to the console (`pgbouncer`). */
  ask(database: string, text: string): Promise<readonly object[]>
  /** Changes the mode while clients are connected. */
  change(mode: PoolMode): Promise<void>
  close(): Promise<void>
}

export interface PoolerOptions {
  /** By default, a free one. */
  readonly port?: number
  /** Another PgBouncer than the system's. */
  readonly program?: string
  readonly settings?: Readonly<Record<string, string | number>>
}

/** Starts PgBouncer with its defaults, except for the mode, the pool size and the number of clients. */
export const startPooler = async (
  mode: PoolMode,
  poolSize = 20,
  { port: given, program = ensurePooler(), settings: more = {} }: PoolerOptions = {},
): Promise<Pooler> => {
  const folder = await mkdtemp(join(tmpdir(), 'voltleaf-pooler-'))
  await chmod(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const port = given ?? (await freePort())
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    // No socket in a shared folder.
    unix_socket_dir: '',
    auth_type: 'any',
    default_pool_size: poolSize,
    max_client_conn: 1000,
    ...more,
  }
  const socketFolder = await postgresSocketFolder()
  const write = (poolMode: PoolMode): Promise<void> => {
    const lines = Object.entries({ ...settings, pool_mode: poolMode })
    return writeFile(
      file,
      `[databases]\n* = host=${socketFolder} port=5432 user=voltleaf\n[pgbouncer]\n` +
        lines.map(([name, value]) => `${name} = ${value}\n`).join(''),
    )
  }
  await write(mode)
  const pooler = runProgram(await chooseLauncher(program, socketFolder), program, [file])
  while (!(await listens(port))) {
    pooler.check()
    await sleep(20)
  }
  const url = (database: string): string => `postgres://voltleaf@127.0.0.1:${port}/${database}`
  return {
    url,
    ask: async (database, text) => {
      const client = new Client(url(database))
      await client.connect()
      try {
        return (await client.query<object>(text)).rows
      } finally {
        await client.end()
      }
    },
    change: async (next) => {
      await write(next)
      const from = pooler.said().length
      pooler.signal('SIGHUP')
      while (!pooler.said().includes('SIGHUP', from)) await sleep(20)
    },
    close: async () => {
      await pooler.stop('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { ensurePooler } from '../../scripts/pooler.ts'
import { chooseLauncher } from '../../server/db/launch.ts'
import { postgresSocketFolder } from './postgres.ts'

export type PoolMode = 'session' | 'transaction' | 'statement'

/** A PgBouncer in front of the PostgreSQL of the run. */
export interface Pooler {
  /** The address of a database, through it. */
  url(database: string): string
  /** Changes the mode under whoever is connected. */
  change(mode: PoolMode): Promise<void>
  close(): Promise<void>
}

/** Starts PgBouncer with its own defaults but for the mode and the size of a pool. */
export const startPooler = async (mode: PoolMode, poolSize = 20): Promise<Pooler> => {
  const folder = await mkdtemp(join(tmpdir(), 'voltleaf-pooler-'))
  await chmod(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const port = await freePort()
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    // No socket in a folder that others share.
    unix_socket_dir: '',
    auth_type: 'any',
    default_pool_size: poolSize,
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
  const program = ensurePooler()
  // It refuses to be root, as PostgreSQL does.
  const launcher = await chooseLauncher(program, socketFolder)
  const { file: command, args, options } = launcher.command(program, [file])
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = once(child, 'close')
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended:\n${said}`)
    await sleep(20)
  }
  return {
    url: (database) => `postgres://voltleaf@127.0.0.1:${port}/${database}`,
    change: async (next) => {
      await write(next)
      const from = said.length
      child.kill('SIGHUP')
      while (!said.includes('SIGHUP', from)) await sleep(20)
    },
    close: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

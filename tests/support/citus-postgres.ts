import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { needCitus } from '../../scripts/testing/programs.ts'
import { chooseLauncher } from '../../server/db/launch.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Sql } from '../../server/db/sql.ts'
import { freePort, runProgram } from './program.ts'

/** A coordinator of Citus with its workers. */
export interface Citus {
  /** The address of the database on the coordinator. */
  readonly url: string
  /** Its superuser there, whose plans know the values of a statement. */
  readonly admin: Sql
  close(): Promise<void>
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: 100,
  'citus.node_conninfo': 'sslmode=disable',
}

/** Starts a coordinator and workers, with the database and the role `voltleaf`. */
export const startCitus = async (workerCount: number): Promise<Citus> => {
  const { initdb, postgres } = needCitus()
  const dataDir = await mkdtemp(join(tmpdir(), 'voltleaf-citus-'))
  const launcher = await chooseLauncher(postgres, dataDir)
  await launcher.own(dataDir)
  const startNode = async (name: string) => {
    const [folder, port] = [join(dataDir, name), await freePort()]
    const { file, args, options } = launcher.command(initdb, [
      `--pgdata=${folder}`,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ])
    execFileSync(file, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
    const settings = Object.entries({ ...SETTINGS, port })
    const program = runProgram(launcher, postgres, [
      '-D',
      folder,
      ...settings.flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ])
    const at = (user: string, database: string): string =>
      `postgres://${user}@127.0.0.1:${port}/${database}`
    const first = await openDatabase(
      { url: at('postgres', 'postgres') },
      { max: 1, waitMs: 30_000 },
    )
    await first.unsafe('create role voltleaf login')
    await first.unsafe('create database voltleaf owner voltleaf')
    await first.end({ timeout: 1 })
    // A generic plan knows no shard.
    const own = `${at('postgres', 'voltleaf')}?plan_cache_mode=force_custom_plan`
    const admin = await openDatabase({ url: own }, { max: 1 })
    await admin.unsafe('create extension citus')
    return { port, program, admin, url: at('voltleaf', 'voltleaf') }
  }
  const names = [
    'coordinator',
    ...Array.from({ length: workerCount }, (_, index) => `worker-${index}`),
  ]
  const nodes = await Promise.all(names.map(startNode))
  const [coordinator, ...workers] = nodes
  if (coordinator === undefined) throw new Error('no coordinator')
  const { admin, url, port } = coordinator
  await admin`select citus_set_coordinator_host('127.0.0.1', ${port}::int)`
  for (const worker of workers) await admin`select citus_add_node('127.0.0.1', ${worker.port}::int)`
  return {
    url,
    admin,
    close: async () => {
      await Promise.all(
        nodes.map(async (node) => {
          await node.admin.end({ timeout: 1 })
          await node.program.stop('SIGINT')
        }),
      )
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

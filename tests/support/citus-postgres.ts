import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { needCitus } from '../../scripts/testing/programs.ts'
import { connect } from '../../server/db/connect.ts'
import { chooseLauncher } from '../../server/db/launch.ts'
import { openDatabase } from '../../server/db/open.ts'
import type { Sql } from '../../server/db/sql.ts'
import { HOSTED, TURKISH } from './hosted-postgres.ts'
import { freePort } from './ports.ts'
import { runProgram } from './program.ts'

/** A Citus coordinator with its workers. */
export interface Citus {
  /** The URL of the database on the coordinator. */
  readonly url: string
  /** A connection as its superuser, whose plans know the values of a statement. */
  readonly admin: Sql
  close(): Promise<void>
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: 300,
  max_prepared_transactions: 100,
  // Citus has one background worker per database.
  max_worker_processes: 100,
  'citus.node_conninfo': 'sslmode=disable',
}
const WORKERS = 2
const ATTEMPTS = 5
const PAUSE_MS = 500
/** The ports of the nodes that all tests of a run share; the coordinator comes first. */
const PORTS = 'VOLTLEAF_TEST_CITUS_PORTS'

const address = (user: string, port: number, database: string): string =>
  `postgres://${user}@127.0.0.1:${port}/${database}`

/** Runs statements as the superuser of a node. */
const asAdmin = async <T>(
  port: number,
  database: string,
  run: (sql: Sql) => Promise<T>,
): Promise<T> => {
  const url = address('postgres', port, database)
  const sql = await openDatabase({ url }, { max: 1, waitMs: 30_000 })
  try {
    return await run(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

interface Nodes {
  readonly ports: readonly number[]
  readonly close: () => Promise<void>
}

/** Starts the nodes, each with the role `voltleaf`. New databases in them have the extension Citus. */
const startNodes = async (count: number): Promise<Nodes> => {
  const { initdb, postgres } = needCitus()
  const dataDir = await mkdtemp(join(tmpdir(), 'voltleaf-citus-'))
  const launcher = await chooseLauncher(postgres, dataDir)
  await launcher.own(dataDir)
  const startNode = async (index: number) => {
    const [folder, port] = [join(dataDir, `node-${index}`), await freePort()]
    const { file, args, options } = launcher.command(initdb, [
      `--pgdata=${folder}`,
      '--username=postgres',
      '--auth=trust',
      '--no-sync',
      ...TURKISH,
    ])
    execFileSync(file, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
    const settings = Object.entries({ ...SETTINGS, port })
    const program = runProgram(launcher, postgres, [
      '-D',
      folder,
      ...settings.flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ])
    await asAdmin(port, 'template1', (sql) => sql.unsafe('create extension citus'))
    await asAdmin(port, 'postgres', async (sql) => {
      await sql.unsafe('create role voltleaf login')
      // Otherwise the background worker of Citus stays connected, and no database can be created from the template.
      await sql.unsafe('alter database template1 with allow_connections false')
    })
    return { port, program }
  }
  const nodes = await Promise.all(Array.from({ length: count }, (_, index) => startNode(index)))
  return {
    ports: nodes.map(({ port }) => port),
    close: async () => {
      await Promise.all(nodes.map(({ program }) => program.stop('SIGINT')))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Adds a worker. A node that is busy with another database may refuse, so there are several attempts. */
const addNode = async (sql: Sql, port: number): Promise<void> => {
  for (let left = ATTEMPTS; ; left--)
    try {
      await sql`select citus_add_node('127.0.0.1', ${port}::int)`
      return
    } catch (error) {
      if (left === 1) throw error
      await sleep(PAUSE_MS)
    }
}

/** Distributes a database of the coordinator over all nodes. */
const attach = async (
  [coordinator, ...workers]: readonly number[],
  database: string,
): Promise<void> => {
  if (coordinator === undefined) throw new Error('no coordinator')
  for (const port of workers)
    await asAdmin(port, 'postgres', (sql) =>
      sql.unsafe(`create database ${database} owner voltleaf`),
    )
  await asAdmin(coordinator, database, async (sql) => {
    await sql`select citus_set_coordinator_host('127.0.0.1', ${coordinator}::int)`
    for (const port of workers) await addNode(sql, port)
    const active = await sql`select from citus_get_active_worker_nodes()`
    if (active.length !== workers.length)
      throw new Error(`${active.length} of ${workers.length} workers are active.`)
  })
}

/** Starts a coordinator and workers, with the database `voltleaf`. */
export const startCitus = async (): Promise<Citus> => {
  const { ports, close } = await startNodes(1 + WORKERS)
  const [coordinator = 0] = ports
  await asAdmin(coordinator, 'postgres', (sql) =>
    sql.unsafe('create database voltleaf owner voltleaf'),
  )
  await attach(ports, 'voltleaf')
  // A generic plan does not know the shard.
  const own = `${address('postgres', coordinator, 'voltleaf')}?plan_cache_mode=force_custom_plan`
  const admin = connect({ url: own }, { max: 1 })
  return {
    url: address('voltleaf', coordinator, 'voltleaf'),
    admin,
    close: async () => {
      await admin.end({ timeout: 1 })
      await close()
    },
  }
}

/**
 * Attaches the workers of the run to a new database on the coordinator; does nothing without Citus.
 * @returns a function that removes the database from the workers
 */
export const attachWorkers = async (database: string): Promise<() => Promise<void>> => {
  const ports = process.env[PORTS]?.split(' ').map(Number)
  if (ports === undefined) return async () => {}
  await attach(ports, database)
  return async () => {
    for (const port of ports.slice(1))
      await asAdmin(port, 'postgres', (sql) => sql.unsafe(`drop database ${database} with (force)`))
  }
}

/**
 * Starts the nodes that all tests of a run share; the server runs on the coordinator.
 * @returns a function that stops them at the end of the run
 */
const setUp = async (): Promise<() => Promise<void>> => {
  const { ports, close } = await startNodes(1 + WORKERS)
  const [coordinator = 0] = ports
  process.env[PORTS] = ports.join(' ')
  process.env[HOSTED.admin] = address('postgres', coordinator, 'DATABASE')
  process.env[HOSTED.server] = address('voltleaf', coordinator, 'DATABASE')
  return close
}
export default setUp

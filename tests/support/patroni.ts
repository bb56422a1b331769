import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { needDebianPostgres, needProgram } from '../../scripts/testing/programs.ts'
import { chooseLauncher, type Launcher } from '../../server/db/launch.ts'
import { openDatabase } from '../../server/db/open.ts'
import { freePort } from './ports.ts'
import { runProgram, type RunningProgram } from './program.ts'

/** Patroni with etcd: a primary and two replicas, one of which is synchronous. */
export interface PatroniCluster {
  /** The URL of each node; `url` names all nodes and selects the writable one. */
  readonly urls: readonly string[]
  readonly url: string
  /** Kills the PostgreSQL of the primary, or its whole node. @returns the time according to `performance.now()` */
  killPrimary(what: 'postgres' | 'node'): Promise<number>
  /** Restarts killed nodes, and waits until there is a primary with a synchronous replica and both replicas stream. */
  heal(): Promise<void>
  close(): Promise<void>
}

const NAMES = ['a', 'b', 'c'] as const
const HEAL_MS = 180_000
/** The shortest TTL that Patroni allows. */
const TTL_S = 20

interface Node {
  readonly name: string
  readonly port: number
  readonly rest: number
  readonly folder: string
  readonly settings: string
  patroni: RunningProgram | undefined
}

export const startPatroni = async (): Promise<PatroniCluster> => {
  const [patroni, etcd, bin] = [needProgram('patroni'), needProgram('etcd'), needDebianPostgres()]
  const folder = await mkdtemp(join(tmpdir(), 'voltleaf-patroni-'))
  const launcher = await chooseLauncher(join(bin, 'postgres'), folder)
  await launcher.own(folder)
  const [clients, peers] = [await freePort(), await freePort()]
  const client = `http://127.0.0.1:${clients}`
  const peer = `http://127.0.0.1:${peers}`
  const options = {
    'data-dir': join(folder, 'etcd'),
    'log-level': 'error',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  }
  const store = runProgram(
    launcher,
    etcd,
    Object.entries(options).map(([name, value]) => `--${name}=${value}`),
  )
  const start = (node: Node): void => {
    node.patroni = runProgram(launcher, patroni, [node.settings])
  }
  const nodes = await Promise.all(
    NAMES.map((name) => writeNode({ name, folder, bin, etcd: clients, launcher })),
  )
  const close = async (): Promise<void> => {
    // Patroni stops its PostgreSQL.
    await Promise.all(nodes.map(async ({ patroni: running }) => running?.stop('SIGTERM')))
    await store.stop('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
  const kill = async (node: Node, what: 'postgres' | 'node'): Promise<number> => {
    const text = await readFile(join(node.folder, 'data/postmaster.pid'), 'utf8')
    if (what === 'node') node.patroni?.signal('SIGKILL')
    process.kill(Number(text.split('\n')[0]), 'SIGKILL')
    const atMs = performance.now()
    if (what === 'postgres') return atMs
    await node.patroni?.stop('SIGKILL')
    node.patroni = undefined
    return atMs
  }
  const heal = async (): Promise<void> => {
    for (const node of nodes) if (node.patroni === undefined) start(node)
    for (const deadline = Date.now() + HEAL_MS; !(await isHealthy(nodes)); await sleep(250)) {
      store.check()
      for (const { patroni: running } of nodes) running?.check()
      if (Date.now() > deadline)
        throw new Error(
          `The cluster does not heal:\n${nodes.map((node) => node.patroni?.said().slice(-2000)).join('\n')}`,
        )
    }
  }
  try {
    await heal()
    await createDatabase(nodes)
  } catch (error) {
    await close()
    throw error
  }
  const at = nodes.map(({ port }) => `127.0.0.1:${port}`)
  return {
    urls: at.map((host) => `postgres://voltleaf@${host}/voltleaf`),
    url: `postgres://voltleaf@${at.join(',')}/voltleaf?target_session_attrs=read-write`,
    killPrimary: async (what) => kill(await findPrimary(nodes), what),
    heal,
    close,
  }
}

interface NodeOptions {
  readonly name: string
  readonly folder: string
  readonly bin: string
  readonly etcd: number
  readonly launcher: Launcher
}

/** Writes the settings of a node in JSON, which is also YAML. */
const writeNode = async ({ name, folder, bin, etcd, launcher }: NodeOptions): Promise<Node> => {
  const [port, rest] = [await freePort(), await freePort()]
  const own = join(folder, name)
  const settings = join(folder, `${name}.json`)
  const place = `127.0.0.1:${port}`
  const text = JSON.stringify({
    scope: 'voltleaf',
    name,
    log: { level: 'WARNING' },
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: TTL_S,
        loop_wait: 2,
        retry_timeout: 3,
        // A confirmed write is always on two nodes.
        synchronous_mode: true,
        synchronous_mode_strict: true,
        // Failover does not wait for the old primary.
        primary_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 60, shared_buffers: '32MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      listen: place,
      connect_address: place,
      data_dir: join(own, 'data'),
      bin_dir: bin,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: {
        superuser: { username: 'postgres', password: 'postgres' },
        replication: { username: 'replicator', password: 'replicator' },
      },
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
    },
  })
  await writeFile(settings, text, { mode: 0o600 })
  await launcher.own(settings)
  return { name, port, rest, folder: own, settings, patroni: undefined }
}

interface Member {
  readonly role: string
  readonly state: string
}

/** Whether there are a primary, a synchronous replica and another replica, all up to date. */
const isHealthy = async (nodes: readonly Node[]): Promise<boolean> => {
  const answers = nodes.map(async ({ rest }) => {
    const answer = await fetch(`http://127.0.0.1:${rest}/cluster`)
    const { members } = (await answer.json()) as { members: readonly Member[] }
    return members
      .map(({ role, state }) => `${role} ${state}`)
      .toSorted()
      .join()
  })
  const seen = await Promise.all(answers.map((answer) => answer.catch(() => '')))
  return seen.every((each) => each === 'leader running,replica streaming,sync_standby streaming')
}

const findPrimary = async (nodes: readonly Node[]): Promise<Node> => {
  for (const node of nodes) {
    const answer = await fetch(`http://127.0.0.1:${node.rest}/primary`).catch(() => undefined)
    if (answer?.status === 200) return node
  }
  throw new Error('There is no primary.')
}

const createDatabase = async (nodes: readonly Node[]): Promise<void> => {
  const { port } = await findPrimary(nodes)
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
  const sql = await openDatabase({ url }, { max: 1, waitMs: 30_000 })
  await sql.unsafe('create role voltleaf login')
  await sql.unsafe('create database voltleaf owner voltleaf')
  await sql.end({ timeout: 1 })
}

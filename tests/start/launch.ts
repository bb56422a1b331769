import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { root } from '../../scripts/process.ts'
import { makeTemporaryFolder, stopDatabase } from '../support/temporary.ts'
import { copyMigratedData } from './migrated.ts'

/** A real `npm start` (or the script behind it) in its own process. */
export interface Launched {
  readonly child: ChildProcess
  /** Its output so far. */
  output(): string
  /** The URL in its ready message. Rejects with the output if it ends before. */
  ready(): Promise<string>
  /** Its exit code, or the signal that ended it. */
  ended(): Promise<number | string>
}

export interface LaunchOptions {
  readonly env: Readonly<Record<string, string>>
  /** The project folder; a copy if the path matters. */
  readonly cwd?: string
  /** Starts through npm, as a user does, instead of through the script that npm runs. */
  readonly npm?: boolean
  readonly program?: string
  /** Options of Node. */
  readonly flags?: readonly string[]
  readonly uid?: number
}

const READY = /is ready at ([^\s"]+)/

/** Starts the product; it is killed with all of its child processes when the test ends. */
export const launch = (options: LaunchOptions): Launched => {
  const args = options.npm ? ['start'] : [...(options.flags ?? []), 'scripts/bootstrap.js', 'start']
  const program = options.npm ? 'npm' : (options.program ?? process.execPath)
  const child = spawn(program, args, {
    cwd: options.cwd ?? root,
    // Only the environment of a user's shell: the settings of the tests must not leak in.
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: tmpdir(),
      PORT: '0',
      npm_config_update_notifier: 'false',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group, so that a test can send a signal to the whole group, as a terminal does.
    detached: true,
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  let isOver = false
  const ended = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    // Once every process of the group has closed the output.
    child.once('close', (code, signal) => {
      isOver = true
      resolve(code ?? signal ?? 'unknown')
    })
  })
  onTestFinished(async () => {
    // The id of a group that is over may belong to another program by now.
    if (!isOver) signalGroup(child, 'SIGKILL')
    await ended
  })
  return {
    child,
    output: () => output,
    ended: () => ended,
    ready: async () => {
      for (;;) {
        const url = READY.exec(output)?.[1]
        if (url !== undefined) return url
        if (isOver) throw new Error(`It ended (${await ended}) before it was ready:\n${output}`)
        await Promise.race([ended, sleep(20)])
      }
    },
  }
}

/** Sends a signal to a process group, as Ctrl-C in a terminal does. */
export const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // It has already ended.
  }
}

/**
 * A folder for one test, accessible to every account. It is removed afterwards, after its database is stopped.
 * @param onDisk the beginning of its name on the disk, where dependencies can be linked, and programs be run
 */
export const testFolder = async (onDisk?: string): Promise<string> => {
  const folder =
    onDisk === undefined
      ? await makeTemporaryFolder('start')
      : await mkdtemp(join(tmpdir(), onDisk))
  await chmod(folder, 0o755)
  onTestFinished(async () => {
    await stopDatabase(join(folder, 'data'))
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

/** A data folder of a server that has run before, for tests of later starts. */
export const usedDataDir = async (): Promise<string> => {
  const dataDir = join(await testFolder(), 'data')
  copyMigratedData(dataDir)
  return dataDir
}

/** The process id of the PostgreSQL on a data folder, from its lock file. */
export const postmasterOf = async (dataDir: string): Promise<number | undefined> => {
  const text = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
  return Number(text.split('\n')[0]) || undefined
}

/** `running`, or the reason why not. A zombie is not running; in a container it may remain for long. */
export const stateOf = (pid: number | undefined): string => {
  try {
    if (pid === undefined) return 'never started'
    process.kill(pid, 0)
    if (process.platform !== 'linux') return 'running'
    const [, state = '?'] =
      /^\d+ \(.*\) (\S)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return 'ZX'.includes(state) ? `ended (${state})` : 'running'
  } catch (error) {
    return `ended (${String(error)})`
  }
}

/** Only an upper bound; a slow machine must not fail the test. */
const GIVE_UP_MS = 45_000

/** Waits until a condition is met. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + GIVE_UP_MS
  while (!(await holds())) {
    if (Date.now() > deadline)
      throw new Error(`It did not come true within ${GIVE_UP_MS / 1000} s.`)
    await sleep(20)
  }
}

/** A port on which another program listens until the test ends. */
export const strangersPort = async (): Promise<number> => {
  const stranger = createServer((socket) => socket.end('I am not your server.\n'))
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    stranger.close()
  })
  const address = stranger.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export const isHealthy = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/api/health`).catch(() => undefined))?.status === 200

export const isRoot = process.geteuid?.() === 0

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Limits } from '../../server/limits.ts'
import type { ProcessFaults } from './faulty-process.ts'
import { freePort } from './ports.ts'
import { settingsBeside, webDirFor, type Stack } from './stack.ts'

/** A server in its own operating-system process. */
export interface SecondProcess {
  /** Its URL with the base path, whatever its `PUBLIC_URL`. */
  readonly url: string
  /** Its process id. */
  readonly pid: number
  /** Its log so far; complete only after `close`. */
  logged(): readonly string[]
  /** Stops it and waits. Rejects if it has to be killed, or has ended before. */
  close(): Promise<void>
  /** Makes its disk and clock fail; it must have been started with `FAULTY`. */
  fail(faults: ProcessFaults): Promise<void>
  /** Kills it. */
  kill(): Promise<void>
}

/** Settings that enable fault injection. */
export const FAULTY = {
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'faulty-process.ts')}`,
} as const

/** Longer than a server takes to finish its requests. */
const CLOSE_MS = 15_000

/**
 * Starts another server in its own process, with the database, the files and the provider of a stack, which must
 * outlive it. The two share nothing else.
 * @param env settings to override
 * @param limits limits to override
 */
export const startSecondProcess = async (
  stack: Stack,
  env: Readonly<Record<string, string>> = {},
  limits: Partial<Limits> = {},
): Promise<SecondProcess> => {
  const program = join(import.meta.dirname, 'serve.ts')
  const child = spawn(process.execPath, [program, await webDirFor(stack.dataDir)], {
    // Settings of the test run must not leak in.
    env: {
      PATH: process.env['PATH'] ?? '',
      ...settingsBeside(stack),
      PORT: String(await freePort()),
      TEST_LIMITS: JSON.stringify(limits),
      ...env,
    },
    // The server ends with the channel, however the test run ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const { stdout, stderr } = child
  // Both are pipes; the type of a child with a channel allows null.
  if (stdout === null || stderr === null) throw new Error('no pipes')
  const logged: string[] = []
  createInterface(stderr).on('line', (line) => logged.push(line))
  // The ready message; every other line is part of its log.
  const ready = new Promise<string>((resolve) => {
    createInterface(stdout).on('line', (each) => {
      if (each.startsWith('{"url":')) resolve(each)
      else logged.push(each)
    })
  })
  const ended = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  const line = await Promise.race([ready, ended.then(() => undefined)])
  if (line === undefined) throw new Error(`It ended before it was ready:\n${logged.join('\n')}`)
  const { url, pid } = JSON.parse(line) as Pick<SecondProcess, 'url' | 'pid'>

  return {
    url,
    pid,
    logged: () => logged,
    close: async () => {
      child.kill('SIGTERM')
      const limit = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS)
      const end = await ended
      clearTimeout(limit)
      if (end !== 0) throw new Error(`The second process ended (${end}):\n${logged.join('\n')}`)
    },
    fail: async (faults) => {
      const heard = new Promise((resolve) => child.once('message', resolve))
      child.send({ faults })
      await heard
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

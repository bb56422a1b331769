import { spawn } from 'node:child_process'
import { once } from 'node:events'

import type { Launcher } from '../../server/db/launch.ts'

/** An external program that runs for a test. */
export interface RunningProgram {
  readonly pid: number
  /** Its standard error so far. */
  said(): string
  /** @throws if it has ended unexpectedly */
  check(): void
  signal(name: NodeJS.Signals): void
  /** Sends this signal and waits until the program has ended. */
  stop(name: NodeJS.Signals): Promise<void>
}

/** Starts a program that refuses to run as root, such as PostgreSQL and PgBouncer. */
export const runProgram = (
  launcher: Launcher,
  program: string,
  programArgs: readonly string[],
): RunningProgram => {
  const { file, args, options } = launcher.command(program, programArgs)
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  return {
    pid: child.pid ?? -1,
    said: () => said,
    check: () => {
      if (child.exitCode !== null) throw new Error(`${program} ended:\n${said}`)
    },
    signal: (name) => void child.kill(name),
    stop: async (name) => {
      child.kill(name)
      await ended
    },
  }
}

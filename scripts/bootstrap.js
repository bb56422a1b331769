/* The first step of every command: ensures that the locked dependencies are installed, then hands over to
   scripts/COMMAND.ts on the Node installed with them. It runs on any Node from 20.19 on, so it is plain JavaScript
   without dependencies. */
import { spawn, spawnSync } from 'child_process'
import { createHash } from 'crypto'
import module from 'module'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'fs'
import { delimiter, dirname, join } from 'path'
import { fileURLToPath, pathToFileURL } from 'url'

const COMMANDS = [
  'start',
  'dev',
  'build-web',
  'test',
  'check',
  'seed',
  'import',
  'superuser',
  'backup',
  'restore',
  'files-move',
  'e2e',
  'contact-sheet',
  'proof',
  'bench',
]
const OLDEST_NODE = [20, 19]

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const stampFile = join(modules, '.installed-lock')
const lockFile = join(root, '.cache', 'installing')

main().catch((error) =>
  fail(error instanceof Error ? (error.stack ?? error.message) : String(error)),
)

async function main() {
  const [command = '', ...args] = process.argv.slice(2)
  if (!COMMANDS.includes(command))
    fail(`Unknown command "${command}"; available commands: ${COMMANDS.join(', ')}.`)
  checkNode()
  if (process.platform === 'win32') {
    fail(
      'Windows is supported through WSL only: run "wsl --install", and start from the Linux shell it gives you.',
    )
  }
  if (!isInstalled()) await install()
  // Programs of the dependencies find the pinned Node in PATH, however the command was started.
  process.env.PATH = [join(modules, '.bin'), process.env.PATH].join(delimiter)
  // Node caches compiled code, which saves a third of the processor time of each further start.
  process.env.NODE_COMPILE_CACHE ??= join(root, '.cache', 'node')
  module.enableCompileCache?.()
  await run(join(root, 'scripts', `${command}.ts`), args)
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return
  fail(
    `Node ${process.versions.node} is too old: install Node ${OLDEST_NODE.join('.')} or newer from https://nodejs.org.`,
  )
}

/** The inputs of node_modules. */
function wantedStamp() {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  return `${process.platform}-${process.arch} ${hash}\n`
}

function isInstalled() {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wantedStamp()) return true
  // A plain "npm install" leaves no stamp, but npm's own lockfile in the folder.
  if (!agreesWithLock()) return false
  writeFileSync(stampFile, wantedStamp())
  return true
}

function agreesWithLock() {
  const noteFile = join(modules, '.package-lock.json')
  if (!existsSync(noteFile) || !existsSync(join(modules, '.bin', 'node'))) return false
  const { packages: present } = JSON.parse(readFileSync(noteFile, 'utf8'))
  const { packages: wanted } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const isSame = (name) => present[name]?.integrity === wanted[name]?.integrity
  return (
    Object.keys(present).every(isSame) &&
    Object.keys(wanted).every((name) => name === '' || wanted[name].optional || isSame(name))
  )
}

async function install() {
  checkLibc()
  await takeInstallLock()
  try {
    // Another start in the same folder may have installed them meanwhile.
    if (isInstalled()) return
    console.error('Installing dependencies; this happens once and takes about a minute.')
    const npm = process.env.npm_execpath
    const [program, first] = npm && /\.[cm]?js$/.test(npm) ? [process.execPath, [npm]] : ['npm', []]
    const { status, error } = spawnSync(
      program,
      [
        ...first,
        'ci',
        // Development dependencies are required, whatever NODE_ENV or the user's npm settings omit.
        '--include=dev',
        '--include=optional',
        '--no-audit',
        '--no-fund',
        // Suppresses warnings that this Node is older than the one being installed.
        '--loglevel=error',
      ],
      // Standard output is reserved for the server's log.
      { cwd: root, stdio: ['ignore', 2, 2], env: installEnvironment() },
    )
    if (error !== undefined)
      fail(
        `npm cannot be run (${error.message}): install it along with Node from https://nodejs.org.`,
      )
    if (status !== 0)
      fail(
        'The dependencies could not be installed; see the output of npm above. Fix the problem and run the same command again.',
      )
    if (!existsSync(join(modules, '.bin', 'node'))) {
      fail(
        `The dependencies include no Node for this computer (${process.platform}-${process.arch}): use Linux or macOS on x64 or arm64.`,
      )
    }
    writeFileSync(stampFile, wantedStamp())
  } finally {
    rmSync(lockFile, { force: true })
  }
}

/** The inner npm would mistake the settings that npm made for this run for the user's own. */
function installEnvironment() {
  const env = { ...process.env }
  for (const name of [
    'npm_config_omit',
    'npm_config_global',
    'npm_config_prefix',
    'npm_config_dry_run',
    'npm_config_ignore_scripts',
  ])
    delete env[name]
  return env
}

function checkLibc() {
  if (process.platform !== 'linux' || !process.report) return
  // Resolving all network names would take seconds on some computers.
  process.report.excludeNetwork = true
  const report = process.report.getReport()
  if (report.header.glibcVersionRuntime !== undefined) return
  fail(
    'The PostgreSQL and Node that come with this project need glibc, but this system has another C library (Alpine uses musl): use Debian, Ubuntu, Fedora or another glibc system.',
  )
}

/** Concurrent starts must not both install, because npm begins by emptying the folder. */
async function takeInstallLock() {
  mkdirSync(dirname(lockFile), { recursive: true })
  for (let announced = false; ;) {
    try {
      const handle = openSync(lockFile, 'wx')
      writeFileSync(handle, String(process.pid))
      closeSync(handle)
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const owner = Number(existsSync(lockFile) ? readFileSync(lockFile, 'utf8') : 0)
    if (owner > 0 && !isAlive(owner)) {
      rmSync(lockFile, { force: true })
      continue
    }
    if (!announced) console.error('Waiting for another start to finish installing.')
    announced = true
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function run(script, args) {
  const pinned = join(modules, '.bin', 'node')
  if (realpathSync(process.execPath) === realpathSync(pinned)) {
    process.argv = [process.execPath, script, ...args]
    await import(pathToFileURL(script).href)
    return
  }
  // The channel notifies the child when this process dies, even by SIGKILL.
  const child = spawn(pinned, [...process.execArgv, script, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) =>
    fail(
      `The Node of the project cannot be run: ${error.message}. Remove node_modules, and run the same command again.`,
    ),
  )
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
    if (child.connected) child.disconnect()
  })
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

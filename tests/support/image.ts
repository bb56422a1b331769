import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, matchesGlob } from 'node:path'

import { root } from '../../scripts/process.ts'
import { StartupError } from '../../server/problem.ts'

/** An instruction of a Dockerfile, without comments and on a single line. */
interface Instruction {
  readonly name: string
  /** For example `--from=build`. */
  readonly flags: Readonly<Record<string, string>>
  readonly rest: string
}

/** The result of a Dockerfile as a folder: the root of its last stage, and how to run it. */
export interface Image {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly workdir: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
  /**
   * Runs a program in the image as its user, with a read-only root, its volume and an empty `/tmp`. The program shares
   * the network and the process ids of the host.
   */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): ChildProcess
  remove(): Promise<void>
}

/** An account without rights on the host, which runs the steps of the build. */
const BUILDER = 65_531
/** The packages of the base image, which the Debian of the host must have as well. */
const BASE = {
  'gcr.io/distroless/cc-debian12:nonroot': [
    'base-files',
    'ca-certificates',
    'libc6',
    'libgcc-s1',
    'libgomp1',
    'libssl3',
    'libstdc++6',
    'netbase',
    'tzdata',
  ],
} as const

/** The reason why the host cannot build images; undefined if it can. */
const whyNoImages = (): string | undefined => {
  if (process.geteuid?.() !== 0) return 'only root can change the root folder of a process'
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return 'mounts are not allowed here'
  const packages = Object.values(BASE).flat()
  if (spawnSync('dpkg', ['--status', ...packages]).status !== 0)
    return 'this is no Debian 12 with the packages of the base image'
  return undefined
}

const readDockerfile = (text: string): readonly Instruction[] =>
  text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', flags = '', rest = ''] = /^(\w+)\s+((?:--\S+\s+)*)(.*)$/.exec(line) ?? []
      const pairs = flags.split(/\s+/).filter(Boolean)
      return {
        name,
        flags: Object.fromEntries(pairs.map((flag) => flag.replace(/^--/, '').split('=', 2))),
        rest,
      }
    })

/**
 * Executes the Dockerfile of this project in an empty folder, without a container runtime.
 * @throws {StartupError} if the host cannot do that
 */
export const makeImage = async (): Promise<Image> => {
  const reason = whyNoImages()
  if (reason !== undefined) throw new StartupError(`Images cannot be made: ${reason}.`)
  const work = await mkdtemp(join(tmpdir(), 'voltleaf-image-'))
  try {
    return await followDockerfile(work)
  } catch (error) {
    await rm(work, { recursive: true, force: true })
    throw error
  }
}

const followDockerfile = async (work: string): Promise<Image> => {
  await chmod(work, 0o755)
  const stages = new Map<string, string>()
  let folder = ''
  let isBase = false
  let workdir = '/'
  let user = ''
  const env: Record<string, string> = {}
  const exec: Record<string, readonly string[]> = {}
  const args: Record<string, string> = {}

  const steps: Readonly<Record<string, (instruction: Instruction) => Promise<void> | void>> = {
    FROM: async ({ rest }) => {
      const [image = '', , name = `stage-${stages.size}`] = rest.split(' ')
      folder = join(work, name)
      isBase = image in BASE
      workdir = '/'
      stages.set(name, folder)
      await mkdir(folder)
      if (isBase) await layBase(BASE[image as keyof typeof BASE], folder)
      else await chown(folder, BUILDER, BUILDER)
    },
    WORKDIR: async ({ rest }) => {
      workdir = rest
      await mkdir(join(folder, workdir), { recursive: true })
      if (!isBase) execFileSync('chown', ['-R', `${BUILDER}:${BUILDER}`, folder])
    },
    COPY: async ({ flags, rest }) => {
      const paths = rest.split(' ')
      const target = paths.pop() ?? ''
      const stage = flags['from']
      if (stage === undefined) {
        await copyContext(paths, join(folder, workdir))
        execFileSync('chown', ['-R', `${BUILDER}:${BUILDER}`, folder])
        return
      }
      const owner = flags['chown'] ?? '0:0'
      for (const path of paths) {
        const [from, to] = [join(stages.get(stage) ?? '', path), join(folder, target)]
        await mkdir(to, { recursive: true })
        // Like COPY, copies the contents of a folder.
        execFileSync('cp', ['-R', '--no-dereference', `${from}/.`, to])
        execFileSync('chown', ['-Rh', owner, to])
      }
    },
    RUN: ({ rest }) => {
      if (isBase) throw new Error('The last stage has no shell.')
      runStep(rest, join(folder, workdir))
    },
    ARG: ({ rest }) => {
      const [name = '', value = ''] = rest.split('=')
      args[name] = value
    },
    ENV: ({ rest }) => {
      for (const pair of rest.split(' ')) {
        const [name = '', value = ''] = pair.split('=')
        env[name] = value.replace(/^\$(\w+)$/, (_, arg: string) => args[arg] ?? '')
      }
    },
    USER: ({ rest }) => {
      user = rest
    },
    VOLUME: () => {},
    EXPOSE: () => {},
    HEALTHCHECK: ({ rest }) => {
      exec['HEALTHCHECK'] = JSON.parse(rest.replace(/^CMD /, '')) as string[]
    },
    ENTRYPOINT: ({ rest }) => {
      exec['ENTRYPOINT'] = JSON.parse(rest) as string[]
    },
    CMD: ({ rest }) => {
      exec['CMD'] = JSON.parse(rest) as string[]
    },
  }
  for (const instruction of readDockerfile(await readFile(join(root, 'Dockerfile'), 'utf8'))) {
    const step = steps[instruction.name]
    if (step === undefined) throw new Error(`${instruction.name} is not known here.`)
    // oxlint-disable-next-line no-await-in-loop -- each step builds on the previous ones
    await step(instruction)
  }
  const image = folder
  return {
    folder: image,
    env,
    user,
    workdir,
    entrypoint: exec['ENTRYPOINT'] ?? [],
    command: exec['CMD'] ?? [],
    healthCheck: exec['HEALTHCHECK'] ?? [],
    run: (program, more = {}) =>
      spawn('unshare', ['--mount', 'sh', '-c', ENTER, 'sh', image, user, workdir, ...program], {
        env: {
          ...env,
          ...more,
          IMAGE_PATH: env['PATH'] ?? '',
          PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
        },
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    remove: () => rm(work, { recursive: true, force: true }),
  }
}

/** Mounts the same as a container runtime, then replaces itself with the program, so that signals reach it. */
const ENTER = `set -e
image=$1 user=$2 workdir=$3
shift 3
mkdir -p "$image/proc" "$image/dev" "$image/tmp"
mount --bind "$image" "$image"
mount --bind "$image/data" "$image/data"
mount -o remount,bind,ro "$image"
mount -t tmpfs tmpfs "$image/tmp"
mount --rbind /proc "$image/proc"
mount --rbind /dev "$image/dev"
exec setpriv --clear-groups env --unset=IMAGE_PATH "PATH=$IMAGE_PATH" \\
  /usr/bin/unshare --root="$image" --wd="$workdir" --setgid="\${user#*:}" --setuid="\${user%:*}" "$@"
`

/** Files of the packages that the base image does not contain. */
const OMITTED = /^\/usr\/share\/(doc|man)|\/s?bin(\/|$)/

const layBase = async (packages: readonly string[], folder: string): Promise<void> => {
  const listed = execFileSync('dpkg', ['--listfiles', ...packages], { encoding: 'utf8' })
  // Debian lists some files below /lib, which is a link.
  const files = [...listed.split('\n'), '/etc/ssl/certs/ca-certificates.crt']
    .filter((path) => path.startsWith('/') && path !== '/.' && !OMITTED.test(path))
    .map((path) => join(realpathSync(dirname(path)), basename(path)))
  execFileSync('tar', ['-C', folder, '-xf', '-'], {
    input: execFileSync(
      'tar',
      ['-C', '/', '--no-recursion', '-cf', '-', ...[...new Set(files)].map((path) => `.${path}`)],
      {
        maxBuffer: 1 << 30,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    ),
  })
}

/**
 * Copies the files that Docker would send for these paths: files of the project that `.dockerignore` does not exclude.
 */
const copyContext = async (paths: readonly string[], to: string): Promise<void> => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const patterns = (await readFile(join(root, '.dockerignore'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const isSent = (file: string): boolean => {
    const parts = file.split('/')
    const folders = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
    const last = patterns.findLast((pattern) =>
      folders.some((path) => matchesGlob(path, pattern.replace(/^!/, ''))),
    )
    return last === undefined || last.startsWith('!')
  }
  const wanted = listed
    .trim()
    .split('\n')
    .filter((file) => isSent(file) && existsSync(join(root, file)))
    .filter((file) =>
      paths.some((path) => path === '.' || file === path || file.startsWith(`${path}/`)),
    )
  for (const file of wanted) {
    // oxlint-disable-next-line no-await-in-loop -- later files use the folders of earlier ones
    await mkdir(dirname(join(to, file)), { recursive: true })
    // oxlint-disable-next-line no-await-in-loop -- as above
    await cp(join(root, file), join(to, file))
  }
}

const runStep = (command: string, cwd: string): void => {
  const ours = join(root, 'node_modules')
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((part) => !part.startsWith(ours))
  execFileSync('sh', ['-c', command], {
    cwd,
    uid: BUILDER,
    gid: BUILDER,
    // npm caches downloads in the home folder.
    env: { PATH: path.join(delimiter), HOME: dirname(dirname(cwd)) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

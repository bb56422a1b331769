import { mkdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'

import { startLoadClient } from '../load/client.ts'
import { encodeRequest } from '../load/protocol.ts'
import { estimate } from '../measure/stats.ts'
import { find, type Finding } from '../measure/verdict.ts'
import type { Part, PartRun, Report } from '../part.ts'
import { startProvider } from '../provider.ts'
import { measure, underLoad, type Contender } from '../server/measure.ts'
import { castOf, WORKLOADS } from '../server/workloads.ts'
import { startOurs } from '../sides/ours.ts'

/** A denial-of-service attack by guests. */
interface Attack {
  readonly name: string
  readonly title: string
  readonly connections: number
  /** Sent repeatedly on each connection, every `everyMs`. */
  readonly request: (index: number) => Uint8Array
  readonly everyMs: number
  /** Keeps connections open with unfinished bodies: sends `request` once, then a byte at a time. */
  readonly isSlow: boolean
}

const SITES = '/api/collections/sites/records'
const FORM = 'multipart/form-data; boundary=edge'
const PART = '--edge\r\ncontent-disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n'

/** The beginning of a request with a large `Content-Length` and no body. */
const begin = (path: string, type: string, body: string): Uint8Array =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: ${type}\r\ncontent-length: 60000000\r\n\r\n${body}`,
  )

/** A filter of many terms, in a shape that no earlier request had. */
const newFilter = (index: number): string =>
  Array.from({ length: 60 }, (_, term) =>
    (index >> (term % 20)) % 2 === 0 ? `name ~ "${term}"` : `cost != "${term}"`,
  ).join(index % 2 === 0 ? ' && ' : ' || ')

const ATTACKS: readonly Attack[] = [
  {
    name: 'slow-forms',
    title: '200 guests that upload and hardly send',
    connections: 200,
    request: () => begin(SITES, FORM, PART),
    everyMs: 1000,
    isSlow: true,
  },
  {
    name: 'slow-json',
    title: '200 guests with long JSON that hardly comes',
    connections: 200,
    request: () => begin(SITES, 'application/json', '{"name":"'),
    everyMs: 1000,
    isSlow: true,
  },
  {
    name: 'broken-forms',
    title: '200 forms a second that break off',
    connections: 20,
    request: () =>
      encodeRequest({
        method: 'POST',
        path: '/api/collections/users/auth-with-password',
        headers: { 'content-type': FORM },
        body: '--edge\r\ncontent-disposition: form-data; name="x"; filename=""\r\n\r\nabc',
      }),
    everyMs: 100,
    isSlow: false,
  },
  {
    name: 'filters',
    title: '200 filters of 60 terms a second, each in a new shape',
    connections: 20,
    request: (index) =>
      encodeRequest({
        path: `${SITES}?${new URLSearchParams({ filter: newFilter(index) }).toString()}`,
      }),
    everyMs: 100,
    isSlow: false,
  },
]

/** p99 of an owner's requests during an attack, relative to p99 without one. */
const MAX_SLOWER = 3
const CONNECTIONS = 4

/** Measures an owner's requests during attacks: every answer must be a 200, and fast. */
export const attackPart: Part = {
  name: 'attack',
  topics: ATTACKS.map(({ name }) => name),
  run: async (options) => {
    const provider = await startProvider()
    const client = startLoadClient()
    const { cast, owners } = castOf('town')
    const folder = join(options.folder, 'attack')
    await mkdir(folder, { recursive: true })
    const side = await startOurs({
      folder,
      owners,
      signedIn: [cast.reader, cast.writer],
      provider,
    })
    try {
      const day = await Promise.all(
        WORKLOADS.filter(({ name }) => ['dashboard', 'update'].includes(name)).map(
          async ({ operations }) => operations(side, cast, provider),
        ),
      )
      const owner = underLoad(client, side, day.flat(), { connections: CONNECTIONS })
      const findings: Finding[] = []
      for (const attack of ATTACKS.filter(({ name }) => options.wants(name))) {
        findings.push(await measureUnder(attack, side.port, owner, options))
        options.say(`${attack.title}: ${findings.at(-1)?.measured ?? ''}`)
      }
      return { findings, details: [], notes: notesOf(options) }
    } finally {
      await side.stop()
      await client.close()
      await provider.close()
    }
  },
}

/** Alternates rounds with and without an attack. @throws if the owner gets anything but a 200 */
const measureUnder = async (
  attack: Attack,
  port: number,
  owner: Contender,
  { effort, doubt }: PartRun,
): Promise<Finding> => {
  await owner.perform(effort.warmUpMs)
  const slower: number[] = []
  for (let round = 0; round < effort.pairs; round += 1) {
    const peace = await measure(owner, effort.ms)
    const cease = mount(attack, port)
    try {
      const siege = await measure(owner, effort.ms)
      slower.push(siege.p99Ms / peace.p99Ms)
    } finally {
      cease()
    }
  }
  return find({
    part: 'attack',
    what: `${attack.title}: p99 of an owner, by p99 in peace`,
    estimate: estimate(slower),
    target: { atMost: MAX_SLOWER },
    unit: 'x',
    doubt,
  })
}

/** Starts an attack. @returns a function that ends it */
const mount = ({ connections, request, everyMs, isSlow }: Attack, port: number): (() => void) => {
  let requests = 0
  const next = (): Uint8Array => request((requests += 1))
  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1')
    // The server is expected to refuse it or close the connection.
    socket.on('error', () => {}).resume()
    socket.write(next())
    return socket
  }
  const sockets = Array.from({ length: connections }, open)
  const timer = setInterval(() => {
    for (const [index, socket] of sockets.entries()) {
      if (!socket.writable) sockets[index] = open()
      else socket.write(isSlow ? 'x' : next())
    }
  }, everyMs)
  return () => {
    clearInterval(timer)
    for (const socket of sockets) socket.destroy()
  }
}

const notesOf = ({ effort }: PartRun): Report['notes'] => [
  `Ours alone; an owner with ${CONNECTIONS} connections loads the dashboard and changes sites, ${effort.pairs} rounds of ${effort.ms / 1000} s in peace and ${effort.ms / 1000} s under attack. Rate limits are off, so that nothing but the server's own bounds protects it. Every answer was a 200, or the run would have ended.`,
]

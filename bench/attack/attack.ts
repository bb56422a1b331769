import { mkdir } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { API } from '../../domain/paths.ts'
import { encodeRequest, type RequestParts } from '../load/protocol.ts'
import { estimate, percentile } from '../measure/stats.ts'
import { find, type Finding } from '../measure/verdict.ts'
import type { Part, PartRun, Report } from '../part.ts'
import { startProvider } from '../provider.ts'
import { castOf, WORKLOADS } from '../server/workloads.ts'
import { startOurs } from '../sides/ours.ts'

/** Requests with which guests try to slow down an owner. */
interface Attack {
  readonly name: string
  readonly title: string
  /** The number of concurrent attackers, each with its own address. */
  readonly guests: number
  readonly connections: number
  /** Sent repeatedly, each time on a new connection. */
  readonly request: (index: number) => Uint8Array
  /** Requests per second, on all connections together. */
  readonly perSecond: number
  /** The limit of an owner's p99, relative to p99 without an attack; by default `MAX_SLOWER`. */
  readonly maxSlower?: number
  /** Keeps connections open with unfinished bodies: sends `request` once, then a byte at a time. */
  readonly isSlow: boolean
}

const SITES = '/api/collections/sites/records'
const FORM = 'multipart/form-data; boundary=edge'
const PART = '--edge\r\ncontent-disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n'

/** The head of a request with a large `Content-Length`, without a body. */
const begin = (path: string, type: string, body: string): Uint8Array =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: ${type}\r\ncontent-length: 60000000\r\n\r\n${body}`,
  )

/** A filter with many terms, in a shape that no earlier request had. */
const newFilter = (index: number): string =>
  Array.from({ length: 60 }, (_, term) =>
    (index >> (term % 20)) % 2 === 0 ? `name ~ "${term}"` : `cost != "${term}"`,
  ).join(index % 2 === 0 ? ' && ' : ' || ')

const SLOW = { guests: 1, connections: 200, perSecond: 200, isSlow: true }
const FAST = { connections: 20, perSecond: 200, isSlow: false }

const BROKEN_FORM = encodeRequest({
  method: 'POST',
  path: '/api/collections/users/auth-with-password',
  headers: { 'content-type': FORM },
  body: '--edge\r\ncontent-disposition: form-data; name="x"; filename=""\r\n\r\nabc',
})

const askWithNewFilter = (index: number): Uint8Array =>
  encodeRequest({
    path: `${SITES}?${new URLSearchParams({ filter: newFilter(index) }).toString()}`,
  })

const ATTACKS: readonly Attack[] = [
  {
    ...SLOW,
    name: 'slow-forms',
    title: 'a guest with 200 uploads that hardly progress',
    request: () => begin(SITES, FORM, PART),
  },
  {
    ...SLOW,
    name: 'slow-json',
    title: 'a guest with 200 long JSON bodies that hardly progress',
    request: () => begin(SITES, 'application/json', '{"name":"'),
  },
  ...[1, 5].flatMap((guests): Attack[] => {
    const who = guests === 1 ? 'a guest' : `${guests} guests`
    return [
      {
        ...FAST,
        guests,
        name: 'broken-forms',
        title: `200 truncated forms a second, from ${who}`,
        request: () => BROKEN_FORM,
      },
      {
        ...FAST,
        guests,
        name: 'filters',
        title: `200 filters of 60 terms a second, each different, from ${who}`,
        request: askWithNewFilter,
      },
    ]
  }),
  {
    ...FAST,
    guests: 5,
    perSecond: 1000,
    connections: 50,
    maxSlower: 2,
    name: 'tiles',
    title: '1,000 requests a second for tiles of the public map, of 5 guests',
    request: (index) => encodeRequest({ path: tileOf(index) }),
  },
]

/** A different tile each time, of zoom 6 to 10 around the meridian. */
const tileOf = (index: number): string => {
  const zoom = 6 + (index % 5)
  const [x, y] = [2 ** (zoom - 1) + (index % 7), 2 ** (zoom - 2) + (index % 11)]
  return API.publicTile(String(zoom), String(x), String(y))
}

/** The limit of p99 of an owner's requests under attack, relative to p99 without one. */
const MAX_SLOWER = 3
/** The interval of an owner's requests. It stays within the rate limits, of which 600 writes a minute is the lowest. */
const OWNER_EVERY_MS = 25
/** One request in this many is a write. */
const OWNER_CYCLE = 5
/** Rounds are longer than those of other parts, so that p99 is not a single request. */
const WINDOWS = 4

/** An owner's requests while guests attack: every response must be a 200, within the limit. */
export const attackPart: Part = {
  name: 'attack',
  topics: [...new Set(ATTACKS.map(({ name }) => name))],
  run: async (options) => {
    const provider = await startProvider()
    const { cast, owners } = castOf('town')
    const folder = join(options.folder, 'attack')
    await mkdir(folder, { recursive: true })
    const side = await startOurs({
      folder,
      owners,
      signedIn: [cast.reader, cast.writer],
      provider,
      settings: { RATE_LIMITS: 'on' },
    })
    try {
      const requestsOf = async (wanted: string): Promise<readonly RequestParts[]> => {
        const workload = WORKLOADS.find(({ name }) => name === wanted)
        return ((await workload?.operations(side, cast, provider)) ?? []).flat()
      }
      const owner = startOwner(side.port, await requestsOf('dashboard'), await requestsOf('update'))
      const findings: Finding[] = []
      for (const attack of ATTACKS.filter(({ name }) => options.wants(name))) {
        findings.push(await measureUnder(attack, side.port, owner, options))
        options.say(`${attack.title}: ${findings.at(-1)?.measured ?? ''}`)
      }
      return { findings, details: [], notes: notesOf(options) }
    } finally {
      await side.stop()
      await provider.close()
    }
  },
}

/** Sends an owner's requests for a while. @returns p99 of the responses, in ms */
type Owner = (ms: number) => Promise<number>

/** Sends requests at a steady rate, without waiting for earlier responses. */
const startOwner = (
  port: number,
  reads: readonly RequestParts[],
  writes: readonly RequestParts[],
): Owner => {
  const agent = new Agent({ keepAlive: true })
  let sent = 0
  const next = (): RequestParts => {
    const [requests, index] =
      sent % OWNER_CYCLE === 0 ? [writes, sent / OWNER_CYCLE] : [reads, sent]
    sent += 1
    return requests[Math.floor(index) % requests.length] ?? { path: '/' }
  }
  return async (ms) => {
    const answers: Promise<number>[] = []
    const timer = setInterval(() => {
      const answer = ask(agent, port, next())
      // Awaited below.
      answer.catch(() => {})
      answers.push(answer)
    }, OWNER_EVERY_MS)
    await sleep(ms)
    clearInterval(timer)
    return percentile(
      (await Promise.all(answers)).toSorted((a, b) => a - b),
      0.99,
    )
  }
}

/** @returns the duration of the response, in ms. @throws if it is not a 200 */
const ask = (
  agent: Agent,
  port: number,
  { method = 'GET', path, headers = {}, body }: RequestParts,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const begun = performance.now()
    request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === 200) resolve(performance.now() - begun)
        else reject(new Error(`The owner was answered ${answer.statusCode}.`))
      })
    })
      .once('error', reject)
      .end(body)
  })

/** Alternates rounds with and without the attack. @throws if a response to the owner is not a 200 */
const measureUnder = async (
  attack: Attack,
  port: number,
  owner: Owner,
  { effort, doubt }: PartRun,
): Promise<Finding> => {
  await owner(effort.warmUpMs)
  const slower: number[] = []
  for (let round = 0; round < effort.pairs; round += 1) {
    const peace = await owner(WINDOWS * effort.ms)
    const cease = mount(attack, port)
    try {
      slower.push((await owner(WINDOWS * effort.ms)) / peace)
    } finally {
      cease()
    }
  }
  return find({
    part: 'attack',
    what: `${attack.title}: p99 of an owner, by p99 in peace`,
    estimate: estimate(slower),
    target: { atMost: attack.maxSlower ?? MAX_SLOWER },
    unit: 'x',
    doubt,
  })
}

/** Starts an attack. @returns a function that stops it */
const mount = (attack: Attack, port: number): (() => void) => {
  const { guests, connections, perSecond, isSlow } = attack
  let requests = 0
  const nextRequest = (): Uint8Array => attack.request((requests += 1))
  const open = (index: number): Socket => {
    // The owner uses 127.0.0.1.
    const localAddress = `127.0.0.${2 + (index % guests)}`
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    // The server should refuse or reset these connections.
    socket.on('error', () => {}).resume()
    socket.write(nextRequest())
    return socket
  }
  const sockets = Array.from({ length: connections }, (_, index) => open(index))
  let turn = 0
  const timer = setInterval(() => {
    const index = (turn += 1) % connections
    if (sockets[index]?.writable !== true) sockets[index] = open(index)
    else sockets[index].write(isSlow ? 'x' : nextRequest())
  }, 1000 / perSecond)
  return () => {
    clearInterval(timer)
    for (const socket of sockets) socket.destroy()
  }
}

const notesOf = ({ effort }: PartRun): Report['notes'] => [
  `Ours alone, with its rate limits as they are. An owner asks every ${OWNER_EVERY_MS} ms, the dashboard or, one time in ${OWNER_CYCLE}, a change; ${effort.pairs} rounds of ${(WINDOWS * effort.ms) / 1000} s in peace and as long under attack. Guests have addresses of their own. Every answer to the owner was a 200, or the run would have ended.`,
]

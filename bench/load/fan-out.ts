import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { percentile } from '../measure/stats.ts'
import { encodeRequest, type Listening, type Sample, type Telling } from './protocol.ts'
import { ResponseReader } from './response-reader.ts'

/** Streams per client address: servers limit the streams of one address. */
const PER_ADDRESS = 100
/** Longer than a working server takes to send one event to every subscriber. */
const TIMEOUT_MS = 60_000

/** Subscribers, each with its own connection. */
export interface Audience {
  /** Makes the changes one by one, each after every subscriber has received the previous one. */
  tell(telling: Telling): Promise<Sample>
  /** The last event that one of the subscribers received. */
  lastHeard(): string
  leave(): void
}

/** Opens the streams and subscribes on each. Requires Linux, where all loopback addresses exist. */
export const openAudience = async ({
  port,
  token,
  topic,
  listeners,
}: Listening): Promise<Audience> => {
  const people: Person[] = []
  for (let first = 0; first < listeners; first += PER_ADDRESS) {
    const localAddress = `127.0.1.${1 + first / PER_ADDRESS}`
    const count = Math.min(PER_ADDRESS, listeners - first)
    people.push(
      ...(await Promise.all(
        Array.from({ length: count }, () => join({ port, token, topic, localAddress })),
      )),
    )
  }
  const teller = await open(port)
  let made = 0
  return {
    // Continues with the next change, because a repeated change would have no effect.
    tell: (telling) => tell(people, teller, telling, () => made++),
    lastHeard: () => people[0]?.lastHeard() ?? '',
    leave: () => {
      for (const { socket } of people) socket.destroy()
      teller.destroy()
    },
  }
}

interface Person {
  readonly socket: Socket
  /** Calls back once, with the time, when a text has arrived. */
  await(text: string, heard: (atMs: number) => void): void
  lastHeard(): string
}

const join = async (place: {
  port: number
  token: string
  topic: string
  localAddress: string
}): Promise<Person> => {
  const { port, token, topic, localAddress } = place
  const socket = await open(port, localAddress)
  let kept = ''
  let wanted: { text: string; heard: (atMs: number) => void } | undefined
  let last = ''
  const look = (): void => {
    if (wanted === undefined || !kept.includes(wanted.text)) return
    const { heard } = wanted
    wanted = undefined
    last = kept
    kept = ''
    heard(performance.now())
  }
  socket.setEncoding('utf8').on('data', (text: string) => {
    kept += text
    look()
  })
  socket.write(encodeRequest({ path: '/api/realtime', headers: { accept: 'text/event-stream' } }))
  // The first event has the client id; a server may also identify a client by a cookie.
  while (!/"clientId":"[^"]+"/.test(kept)) {
    if (socket.destroyed || kept.startsWith('HTTP/1.1 4')) throw new Error(`No stream: ${kept}`)
    await sleep(5)
  }
  const clientId = /"clientId":"([^"]+)"/.exec(kept)?.[1]
  const cookie = /\r\nset-cookie: ([^;]+)/i.exec(kept)?.[1]
  const poster = await open(port, localAddress)
  await exchange(
    poster,
    encodeRequest({
      method: 'POST',
      path: '/api/realtime',
      headers: {
        authorization: token,
        'content-type': 'application/json',
        ...(cookie !== undefined && { cookie }),
      },
      body: JSON.stringify({ clientId, subscriptions: [topic] }),
    }),
    204,
  )
  poster.destroy()
  kept = ''
  return {
    socket,
    await: (text, heard) => {
      wanted = { text, heard }
      look()
    },
    lastHeard: () => last,
  }
}

const tell = async (
  people: readonly Person[],
  teller: Socket,
  { changes, ms }: Telling,
  next: () => number,
): Promise<Sample> => {
  const latencies: number[] = []
  const before = process.cpuUsage()
  let delivered = 0
  let busyMs = 0
  while (busyMs < ms || delivered === 0) {
    const change = changes[next() % changes.length]
    if (change === undefined) throw new Error('There is nothing to tell.')
    const start = performance.now()
    const all = Promise.all(
      people.map(
        (person) =>
          new Promise<void>((resolve) =>
            person.await(change.mark, (atMs) => {
              latencies.push(atMs - start)
              resolve()
            }),
          ),
      ),
    )
    const limit = new AbortController()
    const late = sleep(TIMEOUT_MS, undefined, { signal: limit.signal }).then(() => {
      throw new Error(`Only ${latencies.length % people.length} of ${people.length} heard of it.`)
    })
    try {
      await Promise.race([Promise.all([exchange(teller, change.request, 200), all]), late])
    } finally {
      limit.abort()
      late.catch(() => {})
    }
    busyMs += performance.now() - start
    delivered += 1
  }
  const { user, system } = process.cpuUsage(before)
  const sorted = Float64Array.from(latencies).sort()
  return {
    operations: delivered,
    seconds: busyMs / 1000,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    clientCpuMs: (user + system) / 1000,
  }
}

/** Sends one request on an idle connection and waits for its response. */
const exchange = async (socket: Socket, request: Uint8Array, wanted: number): Promise<void> => {
  const reader = new ResponseReader()
  const ended = new AbortController()
  const answered = new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      const status = reader.push(chunk)
      if (status === undefined) return
      if (status === wanted) resolve()
      else reject(new Error(`An answer was ${status} instead of ${wanted}:\n${chunk.toString()}`))
    }
    socket.on('data', take)
    socket.on('error', reject)
    ended.signal.addEventListener('abort', () => socket.off('data', take).off('error', reject))
  })
  socket.write(request)
  try {
    await answered
  } finally {
    ended.abort()
  }
}

const open = (port: number, localAddress = '127.0.0.1'): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true }, () =>
      resolve(socket),
    )
    socket.once('error', reject)
  })

import { connect, type Socket } from 'node:net'

import { percentile } from '../measure/stats.ts'
import { openAudience, type Audience } from './fan-out.ts'
import type { Job, Operation, Reply, Run, Sample } from './protocol.ts'
import { ResponseReader } from './response-reader.ts'

// The program of `startLoadClient`.

const HOST = '127.0.0.1'

const audiences = new Map<string, Audience>()
const audienceOf = (name: string): Audience => {
  const found = audiences.get(name)
  if (found === undefined) throw new Error(`Nobody listens as "${name}".`)
  return found
}

const perform = async (job: Job): Promise<Reply> => {
  switch (job.kind) {
    case 'run':
      return { sample: await run(job.run) }
    case 'listen':
      audiences.set(job.name, await openAudience(job.listening))
      return {}
    case 'tell': {
      const audience = audienceOf(job.name)
      return { sample: await audience.tell(job.telling), heard: audience.lastHeard() }
    }
    case 'leave':
      audienceOf(job.name).leave()
      audiences.delete(job.name)
      return {}
  }
}

process.on('message', (job: Job) => {
  perform(job).then(reply, (error: unknown) =>
    reply({ problem: error instanceof Error ? error.message : String(error) }),
  )
})

const reply = (message: Reply): void => {
  process.send?.(message)
}

/** Keeps every connection busy with one operation at a time until the time is over. */
const run = async ({ port, operations, connections, ms, status }: Run): Promise<Sample> => {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const latencies: number[] = []
  const before = process.cpuUsage()
  const start = performance.now()
  let next = 0
  const finished = Promise.all(
    sockets.map((socket) =>
      work(socket, port, status, {
        next: () => operations[next++ % operations.length] ?? [],
        done: (sinceMs) => {
          latencies.push(performance.now() - sinceMs)
          return performance.now() - start < ms
        },
      }),
    ),
  )
  try {
    await finished
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(before)
  const sorted = Float64Array.from(latencies).sort()
  return {
    operations: sorted.length,
    seconds,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    clientCpuMs: (user + system) / 1000,
  }
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: HOST, port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })

/** Performs operations on a connection until `done` returns true. */
const work = (
  socket: Socket,
  port: number,
  wanted: number,
  { next, done }: { next: () => Operation; done: (sinceMs: number) => boolean },
): Promise<void> =>
  new Promise((resolve, reject) => {
    const reader = new ResponseReader()
    let operation = next()
    let step = 0
    let since = performance.now()
    const send = (): void => {
      const request = operation[step]
      if (request) socket.write(request)
    }
    socket.on('data', (chunk: Buffer) => {
      try {
        const status = reader.push(chunk)
        if (status === undefined) return
        if (status !== wanted) {
          const text = chunk.toString().slice(0, 1000)
          throw new Error(`An answer of port ${port} was ${status} instead of ${wanted}:\n${text}`)
        }
        step += 1
        if (step === operation.length) {
          if (!done(since)) {
            resolve()
            return
          }
          operation = next()
          step = 0
          since = performance.now()
        }
        send()
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    })
    socket.once('close', () => reject(new Error('A connection was closed.')))
    socket.once('error', reject)
    send()
  })

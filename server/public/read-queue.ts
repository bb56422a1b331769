import { createConcurrencyLimiter, type ConcurrencyLimiter } from '../concurrency.ts'

/** Queues a task and runs it when it is the turn of its address. @throws ApiError 503 if the queue is full */
type RunQueued = <T>(address: string, task: () => Promise<T>) => Promise<T>

/** The number of public reads that use the database concurrently. */
const CONCURRENCY = 4

/**
 * Queues public reads, so that a flood of them occupies only part of the database connections and the statements of
 * owners rarely wait. Admission bounds the length of the queue. Addresses are served in rotation: a client that
 * requests hundreds of slow lists delays only itself.
 *
 * A line back and forth through a city with thousands of sites can take up to the statement timeout. So lines get half
 * of the slots, each address gets one of these, and their queue is short: map and list reads never wait for lines, nor
 * do lines of other addresses.
 */
export const createPublicReadQueue = (): {
  readonly read: RunQueued
  readonly readLine: RunQueued
} => {
  const read = createRoundRobin(CONCURRENCY)
  const lines = createConcurrencyLimiter({ concurrency: CONCURRENCY / 2, maxQueue: 30 })
  const ofAddresses = new Map<string, { limiter: ConcurrencyLimiter; tasks: number }>()
  return {
    read,
    readLine: async (address, task) => {
      const own = ofAddresses.get(address) ?? {
        limiter: createConcurrencyLimiter({ concurrency: 1, maxQueue: 8 }),
        tasks: 0,
      }
      ofAddresses.set(address, own)
      own.tasks += 1
      try {
        return await own.limiter.run(() => lines.run(() => read(address, task)))
      } finally {
        own.tasks -= 1
        if (own.tasks === 0) ofAddresses.delete(address)
      }
    },
  }
}

/**
 * Runs tasks with a concurrency limit. Of the waiting addresses, the one whose last task started longest ago is next.
 */
const createRoundRobin = (concurrency: number): RunQueued => {
  const waiting = new Map<string, (() => void)[]>()
  let running = 0
  const begin = (address: string): Promise<void> => {
    if (running < concurrency) {
      running += 1
      return Promise.resolve()
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const queue = waiting.get(address) ?? []
    queue.push(resolve)
    waiting.set(address, queue)
    return promise
  }
  const end = (): void => {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    const [address, queue] = next
    const start = queue.shift()
    // Moves the address to the end of the rotation.
    waiting.delete(address)
    if (queue.length > 0) waiting.set(address, queue)
    start?.()
  }
  return async (address, task) => {
    await begin(address)
    try {
      return await task()
    } finally {
      end()
    }
  }
}

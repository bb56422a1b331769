import { createConcurrencyLimiter, type ConcurrencyLimiter } from '../concurrency.ts'

/** Runs a task of an address once it is its turn. @throws ApiError 503 if too many wait */
type Take = <T>(address: string, task: () => Promise<T>) => Promise<T>

/** Public reads that are at the database at once. */
const CONCURRENCY = 4

/**
 * Public reads take turns: a flood of them occupies part of the connections to the database, so that the statement of an
 * owner waits for few others. Admission bounds how many wait. Addresses are served in rotation: whoever asks for hundreds of
 * lists that take long waits for them, and nobody else does.
 *
 * A line to and fro through a city with thousands of sites can take as long as a statement may, so lines have half of the turns, an
 * address has one of these, and few of them wait: the map and the lists never wait for them, nor do the lines of other addresses.
 */
export const createPublicTurns = (): { readonly read: Take; readonly readLine: Take } => {
  const read = createRotation(CONCURRENCY)
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

/** Runs tasks, some at a time: of those that wait, the first of the address whose last one began the longest ago. */
const createRotation = (concurrency: number): Take => {
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
    // Behind all others.
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

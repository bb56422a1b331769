import { createConcurrencyLimiter, type ConcurrencyLimiter } from '../concurrency.ts'

/** Runs a task once it is its turn. @throws ApiError 503 if too many wait */
type Take = <T>(task: () => Promise<T>) => Promise<T>

/**
 * Public reads take turns: a flood of them occupies part of the connections to the database, so that the statement of an
 * owner waits for few others. Admission bounds how many wait.
 *
 * A line to and fro through a city with thousands of sites can take as long as a statement may, so lines have half of the turns, an
 * address has one of these, and few of them wait: the map and the lists never wait for them, nor do the lines of other addresses.
 */
export const createPublicTurns = (): {
  readonly read: Take
  readonly readLine: (address: string) => Take
} => {
  const turns = createConcurrencyLimiter({ concurrency: 4, maxQueue: Infinity })
  const lines = createConcurrencyLimiter({ concurrency: 2, maxQueue: 30 })
  const ofAddresses = new Map<string, { limiter: ConcurrencyLimiter; tasks: number }>()
  return {
    read: (task) => turns.run(task),
    readLine: (address) => async (task) => {
      const own = ofAddresses.get(address) ?? {
        limiter: createConcurrencyLimiter({ concurrency: 1, maxQueue: 8 }),
        tasks: 0,
      }
      ofAddresses.set(address, own)
      own.tasks += 1
      try {
        return await own.limiter.run(() => lines.run(() => turns.run(task)))
      } finally {
        own.tasks -= 1
        if (own.tasks === 0) ofAddresses.delete(address)
      }
    },
  }
}

import pLimit from 'p-limit'

import { ApiError } from '#domain/error.ts'

import { RETRY_AFTER_S } from './limits.ts'

/** Limits the concurrency of costly tasks; further tasks wait in a queue. */
export interface ConcurrencyLimiter {
  /** @throws ApiError 503 if `maxQueue` tasks are queued; the task is then not started */
  run<T>(task: () => Promise<T>, maxQueue?: number): Promise<T>
  load(): { readonly busy: number; readonly waiting: number }
}

interface ConcurrencyOptions {
  readonly concurrency: number
  readonly maxQueue: number
}

export const createConcurrencyLimiter = (options: ConcurrencyOptions): ConcurrencyLimiter => {
  const limit = pLimit(options.concurrency)
  return {
    run: async (task, maxQueue = options.maxQueue) => {
      if (limit.activeCount >= options.concurrency && limit.pendingCount >= maxQueue)
        throw new ApiError(503, undefined, {}, { retryAfterS: RETRY_AFTER_S.overload })
      return limit(task)
    },
    load: () => ({ busy: limit.activeCount, waiting: limit.pendingCount }),
  }
}

/**
 * Counts by key.
 * @returns a function that counts one more and returns the function that releases it, which must be called once;
 * undefined if there are `max` of the key
 */
export const createCounts = (max: number): ((key: string) => (() => void) | undefined) => {
  const taken = new Map<string, number>()
  return (key) => {
    const before = taken.get(key) ?? 0
    if (before >= max) return undefined
    taken.set(key, before + 1)
    return () => {
      const left = (taken.get(key) ?? 1) - 1
      if (left > 0) taken.set(key, left)
      else taken.delete(key)
    }
  }
}

/**
 * Limits the number of concurrent streams or file downloads per address.
 * @returns a function that counts one more and returns the function that releases it, which must be called once; throws
 * ApiError 429
 */
export const createAddressLimiter = ({
  perAddress,
  retryAfterS,
  message,
}: {
  readonly perAddress: number
  readonly retryAfterS: number
  /** What the caller can do; by default the message of the status. */
  readonly message?: string
}): ((address: string) => () => void) => {
  const take = createCounts(perAddress)
  return (address) => {
    const release = take(address)
    if (release === undefined) throw new ApiError(429, message, {}, { retryAfterS })
    return release
  }
}

/** How many items `forEachConcurrently` handles at the same time. */
const CONCURRENCY = 8

/**
 * Calls `run` with each item, several at a time. After a failure no further item is started: the running calls
 * are awaited, and the first error is thrown.
 */
export const forEachConcurrently = async <T>(
  items: Iterable<T>,
  run: (item: T) => Promise<void>,
): Promise<void> => {
  const left = items[Symbol.iterator]()
  const failures: unknown[] = []
  const work = async (): Promise<void> => {
    while (failures.length === 0) {
      const { done, value } = left.next()
      if (done) return
      await run(value).catch((error: unknown) => void failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  if (failures.length > 0) throw failures[0]
}

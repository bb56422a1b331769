import { RETRY_AFTER_S } from './limits.ts'
import { ApiError } from '#domain/error.ts'

/** Runs a few costly tasks at once and lets others wait for their turn. */
export interface Lanes {
  /** @throws ApiError 503 when `mostWaiting` wait already; the task is not begun then */
  run<T>(task: () => Promise<T>, mostWaiting?: number): Promise<T>
  load(): { readonly busy: number; readonly waiting: number }
}

export interface LanesOptions {
  readonly atOnce: number
  readonly mostWaiting: number
}

export const createLanes = (options: LanesOptions): Lanes => {
  const waiting: (() => void)[] = []
  let busy = 0
  return {
    run: async (task, mostWaiting = options.mostWaiting) => {
      if (busy < options.atOnce) busy += 1
      else {
        if (waiting.length >= mostWaiting)
          throw new ApiError(503, undefined, {}, { retryAfterS: RETRY_AFTER_S.overload })
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      try {
        return await task()
      } finally {
        // The place goes to the next one directly, so that nobody gets in between.
        const next = waiting.shift()
        if (next === undefined) busy -= 1
        else next()
      }
    },
    load: () => ({ busy, waiting: waiting.length }),
  }
}

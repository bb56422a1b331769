/** The slot of a request among the requests of its caller. */
export interface CallerSlot {
  /** False while the request waits; `start` is then called when a slot is free. */
  readonly hasBegun: boolean
  /** Releases the slot, or leaves the queue. May be called repeatedly. */
  readonly release: () => void
}

interface Queue {
  running: number
  readonly waiting: Set<() => void>
}

/**
 * Limits how many requests of one caller are processed at a time, so that no caller occupies every connection to the
 * database; the others wait in order of arrival.
 * @returns a function that takes a slot; undefined if `maxQueue` requests of the caller wait
 */
export const createCallerQueue = ({
  concurrency,
  maxQueue,
}: {
  readonly concurrency: number
  readonly maxQueue: number
}): ((caller: string, start: () => void) => CallerSlot | undefined) => {
  const queues = new Map<string, Queue>()
  return (caller, start) => {
    const queue = queues.get(caller) ?? { running: 0, waiting: new Set() }
    const hasBegun = queue.running < concurrency
    if (!hasBegun && queue.waiting.size >= maxQueue) return undefined
    queues.set(caller, queue)
    if (hasBegun) queue.running += 1
    else queue.waiting.add(start)
    let isReleased = false
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      if (queue.waiting.delete(start)) return
      const [next] = queue.waiting
      if (next === undefined) queue.running -= 1
      else queue.waiting.delete(next)
      next?.()
      if (queue.running === 0) queues.delete(caller)
    }
    return { hasBegun, release }
  }
}

/** A caller's place among their own requests. */
export interface Turn {
  /** False while others of the caller are processed; `start` is called once it is its turn. */
  readonly hasBegun: boolean
  /** Leaves the place, also if its turn has not come. May be called again. */
  readonly end: () => void
}

interface Queue {
  running: number
  readonly waiting: Set<() => void>
}

/**
 * Limits how many requests of one caller are processed at a time, so that nobody occupies every connection to the
 * database; the others wait in the order of their arrival.
 * @returns a function that takes a place; undefined if `maxQueue` requests of the caller wait
 */
export const createTurns = ({
  concurrency,
  maxQueue,
}: {
  readonly concurrency: number
  readonly maxQueue: number
}): ((caller: string, start: () => void) => Turn | undefined) => {
  const queues = new Map<string, Queue>()
  return (caller, start) => {
    const queue = queues.get(caller) ?? { running: 0, waiting: new Set() }
    const hasBegun = queue.running < concurrency
    if (!hasBegun && queue.waiting.size >= maxQueue) return undefined
    queues.set(caller, queue)
    if (hasBegun) queue.running += 1
    else queue.waiting.add(start)
    let isOver = false
    const end = (): void => {
      if (isOver) return
      isOver = true
      if (queue.waiting.delete(start)) return
      const [next] = queue.waiting
      if (next === undefined) queue.running -= 1
      else queue.waiting.delete(next)
      next?.()
      if (queue.running === 0) queues.delete(caller)
    }
    return { hasBegun, end }
  }
}

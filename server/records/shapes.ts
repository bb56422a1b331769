/** Which of the statements whose text follows from what callers sent are worth preparing by name. */
export interface Shapes {
  /**
   * Records that a caller is about to send a statement. @returns whether it is sent often enough to be prepared
   */
  isUsual(text: string, by: string): boolean
}

export interface ShapesOptions {
  /** How many statements may be prepared at once, and newly within `windowMs`. */
  readonly max: number
  /** How many of those newly prepared within `windowMs` may be one caller's. */
  readonly maxPerCaller: number
  /** The lifetime of a connection, with which its prepared statements end. */
  readonly windowMs: number
  /** Longer texts are never prepared. */
  readonly maxLength: number
  readonly now?: () => number
}

/** A statement is prepared when it is sent for this time. */
const TIMES = 3

/**
 * A prepared statement takes memory of the database on each connection until the connection is closed. So only
 * statements that are sent repeatedly, such as those of the app, are prepared, and only a bounded number: the
 * least recently used ones are evicted, at a bounded rate.
 */
export const createShapes = (options: ShapesOptions): Shapes => {
  const { max, maxPerCaller, windowMs, maxLength, now = Date.now } = options
  const usual = new Map<string, true>()
  const asked = new Map<string, number>()
  let windowEnds = 0
  /** How many each caller has added in this window. */
  let added = new Map<string, number>()
  let left = max

  const admit = (text: string, by: string): boolean => {
    if (now() >= windowEnds) {
      windowEnds = now() + windowMs
      added = new Map()
      left = max
    }
    const own = added.get(by) ?? 0
    if (left === 0 || own >= maxPerCaller) return false
    left--
    added.set(by, own + 1)
    asked.delete(text)
    putLast(usual, text, true, max)
    return true
  }
  return {
    isUsual: (text, by) => {
      if (text.length > maxLength) return false
      if (usual.has(text)) {
        putLast(usual, text, true, max)
        return true
      }
      const times = (asked.get(text) ?? 0) + 1
      putLast(asked, text, times, 4 * max)
      return times >= TIMES && admit(text, by)
    },
  }
}

/** Maps keep the order in which keys were put: the first is the one that was not used for longest. */
const putLast = <Value>(map: Map<string, Value>, key: string, value: Value, max: number): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}

/** Which of the statements whose text follows from what callers sent are worth preparing by name. */
export interface Shapes {
  /**
   * Notes that a statement is about to be sent for somebody; true when it is asked so often that it is
   * prepared.
   */
  isUsual(text: string, by: string): boolean
}

export interface ShapesOptions {
  /** How many are usual at once, and become so anew within `windowMs`. */
  readonly max: number
  /** How many of those that become so within `windowMs` may be one caller's. */
  readonly maxPerCaller: number
  /** As long as a connection lives: by then it has let go of what it had prepared. */
  readonly windowMs: number
  /** Longer texts never are. */
  readonly maxLength: number
  readonly now?: () => number
}

/** The first time a statement may be somebody's only one. */
const TIMES = 3

/**
 * A prepared statement stays in the memory of the database for as long as the connection does, on each
 * connection. So only those are prepared that are asked again and again, such as the ones of the app, and
 * no more than a connection can be left with: the least recently asked ones make room, so many in a time.
 */
export const createShapes = (options: ShapesOptions): Shapes => {
  const { max, maxPerCaller, windowMs, maxLength, now = Date.now } = options
  const usual = new Map<string, true>()
  const asked = new Map<string, number>()
  let windowEnds = 0
  /** Who has made how many usual in this time. */
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

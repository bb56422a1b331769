/** The value in the middle; the mean of the two middle ones of an even number. @throws of none */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)]
  const lower = sorted[Math.ceil(middle) - 1]
  if (upper === undefined || lower === undefined) throw new Error('There is no median of nothing.')
  return (upper + lower) / 2
}

/** The value that a share of the others does not exceed, by nearest rank. @throws of none */
export const percentile = (sorted: ArrayLike<number>, share: number): number => {
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new Error('There is no percentile of nothing.')
  return value
}

/** What was measured, and between which values it lies for all that noise can do. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** How sure an interval has to be before something may be said of it. */
const CONFIDENCE = 0.95

/**
 * The median of repeated measurements with an interval that holds the true one with 95 % confidence
 * at least, whatever the noise looks like (the interval of the sign test, from order statistics).
 * Fewer than six measurements bound nothing: their interval is infinite.
 */
export const estimate = (values: readonly number[]): Estimate => {
  const sorted = values.toSorted((a, b) => a - b)
  const count = sorted.length
  let outside = -1
  // Of `count` tosses of a coin, `outside` or fewer heads, or as few tails, come this seldom.
  for (let tail = 0.5 ** count, ways = 1; outside + 1 < count / 2;) {
    if (2 * tail > 1 - CONFIDENCE) break
    outside += 1
    ways = (ways * (count - outside)) / (outside + 1)
    tail += ways * 0.5 ** count
  }
  return {
    value: median(values),
    low: sorted[outside] ?? -Infinity,
    high: sorted[count - 1 - outside] ?? Infinity,
  }
}

/** Of something that is measured once and has no noise: a count, a size. */
export const exactly = (value: number): Estimate => ({ value, low: value, high: value })

/** How far measurements of one and the same thing lie apart: the largest by the smallest. */
export const swing = (values: readonly number[]): number =>
  Math.max(...values) / Math.min(...values)

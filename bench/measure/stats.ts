/** The median; the mean of the two middle values of an even number. @throws if there is none */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)]
  const lower = sorted[Math.ceil(middle) - 1]
  if (upper === undefined || lower === undefined) throw new Error('There is no median of nothing.')
  return (upper + lower) / 2
}

/** The percentile by nearest rank. @throws if there is no value */
export const percentile = (sorted: ArrayLike<number>, share: number): number => {
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new Error('There is no percentile of nothing.')
  return value
}

/** A median with its confidence interval. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The confidence level of intervals. */
const CONFIDENCE = 0.95

/**
 * The median of repeated measurements with a confidence interval of at least 95 %, whatever the
 * distribution (the interval of the sign test, from order statistics). With fewer than six
 * measurements the interval is infinite.
 */
export const estimate = (values: readonly number[]): Estimate => {
  const sorted = values.toSorted((a, b) => a - b)
  const count = sorted.length
  let outside = -1
  // The probability of `outside` or fewer heads, or tails, in `count` tosses of a coin.
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

/** A figure without noise, such as a count or a size. */
export const exactly = (value: number): Estimate => ({ value, low: value, high: value })

/** The spread of repeated measurements: the largest divided by the smallest. */
export const swing = (values: readonly number[]): number =>
  Math.max(...values) / Math.min(...values)

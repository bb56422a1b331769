/** From `begin` (inclusive) to `end` (exclusive), in the same unit. */
export interface Interval {
  readonly begin: number
  readonly end: number
}

/** The union of intervals, in order; overlapping and adjacent intervals are merged. */
export const union = (intervals: readonly Interval[]): Interval[] => {
  const merged: { begin: number; end: number }[] = []
  for (const { begin, end } of intervals.toSorted((a, b) => a.begin - b.begin)) {
    if (begin >= end) continue
    const last = merged.at(-1)
    if (last && begin <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ begin, end })
  }
  return merged
}

/** The parts of the first intervals that no second interval covers, in order. */
export const subtract = (
  intervals: readonly Interval[],
  removed: readonly Interval[],
): Interval[] => {
  const holes = union(removed)
  const parts: Interval[] = []
  // Both are sorted: an interval that ends before one interval ends before all later ones.
  let first = 0
  for (const { begin, end } of union(intervals)) {
    while ((holes[first]?.end ?? Infinity) <= begin) first++
    let from = begin
    for (let at = first; (holes[at]?.begin ?? Infinity) < end; at++) {
      const hole = holes[at] ?? { begin: end, end }
      if (hole.begin > from) parts.push({ begin: from, end: hole.begin })
      from = Math.max(from, hole.end)
    }
    if (from < end) parts.push({ begin: from, end })
  }
  return parts
}

/** The parts of the intervals that lie within another. */
export const within = (intervals: readonly Interval[], { begin, end }: Interval): Interval[] =>
  intervals
    .map((each) => ({ begin: Math.max(each.begin, begin), end: Math.min(each.end, end) }))
    .filter((each) => each.begin < each.end)

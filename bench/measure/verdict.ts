import type { Estimate } from './stats.ts'

/** The target of a figure. */
export type Target = { readonly atLeast: number } | { readonly atMost: number }

export type Verdict = 'met' | 'not met' | 'inconclusive' | 'no target'

/** A finding: a line of the table. */
export interface Finding {
  /** The part of the bench, such as `server`. */
  readonly part: string
  /** The measured figure, such as `create: requests per second, ours by peer's`. */
  readonly what: string
  /** Formatted; empty if there is none. */
  readonly target: string
  /** Formatted, with its interval. */
  readonly measured: string
  readonly verdict: Verdict
  /** The reason why the figure is inconclusive, if it is. */
  readonly reason?: string
}

/** The unit and the digits of a figure. */
export interface Figure {
  readonly part: string
  readonly what: string
  readonly estimate: Estimate
  readonly target?: Target | undefined
  /** After the number, such as `x` or ` ms`. */
  readonly unit: string
  /** The reason why the figure is inconclusive, whatever its value; undefined if it is not. */
  readonly doubt?: string | undefined
}

/** If the peer's own figures spread more than this, comparisons are inconclusive. */
const MAX_PEER_SWING = 2.5

/** The reason why a comparison with an unstable peer is inconclusive; undefined if it is not. */
export const doubtOf = (peerSwing: number): string | undefined =>
  peerSwing > MAX_PEER_SWING
    ? `the peer itself swung by ${format(peerSwing)}x (at most ${MAX_PEER_SWING}x)`
    : undefined

/** Compares a figure with its target. The target is met or missed only if the whole interval is on one side of it. */
export const judge = (
  { low, high }: Estimate,
  target: Target | undefined,
  doubt?: string,
): Verdict => {
  if (target === undefined) return 'no target'
  if (doubt !== undefined) return 'inconclusive'
  const [good, bad] =
    'atLeast' in target
      ? [low >= target.atLeast, high < target.atLeast]
      : [high <= target.atMost, low > target.atMost]
  if (good) return 'met'
  return bad ? 'not met' : 'inconclusive'
}

/** Formats a figure as a line of the table. */
export const find = ({ part, what, estimate, target, unit, doubt }: Figure): Finding => {
  const verdict = judge(estimate, target, doubt)
  const reason =
    verdict === 'inconclusive' ? (doubt ?? 'the target is within what noise can do') : undefined
  return {
    part,
    what,
    target: target === undefined ? '' : describeTarget(target, unit),
    measured: describeEstimate(estimate, unit),
    verdict,
    ...(reason !== undefined && { reason }),
  }
}

const describeTarget = (target: Target, unit: string): string =>
  'atLeast' in target ? `≥ ${format(target.atLeast)}${unit}` : `≤ ${format(target.atMost)}${unit}`

const describeEstimate = ({ value, low, high }: Estimate, unit: string): string => {
  const middle = `${format(value)}${unit}`
  if (low === high) return middle
  const bounded = Number.isFinite(low) && Number.isFinite(high)
  return bounded ? `${middle} (${format(low)} to ${format(high)})` : `${middle} (too few to bound)`
}

/** Formats a number with three significant digits. */
export const format = (value: number): string => {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(size >= 10 ? 3 : size >= 1 ? 3 : 2)))
}

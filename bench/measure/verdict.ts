import type { Estimate } from './stats.ts'

/** What a figure has to be. */
export type Target = { readonly atLeast: number } | { readonly atMost: number }

export type Verdict = 'met' | 'not met' | 'inconclusive' | 'no target'

/** What was found of one thing: a line of the table. */
export interface Finding {
  /** The part of the bench, such as `server`. */
  readonly part: string
  /** What was measured of what, such as `create: requests per second, ours by peer's`. */
  readonly what: string
  /** As a person reads it; empty when there is none. */
  readonly target: string
  /** As a person reads it, with what it is between. */
  readonly measured: string
  readonly verdict: Verdict
  /** Why nothing can be said, when nothing can be said. */
  readonly reason?: string
}

/** The unit and the digits of a figure. */
export interface Figure {
  readonly part: string
  readonly what: string
  readonly estimate: Estimate
  readonly target?: Target | undefined
  /** Behind the number, such as `x` or ` ms`. */
  readonly unit: string
  /** Why the figure says nothing, whatever it is; undefined when it does. */
  readonly doubt?: string | undefined
}

/** A peer whose own figures lie further apart than this is no measure for anything. */
const MAX_PEER_SWING = 2.5

/** Why a comparison with a peer that swings says nothing; undefined when it does. */
export const doubtOf = (peerSwing: number): string | undefined =>
  peerSwing > MAX_PEER_SWING
    ? `the peer itself swung by ${format(peerSwing)}x (at most ${MAX_PEER_SWING}x)`
    : undefined

/**
 * Holds a figure to its target. It is met, or not, only when the whole interval says so: what noise
 * could explain is no result.
 */
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

/** A figure as a line of the table. */
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

/** A number with three digits that say something. */
export const format = (value: number): string => {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(size >= 10 ? 3 : size >= 1 ? 3 : 2)))
}

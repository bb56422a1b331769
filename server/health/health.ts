import { withTimeout } from '../timeout.ts'

/** A dependency without which the server is not ready. */
export interface Part {
  readonly name: string
  /** For the operator; without secrets. */
  readonly sentence: string
  /** @throws, or answers false, when the part does not work */
  readonly check: () => Promise<boolean>
}

/** The parts that do not work now; empty when the server is ready. */
export type Readiness = () => Promise<readonly Pick<Part, 'name' | 'sentence'>[]>

const TIMEOUT_MS = 2000
/** How long a result is cached. */
const FRESH_MS = 500

export const createReadiness = (parts: readonly Part[]): Readiness => {
  let known: { until: number; readonly broken: ReturnType<Readiness> } | undefined
  const look = async () => {
    const works = await Promise.all(
      parts.map(({ check }) => withTimeout(TIMEOUT_MS, check()).catch(() => false)),
    )
    return parts.filter((_, index) => works[index] !== true)
  }
  return () => {
    if (known !== undefined && performance.now() < known.until) return known.broken
    const fresh = { until: Number.POSITIVE_INFINITY, broken: look() }
    known = fresh
    return fresh.broken.finally(() => (fresh.until = performance.now() + FRESH_MS))
  }
}

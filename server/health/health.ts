import { withTimeout } from '../timeout.ts'

/** A dependency that the server needs to be ready. */
export interface Part {
  readonly name: string
  /** For the operator; contains no secrets. */
  readonly sentence: string
  /** @throws, or returns false, if the dependency fails */
  readonly check: () => Promise<boolean>
}

/** The dependencies that fail now; empty if the server is ready. */
export type Readiness = () => Promise<readonly Pick<Part, 'name' | 'sentence'>[]>

const TIMEOUT_MS = 2000
/** The lifetime of a cached result. */
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

import { setTimeout as sleep } from 'node:timers/promises'

import { codeOf } from '../problem.ts'

/** Two transactions were in conflict (serialization failure or deadlock), and the database aborted one of them. */
const CONFLICT_CODES = new Set(['40001', '40P01'])
/** The pause before the second attempt is at most this long, and grows with each attempt. */
const BACKOFF_MS = 100

/**
 * Retries a transaction that was aborted because of a conflict; none of it was written. A random pause lets the other
 * transaction lock first: an immediate retry can take the same lock again, and the two meet again.
 */
export const retryConflicts = async <T>(
  attempts: number,
  run: (attempt: number) => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(attempt)
    } catch (error) {
      if (attempt === attempts || !CONFLICT_CODES.has(codeOf(error) ?? '')) throw error
      await sleep(BACKOFF_MS * attempt * (0.5 + Math.random() / 2))
    }
  }
}

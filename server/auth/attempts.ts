import { ApiError } from '#domain/error.ts'

/** A limit on attempts at a password, counted across all processes and addresses. */
interface AttemptLimit {
  readonly max: number
  readonly windowS: number
}

/**
 * At the old password, by account. Otherwise a stolen session could be used to guess it, or a single batch could keep
 * the processor busy.
 */
export const OLD_PASSWORD_ATTEMPTS: AttemptLimit = { max: 10, windowS: 60 }

/** At the password of a sign-in, by account: an attacker has many addresses (decision 0190). */
export const SIGN_IN_ATTEMPTS: AttemptLimit = { max: 100, windowS: 900 }

/** The result of `take_tokens`. */
interface Taken {
  readonly granted: number
  readonly leftS: number
}

/** @throws ApiError 429 if no attempt is left */
export const demandAttempt = ({ granted, leftS }: Taken, { windowS }: AttemptLimit): void => {
  if (granted > 0) return
  // The first attempt may have been counted by a transaction that began just after this one.
  const retryAfterS = Math.min(Math.max(1, Math.ceil(leftS)), windowS)
  throw new ApiError(429, undefined, {}, { retryAfterS })
}

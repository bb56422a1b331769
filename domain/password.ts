/** How long a password may be, in characters (record interface 1.5). */
export const PASSWORD_LIMITS = { min: 8, max: 71 } as const

/** Why a text cannot be a password. */
export type PasswordProblem = 'blank' | 'tooShort' | 'tooLong' | 'unusable'

/**
 * Says why a text cannot be a new password; undefined if it can. Nothing is trimmed: every typed
 * character is part of it.
 */
export const passwordProblem = (password: string): PasswordProblem | undefined => {
  if (password === '') return 'blank'
  // A lone surrogate has no bytes of its own, so two different passwords would be equal.
  if (password.includes('\0') || !password.isWellFormed()) return 'unusable'
  const length = Array.from(password).length
  if (length < PASSWORD_LIMITS.min) return 'tooShort'
  return length > PASSWORD_LIMITS.max ? 'tooLong' : undefined
}

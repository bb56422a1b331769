/** The length of a password, in characters (record interface 1.5). */
export const PASSWORD_LIMITS = { min: 8, max: 71 } as const

/** The reason why a text cannot be a password. */
export type PasswordProblem = 'blank' | 'tooShort' | 'tooLong' | 'unusable'

/**
 * Returns the reason why a text cannot be a new password; undefined if it can. Nothing is trimmed: every typed
 * character counts.
 */
export const passwordProblem = (password: string): PasswordProblem | undefined => {
  if (password === '') return 'blank'
  // All lone surrogates encode to the same bytes, so different passwords would be equal.
  if (password.includes('\0') || !password.isWellFormed()) return 'unusable'
  const length = Array.from(password).length
  if (length < PASSWORD_LIMITS.min) return 'tooShort'
  return length > PASSWORD_LIMITS.max ? 'tooLong' : undefined
}

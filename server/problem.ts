/**
 * Something outside the program keeps it from running. The message says what is wrong and how to fix it, and is
 * printed as it is.
 */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}

/**
 * A dependency cannot be used; requests that need it get 503. The message goes to the log, and holds no
 * secret.
 */
export class DependencyError extends Error {
  override readonly name = 'DependencyError'
  /** Whether it may recover by itself, or settings have to be changed. */
  readonly mendedBy: 'time' | 'person'

  constructor(message: string, mendedBy: 'time' | 'person' = 'time') {
    super(message)
    this.mendedBy = mendedBy
  }
}

/**
 * A problem for the operator. The message goes to the log, so it quotes no request and holds no secret.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** Whether an error of Node, PostgreSQL or a program's output says that the disk is full. */
export const isDiskFull = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  return (
    code === 'ENOSPC' ||
    code === 'EDQUOT' ||
    code === '53100' ||
    // PostgreSQL adds the last when only a part of what it wrote fitted.
    /No space left on device|Disk quota exceeded|Check free disk space/.test(error.message) ||
    isDiskFull(error.cause)
  )
}

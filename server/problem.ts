/**
 * Something outside the program keeps it from running. The message is written for the person who
 * started it: what is wrong and what mends it. Whoever started the server prints it as it is.
 */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}

/**
 * A service that this one stands on cannot be used; what needs it is answered with 503. The message
 * goes to the log, and holds no secret.
 */
export class DependencyError extends Error {
  override readonly name = 'DependencyError'
  /** Whether it may pass by itself, or somebody has to change settings. */
  readonly mendedBy: 'time' | 'person'

  constructor(message: string, mendedBy: 'time' | 'person' = 'time') {
    super(message)
    this.mendedBy = mendedBy
  }
}

/**
 * Something that whoever runs the server has to know. Its message goes to the log, so it says nothing
 * that was sent, and nothing secret.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** Whether an error says that the disk is full, be it from Node, PostgreSQL or a program's output. */
export const isDiskFull = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  return (
    code === 'ENOSPC' ||
    code === 'EDQUOT' ||
    code === '53100' ||
    // The last is what PostgreSQL adds when only a part of what it wrote fitted.
    /No space left on device|Disk quota exceeded|Check free disk space/.test(error.message) ||
    isDiskFull(error.cause)
  )
}

import { ApiError, fieldError, type FieldError } from '#domain/error.ts'

/**
 * Something outside the program prevents it from running. The message states the problem and its remedy, and is
 * printed unchanged.
 */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}

/** A dependency is unavailable; requests that need it get 503. The message is logged, and contains no secret. */
export class DependencyError extends Error {
  override readonly name = 'DependencyError'
  /** Whether it may recover without help, or an operator has to change settings. */
  readonly remedy: 'time' | 'operator'

  constructor(message: string, remedy: 'time' | 'operator' = 'time') {
    super(message)
    this.remedy = remedy
  }
}

/** A problem for the operator. The message is logged, so it quotes no request and contains no secret. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** The message for a request with invalid values (record interface 1.4). */
export const INVALID_INPUT = 'An error occurred while validating the submitted data.'

/** The error for a request with invalid values, by their names. */
export const invalidInput = (errors: Readonly<Record<string, unknown>>): ApiError =>
  new ApiError(400, INVALID_INPUT, errors)

/** Adds what is accepted to the message of an error, for the developer of a client. */
export const withAccepted = (error: FieldError, accepted: string): FieldError => ({
  ...error,
  message: `${error.message} ${accepted}`,
})

/** The longest part of a value that an error repeats. */
const MAX_REPEATED = 100

/** The error of a parameter with an invalid value. */
export const invalidValue = (value: string): FieldError =>
  fieldError('validation_invalid_value', { value: value.slice(0, MAX_REPEATED) })

/** The code of an error of Node, PostgreSQL or a library. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined

/** Whether an error of Node, PostgreSQL or a program's output reports a full disk. */
export const isDiskFull = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return (
    code === 'ENOSPC' ||
    code === 'EDQUOT' ||
    code === '53100' ||
    // PostgreSQL adds the last one if only a part of a write fitted.
    /No space left on device|Disk quota exceeded|Check free disk space/.test(error.message) ||
    isDiskFull(error.cause)
  )
}

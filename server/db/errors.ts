import { DatabaseError } from 'pg'

export const UNIQUE_VIOLATION = '23505'
export const QUERY_CANCELED = '57014'

/**
 * A network error of the database connection; its `syscall` distinguishes it from those of files and other
 * sockets.
 */
export const connectionError = (code: string, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code, syscall: 'connect' })

/** An error of the driver, with a code in every case. */
export const explain = (error: Error & { readonly code?: string }): Error =>
  error instanceof DatabaseError
    ? error
    : connectionError(error.code ?? 'ECONNRESET', error.message, error.cause)

/** Classes of SQLSTATE that concern the server, not a statement: the connection ends, or may have ended. */
const OF_SERVER = /^(08|53|57P|58|XX|F0)/

/** Whether the database refused a statement, and with it the transaction: nothing is written. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  (error.severity === 'ERROR' || !OF_SERVER.test(error.code ?? ''))

/** Whether the error was thrown within the driver: its connections may be out of sync from then on. */
export const isThrownInDriver = (error: unknown): boolean =>
  error instanceof Error && /[\\/]node_modules[\\/]pg(-protocol)?[\\/]/.test(error.stack ?? '')

import { DatabaseError } from 'pg'

/** An error of the way to the database; its `syscall` tells it apart from those of files and other sockets. */
export const connectionError = (code: string, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code, syscall: 'connect' })

/** What the driver has thrown, with a code in every case. */
export const explain = (error: Error & { readonly code?: string }): Error =>
  error instanceof DatabaseError
    ? error
    : connectionError(error.code ?? 'ECONNRESET', error.message, error.cause)

/** Classes of SQLSTATE that tell of the server, not of a statement: the connection ends, or may have done so. */
const OF_SERVER = /^(08|53|57P|58|XX|F0)/

/** Whether the database has refused a statement, and a transaction with it: nothing of it is written. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  (error.severity === 'ERROR' || !OF_SERVER.test(error.code ?? ''))

/** Whether code of the driver has thrown an error: its connections may be out of step from then on. */
export const isThrownInDriver = (error: unknown): boolean =>
  error instanceof Error && /[\\/]node_modules[\\/]pg(-protocol)?[\\/]/.test(error.stack ?? '')

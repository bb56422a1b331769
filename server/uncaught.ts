import { isThrownInDriver } from './db/errors.ts'

export interface UncaughtDeps {
  /** Called for each error that the process survives. */
  readonly onSurvived: (error: unknown) => void
  /** Called when the process is in an undefined state and should be closed. */
  readonly onUnsound: (error: unknown) => void
}

/**
 * Keeps the process alive after an unhandled error: the `error` event of a socket, stream or child process without
 * a listener, a rejected promise, an exception in a callback or timer. Such an error belongs to one request and
 * must not end the others. An exception inside the database driver is different: a connection may be out of sync,
 * and its next response would belong to another request.
 * @returns a function that removes the handlers
 */
export const surviveUncaughtErrors = ({ onSurvived, onUnsound }: UncaughtDeps): (() => void) => {
  const decide = (error: unknown, origin: string): void => {
    // A refused statement is also a rejection; its connection remains usable.
    if (isThrownInDriver(error) && origin === 'uncaughtException') onUnsound(error)
    else onSurvived(error)
  }
  process.on('uncaughtException', decide)
  return () => void process.off('uncaughtException', decide)
}

import { isThrownInDriver } from './db/errors.ts'

export interface UncaughtDeps {
  /** Called for each error that the process lives through. */
  readonly onSurvived: (error: unknown) => void
  /** Called when the process cannot be trusted any longer and should be closed. */
  readonly onUnsound: (error: unknown) => void
}

/**
 * Keeps the process alive after an unhandled error: the `error` event of a socket, stream or child process without
 * a listener, a rejected promise, an exception in a callback or timer. Such an error belongs to one request and must
 * not end the others. An exception inside the database driver is different: a connection may be out of step, and its
 * next answer would belong to another request.
 * @returns stops doing so
 */
export const surviveUncaughtErrors = ({ onSurvived, onUnsound }: UncaughtDeps): (() => void) => {
  const decide = (error: unknown, origin: string): void => {
    // A statement that was refused is a rejection, too; its connection goes on as ever.
    if (isThrownInDriver(error) && origin === 'uncaughtException') onUnsound(error)
    else onSurvived(error)
  }
  process.on('uncaughtException', decide)
  return () => void process.off('uncaughtException', decide)
}

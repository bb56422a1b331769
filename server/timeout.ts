/**
 * Waits for a promise with a timeout, which does not stop the work.
 * @throws {Error} after `timeoutMs`
 */
export const withTimeout = async <T>(timeoutMs: number, promise: Promise<T>): Promise<T> => {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('timeout')), timeoutMs)
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

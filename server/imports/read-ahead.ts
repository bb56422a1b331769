/** Makes the next item while the one before it is worked on: two at a time are in memory. */
export const readAhead = async function* <T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  const begin = (): Promise<IteratorResult<T>> => {
    const next = iterator.next()
    // Whoever asks for it gets the error; meanwhile it is not unhandled.
    next.catch(() => {})
    return next
  }
  let next = begin()
  try {
    for (;;) {
      const { value, done } = await next
      if (done === true) return
      next = begin()
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}

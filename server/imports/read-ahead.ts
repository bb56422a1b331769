/** Produces the next item while the current one is processed. Keeps at most two items in memory. */
export const readAhead = async function* <T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  const begin = (): Promise<IteratorResult<T>> => {
    const next = iterator.next()
    // The consumer gets the error when it awaits the item; until then it must not count as unhandled.
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

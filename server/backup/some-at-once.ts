/** Does something with each item, some at a time; after the first failure no other is begun. */
export const someAtOnce = async <T>(
  most: number,
  items: Iterable<T>,
  run: (item: T) => Promise<void>,
): Promise<void> => {
  const left = items[Symbol.iterator]()
  const failures: unknown[] = []
  const lane = async (): Promise<void> => {
    while (failures.length === 0) {
      const { done, value } = left.next()
      if (done) return
      await run(value).catch((error: unknown) => void failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: most }, lane))
  if (failures.length > 0) throw failures[0]
}

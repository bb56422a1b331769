const KEPT_MS = 24 * 60 * 60 * 1000
const MAX_KEPT = 2000

/** Caches answers by key: `load` runs only for keys that are not cached. */
export type AnswerCache<T> = (key: string, load: () => Promise<T>) => Promise<T>

/** Keeps the latest 2000 answers for a day. Equal questions at one time are asked once; a failure is not kept. */
export const createAnswerCache = <T>(now: () => number): AnswerCache<T> => {
  // In the order of their last use.
  const kept = new Map<string, { readonly answer: Promise<T>; readonly until: number }>()
  return (key, load) => {
    const known = kept.get(key)
    kept.delete(key)
    const fresh = known !== undefined && known.until > now() ? known : undefined
    const entry = fresh ?? { answer: load(), until: now() + KEPT_MS }
    kept.set(key, entry)
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    entry.answer.catch(() => kept.get(key) === entry && kept.delete(key))
    return entry.answer
  }
}

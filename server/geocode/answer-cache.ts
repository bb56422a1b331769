import { putRecent } from '../lru.ts'

const KEPT_MS = 24 * 60 * 60 * 1000
const MAX_KEPT = 2000

/** Caches responses by key: `load` runs only for keys that are not cached. */
export type AnswerCache<T> = (key: string, load: () => Promise<T>) => Promise<T>

/**
 * Caches the latest 2000 responses for a day. Concurrent requests with the same key share one load; failures are
 * not cached.
 */
export const createAnswerCache = <T>(now: () => number): AnswerCache<T> => {
  const kept = new Map<string, { readonly answer: Promise<T>; readonly until: number }>()
  return (key, load) => {
    const known = kept.get(key)
    const fresh = known !== undefined && known.until > now() ? known : undefined
    const entry = fresh ?? { answer: load(), until: now() + KEPT_MS }
    putRecent(kept, key, entry, MAX_KEPT)
    entry.answer.catch(() => kept.get(key) === entry && kept.delete(key))
    return entry.answer
  }
}

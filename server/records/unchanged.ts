/** What is needed of a read. */
interface Versioned {
  readonly etag: string
}

/**
 * The versions that a process has answered. While nobody else can write to the database, and nothing is being written,
 * they are what the database would say: a conditional read needs no statement (decision 0033).
 */
export interface Unchanged {
  /** The version of an answer that is surely still the same; undefined when that is not known. */
  find(key: string): string | undefined
  /** Reads, and keeps the version if nothing was written meanwhile. */
  read<Answer extends Versioned>(key: string, read: () => Promise<Answer>): Promise<Answer>
  /** From now until what is returned is called, something may be written. */
  begin(): () => void
  /** Nothing that was known is relied on any more. */
  forget(): void
}

/** Of some 200 bytes each. */
const MAX_KEPT = 10_000

export const createUnchanged = (isSole: () => boolean): Unchanged => {
  const kept = new Map<string, string>()
  let writers = 0
  /** Of writes that have begun or ended. */
  let turn = 0
  const forget = (): void => {
    turn++
    kept.clear()
  }
  return {
    find: (key) => (isSole() && writers === 0 ? kept.get(key) : undefined),
    read: async (key, read) => {
      const before = turn
      const isQuiet = isSole() && writers === 0
      const answer = await read()
      if (!isQuiet || turn !== before || !isSole()) return answer
      if (kept.size >= MAX_KEPT) kept.clear()
      kept.set(key, answer.etag)
      return answer
    },
    begin: () => {
      forget()
      writers++
      let ended = false
      return () => {
        if (ended) return
        ended = true
        writers--
        forget()
      }
    },
    forget,
  }
}

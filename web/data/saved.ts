import type { Core } from './core.ts'
import type { Data } from './log.ts'

/** The data as it was last seen, kept on the device for the next visit. */
export interface Saved {
  /** What was kept for the signed-in user, and when, in milliseconds. */
  readonly read: () => Promise<
    { readonly data: NonNullable<Data>; readonly at: number } | undefined
  >
  /** Keeps what is confirmed now, soon. Without a business there is nothing to keep. */
  readonly keep: () => void
  /** Forgets the data of the user. */
  readonly clear: () => void
}

const VERSION = 1
/** Changes come together: one write is enough for them. */
const GATHER_MS = 1000

export const createSaved = (core: Core): Saved => {
  const { env } = core
  let cancel = (): void => {}
  const keyNow = (): string | undefined => {
    const { user } = core.getState()
    return user === null ? undefined : `data:${user.id}`
  }
  // A device that keeps nothing only makes the next visit slower, and says so where it is offline.
  const ignore = (): undefined => undefined

  const write = (key: string): void => {
    cancel()
    if (key !== keyNow()) return
    const data = core.base()
    const kept = { version: VERSION, at: env.now(), data }
    void (data === null ? env.objects.remove([key]) : env.objects.set(key, kept)).catch(ignore)
  }
  let due = (): void => {}
  env.on('hide', () => due())
  return {
    read: async () => {
      const key = keyNow()
      if (key === undefined) return undefined
      const kept = (await env.objects.get(key).catch(ignore)) as
        | { version?: unknown; at?: unknown; data?: Data }
        | undefined
      if (kept?.version !== VERSION || typeof kept.at !== 'number') return undefined
      if (typeof kept.data !== 'object' || !Array.isArray(kept.data?.sites)) return undefined
      return { data: kept.data, at: kept.at }
    },
    keep: () => {
      const key = keyNow()
      cancel()
      if (key === undefined) return
      due = () => {
        due = () => {}
        write(key)
      }
      cancel = env.after(GATHER_MS, due)
    },
    clear: () => {
      cancel()
      due = () => {}
      const key = keyNow()
      if (key !== undefined) void env.objects.remove([key]).catch(ignore)
    },
  }
}

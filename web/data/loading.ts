import { PLAIN } from '#domain/owned.ts'
import type { Collection } from '#domain/collection.ts'

import type { Core } from './core.ts'
import { createDataCache } from './data-cache.ts'
import type { Call } from './notices.ts'
import { fetchData } from './records.ts'
import type { Store } from './state.ts'

/** How often a load is begun again because the data changed while it was read. */
const REREADS = 3
/** How old the data may be that changes are put together with before they are sent. */
const RECENT_MS = 5000

/** Reads the data, and knows how fresh it is. */
export interface Loading extends Pick<Store, 'load' | 'savedAt'> {
  /** Reads everything anew without a word, and without getting in the way of who waits. */
  readonly reload: () => Promise<void>
  /** Makes sure that the data is recent; tells whether it is. */
  readonly refresh: (maxAgeMs?: number) => Promise<boolean>
  /** Is what the store holds what the server has, as far as it is known? */
  readonly isFresh: () => boolean
  /** What was seen last stands in for what is on its way. */
  readonly showCached: () => Promise<void>
  /** The session is gone. */
  readonly forget: () => void
  /** Forgets what the device keeps of the data, too. */
  readonly clear: () => void
}

export const createLoading = (core: Core, plain: readonly Collection[] = PLAIN): Loading => {
  const { env } = core
  const cache = createDataCache(core, plain)
  let freshness: 'nothing' | 'saved' | 'fresh' = 'nothing'
  let savedAt: number | undefined
  let loadedAt = Number.NEGATIVE_INFINITY
  let loadCount = 0
  let loading: Promise<unknown> = Promise.resolve()

  let lastBase = core.base()
  core.subscribe(() => {
    if (core.base() === lastBase) return
    lastBase = core.base()
    if (freshness === 'fresh') cache.keep()
  })

  const read = async (how: Pick<Call, 'waits' | 'quiet' | 'retry'>) => {
    const mine = ++loadCount
    return core.attempt({ action: 'load', ...how }, async (client, scope) => {
      for (let rereads = 0; ; rereads++) {
        const rev = core.rev()
        let fetched = await fetchData(client, scope.user.id, plain)
        // To the server a revoked token is a guest's, and a guest has no business.
        if (fetched === null && !(await isTrusted(core))) fetched = core.base()
        scope.check()
        // A newer load is on its way, and it knows better.
        if (mine !== loadCount) return core.getState().data
        if (rev === core.rev() || rereads === REREADS) {
          freshness = 'fresh'
          loadedAt = env.now()
          savedAt = undefined
          scope.dispatch({ type: 'loaded', data: fetched })
          return core.getState().data
        }
      }
    })
  }
  const load: Store['load'] = () => {
    const mine = read({ waits: true, retry: () => void load() })
    loading = mine
    return mine
  }
  const reload = async (): Promise<void> => {
    await loading
    await read({ quiet: true })
  }
  const isRecent = (maxAgeMs: number): boolean =>
    freshness === 'fresh' && env.now() - loadedAt <= maxAgeMs

  return {
    load,
    reload,
    refresh: async (maxAgeMs = RECENT_MS) => {
      if (!isRecent(maxAgeMs)) await reload()
      return isRecent(maxAgeMs)
    },
    isFresh: () => freshness === 'fresh',
    savedAt: () => savedAt,
    showCached: async () => {
      const scope = core.scope()
      const saved = await cache.read()
      if (saved === undefined || freshness !== 'nothing' || !scope.isCurrent()) return
      freshness = 'saved'
      savedAt = saved.at
      scope.dispatch({ type: 'loaded', data: saved.data })
    },
    forget: () => {
      freshness = 'nothing'
      savedAt = undefined
    },
    clear: cache.clear,
  }
}

/** Has the session been accepted by the server, or is it now? */
const isTrusted = async ({ session, base, renew }: Core): Promise<boolean> => {
  if (session.isProven() && base() === null) return true
  const renewal = await renew()
  return renewal === 'valid' || (renewal === 'unknown' && base() === null)
}

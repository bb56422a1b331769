import type { Collection } from '#domain/collection.ts'

import type { Core } from './core.ts'
import { createDataCache } from './data-cache.ts'
import type { Call } from './notices.ts'
import { fetchData } from './records.ts'
import type { BusinessView, Result, Store } from './state.ts'

/** Maximum number of times a load restarts because the data changed while it was read. */
const REREADS = 3
/** Maximum age of the data that queued changes are merged with before they are sent. */
const RECENT_MS = 5000

/** Loads the data and tracks its freshness. */
export interface Loading extends Pick<Store, 'load' | 'reload' | 'savedAt'> {
  /** Ensures that the data is recent; returns whether it is. */
  readonly refresh: (maxAgeMs?: number) => Promise<boolean>
  /** Returns whether the data is up to date with the server, as far as known. */
  readonly isFresh: () => boolean
  /** Shows the cached data while the data loads. */
  readonly showCached: () => Promise<void>
  /** Called when the session is over. */
  readonly forget: () => void
  /** Also removes the cached data from the device. */
  readonly clear: () => void
}

export const createLoading = (core: Core, plain: readonly Collection[]): Loading => {
  const { env } = core
  const cache = createDataCache(core, plain)
  let freshness: 'nothing' | 'saved' | 'fresh' = 'nothing'
  let savedAt: number | undefined
  let loadedAt = Number.NEGATIVE_INFINITY
  let newest: Promise<Result<BusinessView | null>> | undefined
  let loading: Promise<unknown> = Promise.resolve()

  let lastBase = core.base()
  core.subscribe(() => {
    if (core.base() === lastBase) return
    lastBase = core.base()
    if (freshness === 'fresh') cache.scheduleWrite()
  })

  const read = (
    how: Pick<Call, 'waits' | 'quiet' | 'retry'>,
  ): Promise<Result<BusinessView | null>> => {
    const mine = core.attempt({ action: 'load', ...how }, async (client, scope) => {
      for (let rereads = 0; ; rereads++) {
        const rev = core.rev()
        let fetched = await fetchData(client, scope.user.id, plain)
        // The server treats a revoked token as an anonymous one, for which there is no business.
        if (fetched === null && !(await isTrusted(core))) fetched = core.base()
        scope.check()
        // A newer load is in flight and supersedes this one.
        if (mine !== newest) return core.getState().data
        if (rev === core.rev() || rereads === REREADS) {
          freshness = 'fresh'
          loadedAt = env.now()
          savedAt = undefined
          scope.dispatch({ type: 'loaded', data: fetched })
          return core.getState().data
        }
      }
    })
    newest = mine
    return mine
  }
  const load: Store['load'] = () => {
    const mine = read({ waits: true, retry: () => void load() })
    loading = mine
    return mine
  }
  const reload = async (): Promise<boolean> => {
    await loading
    void read({ quiet: true })
    let result: Result<unknown> | undefined
    // A read that a newer one supersedes ends early.
    for (let last: typeof newest; last !== newest;) {
      last = newest
      result = await last
    }
    return result !== undefined && 'value' in result
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

/** Returns whether the server has accepted the session, now or earlier. */
const isTrusted = async ({ session, base, renew }: Core): Promise<boolean> => {
  if (session.isVerified() && base() === null) return true
  const renewal = await renew()
  return renewal === 'valid' || (renewal === 'unknown' && base() === null)
}

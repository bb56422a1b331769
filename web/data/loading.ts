import type PocketBase from 'pocketbase'

import type { Collection } from '#domain/collection.ts'

import type { Core } from './core.ts'
import { createDataCache } from './data-cache.ts'
import { haveListsChanged, recordEtags, type ListEtags } from './list-etags.ts'
import type { Data } from './log.ts'
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
  /** Reads the data again if it has changed on the server; returns whether it is up to date. */
  readonly catchUp: () => Promise<boolean>
  /** Returns whether the data is up to date with the server, as far as known. */
  readonly isFresh: () => boolean
  /** Shows the cached data while the data loads. */
  readonly showCached: () => Promise<void>
  /** Called when the session is over. */
  readonly forget: () => void
  /** Also removes the cached data from the device. */
  readonly clear: () => void
}

/** The last read of the session. */
interface LastRead {
  /** When the server last confirmed it, in milliseconds. */
  readonly confirmedAt: number
  readonly data: Data
  readonly etags: ListEtags
}

export const createLoading = (core: Core, plain: readonly Collection[]): Loading => {
  const { env } = core
  const cache = createDataCache(core, plain)
  let savedAt: number | undefined
  let lastRead: LastRead | undefined
  let newest: Promise<Result<BusinessView | null>> | undefined
  let loading: Promise<unknown> = Promise.resolve()

  let lastBase = core.base()
  core.subscribe(() => {
    if (core.base() === lastBase) return
    lastBase = core.base()
    if (lastRead !== undefined) cache.scheduleWrite()
  })

  const read = (
    how: Pick<Call, 'waits' | 'quiet' | 'retry'>,
  ): Promise<Result<BusinessView | null>> => {
    const mine = core.attempt({ action: 'load', ...how }, async (client, scope) => {
      for (let rereads = 0; ; rereads++) {
        const rev = core.rev()
        const fetched = await fetchLists(core, client, scope.user.id, plain)
        scope.check()
        // A newer load is in flight and supersedes this one.
        if (mine !== newest) return core.getState().data
        if (rev === core.rev() || rereads === REREADS) {
          savedAt = undefined
          lastRead = { ...fetched, confirmedAt: env.now() }
          scope.dispatch({ type: 'loaded', data: fetched.data })
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
  const catchUp = async (): Promise<boolean> => {
    await loading
    const previous = lastRead
    const confirmedAt = env.now()
    const isCurrent = (): boolean => lastRead === previous && previous?.data === core.base()
    if (previous === undefined || !isCurrent() || !core.session.isValid()) return reload()
    try {
      const hasChanged = await haveListsChanged(core, previous.etags, isCurrent)
      if (hasChanged || !isCurrent()) return await reload()
    } catch {
      return false
    }
    lastRead = { ...previous, confirmedAt }
    cache.renew()
    core.clearNotice({ action: 'load' })
    return true
  }
  const isRecent = (maxAgeMs: number): boolean =>
    lastRead !== undefined && env.now() - lastRead.confirmedAt <= maxAgeMs

  return {
    load,
    reload,
    catchUp,
    refresh: async (maxAgeMs = RECENT_MS) => {
      if (!isRecent(maxAgeMs)) await reload()
      return isRecent(maxAgeMs)
    },
    isFresh: () => lastRead !== undefined,
    savedAt: () => savedAt,
    showCached: async () => {
      const scope = core.scope()
      const saved = await cache.read()
      if (saved === undefined || lastRead !== undefined || !scope.isCurrent()) return
      savedAt = saved.at
      scope.dispatch({ type: 'loaded', data: saved.data })
    },
    forget: () => {
      savedAt = undefined
      lastRead = undefined
    },
    clear: cache.clear,
  }
}

/** Reads the data, with the ETags of its lists. */
const fetchLists = async (
  core: Core,
  client: PocketBase,
  userId: string,
  plain: readonly Collection[],
): Promise<Omit<LastRead, 'confirmedAt'>> => {
  const etags = new Map<RequestInfo | URL, string | null>()
  const fetch = recordEtags(core.send, etags)
  const data = await fetchData(client, userId, { plain, fetch })
  // The server treats a revoked token as an anonymous one, for which there is no business.
  if (data === null && !(await isTrusted(core))) return { data: core.base(), etags: new Map() }
  return { data, etags }
}

/** Returns whether the server has accepted the session, now or earlier. */
const isTrusted = async ({ session, base, renew }: Core): Promise<boolean> => {
  if (session.isVerified() && base() === null) return true
  const renewal = await renew()
  return renewal === 'valid' || (renewal === 'unknown' && base() === null)
}

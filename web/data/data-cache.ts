import { businesses } from '#domain/business.ts'
import type { Collection } from '#domain/collection.ts'
import { connectors } from '#domain/connector.ts'
import { shapeOf } from '#domain/record.ts'
import { sites } from '#domain/site.ts'
import type { Core } from './core.ts'
import type { Data } from './log.ts'
import type { SiteView } from './state.ts'

/** Caches the data on the device for the next visit. */
export interface DataCache {
  /** The cached data of the signed-in user and its time, in milliseconds. */
  readonly read: () => Promise<
    { readonly data: NonNullable<Data>; readonly at: number } | undefined
  >
  /** Schedules a write of the confirmed data. Without a business, nothing is cached. */
  readonly scheduleWrite: () => void
  /** Schedules a write of unchanged data if the cached copy is more than a minute old. */
  readonly renew: () => void
  /** Removes the cached data of the user. */
  readonly clear: () => void
}

/** A structured clone of ten thousand sites in one go blocks the page for 100 to 500 ms. */
const PART_SITES = 500
/** The age from which unchanged data is written again, so that its time is right. */
const RENEW_MS = 60_000
/** Debounces writes: changes arrive in groups. */
const GATHER_MS = 1000

/** The stored form: the business with the first sites; the other sites follow in parts. */
interface CachedData {
  readonly version: string
  readonly at: number
  readonly data: NonNullable<Data>
  /** The keys of the parts, in order. */
  readonly parts: readonly string[]
}

export const createDataCache = (core: Core, plain: readonly Collection[]): DataCache => {
  const { env } = core
  // A change of the declared fields invalidates the cache; raise the number for any other change.
  const version = [4, ...[businesses, sites, connectors, ...plain].map(shapeOf)].join(' ')
  let cancel = (): void => {}
  const keyNow = (): string | undefined => {
    const { user } = core.getState()
    return user === null ? undefined : `data:${user.id}`
  }
  // Without storage, the next visit is only slower. Offline, the screen reports that there is no data.
  const ignore = (): undefined => undefined

  const forget = async (key: string, but: readonly string[] = []): Promise<void> => {
    const keys = await env.objects.keys(key)
    await env.objects.remove(keys.filter((each) => !but.includes(each)))
  }
  let writes = 0
  let writtenAt = Number.NEGATIVE_INFINITY
  /** Writes part by part; the previous copy stays valid until all parts are stored. */
  const write = async (key: string): Promise<void> => {
    cancel()
    if (key !== keyNow()) return
    const mine = ++writes
    const data = core.base()
    if (data === null) return forget(key)
    const at = env.now()
    writtenAt = at
    const parts: string[] = []
    for (let first = PART_SITES; first < data.sites.length; first += PART_SITES) {
      const part = `${key}:${at}:${first}`
      parts.push(part)
      await env.objects.set(part, data.sites.slice(first, first + PART_SITES))
      // Newer data or another user: another tab may have signed out and cleared the cache.
      if (mine !== writes || key !== keyNow()) return env.objects.remove(parts)
    }
    const head = { ...data, sites: data.sites.slice(0, PART_SITES) }
    await env.objects.set(key, { version, at, data: head, parts } satisfies CachedData)
    await forget(key, [key, ...parts])
  }
  let due = (): void => {}
  env.on('hide', () => due())
  const scheduleWrite = (): void => {
    const key = keyNow()
    cancel()
    if (key === undefined) return
    due = () => {
      due = () => {}
      void write(key).catch(ignore)
    }
    cancel = env.after(GATHER_MS, due)
  }
  return {
    read: async () => {
      const key = keyNow()
      if (key === undefined) return undefined
      const kept = (await env.objects.get(key).catch(ignore)) as CachedData | undefined
      if (kept?.version !== version) return undefined
      const parts = await Promise.all(
        kept.parts.map((part) => env.objects.get(part).catch(ignore) as Promise<SiteView[]>),
      )
      // A part is missing because it was replaced by newer data or evicted by the browser.
      if (parts.includes(undefined as never)) return undefined
      return { data: { ...kept.data, sites: [...kept.data.sites, ...parts.flat()] }, at: kept.at }
    },
    scheduleWrite,
    renew: () => {
      if (env.now() - writtenAt > RENEW_MS) scheduleWrite()
    },
    clear: () => {
      cancel()
      due = () => {}
      writes++
      const key = keyNow()
      if (key !== undefined) void forget(key).catch(ignore)
    },
  }
}

import type { Store } from '../data/state.ts'

/** The file that the service worker is, below the base path. */
const WORKER = 'service-worker.js'
const HOUR_MS = 60 * 60 * 1000

let isNewer = false
const listeners = new Set<() => void>()

/** Is another version of the app ready, which a reload would bring? */
export const isNewVersionReady = (): boolean => isNewer

export const subscribeNewVersion = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

interface Options {
  readonly basePath: string
  /** The file that started this page. */
  readonly entry: string
  readonly store: Store
}

/**
 * Makes the app open without a connection, for people who have signed in: a first visit does
 * without. Call it when nothing else is to be done.
 */
export const keepOffline = ({ basePath, entry, store }: Options): void => {
  // Not on plain HTTP, and not in every web view.
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const newest = (data as { entry?: unknown } | null)?.entry
    if (typeof newest !== 'string' || entry.endsWith(newest)) return
    isNewer = true
    listeners.forEach((listener) => listener())
  })
  navigator.serviceWorker.startMessages()

  let begun = false
  const begin = async (): Promise<void> => {
    if (begun || !store.isSignedIn()) return
    begun = true
    try {
      const registration = await navigator.serviceWorker.register(`${basePath}/${WORKER}`)
      let askedAt = Date.now()
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState !== 'visible' || Date.now() - askedAt < HOUR_MS) return
        askedAt = Date.now()
        // Without a connection there is nothing newer to be had.
        registration.update().catch(() => undefined)
      })
    } catch {
      // The browser refuses workers, or the connection broke: the app works, but online only.
      begun = false
    }
  }
  void begin()
  store.subscribe(() => void begin())
}

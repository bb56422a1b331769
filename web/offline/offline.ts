import type { Store } from '../data/state.ts'
import { newVersion } from './newer.ts'

/** The file of the service worker, below the base path. */
const WORKER = 'service-worker.js'
/** The query with which the worker caches only the guest screens. */
const GUEST_QUERY = '?guest'
const HOUR_MS = 60 * 60 * 1000

interface Options {
  readonly basePath: string
  /** The entry script of this page. */
  readonly entry: string
  readonly store: Store
}

/**
 * Registers the service worker, so that the app opens offline: the whole app for owners, the guest screens for guests.
 * Call it when the browser is idle.
 */
export const keepOffline = ({ basePath, entry, store }: Options): void => {
  // Not available over plain HTTP or in some web views.
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const newest = (data as { entry?: unknown } | null)?.entry
    if (typeof newest === 'string' && !entry.endsWith(newest)) newVersion.set(true)
  })
  navigator.serviceWorker.startMessages()

  let kept: string | undefined
  const begin = async (): Promise<void> => {
    const script = `${basePath}/${WORKER}${store.isSignedIn() ? '' : GUEST_QUERY}`
    if (kept === script || kept === `${basePath}/${WORKER}`) return
    kept = script
    try {
      // The cached files are kept after a sign-out.
      if (!store.isSignedIn() && (await navigator.serviceWorker.getRegistration())) return
      const registration = await navigator.serviceWorker.register(script)
      let askedAt = Date.now()
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState !== 'visible' || Date.now() - askedAt < HOUR_MS) return
        askedAt = Date.now()
        // Offline, there is no update to fetch.
        registration.update().catch(() => undefined)
      })
    } catch {
      // The browser refuses workers, or the connection failed. The app then works online only.
      kept = undefined
    }
  }
  void begin()
  store.subscribe(() => void begin())
}

import type { Store } from '../data/state.ts'
import { offerNewVersion } from './newer.ts'

/** The file that the service worker is, below the base path. */
const WORKER = 'service-worker.js'
/** Makes it keep the screens of guests alone. */
const GUEST_QUERY = '?guest'
const HOUR_MS = 60 * 60 * 1000

interface Options {
  readonly basePath: string
  /** The file that started this page. */
  readonly entry: string
  readonly store: Store
}

/**
 * Makes the app open without a connection: all of it for people who have signed in, for guests the screens of
 * guests, whose files are here already. Call it when nothing else is to be done.
 */
export const keepOffline = ({ basePath, entry, store }: Options): void => {
  // Not on plain HTTP, and not in every web view.
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const newest = (data as { entry?: unknown } | null)?.entry
    if (typeof newest !== 'string' || entry.endsWith(newest)) return
    offerNewVersion()
  })
  navigator.serviceWorker.startMessages()

  let kept: string | undefined
  const begin = async (): Promise<void> => {
    const script = `${basePath}/${WORKER}${store.isSignedIn() ? '' : GUEST_QUERY}`
    if (kept === script || kept === `${basePath}/${WORKER}`) return
    kept = script
    try {
      // Whoever has logged out keeps what is here.
      if (!store.isSignedIn() && (await navigator.serviceWorker.getRegistration())) return
      const registration = await navigator.serviceWorker.register(script)
      let askedAt = Date.now()
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState !== 'visible' || Date.now() - askedAt < HOUR_MS) return
        askedAt = Date.now()
        // Without a connection there is nothing newer to be had.
        registration.update().catch(() => undefined)
      })
    } catch {
      // The browser refuses workers, or the connection broke: the app works, but online only.
      kept = undefined
    }
  }
  void begin()
  store.subscribe(() => void begin())
}

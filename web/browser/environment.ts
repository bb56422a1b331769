import { ID_LENGTH } from '#domain/collection.ts'

import type { Environment } from '../data/environment.ts'
import { takePreloaded } from '../prerender/preloaded.ts'
import { deviceStorage, tabStorage } from '../storage.ts'
import { indexedObjects } from './idb.ts'
import { uploadFetch } from './upload-fetch.ts'

/** The environment in a browser page. */
export const browserEnvironment = (basePath: string): Environment => ({
  origin: location.origin,
  basePath,
  language: () => document.documentElement.lang || navigator.language,
  localStorage: deviceStorage,
  sessionStorage: tabStorage,
  objects: indexedObjects(),
  // `navigator.locks` exists in secure contexts only. Over plain HTTP, two tabs may send the same request, which the
  // server applies once.
  lock: async (name, task) => {
    if (!('locks' in navigator)) return task()
    let running: Promise<void> | undefined
    await navigator.locks
      .request(name, () => (running = task()))
      .catch((error: unknown) => {
        // WebKit releases the locks of a page that enters its back/forward cache. The task goes on.
        if (running === undefined) throw error
      })
    return running
  },
  tryLock,
  isOnline: () => navigator.onLine,
  fetch: (url, init) => takePreloaded(url, init) ?? fetch(url, init),
  upload: uploadFetch,
  now: () => Date.now(),
  after: (delayMs, task) => {
    const timer = setTimeout(task, Math.min(Math.max(delayMs, 0), MAX_TIMER_MS))
    return () => clearTimeout(timer)
  },
  redirect: (url) => location.assign(url),
  newId: randomId,
  report: (error) => reportError(error),
  onLeave: (listener) => {
    addEventListener('beforeunload', listener)
    return () => removeEventListener('beforeunload', listener)
  },
  on: (event: string, listener: (key: string | null) => void) => {
    if (event === 'storage') addEventListener('storage', ({ key }) => listener(key))
    if (event === 'online') addEventListener('online', () => listener(null))
    if (event === 'hide') addEventListener('pagehide', () => listener(null))
    if (event === 'restore')
      addEventListener('pageshow', ({ persisted }) => persisted && listener(null))
    if (event === 'visible' || event === 'hidden')
      document.addEventListener(
        'visibilitychange',
        () => document.visibilityState === event && listener(null),
      )
  },
})

const tryLock: Environment['tryLock'] = (name) =>
  new Promise((resolve) => {
    if (!('locks' in navigator)) return resolve(() => {})
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    // WebKit releases the locks of a page that enters its back/forward cache, and restores the page without them.
    const restore = ({ persisted }: PageTransitionEvent) => persisted && request()
    const request = () =>
      void navigator.locks
        .request(name, { ifAvailable: true }, (lock) => {
          if (lock === null) return resolve(undefined)
          addEventListener('pageshow', restore)
          resolve(release)
          return released
        })
        // The browser refuses locks, or WebKit has released one.
        .catch(() => resolve(release))
    request()
    void released.then(() => removeEventListener('pageshow', restore))
  })

/** Longer delays overflow and would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** A random record id. Bytes that would bias the distribution are rejected. */
const randomId = (): string => {
  const fair = 256 - (256 % ALPHABET.length)
  let id = ''
  while (id.length < ID_LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(ID_LENGTH * 2)))
      if (byte < fair && id.length < ID_LENGTH) id += ALPHABET[byte % ALPHABET.length]
  return id
}

import type { WebSettings } from '#domain/settings.ts'

import { tabStorage } from '../storage.ts'
import { consent, isAgreed, isRefusedByBrowser } from './consent.ts'
import { FAILED_START_KEY } from './keys.ts'
import { scrubError } from './scrub.ts'

/** Reports to usage analytics (spec 7). Uncaught errors are reported automatically. */
export interface Analytics {
  /** Reports a page view under the browser's current path, once the page is visible. */
  readonly view: (path: string) => void
}

/** The part of the Countly SDK that is used. */
interface Countly {
  init(settings: Readonly<Record<string, unknown>>): unknown
  track_sessions(): void
  track_pageview(name: string): void
  log_error(error: unknown): void
  opt_in(): void
  opt_out(): void
}

/** More errors than this before consent are a loop, and the first ones are enough. */
const MAX_KEPT_ERRORS = 20

/**
 * Starts usage analytics if they are configured. Without consent, nothing is loaded, stored or sent.
 * Until then, errors are kept in memory, including those from before the app started (`prerender/start.ts`),
 * and are sent once. Of page views, only the current page and later ones are reported.
 */
export const startAnalytics = (settings: WebSettings): Analytics => {
  if (isRefusedByBrowser()) return { view: () => {} }
  let loading: Promise<Countly | undefined> | undefined
  let countly: Countly | undefined
  let path = ''
  let isViewed = true
  const kept: unknown[] = takeEarlyErrors()

  const report = (error: unknown): void => {
    if (countly !== undefined && isAgreed()) countly.log_error(scrubError(error))
    else if (kept.length < MAX_KEPT_ERRORS) kept.push(error)
  }
  addEventListener('error', ({ error, message }) => {
    // A layout that takes a second frame is an error event, too (Resize Observer, "deliver resize loop error"); nobody
    // notices it.
    if (!message.startsWith('ResizeObserver loop')) report(error ?? message)
  })
  addEventListener('unhandledrejection', ({ reason }) => report(reason))

  const tellView = (): void => {
    if (isViewed || countly === undefined || !isAgreed() || !isSeen()) return
    isViewed = true
    coming.disconnect()
    countly.track_pageview(path)
  }
  const coming = new MutationObserver(tellView)

  const follow = async (): Promise<void> => {
    if (!isAgreed()) {
      countly?.opt_out()
      forget(settings)
      return
    }
    countly?.opt_in()
    countly = await (loading ??= loadCountly(settings, () => path))
    for (const error of kept.splice(0)) report(error)
    tellView()
  }
  consent.subscribe(() => void follow())
  // The library writes to storage when the page is left, even after consent was withdrawn.
  void follow()

  return {
    view: (next) => {
      // A page that redirects here keeps the same address.
      if (next === path) return
      path = next
      isViewed = false
      coming.observe(document.body, { childList: true, subtree: true, attributeFilter: ['class'] })
      tellView()
    },
  }
}

/** Errors from before the app started. */
const takeEarlyErrors = (): unknown[] => {
  const taken = globalThis.early?.errors.splice(0) ?? []
  if (tabStorage.get(FAILED_START_KEY) !== null)
    taken.unshift(new Error('The app could not be loaded'))
  tabStorage.remove(FAILED_START_KEY)
  return taken
}

/** Returns whether a screen and its data have loaded, which counts as a view. A screen that redirects never does. */
const isSeen = (): boolean =>
  document.querySelector('#main > *') !== null && document.querySelector('#main .skeleton') === null

/** A blocked or unreachable library is ignored; the app works without it. */
const loadCountly = async (
  settings: WebSettings,
  currentPath: () => string,
): Promise<Countly | undefined> => {
  const wrapped: unknown = await import('countly-sdk-web').catch(() => undefined)
  if (wrapped === undefined) return undefined
  const library = findLibrary(wrapped)
  library.init({
    app_key: settings['analytics-app-key'],
    url: settings['analytics-host'],
    app_version: settings['app-version'],
    // The browsers of the tests identify as headless, and their visits must be reported.
    ignore_bots: false,
    // By default, the library reports the URL of the page, which may contain the token of an email.
    getViewName: currentPath,
    getViewUrl: currentPath,
  })
  library.track_sessions()
  return library
}

/** Removes what the library has stored on the device. */
const forget = (settings: WebSettings): void => {
  const prefix = `${settings['analytics-app-key']}/`
  for (const key of Object.keys(localStorage))
    if (key.startsWith(prefix)) localStorage.removeItem(key)
}

/** Bundlers wrap the library's old module format once or twice. */
const findLibrary = (wrapped: unknown): Countly => {
  for (let each = wrapped; typeof each === 'object' || typeof each === 'function';) {
    if (each === null) break
    // The other functions exist after this call.
    if ('init' in each) return each as unknown as Countly
    each = (each as { default?: unknown }).default
  }
  throw new TypeError('countly-sdk-web has another shape than expected')
}

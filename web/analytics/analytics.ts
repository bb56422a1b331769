import type { WebSettings } from '#domain/settings.ts'

import { isAgreed, isRefusedByBrowser, subscribeConsent } from './consent.ts'
import { FAILED_START_KEY } from './keys.ts'
import { scrubError } from './scrub.ts'

/** What the app tells its usage analytics (spec 7). Uncaught errors are seen without being told. */
export interface Analytics {
  /** A page was opened; its name is the browser's current path. It counts once it can be seen. */
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

/** More than this before somebody has agreed is a loop, and the first tell enough. */
const MAX_KEPT_ERRORS = 20

/**
 * Turns usage analytics on, which are configured: until somebody agrees, nothing is loaded, stored or sent.
 * Errors are kept in memory until then, those from before the app included (`early/begin.ts`), and are sent
 * once. Only the page that is open at that moment is counted, and those that follow.
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
  addEventListener('error', ({ error, message }) => report(error ?? message))
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
  subscribeConsent(() => void follow())
  // The library leaves something behind when a page goes, also after somebody has changed their mind.
  void follow()

  return {
    view: (next) => {
      // A page that only leads here has had this address already when it said so.
      if (next === path) return
      path = next
      isViewed = false
      coming.observe(document.body, { childList: true, subtree: true, attributeFilter: ['class'] })
      tellView()
    },
  }
}

/** What went wrong before the app was there to hear of it. */
const takeEarlyErrors = (): unknown[] => {
  const { earlyErrors = [] } = globalThis as { earlyErrors?: unknown[] }
  const taken = earlyErrors.splice(0)
  try {
    if (sessionStorage.getItem(FAILED_START_KEY) !== null)
      taken.unshift(new Error('The app could not be loaded'))
    sessionStorage.removeItem(FAILED_START_KEY)
  } catch {
    // Private windows of some browsers refuse storage, and nothing was kept there.
  }
  return taken
}

/** Somebody sees a screen when it has come, and its data: one that only leads on to another never does. */
const isSeen = (): boolean =>
  document.querySelector('#main > *') !== null && document.querySelector('#main .skeleton') === null

/** Blocked or out of reach: the app works without. */
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
    // Browsers of tests call themselves headless, and their visits have to arrive as well.
    ignore_bots: false,
    // By itself it would tell the address of the page, which may hold what a mail has brought.
    getViewName: currentPath,
    getViewUrl: currentPath,
  })
  library.track_sessions()
  return library
}

/** Takes away what the library has stored on the device. */
const forget = (settings: WebSettings): void => {
  const prefix = `${settings['analytics-app-key']}/`
  for (const key of Object.keys(localStorage))
    if (key.startsWith(prefix)) localStorage.removeItem(key)
}

/** Bundlers wrap the library's old module format once or twice. */
const findLibrary = (wrapped: unknown): Countly => {
  for (let each = wrapped; typeof each === 'object' || typeof each === 'function';) {
    if (each === null) break
    // The other functions come with its call.
    if ('init' in each) return each as unknown as Countly
    each = (each as { default?: unknown }).default
  }
  throw new TypeError('countly-sdk-web has another shape than expected')
}

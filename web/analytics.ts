import type { WebSettings } from '#domain/settings.ts'

/** What the app tells its usage analytics (spec 7). Uncaught errors are seen without being told. */
export interface Analytics {
  /** A page is shown; its name is the browser's current path. */
  readonly view: (path: string) => void
  /** Something failed that was caught, and that the developers should know. */
  readonly report: (error: unknown) => void
}

/** The part of the Countly SDK that is used. */
interface Countly {
  init(settings: Readonly<Record<string, unknown>>): unknown
  track_sessions(): void
  track_errors(): void
  track_pageview(name: string): void
  log_error(error: unknown): void
}

const OFF: Analytics = { view: () => {}, report: () => {} }

/** In a page that is not painted (a tab in the background) the library is loaded after this time. */
const UNPAINTED_MS = 3000

/** More than this from before the library loaded is a loop, and the first tell enough. */
const MOST_EARLY_ERRORS = 20

/**
 * Turns usage analytics on when they are configured; otherwise nothing is loaded, listened to or
 * sent. The library comes after the first paint; what happens before is kept and told to it then.
 */
export const startAnalytics = (settings: WebSettings): Analytics => {
  const url = settings['analytics-host']
  const key = settings['analytics-app-key']
  if (url === '' || key === '') return OFF

  type Telling = (countly: Countly) => void
  let early: Telling[] | undefined = []
  let countly: Countly | undefined
  const tell = (telling: Telling): void => {
    if (countly !== undefined) telling(countly)
    else early?.push(telling)
  }
  const report = (error: unknown): void => {
    if ((early?.length ?? 0) < MOST_EARLY_ERRORS) tell((library) => library.log_error(error))
  }

  const onError = (event: ErrorEvent): void => report(event.error ?? event.message)
  const onRejection = ({ reason }: PromiseRejectionEvent): void =>
    report(reason instanceof Error ? reason : new Error(`Unhandled rejection: ${String(reason)}`))
  addEventListener('error', onError)
  addEventListener('unhandledrejection', onRejection)

  const load = async (): Promise<void> => {
    try {
      // Blocked or out of reach: the app works without.
      const wrapped: unknown = await import('countly-sdk-web').catch(() => undefined)
      if (wrapped === undefined) return
      const library = findLibrary(wrapped)
      library.init({
        app_key: key,
        url,
        app_version: settings['app-version'],
        // Browsers of tests call themselves headless, and their visits have to arrive as well.
        ignore_bots: false,
      })
      library.track_sessions()
      library.track_errors()
      countly = library
      early?.forEach((telling) => telling(library))
    } finally {
      early = undefined
      // The library listens itself now; an error must not count twice.
      removeEventListener('error', onError)
      removeEventListener('unhandledrejection', onRejection)
    }
  }
  afterFirstPaint(() => void load())

  return { view: (path) => tell((library) => library.track_pageview(path)), report }
}

const afterFirstPaint = (task: () => void): void => {
  let done = false
  const once = (): void => {
    if (!done) task()
    done = true
  }
  requestAnimationFrame(() => setTimeout(once))
  setTimeout(once, UNPAINTED_MS)
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

import { CONSENT_KEY, FAILED_START_KEY } from '../analytics/keys.ts'
import { isAnswer } from '../browser/sign-in-response.ts'

// Starts the app once the page that the server sent has been painted: until then nothing competes
// with it, and to run the app holds up a slow telephone for a while. Stands in the page itself.

// Whoever comes back from the provider is led on, and has no use for the button that led there.
if (isAnswer(location.search)) document.documentElement.dataset['elsewhere'] = ''

/** A page that is not painted by then, such as one in the background, begins all the same. */
const UNPAINTED_MS = 500
/** After an error, or without one, the app is given this time before the page says that it does not come. */
const FAILED_MS = 3000
const STALLED_MS = 20_000
/** More than this is a loop, and the first tell enough. */
const MAX_ERRORS = 5

/** Says what to do, if the app has not taken the place of what says it. */
const sayStuck = (): void => document.querySelector('[data-stuck]')?.removeAttribute('hidden')

// For the analytics, if somebody agrees to them (`analytics.ts`): nothing is sent or stored here.
const earlyErrors: unknown[] = []
Object.assign(globalThis, { earlyErrors })
const keep = (error: unknown): void => {
  if (earlyErrors.length < MAX_ERRORS) earlyErrors.push(error)
  setTimeout(sayStuck, FAILED_MS)
}
addEventListener('error', ({ error, message }) => keep(error ?? message))
addEventListener('unhandledrejection', ({ reason }) => keep(reason))

// A button needs the app, which presses it again once it is there (`take-over.ts`).
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  if (target.closest('[data-stuck]')) location.reload()
  const button = target.closest<HTMLElement>('[data-frame] button')
  if (button !== null) button.dataset['pressed'] = ''
})

/** The app cannot be had. Whoever agreed to analytics tells so with the next page, which may have it. */
const fail = (): void => {
  sayStuck()
  try {
    if (localStorage.getItem(CONSENT_KEY) === 'yes') sessionStorage.setItem(FAILED_START_KEY, '1')
  } catch {
    // Private windows of some browsers refuse storage.
  }
}

const begin = (): void => {
  observer.disconnect()
  clearTimeout(limit)
  setTimeout(sayStuck, STALLED_MS)
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="later"]')) {
    link.rel = 'modulepreload'
    if (link.dataset['run'] === undefined) continue
    const script = Object.assign(document.createElement('script'), {
      type: 'module',
      crossOrigin: '',
      src: link.href,
      onerror: fail,
    })
    document.head.append(script)
  }
}

const observer = new PerformanceObserver(begin)
const limit = setTimeout(begin, document.visibilityState === 'hidden' ? 0 : UNPAINTED_MS)
observer.observe({ type: 'paint', buffered: true })

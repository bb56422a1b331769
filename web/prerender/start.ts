import { ID_LENGTH } from '#domain/collection.ts'
import type { PageStart } from '#domain/pages.ts'

import { CONSENT_KEY, FAILED_START_KEY } from '../analytics/keys.ts'
import { isAnswer } from '../browser/sign-in-response.ts'
import { expiryOf, parseSession, SESSION_KEY, type StoredSession } from '../data/session.ts'
import { SITE, USER, type Early } from './preloaded.ts'

// The inline script of every page. It preloads the data of the screen, and records clicks and errors until the app has
// started. It starts the app after the first paint, because running the app blocks a slow phone for a while.

/** A page that is not painted by then, for example in the background, starts the app anyway. */
const UNPAINTED_MS = 500
/** Time for the app to start, after an error or without one, before the page reports a failure. */
const FAILED_MS = 3000
const STALLED_MS = 20_000
/** More errors than this are a loop, and the first ones are enough. */
const MAX_ERRORS = 5

const { modules, reads } = JSON.parse(
  document.getElementById('start')?.textContent ?? '',
) as PageStart

/** Shows the failure message, unless the app has replaced it. */
const showStuckMessage = (): void =>
  document.querySelector('[data-stuck]')?.removeAttribute('hidden')

const errors: unknown[] = []
const recordError = (error: unknown): void => {
  if (errors.length < MAX_ERRORS) errors.push(error)
  setTimeout(showStuckMessage, FAILED_MS)
}
addEventListener('error', ({ error, message }) => recordError(error ?? message))
addEventListener('unhandledrejection', ({ reason }) => recordError(reason))

// The app presses the button again once it has started (`take-over.ts`).
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  if (target.closest('[data-stuck]')) location.reload()
  const button = target.closest<HTMLElement>('[data-frame] button')
  if (button !== null) button.dataset['pressed'] = ''
})
// A control that the app replaces between press and release gets no click, so the app presses it too.
document.addEventListener('mousedown', ({ button, target }) => {
  if (button !== 0 || !(target instanceof Element)) return
  target.closest('[data-frame] :is(a, button, summary)')?.setAttribute('data-held', '')
})
document.addEventListener('mouseup', () =>
  document.querySelector('[data-held]')?.removeAttribute('data-held'),
)

const readSession = (): StoredSession | null => {
  try {
    const session = parseSession(localStorage.getItem(SESSION_KEY))
    return session !== null && expiryOf(session.token) > Date.now() ? session : null
  } catch {
    // Some browsers refuse storage in private windows, so the visitor counts as a guest.
    return null
  }
}

/** Fills in values of a record before the app has started. */
const show = (kind: 'user' | 'business', record: object): void => {
  for (const place of document.querySelectorAll<HTMLElement>(`[data-frame] [data-${kind}]`)) {
    const text = (record as Record<string, unknown>)[place.dataset[kind] ?? '']
    if (typeof text !== 'string' || text === '') continue
    place.textContent = text
    place.classList.remove('skeleton')
  }
}

const showBusiness = async (answer: Response): Promise<void> => {
  if (!answer.ok) return
  const { items } = (await answer.clone().json()) as { items: Record<string, unknown>[] }
  show('business', items[0] ?? {})
}

const preload = ({ token, record }: StoredSession): NonNullable<Early['preloaded']> => {
  const site = new RegExp(`/(\\w{${ID_LENGTH}})/?$`).exec(location.pathname)?.[1]
  const headers = { Authorization: token, 'Accept-Language': document.documentElement.lang }
  const asked = reads
    .filter((read) => site !== undefined || !read.includes(SITE))
    .map((read): [string, Promise<Response>] => {
      const path = read.replace(USER, encodeURIComponent(record.id)).replace(SITE, site ?? '')
      const answer = fetch(location.origin + path, { headers })
      // Prevents an unhandled rejection if the app never requests it; the promise itself still rejects.
      answer.catch(() => undefined)
      return [location.origin + path, answer]
    })
  asked[0]?.[1].then(showBusiness).catch(() => undefined)
  return { userId: record.id, at: Date.now(), answers: new Map(asked) }
}

const session = reads.length > 0 ? readSession() : null
globalThis.early = { errors, ...(session !== null && { preloaded: preload(session) }) }
if (session !== null) show('user', session.record)
// A screen for owners redirects guests, and Login redirects a visitor who returns from the provider. Hides the
// prerendered screen until then.
if (reads.length > 0 ? session === null : isAnswer(location.search))
  document.documentElement.dataset['redirects'] = ''

/**
 * Reports that the app failed to load. With consent, the next page reports the failure to analytics.
 */
const fail = (): void => {
  showStuckMessage()
  try {
    if (localStorage.getItem(CONSENT_KEY) === 'yes') sessionStorage.setItem(FAILED_START_KEY, '1')
  } catch {
    // Some browsers refuse storage in private windows.
  }
}

const begin = (): void => {
  observer.disconnect()
  clearTimeout(limit)
  setTimeout(showStuckMessage, STALLED_MS)
  for (const href of modules)
    document.head.append(
      Object.assign(document.createElement('link'), {
        rel: 'modulepreload',
        crossOrigin: '',
        href,
      }),
    )
  const app = { type: 'module', crossOrigin: '', src: modules[0], onerror: fail }
  document.head.append(Object.assign(document.createElement('script'), app))
}

const observer = new PerformanceObserver(begin)
const limit = setTimeout(begin, document.visibilityState === 'hidden' ? 0 : UNPAINTED_MS)
observer.observe({ type: 'paint', buffered: true })

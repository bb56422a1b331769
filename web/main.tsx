// Must come first: these set the order of the style layers.
import './ui/tokens.css'
import './ui/base.css'
import './ui/controls.css'
import './ui/narrow.css'

import { startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './app/app.tsx'
import { findRoute } from './app/routes.ts'
import { browserEnvironment } from './browser/environment.ts'
import { ignoreStrayClicks } from './browser/stray-clicks.ts'
import { createStore } from './data/store.ts'
import { trackFrame } from './prerender/take-over.ts'
import { hasAnalytics, readSettings } from './data/settings.ts'
import { whenIdle } from './idle.ts'
import { pickLocale } from './messages/locale.ts'
import { loadMessages } from './messages/messages.ts'
import { PATHS } from './paths.ts'

/** Delay between the first data and prefetching, in milliseconds. */
const REST_MS = 1000

const settings = readSettings(document)
const locale = pickLocale()
// Requests ask for the language of the page.
document.documentElement.lang = locale

const analytics = hasAnalytics(settings)
  ? // If blocked or unreachable, the app works without it.
    import('./analytics/analytics.ts').then(
      ({ startAnalytics }) => startAnalytics(settings),
      () => undefined,
    )
  : undefined
const store = createStore(browserEnvironment(settings['base-path']))
void store.start()

ignoreStrayClicks()

const path = location.pathname.slice(settings['base-path'].length) || '/'
const route = findRoute(path)
// Guests will be redirected to Login.
const first = route.guarded && !store.isSignedIn() ? findRoute(PATHS.login) : route
const [messages] = await Promise.all([
  loadMessages(locale, ['core']),
  // A screen that cannot be fetched is loaded again when it renders, where the failure can be shown.
  first.screen.load().catch(() => undefined),
  store.isSignedIn() ? store.ready().catch(() => undefined) : undefined,
])

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')
const takeOver = trackFrame(root)
const Arrival = () => {
  useLayoutEffect(takeOver, [])
  return null
}
const reactRoot = createRoot(root, {
  onCaughtError: (error) => {
    console.error(error)
    // The analytics listen for uncaught errors only; the boundary around a screen caught this one.
    dispatchEvent(new ErrorEvent('error', { error, message: String(error) }))
  },
})
// React renders a transition in slices, so that it does not delay input.
startTransition(() =>
  reactRoot.render(
    <>
      <App
        settings={settings}
        store={store}
        locale={locale}
        messages={messages}
        onView={(viewed) => void analytics?.then((loaded) => loaded?.view(viewed))}
      />
      <Arrival />
    </>,
  ),
)

/** Resolves once the first data are shown. Prefetching starts after that. */
const settled = new Promise<void>((resolve) => {
  const look = (): void => {
    if (!store.getState().loading) resolve()
  }
  store.subscribe(look)
  look()
})
void settled.then(() => (document.documentElement.dataset['started'] = ''))
void settled
  .then(() => new Promise((resolve) => setTimeout(resolve, REST_MS)))
  .then(() => new Promise<void>((resolve) => whenIdle(resolve)))
  .then(prepare)

async function prepare(): Promise<void> {
  // Guests need none of it, and a first visit stays small. A script that fails to load is imported again when its
  // screen is opened.
  if (store.isSignedIn())
    await import('./prefetch.ts').then(
      ({ prefetchScreens }) => prefetchScreens(),
      () => undefined,
    )
  // If the connection is lost, the next visit registers the service worker.
  if (import.meta.env.PROD && navigator.onLine)
    await import('./offline/offline.ts').then(
      ({ keepOffline }) =>
        keepOffline({ basePath: settings['base-path'], entry: import.meta.url, store }),
      () => undefined,
    )
}

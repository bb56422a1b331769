import { Suspense, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useHref, useLocation } from 'react-router'

import { hasAnalytics } from '../data/settings.ts'
import { useMessages } from '../messages/messages.ts'
import { lazyComponent } from '../browser/lazy-component.ts'
import { useIdle } from '../browser/use-idle.ts'
import { CrashBoundary } from './crash.tsx'
import { Footer } from './footer.tsx'
import { useBottomInset } from './use-bottom-inset.ts'
import { OfflineStrip } from './offline-strip.tsx'
import { findRoute } from './routes.ts'
import { SessionExpired } from './session-expired.tsx'
import { useSettings } from '../settings.ts'
import './shell.css'
import { Toasts } from './toasts.tsx'
import { TopBar, WhoRow } from './top-bar.tsx'

const Consent = lazyComponent(async () => (await import('./consent.tsx')).Consent, ['consent'])
const IdleParts = lazyComponent(async () => (await import('./idle-parts.tsx')).IdleParts)

interface Props {
  readonly children: ReactNode
  readonly onView: (path: string) => void
}

/** The frame around every screen (spec 2, "App shell"). */
export const Shell = ({ children, onView }: Props) => {
  const messages = useMessages()
  const settings = useSettings()
  const { pathname } = useLocation()
  const route = findRoute(pathname)
  const viewedAs = useHref(route.viewedAs ?? pathname)
  const title = route.title(messages, settings['product-name'])
  const heading = useRef<HTMLHeadingElement>(null)
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)

  const [isSheetOpen, setSheetOpen] = useState(false)
  // They load when the page is idle; the list of shortcuts loads on request.
  const isIdle = useIdle()

  useBottomInset()

  useEffect(() => {
    document.title = title
  }, [title])

  useEffect(() => {
    // The path as in the address bar (spec 7), unless it contains a secret.
    onView(route.viewedAs === undefined ? location.pathname : viewedAs)
  }, [route, viewedAs, onView])

  useLayoutEffect(() => {
    // Runs before the effects of the screen, which may scroll further down.
    if (shown.current !== pathname) scrollTo({ top: 0, behavior: 'instant' })
  }, [pathname])

  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // A screen that has set the focus itself keeps it.
    if (main.current?.contains(document.activeElement) !== true) {
      heading.current?.focus({ preventScroll: true })
    }
  }, [pathname])

  return (
    <div className="shell">
      <a
        className="skip-link"
        href="#main"
        onClick={(event) => {
          // Without the router, because a fragment link is not a navigation.
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {messages.shell.skip}
      </a>
      <TopBar route={route} title={title} headingRef={heading} />
      <WhoRow />
      <OfflineStrip />
      <main className="main" id="main" ref={main} tabIndex={-1}>
        {/* Outside the key: a new boundary would show its fallback at once, and replace the old screen. */}
        <Suspense>
          <CrashBoundary key={pathname}>{children}</CrashBoundary>
        </Suspense>
      </main>
      {hasAnalytics(settings) && (
        <Suspense>
          <Consent />
        </Suspense>
      )}
      <Footer onShortcuts={() => setSheetOpen(true)} />
      <Toasts hidden={route.shows} />
      {(isIdle || isSheetOpen) && (
        <Suspense>
          <IdleParts isSheetOpen={isSheetOpen} onSheet={setSheetOpen} />
        </Suspense>
      )}
      <SessionExpired guarded={route.guarded} />
      <p className="visually-hidden" aria-live="polite" aria-atomic="true">
        {title}
      </p>
    </div>
  )
}

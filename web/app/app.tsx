import {
  createElement,
  startTransition,
  Suspense,
  use,
  useCallback,
  useMemo,
  useState,
  type ReactNode,
} from 'react'
import { BrowserRouter, Route as RouterRoute, Routes } from 'react-router'

import type { WebSettings } from '#domain/settings.ts'
import { StoreProvider } from '../data/react.ts'
import type { Store } from '../data/state.ts'
import { formattingLocale, saveLocale, type Locale } from '../messages/locale.ts'
import { LanguageContext, loadMessages, type Messages } from '../messages/messages.ts'
import { Guard } from './guard.tsx'
import { NOT_FOUND, ROUTES, type Route } from './routes.ts'
import { SettingsContext } from '../settings.ts'
import { Shell } from './shell.tsx'
import { Spinner } from '../ui/spinner.tsx'

interface Props {
  readonly settings: WebSettings
  readonly store: Store
  readonly locale: Locale
  readonly messages: Messages
  /** Called with the path of every page view. */
  readonly onView: (path: string) => void
}

/** The root component. */
export const App = ({ settings, store, locale, messages, onView }: Props) => (
  <SettingsContext value={settings}>
    <StoreProvider value={store}>
      <LanguageProvider locale={locale} messages={messages} basePath={settings['base-path']}>
        <BrowserRouter basename={settings['base-path'] || '/'}>
          <Shell onView={onView}>
            <Routes>
              {[...ROUTES, NOT_FOUND].map((route) => (
                <RouterRoute
                  key={route.path}
                  path={route.path}
                  element={<Screen route={route} />}
                />
              ))}
            </Routes>
          </Shell>
        </BrowserRouter>
      </LanguageProvider>
    </StoreProvider>
  </SettingsContext>
)

interface ScreenProps {
  readonly route: Route
}

const Screen = ({ route }: ScreenProps) => {
  const loaded = (
    <Suspense fallback={<Loading route={route} />}>
      <Loaded route={route} />
    </Suspense>
  )
  return route.guarded ? <Guard>{loaded}</Guard> : loaded
}

const Loaded = ({ route }: ScreenProps) =>
  createElement(route.screen.current() ?? use(route.screen.load()))

/**
 * A navigation is a transition: as long as this fallback suspends, too, the old screen stays. A connection that is
 * slower than that shows that the tap was noticed.
 */
const Loading = ({ route }: ScreenProps) => {
  use(route.screen.slow())
  return (
    <div className="screen-loading" data-partial>
      <Spinner />
    </div>
  )
}

interface LanguageProps {
  readonly locale: Locale
  readonly messages: Messages
  readonly basePath: string
  readonly children: ReactNode
}

const LanguageProvider = ({ locale, messages, basePath, children }: LanguageProps) => {
  const [current, setCurrent] = useState({ locale, messages })
  const choose = useCallback(
    (next: Locale) => {
      void loadMessages(next, []).then((loaded) => {
        saveLocale(next, basePath)
        // `lang` also determines the language of requests.
        document.documentElement.lang = next
        startTransition(() => setCurrent({ locale: next, messages: loaded }))
      })
    },
    [basePath],
  )
  const language = useMemo(
    () => ({
      language: current.locale,
      locale: formattingLocale(current.locale),
      messages: current.messages,
      choose,
    }),
    [current, choose],
  )
  return <LanguageContext value={language}>{children}</LanguageContext>
}

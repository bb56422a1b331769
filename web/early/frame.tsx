import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'

import { LANGUAGES } from '#domain/language.ts'
import { ADDRESS_SEARCH, PRODUCT_PLACE, type Frame } from '#domain/preload.ts'
import type { WebSettings } from '#domain/settings.ts'
import { FIRST_VISITS } from '../app/first-visits.ts'
import { findRoute } from '../app/routes.ts'
import { SettingsContext } from '../app/settings.ts'
import { TopBar, WhoRow } from '../app/top-bar.tsx'
import { StoreProvider } from '../data/react.ts'
import type { Store } from '../data/state.ts'
import type { Locale } from '../messages/locale.ts'
import { LanguageContext, loadMessages, type Messages } from '../messages/messages.ts'
import { AccountSkeleton } from '../screens/account/account-skeleton.tsx'
import { AddressSkeleton } from '../screens/account/address-skeleton.tsx'
import { PasswordSkeleton } from '../screens/account/password-skeleton.tsx'
import { BusinessSkeleton } from '../screens/business/business-skeleton.tsx'
import { DashboardSkeleton } from '../screens/dashboard/dashboard-skeleton.tsx'
import { Home } from '../screens/home.tsx'
import { Login } from '../screens/login.tsx'
import { ChoiceSkeleton } from '../screens/site/choice-skeleton.tsx'
import { SiteSkeleton } from '../screens/site/site-skeleton.tsx'

/** What of each screen is known before there is a visitor; of the others it is the bar alone. */
const SCREENS: Readonly<Partial<Record<keyof typeof FIRST_VISITS, ComponentType>>> = {
  '/': Home,
  '/login': Login,
  '/dashboard': DashboardSkeleton,
  '/site/add': SiteSkeleton,
  '/site/edit': ChoiceSkeleton,
  '/site/edit/:id': SiteSkeleton,
  '/business/add': BusinessSkeleton,
  '/business/edit': BusinessSkeleton,
  '/account': AccountSkeleton,
  '/auth/confirm-password-reset/:token?': PasswordSkeleton,
  '/auth/confirm-verification/:token?': AddressSkeleton,
}

const nothing = () => () => undefined
/** Nothing has happened yet. */
const storeOf = (user: object | null): Store =>
  ({
    subscribe: nothing,
    subscribeNotices: nothing,
    getState: () => ({ data: null, user, loading: false }),
    getNotices: () => [],
    isSignedIn: () => user !== null,
  }) as unknown as Store

/** Somebody who will be named when it is known who it is; see `data.ts`. */
const OWNER = storeOf({ name: '\u00A0', email: '\u00A0' })
const GUEST = storeOf(null)

interface Props {
  readonly path: keyof typeof FIRST_VISITS
  readonly locale: Locale
  readonly messages: Messages
  readonly settings: WebSettings
}

/**
 * What is seen of a screen before the app has come: the bar, and what is the same for everybody. It
 * stands where the app will put it, and nothing in it can be used yet.
 */
const Before = ({ path, locale, messages, settings }: Props) => {
  const route = findRoute(path)
  const Screen = SCREENS[path]
  return (
    <SettingsContext value={settings}>
      <StoreProvider value={route.guarded ? OWNER : GUEST}>
        <LanguageContext value={{ language: locale, locale, messages, choose: () => undefined }}>
          <StaticRouter location={path}>
            <div className="shell" data-frame="" inert aria-hidden="true">
              <TopBar
                route={route}
                title={route.title(messages, settings['product-name'])}
                headingRef={null}
              />
              <WhoRow />
              <main className="main">{Screen !== undefined && <Screen />}</main>
            </div>
          </StaticRouter>
        </LanguageContext>
      </StoreProvider>
    </SettingsContext>
  )
}

/** Draws what comes before each screen, in every language. */
export const drawFrames = async (): Promise<Readonly<Record<string, Frame>>> => {
  const frames: Record<string, Frame> = {}
  for (const path of Object.keys(FIRST_VISITS) as Props['path'][]) {
    const { areas } = FIRST_VISITS[path]
    const inLanguages = await Promise.all(
      LANGUAGES.map(async (locale) => {
        const messages = await loadMessages(locale, areas)
        const drawn = ADDRESS_SEARCH.map((search) => {
          const settings = {
            'product-name': PRODUCT_PLACE,
            'address-search': search,
          } as WebSettings
          return [
            search,
            renderToStaticMarkup(<Before {...{ path, locale, messages, settings }} />),
          ]
        })
        return [locale, Object.fromEntries(drawn)]
      }),
    )
    frames[path] = Object.fromEntries(inLanguages) as Frame
  }
  return frames
}

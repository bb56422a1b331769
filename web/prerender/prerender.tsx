import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'

import { LANGUAGES } from '#domain/language.ts'
import {
  ADDRESS_SEARCH,
  PLACES,
  type BuiltPages,
  type Frame,
  type ScreenPage,
} from '#domain/pages.ts'
import { LINKS, type WebSettings } from '#domain/settings.ts'
import { PLAIN_LIST } from '#domain/site-address.ts'
import { Footer } from '../app/footer.tsx'
import { isListed, NOT_FOUND, ROUTES, type Route } from '../app/routes.ts'
import { SettingsContext } from '../settings.ts'
import { TopBar, WhoRow } from '../app/top-bar.tsx'
import { StoreProvider } from '../data/react.ts'
import type { Store } from '../data/state.ts'
import type { Locale } from '../messages/locale.ts'
import { LanguageContext, loadMessages, type Messages } from '../messages/messages.ts'
import { PATHS } from '../paths.ts'
import { AccountSkeleton } from '../screens/account/account-skeleton.tsx'
import { AddressSkeleton } from '../screens/account/address-skeleton.tsx'
import { PasswordSkeleton } from '../screens/account/password-skeleton.tsx'
import { BusinessSkeleton, NewBusinessSkeleton } from '../screens/business/business-skeleton.tsx'
import { ChangesSkeleton } from '../screens/changes/changes-skeleton.tsx'
import { DashboardSkeleton } from '../screens/dashboard/dashboard-skeleton.tsx'
import { Home } from '../screens/home.tsx'
import { ImportsSkeleton } from '../screens/imports/imports-skeleton.tsx'
import { Login } from '../screens/login.tsx'
import { MapSkeleton } from '../screens/map/map-skeleton.tsx'
import { NotFound } from '../screens/not-found.tsx'
import { OpenSkeleton } from '../screens/open/open-skeleton.tsx'
import { ReportSkeleton } from '../screens/report/report-skeleton.tsx'
import { ReportsSkeleton } from '../screens/reports/reports-skeleton.tsx'
import { ChoiceSkeleton } from '../screens/site/choice-skeleton.tsx'
import { SiteSkeleton, StoredSiteSkeleton } from '../screens/site/site-skeleton.tsx'
import { TariffsSkeleton } from '../screens/tariffs/tariffs-skeleton.tsx'

/** The prerendered part of each screen. The others have only the bar. */
const SCREENS: Readonly<Record<string, ComponentType>> = {
  [PATHS.home]: Home,
  [PATHS.map]: MapSkeleton,
  [PATHS.open]: OpenSkeleton,
  [PATHS.login]: Login,
  [PATHS.dashboard]: DashboardSkeleton,
  [PATHS.addSite]: SiteSkeleton,
  [PATHS.editSite]: ChoiceSkeleton,
  [`${PATHS.editSite}/:id`]: StoredSiteSkeleton,
  [PATHS.addBusiness]: NewBusinessSkeleton,
  [PATHS.editBusiness]: BusinessSkeleton,
  [PATHS.account]: AccountSkeleton,
  [PATHS.changes]: ChangesSkeleton,
  [PATHS.prices]: TariffsSkeleton,
  [PATHS.addPrice]: TariffsSkeleton,
  [`${PATHS.editPrice}/:id`]: TariffsSkeleton,
  [`${PATHS.import}/:id?`]: ImportsSkeleton,
  [PATHS.reports]: ReportsSkeleton,
  [`${PATHS.report}/:id`]: ReportSkeleton,
  [`${PATHS.newPassword}/:token?`]: PasswordSkeleton,
  [`${PATHS.confirmAddress}/:token?`]: AddressSkeleton,
  '*': NotFound,
}

const nothing = () => () => undefined
/** A store in its initial state. */
const storeOf = (user: object | null): Store =>
  ({
    subscribe: nothing,
    getState: () => ({ data: null, user, loading: false }),
    getNotices: () => [],
    isSignedIn: () => user !== null,
  }) as unknown as Store

/** An owner with blank name and email, which `start.ts` fills in. */
const OWNER = storeOf({ name: '\u00A0', email: '\u00A0' })
const GUEST = storeOf(null)

interface Props {
  readonly route: Route
  readonly locale: Locale
  readonly messages: Messages
  readonly settings: WebSettings
}

/**
 * The prerendered screen: the bar and the parts that are the same for all visitors, in the layout of the app. Parts
 * without the owner's data are inert. Links work, and a pressed button is pressed again once the app has started
 * (`take-over.ts`).
 */
const Before = ({ route, locale, messages, settings }: Props) => {
  const Screen = SCREENS[route.path]
  const isWhole = isListed(route)
  const address = PLACES.basePath + route.path.replace(/^\*/, '/')
  return (
    <SettingsContext value={settings}>
      <StoreProvider value={route.guarded ? OWNER : GUEST}>
        <LanguageContext value={{ language: locale, locale, messages, choose: () => undefined }}>
          <StaticRouter basename={PLACES.basePath} location={address}>
            <div data-frame="">
              <p className="strip" role="alert" data-stuck="" hidden>
                {messages.page.stuck}
                <button type="button" className="button">
                  {messages.page.reload}
                </button>
              </p>
              <noscript>
                <p className="strip">
                  {route.path === PATHS.map ? (
                    <>
                      {messages.page.noScriptMap}{' '}
                      <a href={PLACES.basePath + PLAIN_LIST}>{messages.page.plainList}</a>
                    </>
                  ) : isWhole ? (
                    messages.page.noScript
                  ) : (
                    messages.page.noScriptPage
                  )}
                </p>
              </noscript>
              <div className="shell" {...(!isWhole && { inert: true, 'aria-hidden': 'true' })}>
                <TopBar
                  route={route}
                  title={route.title(messages, settings['product-name'])}
                  headingRef={null}
                />
                <WhoRow />
                <main className="main">{Screen !== undefined && <Screen />}</main>
                {isWhole && <Footer />}
              </div>
            </div>
          </StaticRouter>
        </LanguageContext>
      </StoreProvider>
    </SettingsContext>
  )
}

/** The prerendered pages, in every language. */
export interface Drawn {
  readonly description: BuiltPages['description']
  /** By path of the screen. */
  readonly screens: Readonly<Record<string, Pick<ScreenPage, 'title' | 'frame'>>>
}

const draw = (route: Route, locale: Locale, messages: Messages): Frame[Locale] => {
  const drawn = ADDRESS_SEARCH.map((search) => {
    const settings = {
      'base-path': PLACES.basePath,
      'product-name': PLACES.product,
      'product-website': PLACES.website,
      // The provider's name is known at run time; until then the button has a generic label.
      'provider-name': '',
      'address-search': search,
      ...Object.fromEntries(LINKS.map((link) => [`${link}-url`, PLACES[link]])),
    } as WebSettings
    return [search, renderToStaticMarkup(<Before {...{ route, locale, messages, settings }} />)]
  })
  return Object.fromEntries(drawn) as Frame[Locale]
}

const inLanguages = async <T,>(
  make: (locale: Locale) => T | Promise<T>,
): Promise<Record<Locale, T>> => {
  const made = LANGUAGES.map(async (locale) => [locale, await make(locale)] as const)
  return Object.fromEntries(await Promise.all(made)) as Record<Locale, T>
}

const drawScreen = async (route: Route): Promise<Drawn['screens'][string]> => {
  const catalogues = await inLanguages((locale) =>
    loadMessages(locale, ['core', ...route.screen.areas, 'page']),
  )
  return {
    title: await inLanguages((locale) => route.title(catalogues[locale], PLACES.product)),
    frame: await inLanguages((locale) => draw(route, locale, catalogues[locale])),
  }
}

const drawAll = async (): Promise<Drawn> => {
  const screens = [...ROUTES, NOT_FOUND].map(
    async (route) => [route.path, await drawScreen(route)] as const,
  )
  const catalogues = await inLanguages((locale) => loadMessages(locale, ['home']))
  return {
    description: await inLanguages((locale) => catalogues[locale].home.lead(PLACES.product)),
    screens: Object.fromEntries(await Promise.all(screens)),
  }
}

/** Rendered when this module runs; see `plugin.ts`. */
export const drawn = await drawAll()

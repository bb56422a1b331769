import { matchPath } from 'react-router'

import type { Action } from '../data/state.ts'
import type { Messages } from '../messages/messages.ts'
import { PATHS } from '../paths.ts'
import { page, type Page } from './page.ts'

/** A screen of the app: its path, title and access. */
export interface Route {
  readonly path: string
  readonly title: (messages: Messages, product: string) => string
  /** Requires a session; guests are redirected to Login. */
  readonly guarded: boolean
  /** The left end of the bar: the logo, or the back button. */
  readonly start: 'logo' | 'back'
  /** Failed actions that the screen reports itself; the shell reports the others. */
  readonly shows: readonly Action[]
  /** The path reported in page views, if the real one contains a secret or must not be indexed by search engines. */
  readonly viewedAs?: string
  readonly screen: Page
}

const FORM = ['owner', 'form'] as const
const BUSINESS = [...FORM, 'business'] as const
const ACCOUNT = ['account', 'form'] as const
const PRICES = [...FORM, 'choices', 'tariffs'] as const

const dashboard = page(
  async () => (await import('../screens/dashboard/dashboard.tsx')).Dashboard,
  ['owner'],
)
const addBusiness = page(
  async () => (await import('../screens/business/add.tsx')).AddBusiness,
  BUSINESS,
)
const editBusiness = page(
  async () => (await import('../screens/business/edit.tsx')).EditBusiness,
  [...BUSINESS, 'open'],
)
const addSite = page(async () => (await import('../screens/site/add.tsx')).AddSite, FORM)
const editSite = page(async () => (await import('../screens/site/edit.tsx')).EditSite, FORM)
const chooseSite = page(async () => (await import('../screens/site/choose.tsx')).ChooseSite, FORM)

/** A public screen. */
const forEverybody = (
  path: string,
  title: keyof Messages['titles'],
  screen: Page,
  more: Partial<Route> = {},
): Route => ({
  path,
  title: ({ titles }, product) => {
    const text = titles[title]
    return typeof text === 'string' ? text : text(product)
  },
  guarded: false,
  start: 'logo',
  shows: [],
  screen,
  ...more,
})

/** A screen for owners. */
const forOwners = (
  path: string,
  title: keyof Messages['titles'],
  screen: Page,
  shows: readonly Action[],
  more: Partial<Route> = {},
): Route => forEverybody(path, title, screen, { guarded: true, start: 'back', shows, ...more })

/** The screens of the product (spec 2). */
export const ROUTES: readonly Route[] = [
  forEverybody(
    PATHS.home,
    'home',
    page(async () => (await import('../screens/home.tsx')).Home, ['home']),
  ),
  forEverybody(
    PATHS.map,
    'map',
    page(
      async () => (await import('../screens/map/travellers-map.tsx')).TravellersMap,
      ['map', 'hours'],
    ),
  ),
  forEverybody(
    PATHS.open,
    'open',
    page(async () => (await import('../screens/open/open.tsx')).OpenData, ['open']),
    { start: 'back' },
  ),
  forEverybody(
    PATHS.login,
    'login',
    page(async () => (await import('../screens/login.tsx')).Login),
    { shows: ['signIn'] },
  ),
  forOwners(PATHS.dashboard, 'dashboard', dashboard, ['load', 'saveConnectors'], { start: 'logo' }),
  forOwners(PATHS.addSite, 'addSite', addSite, ['load', 'createSite', 'saveConnectors']),
  forOwners(PATHS.editSite, 'editSite', chooseSite, ['load']),
  forOwners(`${PATHS.editSite}/:id`, 'editSite', editSite, [
    'load',
    'updateSite',
    'savePhotos',
    'orderPhotos',
    'removePhoto',
    'saveConnectors',
  ]),
  forOwners(PATHS.addBusiness, 'addBusiness', addBusiness, ['load', 'createBusiness']),
  forOwners(PATHS.editBusiness, 'editBusiness', editBusiness, ['load', 'updateBusiness']),
  forOwners(
    PATHS.account,
    'account',
    page(async () => (await import('../screens/account/account.tsx')).Account, ACCOUNT),
    ['endSessions', 'exportData', 'deleteAccount'],
  ),
  forOwners(
    PATHS.changes,
    'changes',
    page(
      async () => (await import('../screens/changes/changes.tsx')).Changes,
      ['owner', 'choices', 'tariffs', 'hours', ...ACCOUNT],
    ),
    ['load', 'updateSite', 'updateBusiness', 'createSite'],
  ),
  forOwners(
    PATHS.prices,
    'prices',
    page(async () => (await import('../screens/tariffs/tariffs.tsx')).Prices, PRICES),
    ['load'],
  ),
  forOwners(
    PATHS.addPrice,
    'addPrice',
    page(async () => (await import('../screens/tariffs/edit.tsx')).AddPrice, PRICES),
    ['load', 'createRecord'],
  ),
  forOwners(
    `${PATHS.editPrice}/:id`,
    'editPrice',
    page(async () => (await import('../screens/tariffs/edit.tsx')).EditPrice, PRICES),
    ['load', 'updateRecord'],
  ),
  forOwners(
    `${PATHS.import}/:id?`,
    'import',
    page(
      async () => (await import('../screens/imports/imports.tsx')).Imports,
      [...PRICES, 'hours', 'imports'],
    ),
    ['load'],
  ),
  forOwners(
    PATHS.reports,
    'reports',
    page(
      async () => (await import('../screens/reports/reports.tsx')).Reports,
      [...FORM, 'reports'],
    ),
    ['load'],
  ),
  forEverybody(
    `${PATHS.report}/:id`,
    'report',
    page(async () => (await import('../screens/report/report.tsx')).Report, ['form', 'reports']),
    { viewedAs: PATHS.report },
  ),
  forEverybody(
    `${PATHS.newPassword}/:token?`,
    'newPassword',
    page(async () => (await import('../screens/account/new-password.tsx')).NewPassword, ACCOUNT),
    { viewedAs: PATHS.newPassword },
  ),
  forEverybody(
    `${PATHS.confirmAddress}/:token?`,
    'confirmAddress',
    page(
      async () => (await import('../screens/account/confirm-address.tsx')).ConfirmAddress,
      ACCOUNT,
    ),
    { viewedAs: PATHS.confirmAddress },
  ),
]

/** The screen of every unknown path. */
export const NOT_FOUND = forEverybody(
  '*',
  'notFound',
  page(async () => (await import('../screens/not-found.tsx')).NotFound),
  { start: 'back' },
)

/** Returns whether search engines may index a screen: it needs no session, and its address contains no secret. */
export const isListed = ({ guarded, viewedAs }: Route): boolean =>
  !guarded && viewedAs === undefined

/** The route of a path below the base path. */
export const findRoute = (pathname: string): Route =>
  ROUTES.find((route) => matchPath(route.path, pathname) !== null) ?? NOT_FOUND

/** Screens prefetched when idle, so that they open immediately. */
export const PREFETCHED: readonly Page[] = [dashboard, addSite, editSite, addBusiness, editBusiness]

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
const ACCOUNT = ['account', 'form'] as const
const PRICES = [...FORM, 'choices', 'tariffs'] as const

const dashboard = page(
  'screens/dashboard/dashboard.tsx',
  async () => (await import('../screens/dashboard/dashboard.tsx')).Dashboard,
  ['owner'],
)
const addBusiness = page(
  'screens/business/add.tsx',
  async () => (await import('../screens/business/add.tsx')).AddBusiness,
  FORM,
)
const editBusiness = page(
  'screens/business/edit.tsx',
  async () => (await import('../screens/business/edit.tsx')).EditBusiness,
  [...FORM, 'open'],
)
const addSite = page(
  'screens/site/add.tsx',
  async () => (await import('../screens/site/add.tsx')).AddSite,
  FORM,
)
const editSite = page(
  'screens/site/edit.tsx',
  async () => (await import('../screens/site/edit.tsx')).EditSite,
  FORM,
)
const chooseSite = page(
  'screens/site/choose.tsx',
  async () => (await import('../screens/site/choose.tsx')).ChooseSite,
  FORM,
)

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
    page('screens/home.tsx', async () => (await import('../screens/home.tsx')).Home, ['home']),
  ),
  forEverybody(
    PATHS.map,
    'map',
    page(
      'screens/map/travellers-map.tsx',
      async () => (await import('../screens/map/travellers-map.tsx')).TravellersMap,
      ['map', 'hours'],
    ),
  ),
  forEverybody(
    PATHS.open,
    'open',
    page('screens/open/open.tsx', async () => (await import('../screens/open/open.tsx')).OpenData, [
      'open',
    ]),
    { start: 'back' },
  ),
  forEverybody(
    PATHS.login,
    'login',
    page('screens/login.tsx', async () => (await import('../screens/login.tsx')).Login),
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
    page(
      'screens/account/account.tsx',
      async () => (await import('../screens/account/account.tsx')).Account,
      ACCOUNT,
    ),
    ['endSessions', 'exportData', 'deleteAccount'],
  ),
  forOwners(
    PATHS.changes,
    'changes',
    page(
      'screens/changes/changes.tsx',
      async () => (await import('../screens/changes/changes.tsx')).Changes,
      ['owner', 'choices', 'tariffs', 'hours', ...ACCOUNT],
    ),
    ['load', 'updateSite', 'updateBusiness', 'createSite'],
  ),
  forOwners(
    PATHS.prices,
    'prices',
    page(
      'screens/tariffs/tariffs.tsx',
      async () => (await import('../screens/tariffs/tariffs.tsx')).Prices,
      PRICES,
    ),
    ['load'],
  ),
  forOwners(
    PATHS.addPrice,
    'addPrice',
    page(
      'screens/tariffs/edit.tsx',
      async () => (await import('../screens/tariffs/edit.tsx')).AddPrice,
      PRICES,
    ),
    ['load', 'createRecord'],
  ),
  forOwners(
    `${PATHS.editPrice}/:id`,
    'editPrice',
    page(
      'screens/tariffs/edit.tsx',
      async () => (await import('../screens/tariffs/edit.tsx')).EditPrice,
      PRICES,
    ),
    ['load', 'updateRecord'],
  ),
  forOwners(
    `${PATHS.import}/:id?`,
    'import',
    page(
      'screens/imports/imports.tsx',
      async () => (await import('../screens/imports/imports.tsx')).Imports,
      [...FORM, 'choices', 'hours', 'imports'],
    ),
    ['load'],
  ),
  forOwners(
    PATHS.reports,
    'reports',
    page(
      'screens/reports/reports.tsx',
      async () => (await import('../screens/reports/reports.tsx')).Reports,
      [...FORM, 'reports'],
    ),
    ['load'],
  ),
  forEverybody(
    `${PATHS.report}/:id`,
    'report',
    page(
      'screens/report/report.tsx',
      async () => (await import('../screens/report/report.tsx')).Report,
      ['form', 'reports'],
    ),
    { viewedAs: PATHS.report },
  ),
  forEverybody(
    `${PATHS.newPassword}/:token?`,
    'newPassword',
    page(
      'screens/account/new-password.tsx',
      async () => (await import('../screens/account/new-password.tsx')).NewPassword,
      ACCOUNT,
    ),
    { viewedAs: PATHS.newPassword },
  ),
  forEverybody(
    `${PATHS.confirmAddress}/:token?`,
    'confirmAddress',
    page(
      'screens/account/confirm-address.tsx',
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
  page('screens/not-found.tsx', async () => (await import('../screens/not-found.tsx')).NotFound),
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

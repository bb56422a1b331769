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
  /** The path reported in page views, if the real one contains a secret, or is for no search engine. */
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

/** The screens of the product (spec 2). */
export const ROUTES: readonly Route[] = [
  {
    path: PATHS.home,
    title: (messages, product) => messages.titles.home(product),
    guarded: false,
    start: 'logo',
    shows: [],
    screen: page('screens/home.tsx', async () => (await import('../screens/home.tsx')).Home, [
      'home',
    ]),
  },
  {
    path: PATHS.map,
    title: (messages) => messages.titles.map,
    guarded: false,
    start: 'logo',
    shows: [],
    screen: page(
      'screens/map/travellers-map.tsx',
      async () => (await import('../screens/map/travellers-map.tsx')).TravellersMap,
      ['map', 'hours'],
    ),
  },
  {
    path: PATHS.open,
    title: (messages) => messages.titles.open,
    guarded: false,
    start: 'back',
    shows: [],
    screen: page(
      'screens/open/open.tsx',
      async () => (await import('../screens/open/open.tsx')).OpenData,
      ['open'],
    ),
  },
  {
    path: PATHS.login,
    title: (messages, product) => messages.titles.login(product),
    guarded: false,
    start: 'logo',
    shows: ['signIn'],
    screen: page('screens/login.tsx', async () => (await import('../screens/login.tsx')).Login),
  },
  {
    path: PATHS.dashboard,
    title: (messages) => messages.titles.dashboard,
    guarded: true,
    start: 'logo',
    shows: ['load', 'saveConnectors'],
    screen: dashboard,
  },
  {
    path: PATHS.addSite,
    title: (messages) => messages.titles.addSite,
    guarded: true,
    start: 'back',
    shows: ['load', 'createSite', 'saveConnectors'],
    screen: addSite,
  },
  {
    path: PATHS.editSite,
    title: (messages) => messages.titles.editSite,
    guarded: true,
    start: 'back',
    shows: ['load'],
    screen: chooseSite,
  },
  {
    path: `${PATHS.editSite}/:id`,
    title: (messages) => messages.titles.editSite,
    guarded: true,
    start: 'back',
    shows: ['load', 'updateSite', 'savePhotos', 'orderPhotos', 'removePhoto', 'saveConnectors'],
    screen: editSite,
  },
  {
    path: PATHS.addBusiness,
    title: (messages) => messages.titles.addBusiness,
    guarded: true,
    start: 'back',
    shows: ['load', 'createBusiness'],
    screen: addBusiness,
  },
  {
    path: PATHS.editBusiness,
    title: (messages) => messages.titles.editBusiness,
    guarded: true,
    start: 'back',
    shows: ['load', 'updateBusiness'],
    screen: editBusiness,
  },
  {
    path: PATHS.account,
    title: (messages) => messages.titles.account,
    guarded: true,
    start: 'back',
    shows: ['endSessions', 'exportData', 'deleteAccount'],
    screen: page(
      'screens/account/account.tsx',
      async () => (await import('../screens/account/account.tsx')).Account,
      ACCOUNT,
    ),
  },
  {
    path: PATHS.changes,
    title: (messages) => messages.titles.changes,
    guarded: true,
    start: 'back',
    shows: ['load', 'updateSite', 'updateBusiness', 'createSite'],
    screen: page(
      'screens/changes/changes.tsx',
      async () => (await import('../screens/changes/changes.tsx')).Changes,
      ['owner', 'choices', 'tariffs', 'hours', ...ACCOUNT],
    ),
  },
  {
    path: PATHS.prices,
    title: (messages) => messages.titles.prices,
    guarded: true,
    start: 'back',
    shows: ['load'],
    screen: page(
      'screens/tariffs/tariffs.tsx',
      async () => (await import('../screens/tariffs/tariffs.tsx')).Prices,
      PRICES,
    ),
  },
  {
    path: PATHS.addPrice,
    title: (messages) => messages.titles.addPrice,
    guarded: true,
    start: 'back',
    shows: ['load', 'createRecord'],
    screen: page(
      'screens/tariffs/edit.tsx',
      async () => (await import('../screens/tariffs/edit.tsx')).AddPrice,
      PRICES,
    ),
  },
  {
    path: `${PATHS.editPrice}/:id`,
    title: (messages) => messages.titles.editPrice,
    guarded: true,
    start: 'back',
    shows: ['load', 'updateRecord'],
    screen: page(
      'screens/tariffs/edit.tsx',
      async () => (await import('../screens/tariffs/edit.tsx')).EditPrice,
      PRICES,
    ),
  },
  {
    path: `${PATHS.import}/:id?`,
    title: (messages) => messages.titles.import,
    guarded: true,
    start: 'back',
    shows: ['load'],
    screen: page(
      'screens/imports/imports.tsx',
      async () => (await import('../screens/imports/imports.tsx')).Imports,
      [...FORM, 'choices', 'hours', 'imports'],
    ),
  },
  {
    path: PATHS.reports,
    title: (messages) => messages.titles.reports,
    guarded: true,
    start: 'back',
    shows: ['load'],
    screen: page(
      'screens/reports/reports.tsx',
      async () => (await import('../screens/reports/reports.tsx')).Reports,
      [...FORM, 'reports'],
    ),
  },
  {
    path: `${PATHS.report}/:id`,
    title: (messages) => messages.titles.report,
    guarded: false,
    start: 'logo',
    shows: [],
    viewedAs: PATHS.report,
    screen: page(
      'screens/report/report.tsx',
      async () => (await import('../screens/report/report.tsx')).Report,
      ['form', 'reports'],
    ),
  },
  {
    path: `${PATHS.newPassword}/:token?`,
    title: (messages) => messages.titles.newPassword,
    guarded: false,
    start: 'logo',
    shows: [],
    viewedAs: PATHS.newPassword,
    screen: page(
      'screens/account/new-password.tsx',
      async () => (await import('../screens/account/new-password.tsx')).NewPassword,
      ACCOUNT,
    ),
  },
  {
    path: `${PATHS.confirmAddress}/:token?`,
    title: (messages) => messages.titles.confirmAddress,
    guarded: false,
    start: 'logo',
    shows: [],
    viewedAs: PATHS.confirmAddress,
    screen: page(
      'screens/account/confirm-address.tsx',
      async () => (await import('../screens/account/confirm-address.tsx')).ConfirmAddress,
      ACCOUNT,
    ),
  },
]

/** The screen of every unknown path. */
export const NOT_FOUND: Route = {
  path: '*',
  title: (messages) => messages.titles.notFound,
  guarded: false,
  start: 'back',
  shows: [],
  screen: page(
    'screens/not-found.tsx',
    async () => (await import('../screens/not-found.tsx')).NotFound,
  ),
}

/**
 * Returns whether search engines may index a screen: it needs no session, and its address holds no
 * secret.
 */
export const isListed = ({ guarded, viewedAs }: Route): boolean =>
  !guarded && viewedAs === undefined

/** The route of a path below the base path. */
export const findRoute = (pathname: string): Route =>
  ROUTES.find((route) => matchPath(route.path, pathname) !== null) ?? NOT_FOUND

/** Screens prefetched when idle, so that they open at once. */
export const PREFETCHED: readonly Page[] = [dashboard, addSite, editSite, addBusiness, editBusiness]

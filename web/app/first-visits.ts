import type { Area } from '../messages/messages.ts'
import type { Route } from './routes.ts'

/** What the first visit of a screen asks for by itself; what that imports comes along. */
export interface FirstVisit {
  /** What stands at the left of the bar until the app has come, and then. */
  readonly start: Route['start']
  /** Modules, as the manifest of the build names them. */
  readonly modules: readonly string[]
  /** Areas of the catalogue, in the one language of the visitor. */
  readonly areas: readonly Area[]
}

/** What whoever has signed in needs on every screen. */
const DATA = 'data/owner.ts'
const SDK = '../node_modules/pocketbase/dist/pocketbase.es.mjs'
const OWNER = [DATA, SDK] as const

const FORM: readonly Area[] = ['core', 'owner', 'form']

/**
 * What screens need at once, by their paths in `routes.ts`. For the build: the server names it in
 * the page, so that it is on its way before the first script has run, and the budgets weigh it.
 */
export const FIRST_VISITS = {
  '/': { start: 'logo', modules: ['screens/home.tsx'], areas: ['core'] },
  '/login': { start: 'logo', modules: ['screens/login.tsx'], areas: ['core'] },
  '/dashboard': {
    start: 'logo',
    modules: [...OWNER, 'screens/dashboard/dashboard.tsx'],
    areas: ['core', 'owner'],
  },
  '/site/add': { start: 'back', modules: [...OWNER, 'screens/site/add.tsx'], areas: FORM },
  '/site/edit': { start: 'back', modules: [...OWNER, 'screens/site/choose.tsx'], areas: FORM },
  '/site/edit/:id': { start: 'back', modules: [...OWNER, 'screens/site/edit.tsx'], areas: FORM },
  '/business/add': { start: 'back', modules: [...OWNER, 'screens/business/add.tsx'], areas: FORM },
  '/business/edit': {
    start: 'back',
    modules: [...OWNER, 'screens/business/edit.tsx'],
    areas: FORM,
  },
  '/auth/confirm-password-reset/:token?': {
    start: 'logo',
    modules: ['screens/account/new-password.tsx'],
    areas: ['core', 'account', 'form'],
  },
  '/auth/confirm-verification/:token?': {
    start: 'logo',
    modules: [SDK, 'screens/account/confirm-address.tsx'],
    areas: ['core', 'account', 'form'],
  },
} as const satisfies Readonly<Record<string, FirstVisit>>

/** Does a visit begin with the data of an owner, which is then asked for before the app has come? */
export const beginsWithData = ({ modules }: FirstVisit): boolean => modules.includes(DATA)

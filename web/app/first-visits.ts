import type { EarlyScript } from '#domain/preload.ts'

import type { Area } from '../messages/messages.ts'

/** What the first visit of a screen asks for by itself; what that imports comes along. */
export interface FirstVisit {
  /** Modules, as the manifest of the build names them. */
  readonly modules: readonly string[]
  /** Areas of the catalogue, in the one language of the visitor. */
  readonly areas: readonly Area[]
}

/** What whoever has signed in needs on every screen. */
const DATA = 'data/owner.ts'
const CONFIRM = 'screens/account/confirm-address.tsx'
const SDK = '../node_modules/pocketbase/dist/pocketbase.es.mjs'
const OWNER = [DATA, SDK] as const

const FORM: readonly Area[] = ['core', 'owner', 'form']
const ACCOUNT: readonly Area[] = ['core', 'owner', 'account', 'form']

/**
 * What screens need at once, by their paths in `routes.ts`; the last is for what no path leads to. For the build: the server names it in
 * the page, so that it is on its way before the first script has run, and the budgets weigh it.
 */
export const FIRST_VISITS = {
  '/': { modules: ['screens/home.tsx'], areas: ['core'] },
  '/login': { modules: ['screens/login.tsx'], areas: ['core'] },
  '/dashboard': {
    modules: [...OWNER, 'screens/dashboard/dashboard.tsx'],
    areas: ['core', 'owner'],
  },
  '/site/add': { modules: [...OWNER, 'screens/site/add.tsx'], areas: FORM },
  '/site/edit': { modules: [...OWNER, 'screens/site/choose.tsx'], areas: FORM },
  '/site/edit/:id': { modules: [...OWNER, 'screens/site/edit.tsx'], areas: FORM },
  '/business/add': { modules: [...OWNER, 'screens/business/add.tsx'], areas: FORM },
  '/business/edit': {
    modules: [...OWNER, 'screens/business/edit.tsx'],
    areas: FORM,
  },
  '/account': { modules: [...OWNER, 'screens/account/account.tsx'], areas: ACCOUNT },
  '/changes': { modules: [...OWNER, 'screens/changes/changes.tsx'], areas: ACCOUNT },
  '/auth/confirm-password-reset/:token?': {
    modules: ['screens/account/new-password.tsx'],
    areas: ['core', 'account', 'form'],
  },
  '/auth/confirm-verification/:token?': {
    modules: [SDK, CONFIRM],
    areas: ['core', 'account', 'form'],
  },
  '*': { modules: ['screens/not-found.tsx'], areas: ['core'] },
} as const satisfies Readonly<Record<string, FirstVisit>>

/** What of a visit is asked for before the app has come. */
export const earlyScriptOf = ({ modules }: FirstVisit): EarlyScript | null =>
  modules.includes(DATA) ? 'data' : modules.includes(CONFIRM) ? 'confirm' : null

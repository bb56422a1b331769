import type { Area } from '../messages/messages.ts'

/** What the first visit of a screen asks for by itself; what that imports comes along. */
export interface FirstVisit {
  /** Modules, as the manifest of the build names them. */
  readonly modules: readonly string[]
  /** Areas of the catalogue, in the one language of the visitor. */
  readonly areas: readonly Area[]
}

/** What whoever has signed in needs on every screen. */
const OWNER = ['data/owner.ts', '../node_modules/pocketbase/dist/pocketbase.es.mjs'] as const

const SITE: readonly Area[] = [
  'core',
  'site',
  'location',
  'map',
  'connectors',
  'photos',
  'drafts',
  'form',
  'terms',
]
const BUSINESS: readonly Area[] = ['core', 'business', 'drafts', 'form']

/**
 * What screens need at once, by their paths in `routes.ts`. For the build: the server names it in
 * the page, so that it is on its way before the first script has run, and the budgets weigh it.
 */
export const FIRST_VISITS = {
  '/': { modules: ['screens/home.tsx'], areas: ['core', 'home', 'terms'] },
  '/login': { modules: ['screens/login.tsx'], areas: ['core', 'login'] },
  '/dashboard': {
    modules: [...OWNER, 'screens/dashboard/dashboard.tsx'],
    areas: ['core', 'dashboard', 'drafts', 'terms'],
  },
  '/site/add': { modules: [...OWNER, 'screens/site/add.tsx'], areas: [...SITE, 'dashboard'] },
  '/site/edit': { modules: [...OWNER, 'screens/site/choose.tsx'], areas: [...SITE, 'dashboard'] },
  '/site/edit/:id': { modules: [...OWNER, 'screens/site/edit.tsx'], areas: SITE },
  '/business/add': { modules: [...OWNER, 'screens/business/add.tsx'], areas: BUSINESS },
  '/business/edit': { modules: [...OWNER, 'screens/business/edit.tsx'], areas: BUSINESS },
} as const satisfies Readonly<Record<string, FirstVisit>>

import { MAIL_PAGES } from '#domain/paths.ts'

/** The paths of the screens, below the base path of the installation (spec 2). */
export const PATHS = {
  home: '/',
  login: '/login',
  dashboard: '/dashboard',
  addSite: '/site/add',
  editSite: '/site/edit',
  addBusiness: '/business/add',
  editBusiness: '/business/edit',
  account: '/account',
  changes: '/changes',
  newPassword: MAIL_PAGES.passwordReset,
  confirmAddress: MAIL_PAGES.verification,
} as const

/** The path of the form for one site (spec 2). */
export const editSitePath = (id: string): string => `${PATHS.editSite}/${id}`

/** The path of the history of one site. */
export const siteChangesPath = (id: string): string => `${PATHS.changes}?site=${id}`

/** The path of the form for a new site that has its id already. */
export const newSitePath = (id: string): string => `${PATHS.addSite}?draft=${id}`

/** Login in a tab of its own: whoever has signed in there is sent back to the tab that they came from. */
export const LOGIN_AGAIN = `${PATHS.login}?again`

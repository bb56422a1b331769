import { IMPORTS, REPORTS, TARIFFS } from '#domain/collection.ts'
import { MAIL_PAGES, REPORT_PAGE, REPORTS_PAGE } from '#domain/paths.ts'

/** The paths of the screens, below the base path of the installation (spec 2). */
export const PATHS = {
  home: '/',
  map: '/map',
  login: '/login',
  dashboard: '/dashboard',
  addSite: '/site/add',
  editSite: '/site/edit',
  addBusiness: '/business/add',
  editBusiness: '/business/edit',
  account: '/account',
  changes: '/changes',
  prices: '/prices',
  addPrice: '/prices/add',
  editPrice: '/prices/edit',
  report: REPORT_PAGE,
  reports: REPORTS_PAGE,
  open: '/open',
  import: '/import',
  newPassword: MAIL_PAGES.passwordReset,
  confirmAddress: MAIL_PAGES.verification,
} as const

/** The path of the form for one site (spec 2). */
export const editSitePath = (id: string): string => `${PATHS.editSite}/${id}`

/** The path of the history of one site. */
export const siteChangesPath = (id: string): string => `${PATHS.changes}?site=${id}`

/** The path of the reports of travellers about one site. */
export const siteReportsPath = (id: string): string => `${PATHS.reports}?site=${id}`

/** The path of the form for a new site whose id already exists. */
export const newSitePath = (id: string): string => `${PATHS.addSite}?draft=${id}`

/** The path of the form for one price. */
export const editPricePath = (id: string): string => `${PATHS.editPrice}/${id}`

/** The path of the form for a new price whose id already exists, optionally with the prices of another one. */
export const newPricePath = (id: string, copyOf?: string): string =>
  `${PATHS.addPrice}?draft=${id}${copyOf === undefined ? '' : `&copyOf=${copyOf}`}`

/** The path of one import. */
export const importPath = (id: string): string => `${PATHS.import}/${id}`

/** The path of the form of a draft; the dashboard for a record without its own form. */
export const formPath = (form: string, isNew: boolean): string => {
  if (form === 'business') return PATHS.editBusiness
  const [kind, id = ''] = form.split(':')
  if (kind === TARIFFS) return isNew ? newPricePath(id) : editPricePath(id)
  if (kind === REPORTS) return PATHS.reports
  if (kind === IMPORTS) return PATHS.import
  if (kind !== 'site') return PATHS.dashboard
  return isNew ? newSitePath(id) : editSitePath(id)
}

/** Login in a separate tab, which after the sign-in refers back to the first tab. */
export const LOGIN_AGAIN = `${PATHS.login}?again`

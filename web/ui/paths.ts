import { MAIL_PAGES } from '#domain/api.ts'

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
  newPassword: MAIL_PAGES.passwordReset,
  confirmAddress: MAIL_PAGES.verification,
} as const

/** The path of the form for one site (decisions 6). */
export const editSitePath = (id: string): string => `${PATHS.editSite}/${id}`

/** The path of the form for a new site that has its id already. */
export const newSitePath = (id: string): string => `${PATHS.addSite}?draft=${id}`

/** Does the query of an address hold what a sign-in provider answered (OpenID Connect Core, 3.1.2.5 and 3.1.2.6)? */
export const isAnswer = (search: string): boolean => {
  const params = new URLSearchParams(search)
  return params.has('code') || params.has('error')
}

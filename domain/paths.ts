/**
 * The paths of the wire contract (spec 7), below the base path of the installation. Every path of the API is
 * declared here, or in `SERVICE_API`.
 */
export const API = {
  records: (collection: string) => `/api/collections/${collection}/records`,
  record: (collection: string, id: string) => `/api/collections/${collection}/records/${id}`,
  authMethods: (collection: string) => `/api/collections/${collection}/auth-methods`,
  authWithOAuth2: (collection: string) => `/api/collections/${collection}/auth-with-oauth2`,
  authWithPassword: (collection: string) => `/api/collections/${collection}/auth-with-password`,
  authRefresh: (collection: string) => `/api/collections/${collection}/auth-refresh`,
  /** Returns the URL that ends the session at the sign-in provider. */
  providerSignOut: '/api/provider-sign-out',
  endSessions: (collection: string) => `/api/collections/${collection}/end-sessions`,
  requestPasswordReset: (collection: string) =>
    `/api/collections/${collection}/request-password-reset`,
  confirmPasswordReset: (collection: string) =>
    `/api/collections/${collection}/confirm-password-reset`,
  requestVerification: (collection: string) =>
    `/api/collections/${collection}/request-verification`,
  confirmVerification: (collection: string) =>
    `/api/collections/${collection}/confirm-verification`,
  file: (collection: string, id: string, name: string) => `/api/files/${collection}/${id}/${name}`,
  fileToken: '/api/files/token',
  export: '/api/export',
  /** Request and response are declared in `domain/geocode.ts`. */
  geocode: '/api/geocode',
  /** Sites that may be the one that is about to be added; declared in `domain/duplicate.ts`. */
  duplicates: '/api/duplicates',
  /** Takes what a traveller tells the owner of a public site. */
  publicReports: (site: string) => `/api/public/sites/${site}/reports`,
  batch: '/api/batch',
  realtime: '/api/realtime',
  /** What everybody may read, from any page; requests and responses are declared in `domain/public-read.ts`. */
  publicSites: '/api/public/sites',
  publicSite: (id: string) => `/api/public/sites/${id}`,
  publicTile: (z: string, x: string, y: string) => `/api/public/tiles/${z}/${x}/${y}.mvt`,
  publicSuggest: '/api/public/suggest',
} as const

/** The paths that only other programs call, apart from `API` so that the app does not load them. */
export const SERVICE_API = {
  health: '/api/health',
  /** Readiness: whether a load balancer should send requests here. */
  ready: '/api/ready',
  /** For monitoring. */
  metrics: '/metrics',
  openapi: '/api/openapi.json',
  impersonate: (collection: string, id: string) =>
    `/api/collections/${collection}/impersonate/${id}`,
  publicRoute: '/api/public/route',
} as const

/** Whether a route is one that monitoring asks all the time, below any base path. */
export const isMonitoring = (route = ''): boolean =>
  [SERVICE_API.health, SERVICE_API.ready, SERVICE_API.metrics].some((path) => route.endsWith(path))

const FIXED_EMAIL =
  'The email of an account follows the sign-in provider, or is changed by a superuser.'

const NO_OTP = 'The collection is not configured to allow OTP authentication.'

/** Endpoints of PocketBase that this server does not offer, each with the reason in its response (decision 0041). */
export const NOT_OFFERED = [
  { action: 'request-email-change', why: FIXED_EMAIL },
  { action: 'confirm-email-change', why: FIXED_EMAIL },
  { action: 'request-otp', why: NO_OTP },
  { action: 'auth-with-otp', why: NO_OTP },
] as const

/** The path of an endpoint that is not offered. */
export const notOfferedPath = (collection: string, action: string): string =>
  `/api/collections/${collection}/${action}`

/** Redirect addresses of the sign-in, below the origin and the base path. */
export const REDIRECT_PATHS = ['/login', '/api/oauth2-redirect'] as const

/** The identifier of the one sign-in provider (spec 9). */
export const OAUTH_PROVIDER = 'oidc'

/** The pages of links in mails, below the base path; the token follows after a slash. */
export const MAIL_PAGES = {
  passwordReset: '/auth/confirm-password-reset',
  verification: '/auth/confirm-verification',
} as const

/** Where travellers tell the owner of a site what is wrong; the id of the site follows after a slash. */
export const REPORT_PAGE = '/report'

/** Where owners read what they were told. */
export const REPORTS_PAGE = '/reports'

/** The beginning of every path that everybody may call, from any origin and without a token. */
export const PUBLIC_PATHS = '/api/public/'

/** The beginning of the paths of open data, for which the same holds (domain/open-data.ts). */
export const OPEN_PATHS = '/open/'

/** The purpose of a mail, which is also the type of its token (record interface 5.1). */
export type MailPurpose = keyof typeof MAIL_PAGES

/** The list of all public sites for search engines (sitemaps.org), and its parts by the beginning of their ids. */
export const SITEMAP = {
  index: '/sitemap.xml',
  part: (prefix: string) => `/sitemap/${prefix}.xml`,
} as const

/** Whether everybody may read a route, which the limits of public reads then hold for. */
export const isPublicRead = (route = ''): boolean =>
  route.endsWith('/at') ||
  [PUBLIC_PATHS, OPEN_PATHS, '/at/:id', '/embed/', '/poster/', '/sitemap'].some((part) =>
    route.includes(part),
  )

/**
 * The paths of the wire contract (spec 7), below the base path of the installation. Every path of the API is declared
 * here or in `SERVICE_API`.
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
  /** `domain/geocode.ts` declares request and response. */
  geocode: '/api/geocode',
  /** Possible duplicates of a site that is about to be added; declared in `domain/duplicate.ts`. */
  duplicates: '/api/duplicates',
  /** Accepts a traveller's report about a public site. */
  publicReports: (site: string) => `/api/public/sites/${site}/reports`,
  batch: '/api/batch',
  realtime: '/api/realtime',
  /** Public reads, open to any origin; `domain/public-read.ts` declares requests and responses. */
  publicSites: '/api/public/sites',
  publicSite: (id: string) => `/api/public/sites/${id}`,
  publicTile: (z: string, x: string, y: string) => `/api/public/tiles/${z}/${x}/${y}.mvt`,
  publicSuggest: '/api/public/suggest',
} as const

/** The paths that only other programs call. They are separate from `API` so that the app does not load them. */
export const SERVICE_API = {
  health: '/api/health',
  /** Readiness: whether a load balancer should send requests to this server. */
  ready: '/api/ready',
  /** For monitoring. */
  metrics: '/metrics',
  openapi: '/api/openapi.json',
  impersonate: (collection: string, id: string) =>
    `/api/collections/${collection}/impersonate/${id}`,
  publicRoute: '/api/public/route',
} as const

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

/** Redirect URIs of the sign-in, below the origin and the base path. */
export const REDIRECT_PATHS = ['/login', '/api/oauth2-redirect'] as const

/** The identifier of the only sign-in provider (spec 9). */
export const OAUTH_PROVIDER = 'oidc'

/** The pages that mails link to, below the base path; a slash and the token follow. */
export const MAIL_PAGES = {
  passwordReset: '/auth/confirm-password-reset',
  verification: '/auth/confirm-verification',
} as const

/** The page where travellers report a problem with a site; a slash and the id of the site follow. */
export const REPORT_PAGE = '/report'

/** The page where owners read reports. */
export const REPORTS_PAGE = '/reports'

/** The prefix of all paths that everybody may call, from any origin and without a token. */
export const PUBLIC_PATHS = '/api/public/'

/** The prefix of the paths of open data, which everybody may call as well (domain/open-data.ts). */
export const OPEN_PATHS = '/open/'

/** The purpose of a mail, which is also the type of its token (record interface 5.1). */
export type MailPurpose = keyof typeof MAIL_PAGES

/**
 * The sitemap of all public sites for search engines (sitemaps.org), and its parts by the first characters of the ids.
 */
export const SITEMAP = {
  index: '/sitemap.xml',
  part: (prefix: string) => `/sitemap/${prefix}.xml`,
} as const

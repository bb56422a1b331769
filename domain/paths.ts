/**
 * The paths of the wire contract (spec 7), below the base path of the installation. No other file
 * writes a path of the API.
 */
export const API = {
  health: '/api/health',
  /** Whether requests had better be sent here. */
  ready: '/api/ready',
  /** For those who watch over the installation. */
  metrics: '/metrics',
  records: (collection: string) => `/api/collections/${collection}/records`,
  record: (collection: string, id: string) => `/api/collections/${collection}/records/${id}`,
  authMethods: (collection: string) => `/api/collections/${collection}/auth-methods`,
  authWithOAuth2: (collection: string) => `/api/collections/${collection}/auth-with-oauth2`,
  authWithPassword: (collection: string) => `/api/collections/${collection}/auth-with-password`,
  authRefresh: (collection: string) => `/api/collections/${collection}/auth-refresh`,
  /** Where to end the session at the sign-in provider. */
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
  impersonate: (collection: string, id: string) =>
    `/api/collections/${collection}/impersonate/${id}`,
  file: (collection: string, id: string, name: string) => `/api/files/${collection}/${id}/${name}`,
  fileToken: '/api/files/token',
  export: '/api/export',
  /** Answers what `domain/geocode.ts` declares. */
  geocode: '/api/geocode',
  batch: '/api/batch',
  realtime: '/api/realtime',
  openapi: '/api/openapi.json',
} as const

const FIXED_EMAIL =
  'The email of an account follows the sign-in provider, or is changed by a superuser.'

const NO_OTP = 'The collection is not configured to allow OTP authentication.'

/** What PocketBase offers accounts and this server does not, each with the sentence that says so (decision 0041). */
export const NOT_OFFERED = [
  { action: 'request-email-change', why: FIXED_EMAIL },
  { action: 'confirm-email-change', why: FIXED_EMAIL },
  { action: 'request-otp', why: NO_OTP },
  { action: 'auth-with-otp', why: NO_OTP },
] as const

/** The path of an action that is not offered. */
export const notOfferedPath = (collection: string, action: string): string =>
  `/api/collections/${collection}/${action}`

/** Where the sign-in provider may send a browser back to, below the origin and base path. */
export const REDIRECT_PATHS = ['/login', '/api/oauth2-redirect'] as const

/** The identifier of the one sign-in provider (spec 9). */
export const OAUTH_PROVIDER = 'oidc'

/** The pages that the links in mails lead to, below the base path; the token follows after a slash. */
export const MAIL_PAGES = {
  passwordReset: '/auth/confirm-password-reset',
  verification: '/auth/confirm-verification',
} as const

/** What a mail is sent for; also the type of the token in its link (record interface 5.1). */
export type MailPurpose = keyof typeof MAIL_PAGES

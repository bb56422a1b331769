/**
 * The wire contract (spec 7): the only place where a path is written. All paths are below the
 * base path of the installation.
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

/** The pages that the links in mails lead to, below the base path; the token follows after a slash. */
export const MAIL_PAGES = {
  passwordReset: '/auth/confirm-password-reset',
  verification: '/auth/confirm-verification',
} as const

/** What a mail is sent for; also the type of the token in its link (record interface 5.1). */
export type MailPurpose = keyof typeof MAIL_PAGES

/** How long the link in a mail is good. */
export const MAIL_LINK_LIFETIME_S = {
  passwordReset: 30 * 60,
  verification: 24 * 60 * 60,
} as const satisfies Record<MailPurpose, number>

/** A second request for the same address within this time is swallowed (record interface 5.6). */
export const MAIL_PAUSE_S = 2 * 60

/** The identifier of the one sign-in provider (spec 9). */
export const OAUTH_PROVIDER = 'oidc'

export const DEFAULT_PER_PAGE = 30
export const MAX_PER_PAGE = 1000
/** How many records a full list asks for at once (spec 9). */
export const FULL_LIST_BATCH = 500

const MiB = 1024 * 1024
export const MAX_BODY_BYTES = 64 * MiB

/** Lifetime of a session's token. */
export const TOKEN_LIFETIME_S = 5 * 24 * 60 * 60
/** A superuser may not impersonate for longer than ten years. */
export const MAX_IMPERSONATION_S = 10 * 365 * 24 * 60 * 60
/** Longest identity, password or address in a request of sign-in, in bytes (record interface 5.6). */
export const MAX_CREDENTIAL_BYTES = 255
/** Lifetime of a token that opens protected files: it stands in addresses, which get about. */
export const FILE_TOKEN_LIFETIME_S = 180

/** Limits of `POST /api/batch` (decisions 5.8, record interface 7.1). */
export const BATCH_LIMITS = {
  requests: 500,
  urlLength: 2000,
  /** How long the writes of a batch may take together. */
  durationMs: 30_000,
  files: 500,
} as const

/** What decisions 5.10 asks of an `Idempotency-Key`. */
export const IDEMPOTENCY = {
  keyLength: 255,
  /** How long the first answer is kept. */
  keptHours: 24,
} as const

/** Limits on what a query may ask, so that one request cannot cost without bound. */
export const QUERY_LIMITS = {
  filterLength: 3500,
  filterTerms: 200,
  filterDepth: 64,
  callDepth: 3,
  callArguments: 10,
  pathHops: 6,
  /** Back relations in one filter and sort: each can lead to many rows. */
  backRelations: 12,
  sortItems: 8,
  fieldsDepth: 20,
  expandDepth: 6,
  /** Relations that one expand follows, counted wherever they stand. */
  expandRelations: 50,
} as const

/** What a realtime client may subscribe to (record interface 6.2). */
export const REALTIME_LIMITS = { subscriptions: 1000, subscriptionLength: 2500 } as const

/**
 * Images: what is taken in, and what is kept (decisions 5.4). What is taken in is bounded so that no
 * file takes more than 100 MB of memory; decision 0027 has what was measured.
 */
export const IMAGE_LIMITS = {
  /** Of a JPEG or PNG a decoder holds some rows, of the others the whole picture, and AVIF several times. */
  pixels: {
    'image/jpeg': 50_000_000,
    'image/png': 50_000_000,
    'image/gif': 8_000_000,
    'image/webp': 2_500_000,
    'image/avif': 2_100_000,
  },
  /**
   * Of an image that comes coarse first (progressive, interlaced), or has 16 bits a colour; it may be
   * no longer than what is stored, as to make it smaller takes more memory still.
   */
  heavyPixels: 8_000_000,
  /** Longest side of what is taken in. A JPEG, which can be read smaller than it is, may be as long as one gets. */
  sides: {
    'image/jpeg': 65_535,
    'image/png': 8192,
    'image/gif': 8192,
    'image/webp': 8192,
    'image/avif': 8192,
  },
  /** What a JPEG may carry in front of its picture: a decoder reads all of it, needed or not. */
  jpegHeadBytes: 2 * MiB,
  /** Longest side of a stored image. */
  side: 4096,
} as const
export const IMAGE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
] as const

/** The answer to a list (record interface 1.3). */
export interface ListResult<T> {
  page: number
  perPage: number
  totalItems: number
  totalPages: number
  items: T[]
}

/** The answer to a sign-in or a refresh (record interface 5.2). */
export interface AuthResult<T> {
  token: string
  record: T
  meta?: { name: string; isNew: boolean } & Record<string, unknown>
}

import type { MailPurpose } from './paths.ts'

/** Bytes of a mebibyte. */
export const MiB = 1024 * 1024

/** Maximum size of opening hours, as JSON: enough for the largest that their schema accepts. */
export const OPENING_HOURS_MAX_BYTES = 40 * 1024

/** Lifetime of the link in a mail. */
export const MAIL_LINK_LIFETIME_S = {
  passwordReset: 30 * 60,
  verification: 24 * 60 * 60,
} as const satisfies Record<MailPurpose, number>

/** The server sends an address no second mail within this time (record interface 5.6). */
export const MAIL_PAUSE_S = 2 * 60

export const DEFAULT_PER_PAGE = 30

export const MAX_PER_PAGE = 1000

/** Page size of a full list (spec 9). */
export const FULL_LIST_BATCH = 500

export const MAX_BODY_BYTES = 64 * MiB

/** Maximum size of a response with records; a client cannot receive a text of more than 512 MiB. */
export const MAX_ANSWER_BYTES = 64 * MiB

/** Lifetime of a session's token. */
export const TOKEN_LIFETIME_S = 5 * 24 * 60 * 60

/** Maximum lifetime of an impersonation token: ten years. */
export const MAX_IMPERSONATION_S = 10 * 365 * 24 * 60 * 60

/** Maximum length of an identity, password or email address in a sign-in request, in bytes (record interface 5.6). */
export const MAX_CREDENTIAL_BYTES = 255

/** Lifetime of a file token. It is short because the token is part of a URL, and URLs are copied and logged. */
export const FILE_TOKEN_LIFETIME_S = 180

/** Limits of `POST /api/batch` (record interface 7.1, 9.8). */
export const BATCH_LIMITS = {
  requests: 500,
  urlLength: 2000,
  /** Timeout of all writes of a batch together. */
  durationMs: 30_000,
  files: 500,
} as const

/**
 * Timeout of a write that deletes or rewrites any number of other records, such as the deletion of an account: enough
 * for the largest import (decision 0177).
 */
export const CASCADE_TIMEOUT_MS = 15 * 60 * 1000

/** Limits of an `Idempotency-Key` (record interface 9.10). */
export const IDEMPOTENCY = {
  keyLength: 255,
  /** How long the first response is kept for replays. */
  keptHours: 24,
} as const

/** Maximum length of a `Correlation-Id`. */
export const MAX_CORRELATION_ID_LENGTH = 64

/** Limits on queries, so that no request has unbounded cost. */
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
  /** Relations in one expand, all levels together. */
  expandRelations: 50,
} as const

/** Limits of realtime subscriptions (record interface 6.2). */
export const REALTIME_LIMITS = {
  subscriptions: 1000,
  subscriptionLength: 2500,
  /** Total length of all subscriptions of a client; the server keeps them as long as the stream is open. */
  totalLength: 250_000,
  /** All subscriptions of an account to one process: each change may be sent to all of them. */
  subscriptionsPerAccount: 5000,
} as const

/** Rate limits of travellers' reports (decision 0093), and their retention (decision 0094). */
export const REPORT_LIMITS = {
  perAddressAndHour: 5,
  perSiteAndDay: 20,
  /** Maximum number of open reports of a site. */
  openPerSite: 50,
  /** Identical reports from the same address count once within this time. */
  sameWithinHours: 24,
  /** An owner gets at most one mail about new reports within this time. */
  noticePauseMinutes: 60,
  /** Retention after the last change of a report that is answered or resolved. */
  keptDays: 90,
  /** Retention of a report without an answer. */
  openKeptDays: 365,
  /** The traveller's address is removed once the answer is sent, and at the latest after this time. */
  addressKeptDays: 30,
} as const

/** Limits of imports. They have their own body limit, because registers of whole countries are single files. */
export const IMPORT_LIMITS = {
  /** Maximum size of a file as sent, compressed or not. */
  fileBytes: 512 * MiB,
  /** Maximum size of a form with a file. */
  bodyBytes: 513 * MiB,
  /** Maximum size of pasted text. */
  textBytes: 8 * MiB,
  /** Maximum number of stations of one import. */
  rows: 500_000,
  /** Maximum size of the content that is read from one import, as JSON; it is kept until the run. */
  contentBytes: 4096 * MiB,
  /** Maximum number of unfinished imports of a business. */
  openPerBusiness: 10,
  /**
   * How much a business keeps of finished imports: their number, their stations, and the content read from them, as
   * JSON. Beyond that, the oldest are deleted; the latest one always stays.
   */
  endedPerBusiness: 200,
  endedRows: 1_000_000,
  endedBytes: 4096 * MiB,
  feedsPerBusiness: 20,
  /** Retention of an import, its rows and its report after its last change. */
  keptDays: 90,
} as const

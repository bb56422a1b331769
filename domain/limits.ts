import type { MailPurpose } from './paths.ts'

/** Bytes of a mebibyte. */
export const MiB = 1024 * 1024

/** Maximum size of opening hours, as JSON: enough for the maximum that their schema accepts. */
export const OPENING_HOURS_MAX_BYTES = 40 * 1024

/** Lifetime of the link in a mail. */
export const MAIL_LINK_LIFETIME_S = {
  passwordReset: 30 * 60,
  verification: 24 * 60 * 60,
} as const satisfies Record<MailPurpose, number>

/** No second mail is sent to an address within this time (record interface 5.6). */
export const MAIL_PAUSE_S = 2 * 60

export const DEFAULT_PER_PAGE = 30

export const MAX_PER_PAGE = 1000

/** Page size of a full list (spec 9). */
export const FULL_LIST_BATCH = 500

export const MAX_BODY_BYTES = 64 * MiB

/** Maximum size of an answer of records; a text of more than 512 MiB could not even be received. */
export const MAX_ANSWER_BYTES = 64 * MiB

/** Lifetime of a session's token. */
export const TOKEN_LIFETIME_S = 5 * 24 * 60 * 60

/** The longest lifetime of an impersonation token: ten years. */
export const MAX_IMPERSONATION_S = 10 * 365 * 24 * 60 * 60

/** Maximum length of an identity, password or email address in a sign-in request, in bytes (record interface 5.6). */
export const MAX_CREDENTIAL_BYTES = 255

/** Lifetime of a file token. It is short because the token is part of a URL, which may be copied and logged. */
export const FILE_TOKEN_LIFETIME_S = 180

/** Limits of `POST /api/batch` (record interface 7.1, 9.8). */
export const BATCH_LIMITS = {
  requests: 500,
  urlLength: 2000,
  /** Timeout of all writes of a batch together. */
  durationMs: 30_000,
  files: 500,
} as const

/** Limits of an `Idempotency-Key` (record interface 9.10). */
export const IDEMPOTENCY = {
  keyLength: 255,
  /** Retention of the first response for replays. */
  keptHours: 24,
} as const

/** Longest `Correlation-Id`. */
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
  /** Relations in one expand, at all levels together. */
  expandRelations: 50,
} as const

/** Limits of realtime subscriptions (record interface 6.2). */
export const REALTIME_LIMITS = {
  subscriptions: 1000,
  subscriptionLength: 2500,
  /** Length of all subscriptions of a client together, which the server holds as long as its stream is open. */
  totalLength: 250_000,
} as const

/** How many reports travellers may send (decision 0093), and how long they are kept (decision 0094). */
export const REPORT_LIMITS = {
  perAddressAndHour: 5,
  perSiteAndDay: 20,
  /** Reports of a site that wait for its owner. */
  openPerSite: 50,
  /** The same report from the same address counts once within this time. */
  sameWithinHours: 24,
  /** An owner gets at most one mail about new reports within this time. */
  noticePauseMinutes: 60,
  /** Retention after the last change, once it was answered or resolved. */
  keptDays: 90,
  /** Retention while nobody has answered. */
  openKeptDays: 365,
  /** The address of a traveller is removed once the answer was sent to it, and after this time at the latest. */
  addressKeptDays: 30,
} as const

/** Limits of imports; they have a body limit of their own, because registers of whole countries come as one file. */
export const IMPORT_LIMITS = {
  /** A file as it is sent, compressed or not. */
  fileBytes: 512 * MiB,
  /** A file with the other parts of the form. */
  bodyBytes: 513 * MiB,
  /** What is pasted as text. */
  textBytes: 8 * MiB,
  /** Stations of one import. */
  rows: 500_000,
  /** What is read of one import, as JSON; it is kept until the run. */
  contentBytes: 4096 * MiB,
  /** Imports of a business that are not over. */
  openPerBusiness: 10,
  /**
   * What a business keeps of imports that are over: how many, their stations, and what was read of them as JSON. Beyond it the
   * oldest are deleted; the last one stays.
   */
  overPerBusiness: 200,
  overRows: 1_000_000,
  overBytes: 4096 * MiB,
  feedsPerBusiness: 20,
  /** Retention of an import, its rows and its report after its last change. */
  keptDays: 90,
} as const

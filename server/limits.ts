import { MAX_BODY_BYTES } from '#domain/limits.ts'

/**
 * How much, how many and how slow clients may be before they are refused or let go, and how slow what
 * the server stands on.
 */
export interface Limits {
  /** Connections at once; further ones are closed unread. */
  readonly connections: number
  /** Of those, the connections of one address; not counted behind a declared proxy, which makes all of them. */
  readonly connectionsPerAddress: number
  /** The headers of a request have to be there within this time. */
  readonly headersMs: number
  /** A whole request has to be there within this time: the largest upload over a slow line. */
  readonly requestMs: number
  /** How long a connection is kept for its next request; longer than proxies keep theirs. */
  readonly keepAliveMs: number
  /** A body that comes, or an answer that is taken, at less than `stallBytes` in this time is given up. */
  readonly stallMs: number
  readonly stallBytes: number
  /** Requests that are being worked on at once, besides uploads. */
  readonly working: number
  /** Uploads at once, from their first byte to their answer; of one account, and of one address. */
  readonly uploads: number
  readonly uploadsPerCaller: number
  readonly uploadsPerAddress: number
  /** Bodies that are kept in memory at once, in bytes; small ones are not counted. */
  readonly heldBytes: number
  readonly heldBytesPerCaller: number
  readonly heldBytesPerAddress: number
  /** A body that comes at less, as measured over `paceMs`, gives way to others when there is no room. */
  readonly slowBytesPerS: number
  readonly paceMs: number
  /** A client that still sends when it is answered has so long to read that, and sends so much at most. */
  readonly lingerMs: number
  readonly lingerBytes: number
  /** Connections that wait for that at once; on top of them they are cut off. */
  readonly lingering: number
  /** Open event streams of one address. */
  readonly streams: number
  /** A stream says something this often, lest what stands between takes the silence for an end. */
  readonly heartbeatMs: number
  /** What one statement may take; the database ends it then. */
  readonly statementMs: number
  /** How long a start waits for a database that does not answer yet. */
  readonly databaseStartMs: number
  /** Until the database has let a connection in. */
  readonly databaseConnectMs: number
  /** A connection to the database on which an answer is due and nothing comes for so long is broken. */
  readonly databaseAnswerMs: number
  /** How long the sign-in provider may take for one answer. */
  readonly providerMs: number
  /** How long what the sign-in provider has said of itself is believed before it is asked again. */
  readonly providerMaxAgeMs: number
  /** How long the mail server may be silent. */
  readonly mailMs: number
  /** How long requests under way may take once the server is told to stop. */
  readonly drainMs: number
}

/**
 * Bodies up to this are read by themselves before anything is done with them, and not counted: all
 * that connections can hold of them fits into the memory. A guest has nothing longer to say.
 */
export const SMALL_BODY_BYTES = 16 * 1024

/** What `Retry-After` says, in seconds, by what there was too much of or what did not answer. */
export const RETRY_AFTER_S = { overload: 2, provider: 5, geocoder: 30, streams: 30 } as const

export const LIMITS: Limits = {
  connections: 5000,
  connectionsPerAddress: 1000,
  headersMs: 15_000,
  requestMs: 30 * 60 * 1000,
  keepAliveMs: 75_000,
  stallMs: 30_000,
  stallBytes: 4096,
  working: 512,
  uploads: 64,
  uploadsPerCaller: 16,
  uploadsPerAddress: 32,
  heldBytes: 2 * MAX_BODY_BYTES,
  heldBytesPerCaller: MAX_BODY_BYTES,
  heldBytesPerAddress: 1.5 * MAX_BODY_BYTES,
  slowBytesPerS: 8192,
  paceMs: 5000,
  lingerMs: 10_000,
  lingerBytes: MAX_BODY_BYTES,
  lingering: 500,
  streams: 200,
  heartbeatMs: 25_000,
  statementMs: 15_000,
  databaseStartMs: 60_000,
  databaseConnectMs: 5_000,
  databaseAnswerMs: 20_000,
  providerMs: 10_000,
  providerMaxAgeMs: 60_000,
  mailMs: 10_000,
  drainMs: 25_000,
}

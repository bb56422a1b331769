import { MAX_BODY_BYTES } from '#domain/limits.ts'

/** Limits and timeouts for clients, and timeouts for the services that the server depends on. */
export interface Limits {
  /** Maximum number of connections; further ones are closed unread. */
  readonly connections: number
  /** Maximum number of connections per address; not applied behind a declared proxy, which opens all of them. */
  readonly connectionsPerAddress: number
  /** Timeout for the headers of a request. */
  readonly headersMs: number
  /** Timeout for a whole request: long enough for the largest upload over a slow connection. */
  readonly requestMs: number
  /** Keep-alive timeout; longer than that of common proxies. */
  readonly keepAliveMs: number
  /** A request or response is stalled, and aborted, if it moves fewer than `stallBytes` in this time. */
  readonly stallMs: number
  readonly stallBytes: number
  /** Concurrency limit for requests other than uploads and public reads. */
  readonly working: number
  /**
   * Requests of one account that are processed concurrently (fewer than there are database connections), and that wait.
   */
  readonly workingPerCaller: number
  readonly waitingPerCaller: number
  /** Concurrency limit for public reads, most of which wait for the database: in total, per address. */
  readonly publicReads: number
  readonly publicReadsPerAddress: number
  /** Concurrent uploads, from their first byte to their response: in total, per account, per address. */
  readonly uploads: number
  readonly uploadsPerCaller: number
  readonly uploadsPerAddress: number
  /** Bytes of buffered request bodies; bodies up to `SMALL_BODY_BYTES` are not counted. */
  readonly heldBytes: number
  readonly heldBytesPerCaller: number
  readonly heldBytesPerAddress: number
  /** A body slower than this, measured over `paceMs`, is the first to be aborted to make room for another. */
  readonly slowBytesPerS: number
  readonly paceMs: number
  /**
   * The maximum time and number of bytes for which a connection lingers if its client still sends after the response.
   */
  readonly lingerMs: number
  readonly lingerBytes: number
  /** Maximum number of lingering connections; further ones are closed immediately. */
  readonly lingering: number
  /** Maximum number of open event streams per address. */
  readonly streams: number
  /** Maximum number of concurrent downloads of open data, each of which buffers some sites: in total, per address. */
  readonly openFiles: number
  readonly openFilesPerAddress: number
  /** Interval of heartbeats on event streams, which keep proxies from closing them. */
  readonly heartbeatMs: number
  /** Timeout of a statement, enforced by the database; some writes have `CASCADE_TIMEOUT_MS`. */
  readonly statementMs: number
  /** Timeout at the start for a database that does not respond yet. */
  readonly databaseStartMs: number
  /** Timeout for connecting to the database. */
  readonly databaseConnectMs: number
  /** A database connection is closed if it receives no data for this long while a response is due. */
  readonly databaseAnswerMs: number
  /** A replica with a larger lag is not read. */
  readonly replicaLagMs: number
  /** How long replicas are read while the primary does not respond. */
  readonly replicaOutageMs: number
  /** Timeout of a request to the sign-in provider. */
  readonly providerMs: number
  /** Lifetime of the cached metadata of the sign-in provider. */
  readonly providerMaxAgeMs: number
  /** Interval at which mails about reports are sent. */
  readonly reportMailsMs: number
  /** Interval at which a process looks for imports that another process has left. */
  readonly importsMs: number
  /** Timeout for the mail server. */
  readonly mailMs: number
  /** When the server stops, idle connections stay open for this long: a proxy may be sending a request on one. */
  readonly leaveMs: number
  /** Timeout for pending requests when the server stops. */
  readonly drainMs: number
}

/**
 * Bodies up to this size are read before the request is admitted, and are not counted: those of all connections
 * together fit into memory. It is also the limit for guests.
 */
export const SMALL_BODY_BYTES = 16 * 1024

/** The value of `Retry-After` in seconds, by reached limit or failed dependency. */
export const RETRY_AFTER_S = {
  overload: 2,
  provider: 5,
  openFiles: 10,
  geocoder: 30,
  streams: 30,
} as const

export const LIMITS: Limits = {
  connections: 5000,
  connectionsPerAddress: 1000,
  headersMs: 15_000,
  requestMs: 30 * 60 * 1000,
  keepAliveMs: 75_000,
  stallMs: 30_000,
  stallBytes: 4096,
  working: 512,
  workingPerCaller: 4,
  waitingPerCaller: 1000,
  publicReads: 256,
  publicReadsPerAddress: 192,
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
  openFiles: 50,
  openFilesPerAddress: 10,
  heartbeatMs: 25_000,
  statementMs: 15_000,
  databaseStartMs: 60_000,
  databaseConnectMs: 5_000,
  databaseAnswerMs: 20_000,
  replicaLagMs: 1_000,
  replicaOutageMs: 60_000,
  providerMs: 10_000,
  providerMaxAgeMs: 60_000,
  reportMailsMs: 30_000,
  importsMs: 5_000,
  mailMs: 10_000,
  leaveMs: 500,
  drainMs: 25_000,
}

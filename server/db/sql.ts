import type { Readable, Writable } from 'node:stream'

/** A row by column name, the default if a caller declares no columns. */
type Row = Record<string, unknown>

/**
 * A statement, or a part of one, written as a tagged template. A part can be nested in another template. A statement is
 * sent once, when it is awaited.
 */
export type Query<Rows> = Promise<Rows>

/** The quoted name of a table or column in a template. */
export interface Identifier {
  readonly identifier: string
}

/** The values of `${}`: a value becomes a parameter, a name or another template becomes part of the text. */
export type Value =
  | string
  | number
  | boolean
  | Date
  | null
  | readonly (string | number | null)[]
  | Identifier
  | Query<unknown>

/** Whether the statement stays prepared for the lifetime of the connection (decision 0039). */
export interface QueryOptions {
  readonly prepare?: boolean
  /** Timeout for the responses to this statement and the later ones of its transaction; absent: the pool's. */
  readonly answerMs?: number
}

/** Sends statements: a pool, a connection of one, or a transaction. */
export interface Runner {
  /**
   * Runs a template as one prepared statement.
   * @throws {DatabaseError} from the database, or an error with the code of the network
   */
  <Rows extends readonly object[] = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly Value[]
  ): Query<Rows>
  (name: string): Identifier
  /** Runs a text, which must not contain input of a caller; without values it may contain several statements. */
  unsafe<Rows extends readonly object[] = Row[]>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Rows>
}

/** A transaction; it must not be used after it has ended. */
export interface Transaction extends Runner {
  /** Runs `copy ... to stdout` and streams the rows in the format of PostgreSQL. */
  copyOut(text: string): Readable
  /** Runs `copy ... from stdin`; all rows are written once the stream has finished. */
  copyIn(text: string): Writable
}

/** Begins transactions. */
interface Transactor {
  /**
   * Runs `work` in a transaction; rolls back if it throws.
   * @param mode as in SQL: `isolation level repeatable read`
   */
  begin<T>(work: (transaction: Transaction) => Promise<T>, mode?: string): Promise<T>
}

/** A connection of a pool, reserved until it is released. */
interface Connection extends Runner {
  release(): void
}

/** Events of a session. */
export interface SessionEvents {
  /** A notification has arrived on a channel that the session listens on. */
  readonly notified: (payload: string) => void
  /** The connection was closed by either side. */
  readonly closed: () => void
}

export interface SessionOptions {
  /** Timeout between a statement and its response; absent: the pool's. */
  readonly answerMs?: number
}

/** A dedicated connection. It does not reconnect. */
export interface Session extends Runner, Transactor {
  end(options?: EndOptions): Promise<void>
}

export interface EndOptions {
  /** Seconds after which running statements are aborted; absent: never. */
  readonly timeout?: number
}

/** A pool of connections to one database. */
export interface Sql extends Runner, Transactor {
  reserve(): Promise<Connection>
  openSession(events: SessionEvents, options?: SessionOptions): Session
  /** Closes all connections, each when it is idle. */
  end(options?: EndOptions): Promise<void>
}

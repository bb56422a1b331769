import type { Readable, Writable } from 'node:stream'

/** A row by column name, when a caller does not say what it selects. */
type Row = Record<string, unknown>

/**
 * A statement, or a part of one, written as a tagged template. A part can stand in another template; a statement is
 * sent when it is awaited, once.
 */
export type Query<Rows> = Promise<Rows>

/** A name of a table or column in a template, quoted. */
export interface Identifier {
  readonly identifier: string
}

/** What may stand in `${}`: a value becomes a parameter, a name or another template a part of the text. */
export type Value =
  | string
  | number
  | boolean
  | Date
  | null
  | readonly (string | number | null)[]
  | Identifier
  | Query<unknown>

/** Whether the database keeps the statement prepared for as long as the connection lives (decision 0039). */
interface QueryOptions {
  readonly prepare?: boolean
}

/** Sends statements: a pool, one connection of it, or a transaction. */
export interface Runner {
  /**
   * Runs a template as one prepared statement.
   * @throws {DatabaseError} as the database refuses it, or an error with the code of the network
   */
  <Rows extends readonly object[] = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly Value[]
  ): Query<Rows>
  (name: string): Identifier
  /** Runs a text. Nothing of it may come from a caller; without values it may hold several statements. */
  unsafe<Rows extends readonly object[] = Row[]>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Rows>
}

/** A transaction; it must not be used after its end. */
export interface Transaction extends Runner {
  /** Runs `copy ... to stdout` and answers the rows as PostgreSQL writes them. */
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
  /** A notification came on a channel that the session listens on. */
  readonly notified: (payload: string) => void
  /** The connection was closed by either side. */
  readonly closed: () => void
}

/** A connection of its own, beside a pool. It does not reconnect. */
export interface Session extends Runner, Transactor {
  end(options?: EndOptions): Promise<void>
}

export interface EndOptions {
  /** Seconds after which statements under way are aborted; without it, never. */
  readonly timeout?: number
}

/** A pool of connections to one database. */
export interface Sql extends Runner, Transactor {
  reserve(): Promise<Connection>
  openSession(events: SessionEvents): Session
  /** Closes all connections, each when it has come to rest. */
  end(options?: EndOptions): Promise<void>
}

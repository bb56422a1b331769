/** A row by column name, when a caller does not say what it selects. */
export type Row = Record<string, unknown>

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
  | readonly string[]
  | readonly number[]
  | Identifier
  | Query<unknown>

/** Whether the database keeps the statement prepared for as long as the connection lives (decision 0039). */
export interface QueryOptions {
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

/** Begins transactions. */
export interface Transactor {
  /** Runs `work` in a transaction: commits what it has written, or rolls all of it back when it throws. */
  begin<T>(work: (transaction: Runner) => Promise<T>): Promise<T>
  /** `mode` as in SQL: `isolation level repeatable read`. */
  begin<T>(mode: string, work: (transaction: Runner) => Promise<T>): Promise<T>
}

/** One connection of a pool, which nobody else uses until it is released. */
export interface Connection extends Runner {
  release(): void
}

/** A pool of connections to one database. */
export interface Sql extends Runner, Transactor {
  reserve(): Promise<Connection>
  /** Closes all connections: those in use when they have come to rest, or after `timeout` seconds. */
  end(options?: { readonly timeout?: number }): Promise<void>
}

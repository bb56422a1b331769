import type { Readable, Writable } from 'node:stream'

import type { Submittable } from 'pg'

import { CopyIn, CopyOut } from './copy.ts'
import type { Dial, OpenConnection } from './dialer.ts'
import { connectionError, explain } from './errors.ts'
import type {
  EndOptions,
  Runner,
  Session,
  SessionEvents,
  SessionOptions,
  Sql,
  Transaction,
} from './sql.ts'
import { createRunner, type Send, type Statement } from './tag.ts'

export interface PoolOptions {
  /** Maximum number of connections. */
  readonly max: number
  /** The maximum age of a connection; absent: unlimited. */
  readonly lifetimeMs?: number
  /** Timeout between a statement and its response, or two parts of it; absent: none. */
  readonly answerMs?: number
  readonly onStatement?: (text: string) => void
  /** Runs each statement, to measure it. */
  readonly trace?: <T>(text: string, work: () => Promise<T>) => Promise<T>
  /** Connects once, and does not reconnect. */
  readonly events?: SessionEvents
}

/** Creates a connection pool. A connection pipelines the statements of many users, or is held by one. */
export const createPool = (dial: Dial, options: PoolOptions): Sql => {
  const pool = new Pool(dial, options)
  const { trace } = options
  const traced = (send: Send): Send =>
    trace === undefined ? send : (statement) => trace(statement.text, () => send(statement))
  const begin = async <T>(
    work: (transaction: Transaction) => Promise<T>,
    mode?: string,
  ): Promise<T> => {
    const link = await pool.hold()
    try {
      return await runTransaction(link, work, { mode, traced })
    } finally {
      pool.release(link)
    }
  }
  return Object.assign(createRunner(traced((statement) => pool.run(statement))), {
    begin,
    reserve: async () => {
      const link = await pool.hold()
      let isReleased = false
      const send: Send = (statement) =>
        isReleased ? Promise.reject(new Error('The connection is released.')) : link.run(statement)
      const release = (): void => {
        if (isReleased) return
        isReleased = true
        pool.release(link)
      }
      return Object.assign(createRunner(traced(send)), { release })
    },
    openSession: (events: SessionEvents, session?: SessionOptions): Session => {
      const { lifetimeMs: _, onStatement: __, ...others } = options
      return createPool(dial, { ...others, ...session, max: 1, events })
    },
    end: (end?: EndOptions) => pool.end(end?.timeout),
  })
}

const runTransaction = async <T>(
  link: Link,
  work: (transaction: Transaction) => Promise<T>,
  { mode, traced }: { readonly mode: string | undefined; readonly traced: (send: Send) => Send },
): Promise<T> => {
  let isOver = false
  const demandOpen = (): void => {
    if (isOver) throw new Error('The transaction is over.')
  }
  const runner: Runner = createRunner(
    traced(async (statement) => {
      demandOpen()
      return link.run(statement)
    }),
  )
  const copy = <Copy extends CopyIn | CopyOut>(query: Copy, text: string): Copy => {
    demandOpen()
    link.submit(query, text)
    return query
  }
  const transaction: Transaction = Object.assign(runner, {
    copyOut: (text: string): Readable => copy(new CopyOut(text), text).content,
    copyIn: (text: string): Writable => copy(new CopyIn(text), text).content,
  })
  await link.command(mode === undefined ? 'begin' : `begin ${mode}`)
  let result: T
  try {
    result = await work(transaction)
  } catch (error) {
    isOver = true
    // If there is no response, the connection is broken, and the database has rolled back.
    await link.command('rollback').catch(() => link.break())
    throw error
  }
  isOver = true
  const done = await link.command('commit')
  if (done !== 'COMMIT') throw new Error('A statement of the transaction has failed.')
  return result
}

type Waiter = { readonly take: (link: Link) => void; readonly refuse: (error: Error) => void }

class Pool {
  readonly #dial: Dial
  readonly #options: PoolOptions
  readonly #links = new Set<Link>()
  /** The queue for a connection while all are held. */
  readonly #waiters: Waiter[] = []
  readonly #watch: NodeJS.Timeout | undefined
  #ended: PromiseWithResolvers<void> | undefined

  constructor(dial: Dial, options: PoolOptions) {
    this.#dial = dial
    this.#options = options
    const { answerMs } = options
    if (answerMs !== undefined)
      this.#watch = setInterval(() => {
        for (const link of this.#links) link.check(answerMs)
      }, answerMs / CHECKS).unref()
  }

  /**
   * Runs a statement on the least busy connection. It waits for an idle one rather than in the pipeline of a statement
   * that takes long.
   */
  run(statement: Statement): Promise<readonly object[]> {
    return new Promise((resolve, reject) => {
      this.#lend({ take: (link) => void link.run(statement).then(resolve, reject), refuse: reject })
    })
  }

  /** Lends a connection exclusively, after the statements in its pipeline. */
  hold(): Promise<Link> {
    return new Promise((resolve, reject) => {
      const take = (link: Link): void => {
        link.isHeld = true
        resolve(link)
      }
      this.#lend({ take, refuse: reject })
    })
  }

  release(link: Link): void {
    link.isHeld = false
    link.answerMs = 0
    this.#settle(link)
    this.#serve()
  }

  async end(timeoutS?: number): Promise<void> {
    if (this.#ended === undefined) {
      this.#ended = Promise.withResolvers()
      clearInterval(this.#watch)
      for (const link of this.#links) this.#settle(link)
      this.#noteEnd()
    }
    const giveUp = (): void => {
      for (const link of this.#links) link.break()
    }
    const late = timeoutS === undefined ? undefined : setTimeout(giveUp, timeoutS * 1000)
    await this.#ended.promise
    clearTimeout(late)
  }

  #lend(waiter: Waiter): void {
    if (this.#ended !== undefined)
      return waiter.refuse(connectionError('CONNECTION_ENDED', 'the connections are closed'))
    this.#waiters.push(waiter)
    this.#serve()
  }

  #serve(): void {
    while (this.#waiters.length > 0) {
      const link = this.#choose()
      if (link === undefined) return
      this.#waiters.shift()?.take(link)
    }
  }

  #choose(): Link | undefined {
    let best: Link | undefined
    for (const link of this.#links) {
      if (link.isHeld || link.isRetired || link.isFull()) continue
      if (link.isOpen && link.load === 0) return link
      if (best === undefined || link.isBetterThan(best)) best = link
    }
    return this.#links.size < this.#options.max ? this.#add() : best
  }

  #add(): Link {
    const { lifetimeMs, events, onStatement } = this.#options
    const link: Link = new Link(this.#dial, {
      onStatement,
      onNotified: events?.notified,
      onAnswered: () => {
        this.#settle(link)
        this.#serve()
      },
      onClosed: () => {
        clearTimeout(retirement)
        this.#links.delete(link)
        if (events !== undefined) {
          this.#ended ??= Promise.withResolvers()
          events.closed()
        }
        this.#noteEnd()
        if (this.#ended === undefined) this.#serve()
      },
    })
    const retire = (): void => {
      link.isRetired = true
      this.#settle(link)
    }
    const retirement = lifetimeMs === undefined ? undefined : setTimeout(retire, lifetimeMs).unref()
    this.#links.add(link)
    return link
  }

  /** Closes an idle connection. */
  #settle(link: Link): void {
    const isOver = link.isRetired || (this.#ended !== undefined && this.#waiters.length === 0)
    if (isOver && link.load === 0 && !link.isHeld) link.close()
  }

  #noteEnd(): void {
    if (this.#links.size > 0 || this.#ended === undefined) return
    for (const { refuse } of this.#waiters.splice(0))
      refuse(connectionError('CONNECTION_ENDED', 'the connections are closed'))
    clearInterval(this.#watch)
    this.#ended.resolve()
  }
}

/** How long a statement may take until others no longer queue behind it. */
const STALLED_MS = 50
/** A statement in a pipeline can no longer take another connection that becomes idle. */
const MAX_PIPELINED = 8
/** The number of checks for a response within its timeout. */
const CHECKS = 8
/** Prepared statements are missing if a pooler has replaced the session. */
const NOT_PREPARED = '26000'
/** A table has changed since a statement was prepared. */
const STALE_PLAN = 'RevalidateCachedQuery'

interface Result {
  readonly rows: readonly object[]
  readonly command: string
}

interface LinkOptions {
  readonly onStatement: ((text: string) => void) | undefined
  readonly onNotified: ((payload: string) => void) | undefined
  readonly onAnswered: () => void
  readonly onClosed: () => void
}

/** One connection of a pool, including while it is being opened. */
class Link {
  /** Held by one user exclusively. */
  isHeld = false
  /** A longer timeout for responses than that of the pool, until the connection is released. */
  answerMs = 0
  /** Closed to new statements. */
  isRetired = false
  /** The number of pending statements. */
  load = 0
  readonly #options: LinkOptions
  /** Names of prepared statements by their text, and whether the database has accepted them. */
  readonly #prepared = new Map<string, { readonly name: string; isKnown: boolean }>()
  /** Queries to send once the connection is open. */
  #early: {
    readonly send: (opened: OpenConnection) => void
    readonly fail: (error: Error) => void
  }[] = []
  #opened: OpenConnection | undefined
  #isClosing = false
  #isClosed = false
  #heardBytes = 0
  #heardMs = 0
  /** When the database could begin with the oldest pending statement. */
  #oldestMs = 0

  constructor(dial: Dial, options: LinkOptions) {
    this.#options = options
    void dial().then(
      (opened) => this.#open(opened),
      (error: Error) => this.#closed(error),
    )
  }

  get isOpen(): boolean {
    return this.#opened !== undefined
  }

  /** Whether statements wait in the pool instead: its pipeline is long, or its oldest statement waits for a lock. */
  isFull(): boolean {
    if (!this.isOpen || this.load === 0) return false
    return this.load >= MAX_PIPELINED || performance.now() - this.#oldestMs > STALLED_MS
  }

  isBetterThan(other: Link): boolean {
    return this.isOpen === other.isOpen ? this.load < other.load : this.isOpen
  }

  #open(opened: OpenConnection): void {
    if (this.#isClosed) return void opened.socket.destroy()
    const { client } = opened
    client.on('error', () => this.break())
    client.once('end', () => this.#closed())
    const { onNotified } = this.#options
    if (onNotified !== undefined)
      client.on('notification', ({ payload = '' }) => onNotified(payload))
    this.#opened = opened
    this.#oldestMs = performance.now()
    for (const { send } of this.#early.splice(0)) send(opened)
    this.#options.onAnswered()
  }

  /** Queues a statement on the connection. */
  run(statement: Statement): Promise<readonly object[]> {
    if (this.isHeld && statement.answerMs !== undefined) this.answerMs = statement.answerMs
    return this.#ask(statement, ({ rows }) => rows)
  }

  /** Runs a command. @returns the command tag of the database */
  command(text: string): Promise<string> {
    return this.#ask({ text, isPrepared: false }, ({ command }) => command)
  }

  async #ask<T>(statement: Statement, pick: (result: Result) => T): Promise<T> {
    this.#begin(statement.text)
    try {
      return pick(await this.#attempt(statement))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const cause = this.#judge(statement, error)
      if (cause === undefined) return pick(await this.#attempt({ ...statement, isPrepared: false }))
      // The stack trace shows the caller, not the socket.
      Error.captureStackTrace(cause)
      throw cause
    } finally {
      this.#end()
    }
  }

  /** Sends a query that processes its own response. */
  submit(query: (CopyIn | CopyOut) & Submittable, text: string): void {
    this.#begin(text)
    query.content.once('close', () => this.#end())
    this.#send(
      (opened) => opened.client.query(query),
      (error) => query.content.destroy(error),
    )
  }

  /** Breaks the connection if a response is due and nothing has arrived within the timeout. */
  check(answerMs: number): void {
    const opened = this.#opened
    if (opened === undefined || this.load === 0) return
    const nowMs = performance.now()
    if (opened.socket.bytesRead !== this.#heardBytes) {
      this.#heardBytes = opened.socket.bytesRead
      this.#heardMs = nowMs
    } else if (nowMs - this.#heardMs >= Math.max(answerMs, this.answerMs))
      opened.socket.destroy(connectionError('ETIMEDOUT', 'the database has stopped to answer'))
  }

  /** Closes the idle connection. */
  close(): void {
    this.isRetired = true
    if (this.#isClosing || this.#isClosed || this.#opened === undefined) return
    this.#isClosing = true
    void this.#opened.close()
  }

  /** Breaks the connection, even with pending statements. */
  break(): void {
    this.isRetired = true
    if (this.#opened === undefined) this.#closed()
    else this.#opened.socket.destroy()
  }

  #closed(error = connectionError('ECONNRESET', 'the connection is closed')): void {
    if (this.#isClosed) return
    this.isRetired = this.#isClosed = true
    this.#options.onClosed()
    for (const { fail } of this.#early.splice(0)) fail(error)
  }

  #begin(text: string): void {
    this.#options.onStatement?.(text)
    if (this.load === 0) this.#heardMs = this.#oldestMs = performance.now()
    this.load += 1
  }

  #end(): void {
    this.load -= 1
    this.#oldestMs = performance.now()
    this.#options.onAnswered()
  }

  #send(send: (opened: OpenConnection) => void, fail: (error: Error) => void): void {
    if (this.#opened !== undefined) send(this.#opened)
    else if (this.isRetired) fail(connectionError('ECONNRESET', 'the connection is closed'))
    else this.#early.push({ send, fail })
  }

  #attempt({ text, values, isPrepared }: Statement): Promise<Result> {
    const prepared = isPrepared ? this.#prepare(text) : undefined
    return new Promise((resolve, reject) => {
      this.#send(({ client }) => {
        const name = prepared?.name
        client.query(
          { text, ...(values && { values }), ...(name && { name }) },
          (error, result) => {
            if (error) return reject(error)
            if (prepared) prepared.isKnown = true
            const last = Array.isArray(result) ? (result.at(-1) as typeof result) : result
            resolve(last)
          },
        )
      }, reject)
    })
  }

  #prepare(text: string): { readonly name: string; isKnown: boolean } {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    const prepared = { name: `s${this.#prepared.size}`, isKnown: false }
    this.#prepared.set(text, prepared)
    return prepared
  }

  /** The error of a failed statement; undefined if it can be sent again, unprepared. */
  #judge({ text, isPrepared }: Statement, error: Error & { code?: string; routine?: string }) {
    const explained = explain(error)
    if (error.code?.startsWith('57P')) this.isRetired = true
    if (!isPrepared) return explained
    if (error.routine === STALE_PLAN) {
      this.isRetired = true
      return this.isHeld ? explained : undefined
    }
    if (error.code !== NOT_PREPARED) return explained
    // The preceding statement, which should have prepared this one, failed.
    if (this.#prepared.get(text)?.isKnown === false) return undefined
    this.break()
    return connectionError('ECONNRESET', 'the session of the connection is another one')
  }
}

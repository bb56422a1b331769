import type { Schema } from '#domain/collection.ts'
import { ApiError } from '#domain/error.ts'
import { REALTIME_LIMITS } from '#domain/limits.ts'

import { GUEST, type Caller } from '../caller.ts'
import type { Sql } from '../db/sql.ts'
import { RETRY_AFTER_S } from '../limits.ts'
import { OperatorError } from '../problem.ts'
import type { Records } from '../records/records.ts'
import { Delivery } from './delivery.ts'
import { openListener, type Listener } from './listen.ts'
import { Messages, type Message, type Outcome, type ProviderAnswer } from './messages.ts'
import { send, Streams, type Change, type Peer, type Sink, type Stream } from './streams.ts'
import { parseTopic, SIGN_IN_TOPIC } from './topic.ts'

export type { Peer, Sink } from './streams.ts'

/**
 * Sends events to clients (record interface 6). It is independent of HTTP, and of the process that made a change:
 * every process receives changes from the database.
 */
export interface Realtime {
  /** Resolves once every later commit will be received. @throws if the database does not respond */
  ready(): Promise<void>
  /** Adds a client; call it after `ready` has resolved. @returns a function that removes the client */
  connect(peer: Peer, sink: Sink): () => void
  /**
   * Replaces the subscriptions of a client, and sets its identity to the caller. Another process may hold the
   * stream of the client.
   * @throws ApiError 400 if the client is not the peer's, 403 for another identity than before, 404, 429 if the account
   * has too many subscriptions
   */
  subscribe(
    clientId: string,
    peer: Peer,
    caller: Caller,
    subscriptions: readonly string[],
  ): Promise<void>
  /** Passes the provider's response to the client of the same browser that waits for it, in any process. */
  handOver(clientId: string, peer: Peer, answer: ProviderAnswer): Promise<boolean>
  /** Deletes expired data of realtime from the database. */
  sweep(): Promise<void>
  /** The number of clients connected to this process. */
  streams(): number
  /** Tells every client when to reconnect and ends its stream, so that clients connect to another server. */
  close(): Promise<void>
}

export interface RealtimeDeps {
  readonly sql: Sql
  readonly schema: Schema
  readonly records: Pick<Records, 'readEvents'>
  readonly onProblem: (error: unknown) => void
  /** The interval of heartbeats, and of the check for expired sessions. */
  readonly heartbeatMs: number
}

/** The idle timeout of the listening connection after the last client has left. */
const IDLE_MS = 30_000
const CLIENT_ID = /^[a-z0-9]{40}$/
/** The reconnection delay after a stop: random, so that clients do not all reconnect at the same time. */
const reconnectMs = (): number => 500 + Math.floor(Math.random() * 2500)

export const createRealtime = (deps: RealtimeDeps): Realtime => {
  const hub = new Hub(deps)
  const ask = async (clientId: string, message: Message): Promise<Outcome> => {
    const stream = hub.streams.find(clientId)
    if (stream !== undefined) return hub.handle(stream, message)
    if (!CLIENT_ID.test(clientId)) return 404
    await hub.listen()
    return hub.messages.ask(clientId, message)
  }
  return {
    ready: () => hub.listen(),
    connect: (peer, sink) => hub.connect(peer, sink),
    subscribe: async (clientId, peer, caller, subscriptions) => {
      const outcome = await ask(clientId, { kind: 'subscribe', peer, caller, subscriptions })
      if (outcome === 429)
        throw new ApiError(429, undefined, {}, { retryAfterS: RETRY_AFTER_S.streams })
      if (outcome !== 204) throw new ApiError(outcome, REFUSALS[outcome])
    },
    handOver: async (clientId, peer, answer) =>
      (await ask(clientId, { kind: 'answer', peer, answer })) === 204,
    sweep: () => sweep(deps.sql),
    streams: () => hub.streams.size,
    close: () => hub.close(),
  }
}

const REFUSALS = {
  400: 'Invalid realtime client.',
  403: "The current and the previous request authorization don't match.",
  404: 'Missing or invalid client id.',
} as const

/** The streams of this process, and the connection that receives changes while there are any. */
class Hub {
  readonly streams = new Streams(() => this.#unlistenWhenIdle())
  readonly messages: Messages
  readonly #deps: RealtimeDeps
  readonly #delivery: Delivery
  readonly #heartbeat: NodeJS.Timeout
  #listening: Promise<Listener> | undefined
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(deps: RealtimeDeps) {
    const { sql, records, onProblem, heartbeatMs } = deps
    this.#deps = deps
    this.messages = new Messages(sql, onProblem)
    this.#delivery = new Delivery({
      streams: this.streams,
      readEvents: records.readEvents,
      catchUp: () => this.#catchUp(),
      onProblem,
    })
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs).unref()
  }

  async listen(): Promise<void> {
    if (this.#isClosed) throw new ApiError(503, undefined, {}, { retryAfterS: 1 })
    this.#listening ??= openListener(this.#deps.sql, {
      heard: (text) => this.#receive(text),
      lost: () => this.#lost(),
    }).catch((error: unknown) => {
      this.#listening = undefined
      throw error
    })
    await this.#listening
    this.#unlistenWhenIdle()
  }

  connect(peer: Peer, sink: Sink): () => void {
    const stream = this.streams.add(peer, sink)
    // The connection may have been lost again in the meantime.
    if (this.#listening === undefined) this.streams.end(stream)
    return () => this.streams.remove(stream)
  }

  /** Applies a message to a stream of this process. */
  async handle(stream: Stream, message: Message): Promise<Outcome> {
    const { sql, schema } = this.#deps
    if (message.kind === 'answer')
      return isSameBrowser(stream.peer, message.peer) ? handOver(stream, message.answer) : 404
    if (!isSameClient(stream.peer, message.peer)) return 400
    const [before, now] = await Promise.all([
      currentCaller(sql, stream.caller),
      currentCaller(sql, message.caller),
    ])
    if (before.id !== null && before.id !== now.id) return 403
    // Changes that were committed before the subscription are received first, and not sent to it.
    await this.#catchUp()
    if (this.streams.find(stream.id) === undefined) return 404
    const others = now.id === null ? 0 : this.streams.subscriptionsOf(now.id, stream)
    if (others + message.subscriptions.length > REALTIME_LIMITS.subscriptionsPerAccount) return 429
    const topics = message.subscriptions.map((text) => [text, parseTopic(schema, text)] as const)
    this.streams.subscribe(stream, now, new Map(topics))
    return 204
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#heartbeat)
    clearTimeout(this.#idle)
    for (const { sink } of this.streams.all()) sink.write(`retry:${reconnectMs()}\n\n`)
    this.#endAll()
    await this.#unlisten()
    await this.#delivery.settled()
  }

  #receive(text: string): void {
    const [verb = '', ...words] = text.split(' ')
    const [first = '', second = '', entry = '', owner] = words
    switch (verb) {
      case 'ended':
        return this.streams.endOf(first)
      case 'outcome':
        return this.messages.settle(first, Number(second) as Outcome)
      case 'message': {
        const stream = this.streams.find(second)
        if (stream !== undefined)
          void this.messages.answer(first, (message) => this.handle(stream, message))
        return
      }
      default: {
        const action = verb as Change['action']
        this.#delivery.add({ action, collection: first, id: second, entry, owner })
      }
    }
  }

  /** Changes are missed until the connection is back: clients have to reconnect and read everything. */
  #lost(): void {
    if (!this.#isClosed)
      this.#deps.onProblem(new OperatorError('the connection that listens for changes was lost'))
    void this.#unlisten()
    this.#endAll()
  }

  #endAll(): void {
    this.#delivery.clear()
    this.streams.endAll()
  }

  async #catchUp(): Promise<void> {
    await (await this.#listening)?.check()
  }

  async #unlisten(): Promise<void> {
    const listener = this.#listening
    this.#listening = undefined
    await (await listener?.catch(() => undefined))?.close().catch(this.#deps.onProblem)
  }

  #unlistenWhenIdle(): void {
    clearTimeout(this.#idle)
    if (this.streams.size > 0 || this.#listening === undefined) return
    this.#idle = setTimeout(() => {
      if (this.streams.size === 0) void this.#unlisten()
    }, IDLE_MS).unref()
  }

  #beat(): void {
    const { sql, onProblem } = this.#deps
    if (this.streams.size === 0) return
    for (const { sink } of this.streams.all()) sink.write(':\n\n')
    void this.#listening?.then((listener) => listener.check(), onProblem)
    endExpired(sql, this.streams).catch(onProblem)
    sweep(sql).catch(onProblem)
  }
}

const handOver = (stream: Stream, { code, error }: ProviderAnswer): Outcome => {
  if (!stream.topics.has(SIGN_IN_TOPIC)) return 404
  const data = { state: stream.id, code, ...(error !== '' && { error }) }
  send(stream, SIGN_IN_TOPIC, JSON.stringify(data))
  stream.topics = new Map([...stream.topics].filter(([name]) => name !== SIGN_IN_TOPIC))
  return 204
}

/**
 * Only the cookie counts: whole offices share an address, and the code that is handed over gives access to a session.
 */
const isSameBrowser = (one: Peer, other: Peer): boolean =>
  one.browser !== undefined && one.browser === other.browser

/**
 * Whether two requests come from the same client. Its address can change in between (two networks, a proxy), and a
 * browser is identified by its cookie; one of the two must match.
 */
const isSameClient = (one: Peer, other: Peer): boolean =>
  one.address === other.address || isSameBrowser(one, other)

/** The caller, or a guest if the session has ended. */
const currentCaller = async (sql: Sql, caller: Caller): Promise<Caller> => {
  if (caller.sessionId === null) return GUEST
  const [alive] = await sql`
    select 1 from sessions where id = ${caller.sessionId} and expires > now()`
  return alive === undefined ? GUEST : caller
}

/** Ends the streams of expired sessions, which the database does not announce. */
const endExpired = async (sql: Sql, streams: Streams): Promise<void> => {
  const sessionOf = (stream: Stream): string => stream.caller.sessionId ?? ''
  const signedIn = streams.all().filter((stream) => stream.caller.sessionId !== null)
  if (signedIn.length === 0) return
  const rows = await sql<{ id: string }[]>`
    select id from sessions where id = any(${signedIn.map(sessionOf)}) and expires > now()`
  const alive = new Set(rows.map(({ id }) => id))
  const expired = new Set(signedIn.map(sessionOf).filter((id) => !alive.has(id)))
  for (const stream of signedIn) if (expired.has(sessionOf(stream))) streams.end(stream)
}

const sweep = async (sql: Sql): Promise<void> => {
  await sql`
    delete from change_log where not kept and created < now() - interval '5 minutes'`
  await sql`delete from realtime_messages where sent < now() - interval '5 minutes'`
}

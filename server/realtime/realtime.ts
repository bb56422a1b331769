import { isPublic, type Schema } from '#domain/collection.ts'
import { ApiError } from '#domain/error.ts'

import { GUEST, type Caller } from '../caller.ts'
import type { Sql } from '../db/sql.ts'
import { randomText } from '../db/random.ts'
import type { EventRecord, Records } from '../records/records.ts'
import { OperatorError } from '../problem.ts'
import { announce, openListener, type Listener } from './listen.ts'
import { parseTopic, SIGN_IN_TOPIC, type RecordTopic } from './topic.ts'

/** Where a client's requests come from. */
export interface Peer {
  readonly address: string
  /** What the browser was given to be known again by; absent outside of browsers. */
  readonly browser: string | undefined
}

/** The way to a client. A sink that is full or gone ends itself. */
export interface Sink {
  write(text: string): void
  end(): void
}

/** What the sign-in provider sent a browser back with. */
export interface ProviderAnswer {
  readonly code: string
  /** Empty when all went well. */
  readonly error: string
}

/**
 * Tells clients of changes (record interface 6). It knows nothing of HTTP, and nothing of which
 * process a change was made in: all hear of it from the database.
 */
export interface Realtime {
  /** Resolves once whatever is committed from then on is heard. @throws when the database cannot be reached */
  ready(): Promise<void>
  /** Takes in a client when all is ready. @returns how to let go of it */
  connect(peer: Peer, sink: Sink): () => void
  /**
   * Replaces what a client subscribes to, and makes the caller its identity. The client's stream
   * may be held by another process.
   * @throws ApiError 400 when the client is not the peer's, 403 for another identity than before, 404
   */
  subscribe(
    clientId: string,
    peer: Peer,
    caller: Caller,
    subscriptions: readonly string[],
  ): Promise<void>
  /** Hands the provider's answer to the client that waits for it, in whichever process. */
  handOver(clientId: string, peer: Peer, answer: ProviderAnswer): Promise<boolean>
  /** Forgets the states that were kept to tell of them. */
  sweep(): Promise<void>
  /** How many clients are connected to this process. */
  streams(): number
  /** Tells every client when to come back and ends its stream, so that clients connect elsewhere. */
  close(): Promise<void>
}

export interface RealtimeDeps {
  readonly sql: Sql
  readonly schema: Schema
  readonly records: Pick<Records, 'readEvents'>
  readonly onProblem: (error: unknown) => void
  /** How often a stream says something, and whether its session is over is looked at. */
  readonly heartbeatMs: number
}

/** How long the database connection outlives the last client. */
const LINGER_MS = 30_000
/** How long another process may take to answer for a client of its own. */
const ANSWER_MS = 2_000
/** Changes that are read together. */
const BATCH = 200
/** Further behind than this, reading everything anew is quicker. */
const MAX_BEHIND = 50_000
/** When clients of a server that stops come back: not all in one moment. */
const backMs = (): number => 500 + Math.floor(Math.random() * 2500)
const KEPT = '5 minutes'
const CLIENT_ID = /^[a-z0-9]{40}$/

interface Stream {
  readonly id: string
  readonly peer: Peer
  readonly sink: Sink
  caller: Caller
  /** By the subscription as it was sent, which is also the name of its events. */
  topics: ReadonlyMap<string, RecordTopic | undefined>
}

/** A committed write, as the database announces it: ids alone. */
interface Change {
  readonly action: 'create' | 'update' | 'delete'
  readonly collection: string
  readonly id: string
  /** The id of the entry of the change log. */
  readonly entry: string
  readonly owner: string | undefined
}

/** Its streams end once they have told what ended with it. */
const isEndOfAccount = ({ action, collection }: Change): boolean =>
  action === 'delete' && collection === 'users'

/** What one process asks of another about a client. */
type Message =
  | {
      readonly kind: 'subscribe'
      readonly peer: Peer
      readonly caller: Caller
      readonly subscriptions: readonly string[]
    }
  | { readonly kind: 'answer'; readonly peer: Peer; readonly answer: ProviderAnswer }

/** What came of a message, as a status of HTTP. */
type Outcome = 204 | 400 | 403 | 404

export const createRealtime = ({
  sql,
  schema,
  records,
  onProblem,
  heartbeatMs,
}: RealtimeDeps): Realtime => {
  const streams = new Map<string, Stream>()
  const readers = new Readers()
  const awaited = new Map<string, (outcome: Outcome) => void>()
  let closed = false

  // The connection on which changes are heard

  let listening: Promise<Listener> | undefined
  const listen = (): Promise<Listener> => {
    if (closed) throw new ApiError(503, undefined, {}, { retryAfterS: 1 })
    listening ??= openListener(sql, { heard, lost }).catch((error: unknown) => {
      listening = undefined
      throw error
    })
    return listening
  }
  const unlisten = async (): Promise<void> => {
    const listener = listening
    listening = undefined
    await (await listener?.catch(() => undefined))?.close().catch(onProblem)
  }
  /** Whatever was committed meanwhile is not known: clients have to connect and read anew. */
  const lost = (): void => {
    if (!closed) onProblem(new OperatorError('the connection that hears of changes was lost'))
    void unlisten()
    endAll()
  }
  const endAll = (): void => {
    queue.length = 0
    for (const stream of streams.values()) end(stream)
  }
  const end = (stream: Stream): void => {
    forget(stream)
    stream.sink.end()
  }
  /** Its sessions are over: a client that comes back comes as whoever it is by then. */
  const endOf = (account: string | undefined): void => {
    for (const stream of streams.values()) if (stream.caller.id === account) end(stream)
  }
  /** Nobody says when the time of a session has passed. */
  const endExpired = async (): Promise<void> => {
    const sessionOf = (stream: Stream): string => stream.caller.sessionId ?? ''
    const asked = [...streams.values()].filter((stream) => stream.caller.sessionId !== null)
    if (asked.length === 0) return
    const rows = await sql<{ id: string }[]>`
      select id from sessions where id = any(${asked.map(sessionOf)}) and expires > now()`
    const alive = new Set(rows.map(({ id }) => id))
    const over = new Set(asked.map(sessionOf).filter((id) => !alive.has(id)))
    for (const stream of asked) if (over.has(sessionOf(stream))) end(stream)
  }
  const forget = (stream: Stream): void => {
    streams.delete(stream.id)
    readers.remove(stream)
    rest()
  }

  let resting: NodeJS.Timeout | undefined
  const rest = (): void => {
    clearTimeout(resting)
    if (streams.size > 0 || listening === undefined) return
    resting = setTimeout(() => {
      if (streams.size === 0) void unlisten()
    }, LINGER_MS).unref()
  }

  const sweep = async (): Promise<void> => {
    await sql`delete from change_log where not kept and created < now() - ${KEPT}::interval`
    await sql`delete from realtime_messages where sent < now() - ${KEPT}::interval`
  }
  const heartbeat = setInterval(() => {
    if (streams.size === 0) return
    for (const stream of streams.values()) stream.sink.write(':\n\n')
    void listening?.then((listener) => listener.check(), onProblem)
    endExpired().catch(onProblem)
    sweep().catch(onProblem)
  }, heartbeatMs).unref()

  // Changes

  const queue: Change[] = []
  let delivering: Promise<void> | undefined

  const heard = (text: string): void => {
    const [verb = '', ...rest_] = text.split(' ')
    if (verb === 'message') return void receive(...(rest_ as [string, string]))
    if (verb === 'ended') return endOf(rest_[0])
    if (verb === 'outcome') return awaited.get(rest_[0] ?? '')?.(Number(rest_[1]) as Outcome)
    const [collection = '', id = '', entry = '', owner] = rest_
    const change = { action: verb as Change['action'], collection, id, entry, owner }
    if (!isEndOfAccount(change) && readers.wanting(change).length === 0) return
    queue.push(change)
    if (queue.length > MAX_BEHIND) return endAll()
    delivering ??= deliver().finally(() => {
      delivering = undefined
    })
  }

  /** One after the other: what is committed first is told first. */
  const deliver = async (): Promise<void> => {
    const left = new Set<string>()
    await tell(left)
    if (left.size === 0) return
    // What went with an account is announced after it, in the same commit.
    await (await listening)?.check()
    await tell(left)
    left.forEach(endOf)
  }
  /** Tells everything that was heard, and notes the accounts that were deleted. */
  const tell = async (left: Set<string>): Promise<void> => {
    while (queue.length > 0) {
      const changes = queue.splice(0, BATCH)
      for (const change of changes) if (isEndOfAccount(change)) left.add(change.id)
      const wanted = changes.flatMap((change) =>
        readers.wanting(change).map((want) => ({ ...want, change })),
      )
      const readings = new Map<string, Reading>()
      const told = wanted.map(({ stream, subscription, topic, change }) => {
        const { caller } = stream
        const key = readingKey(caller, topic)
        const reading = readings.get(key) ?? new Reading(records.readEvents, caller, topic)
        readings.set(key, reading)
        reading.add(change)
        return { stream, subscription, caller, change, reading }
      })
      await Promise.all([...readings.values()].map((reading) => reading.run(onProblem)))
      for (const { stream, subscription, caller, change, reading } of told) {
        // Subscriptions may have been replaced meanwhile.
        const isWanted = stream.topics.has(subscription) && stream.caller.id === caller.id
        if (!streams.has(stream.id) || !isWanted) continue
        const record = reading.find(change)
        // A client that is told a part would take it for the whole.
        if (reading.failed) end(stream)
        else if (record !== undefined)
          send(
            stream,
            subscription,
            `{"record":${record.body},"action":"${change.action}","etag":${JSON.stringify(record.etag)}}`,
          )
      }
    }
  }

  /** One space behind a colon is not part of the value. */
  const send = (stream: Stream, event: string, data: string): void =>
    stream.sink.write(
      `id:${stream.id}\nevent:${event.replace(/^ /, '  ')}\ndata:${data.replaceAll(/[\r\n]+/g, ' ')}\n\n`,
    )

  // Messages about a client, which another process may hold

  const handle = async (stream: Stream, message: Message): Promise<Outcome> => {
    if (!isSamePeer(stream.peer, message.peer)) return message.kind === 'answer' ? 404 : 400
    if (message.kind === 'answer') {
      if (!stream.topics.has(SIGN_IN_TOPIC)) return 404
      const { code, error } = message.answer
      const data = { state: stream.id, code, ...(error !== '' && { error }) }
      send(stream, SIGN_IN_TOPIC, JSON.stringify(data))
      stream.topics = new Map([...stream.topics].filter(([name]) => name !== SIGN_IN_TOPIC))
      return 204
    }
    const [before, now] = await Promise.all([prove(sql, stream.caller), prove(sql, message.caller)])
    if (before.id !== null && before.id !== now.id) return 403
    // What was committed before is heard before this answer, and told to nobody who asks only now.
    await (await listening)?.check()
    if (!streams.has(stream.id)) return 404
    readers.remove(stream)
    stream.caller = now
    stream.topics = new Map(message.subscriptions.map((text) => [text, parseTopic(schema, text)]))
    readers.add(stream)
    return 204
  }

  const deal = async (clientId: string, message: Message): Promise<Outcome> => {
    const stream = streams.get(clientId)
    if (stream !== undefined) return handle(stream, message)
    return CLIENT_ID.test(clientId) ? ask(clientId, message) : 404
  }

  /** Puts a message where the other processes find it; nobody answers for a client that is gone. */
  const ask = async (clientId: string, message: Message): Promise<Outcome> => {
    await listen()
    rest()
    const id = randomText(20)
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    awaited.set(id, resolve)
    const timer = setTimeout(() => {
      resolve(404)
      sql`delete from realtime_messages where id = ${id}`.catch(onProblem)
    }, ANSWER_MS)
    try {
      const [sent] = await sql`
        insert into realtime_messages (id, client, message)
        select ${id}, ${clientId}, ${JSON.stringify(message)}::text::jsonb
        where (select count(*) from listeners) > 1 returning id`
      if (sent === undefined) return 404
      await announce(sql, `message ${id} ${clientId}`)
      return await promise
    } finally {
      clearTimeout(timer)
      awaited.delete(id)
    }
  }

  const receive = async (id: string, clientId: string): Promise<void> => {
    const stream = streams.get(clientId)
    if (stream === undefined) return
    try {
      const [row] = await sql<{ message: Message }[]>`
        delete from realtime_messages where id = ${id} returning message`
      if (row !== undefined)
        await announce(sql, `outcome ${id} ${await handle(stream, row.message)}`)
    } catch (error) {
      onProblem(error)
    }
  }

  return {
    ready: async () => {
      await listen()
      rest()
    },
    connect: (peer, sink) => {
      const id = randomText(40)
      const stream: Stream = { id, peer, sink, caller: GUEST, topics: new Map() }
      streams.set(id, stream)
      send(stream, 'PB_CONNECT', JSON.stringify({ clientId: id }))
      // It may have been lost again meanwhile.
      if (listening === undefined) end(stream)
      return () => forget(stream)
    },
    subscribe: async (clientId, peer, caller, subscriptions) => {
      const outcome = await deal(clientId, { kind: 'subscribe', peer, caller, subscriptions })
      if (outcome !== 204) throw new ApiError(outcome, REFUSALS[outcome])
    },
    handOver: async (clientId, peer, answer) =>
      (await deal(clientId, { kind: 'answer', peer, answer })) === 204,
    sweep,
    streams: () => streams.size,
    close: async () => {
      closed = true
      clearInterval(heartbeat)
      clearTimeout(resting)
      for (const { sink } of streams.values()) sink.write(`retry:${backMs()}\n\n`)
      endAll()
      await unlisten()
      await delivering
    },
  }
}

const REFUSALS = {
  400: 'Invalid realtime client.',
  403: "The current and the previous request authorization don't match.",
  404: 'Missing or invalid client id.',
} as const

/**
 * Is it the same client? Its address can change in between (two networks, a proxy), and a browser is
 * known again by what it was given; one of the two has to fit.
 */
const isSamePeer = (one: Peer, other: Peer): boolean =>
  one.address === other.address || (one.browser !== undefined && one.browser === other.browser)

/** Who a caller is now: a guest, once the session is over. */
const prove = async (sql: Sql, caller: Caller): Promise<Caller> => {
  if (caller.sessionId === null) return GUEST
  const [alive] = await sql`
    select 1 from sessions where id = ${caller.sessionId} and expires > now()`
  return alive === undefined ? GUEST : caller
}

interface Want {
  readonly stream: Stream
  readonly subscription: string
  readonly topic: RecordTopic
}

/** Audiences other than the owner of that id; no id has these lengths. */
const SUPERUSERS = 'superusers'
/** Those who subscribe to records that everybody may read. */
const EVERYBODY = 'everybody'

/** Who might see a change, found without looking at every stream. */
class Readers {
  readonly #streams = new Map<string, Set<Stream>>()

  add(stream: Stream): void {
    for (const audience of audiencesOf(stream)) {
      const known = this.#streams.get(audience) ?? new Set()
      this.#streams.set(audience, known.add(stream))
    }
  }

  remove(stream: Stream): void {
    for (const audience of audiencesOf(stream)) {
      const known = this.#streams.get(audience)
      known?.delete(stream)
      if (known?.size === 0) this.#streams.delete(audience)
    }
  }

  wanting({ collection, id, owner }: Change): Want[] {
    const able = new Set([
      ...(this.#streams.get(owner ?? '') ?? []),
      ...(this.#streams.get(SUPERUSERS) ?? []),
      ...(this.#streams.get(EVERYBODY) ?? []),
    ])
    return [...able].flatMap((stream) =>
      [...stream.topics].flatMap(([subscription, topic]) =>
        topic?.collection.name === collection && (topic.id === '*' || topic.id === id)
          ? [{ stream, subscription, topic }]
          : [],
      ),
    )
  }
}

const audiencesOf = ({ caller, topics }: Stream): readonly string[] => {
  const own = caller.superuser ? SUPERUSERS : caller.id
  const isOpen = [...topics.values()].some((topic) => topic && isPublic(topic.collection))
  return [...(own === null ? [] : [own]), ...(isOpen ? [EVERYBODY] : [])]
}

const readingKey = ({ sessionId }: Caller, { collection, query }: RecordTopic): string =>
  JSON.stringify([sessionId, collection.name, query.filter, query.expand, query.fields])

/** The entries of the change log that one caller may see in one way, read in one statement. */
class Reading {
  failed = false
  readonly #readEvents: Records['readEvents']
  readonly #caller: Caller
  readonly #topic: RecordTopic
  readonly #entries = new Set<string>()
  #records: ReadonlyMap<string, EventRecord> = new Map()

  constructor(readEvents: Records['readEvents'], caller: Caller, topic: RecordTopic) {
    this.#readEvents = readEvents
    this.#caller = caller
    this.#topic = topic
  }

  add({ entry }: Change): void {
    this.#entries.add(entry)
  }

  async run(onProblem: (error: unknown) => void): Promise<void> {
    const { collection, query } = this.#topic
    try {
      const found = await this.#readEvents(this.#caller, collection, query, [...this.#entries])
      this.#records = new Map(found.map((record) => [record.entry, record]))
    } catch (error) {
      // A query that cannot be read matches nothing.
      if (error instanceof ApiError && error.status < 500) return
      onProblem(error)
      this.failed = true
    }
  }

  find({ entry }: Change): EventRecord | undefined {
    return this.#records.get(entry)
  }
}

import { isPublic } from '#domain/collection.ts'

import { GUEST, type Caller } from '../caller.ts'
import { randomText } from '../db/random.ts'
import type { RecordTopic } from './topic.ts'

/** The origin of a client's requests. */
export interface Peer {
  readonly address: string
  /** A random value from the browser's cookie; absent outside of browsers. */
  readonly browser: string | undefined
}

/** The output to a client. A sink that is full or closed ends itself. */
export interface Sink {
  write(text: string): void
  end(): void
}

/** An event stream of one client. */
export interface Stream {
  readonly id: string
  readonly peer: Peer
  readonly sink: Sink
  caller: Caller
  /** By the subscription as it was sent, which is also the event name. */
  topics: ReadonlyMap<string, RecordTopic | undefined>
}

/** A committed write, as the database announces it: only ids. */
export interface Change {
  readonly action: 'create' | 'update' | 'delete'
  readonly collection: string
  readonly id: string
  /** The id of the change log entry. */
  readonly entry: string
  readonly owner: string | undefined
}

/** A subscription that may receive a change, if the access rules allow it. */
export interface Subscriber {
  readonly stream: Stream
  readonly subscription: string
  readonly topic: RecordTopic
}

/** Keys of audiences other than the owner with that id; no id has these lengths. */
const SUPERUSERS = 'superusers'
/** Streams that subscribe to records which everybody may read. */
const EVERYBODY = 'everybody'

/** The event streams of this process, indexed by the changes that they may receive. It does not use the database. */
export class Streams {
  readonly #byId = new Map<string, Stream>()
  readonly #byAudience = new Map<string, Set<Stream>>()
  readonly #onRemoved: () => void

  /** @param onRemoved called after a stream was removed */
  constructor(onRemoved: () => void) {
    this.#onRemoved = onRemoved
  }

  get size(): number {
    return this.#byId.size
  }

  all(): readonly Stream[] {
    return [...this.#byId.values()]
  }

  find(id: string): Stream | undefined {
    return this.#byId.get(id)
  }

  /** Adds the stream of a guest without subscriptions, and tells the client its id. */
  add(peer: Peer, sink: Sink): Stream {
    const id = randomText(40)
    const stream: Stream = { id, peer, sink, caller: GUEST, topics: new Map() }
    this.#byId.set(id, stream)
    send(stream, 'PB_CONNECT', JSON.stringify({ clientId: id }))
    return stream
  }

  /** The number of subscriptions of an account, without those of one stream. */
  subscriptionsOf(account: string, except: Stream): number {
    let sum = 0
    for (const stream of this.#byId.values())
      if (stream.caller.id === account && stream !== except) sum += stream.topics.size
    return sum
  }

  /** Replaces the caller and the topics of a stream. */
  subscribe(stream: Stream, caller: Caller, topics: Stream['topics']): void {
    this.#leaveAudiences(stream)
    stream.caller = caller
    stream.topics = topics
    for (const audience of audiencesOf(stream)) {
      const known = this.#byAudience.get(audience) ?? new Set()
      this.#byAudience.set(audience, known.add(stream))
    }
  }

  remove(stream: Stream): void {
    this.#byId.delete(stream.id)
    this.#leaveAudiences(stream)
    this.#onRemoved()
  }

  end(stream: Stream): void {
    this.remove(stream)
    stream.sink.end()
  }

  endAll(): void {
    for (const stream of this.all()) this.end(stream)
  }

  /** Ends the streams of an account, or those of all guests. */
  endOf(account: Caller['id']): void {
    for (const stream of this.all()) if (stream.caller.id === account) this.end(stream)
  }

  /** Finds the subscribers of a change without scanning every stream. */
  subscribersOf({ collection, id, owner }: Change): readonly Subscriber[] {
    const matching = (audience: string, isAble = (_topic: RecordTopic) => true): Subscriber[] =>
      [...(this.#byAudience.get(audience) ?? [])].flatMap((stream) =>
        [...stream.topics].flatMap(([subscription, topic]) =>
          topic?.collection.name === collection &&
          (topic.id === '*' || topic.id === id) &&
          isAble(topic)
            ? [{ stream, subscription, topic }]
            : [],
        ),
      )
    const own = [...matching(owner ?? ''), ...matching(SUPERUSERS)]
    const subscribed = new Set(own.map(({ stream }) => stream))
    const others = matching(EVERYBODY, (topic) => isPublic(topic.collection))
    return [...own, ...others.filter(({ stream }) => !subscribed.has(stream))]
  }

  #leaveAudiences(stream: Stream): void {
    for (const audience of audiencesOf(stream)) {
      const known = this.#byAudience.get(audience)
      known?.delete(stream)
      if (known?.size === 0) this.#byAudience.delete(audience)
    }
  }
}

const audiencesOf = ({ caller, topics }: Stream): readonly string[] => {
  const own = caller.superuser ? SUPERUSERS : caller.id
  const isOpen = [...topics.values()].some((topic) => topic && isPublic(topic.collection))
  return [...(own === null ? [] : [own]), ...(isOpen ? [EVERYBODY] : [])]
}

/** Writes one event. One space after a colon is not part of the value. */
export const send = (stream: Stream, event: string, data: string): void =>
  stream.sink.write(
    `id:${stream.id}\nevent:${event.replace(/^ /, '  ')}\ndata:${data.replaceAll(/[\r\n]+/g, ' ')}\n\n`,
  )

import { ApiError } from '#domain/error.ts'

import type { Caller } from '../caller.ts'
import type { EventRecord, Records } from '../records/records.ts'
import { send, type Change, type Streams } from './streams.ts'
import type { RecordTopic } from './topic.ts'

export interface DeliveryDeps {
  readonly streams: Streams
  readonly readEvents: Records['readEvents']
  /** Resolves once everything that was committed before has been queued. */
  readonly catchUp: () => Promise<void>
  readonly onProblem: (error: unknown) => void
}

/** The number of changes that are read together. */
const BATCH = 200
/** Beyond this queue length, it is faster for clients to read everything again. */
const MAX_QUEUED = 50_000

/** The streams of a deleted account end after the events of its deletion. */
const endsAccount = ({ action, collection }: Change): boolean =>
  action === 'delete' && collection === 'users'

/** Sends changes to their subscribers, in commit order. */
export class Delivery {
  readonly #deps: DeliveryDeps
  #queue: Change[] = []
  #running: Promise<void> | undefined

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
  }

  add(change: Change): void {
    const { streams } = this.#deps
    if (!endsAccount(change) && streams.subscribersOf(change).length === 0) return
    this.#queue.push(change)
    if (this.#queue.length > MAX_QUEUED) {
      this.clear()
      return streams.endAll()
    }
    this.#running ??= this.#deliver().finally(() => {
      this.#running = undefined
    })
  }

  /** Drops the queued changes. */
  clear(): void {
    this.#queue = []
  }

  async settled(): Promise<void> {
    await this.#running
  }

  async #deliver(): Promise<void> {
    const { streams, catchUp } = this.#deps
    const ended = new Set<string>()
    await this.#tellQueued(ended)
    if (ended.size === 0) return
    // Deletions that cascade from an account are announced after it, in the same commit.
    await catchUp()
    await this.#tellQueued(ended)
    for (const account of ended) streams.endOf(account)
  }

  /** @param ended receives the deleted accounts */
  async #tellQueued(ended: Set<string>): Promise<void> {
    while (this.#queue.length > 0) {
      const changes = this.#queue.splice(0, BATCH)
      for (const change of changes) if (endsAccount(change)) ended.add(change.id)
      await this.#tell(changes)
    }
  }

  async #tell(changes: readonly Change[]): Promise<void> {
    const { streams, readEvents, onProblem } = this.#deps
    const readings = new Map<string, Reading>()
    const wanted = changes.flatMap((change) =>
      streams.subscribersOf(change).map(({ stream, subscription, topic }) => {
        const { caller } = stream
        const key = readingKey(caller, topic)
        const reading = readings.get(key) ?? new Reading(caller, topic)
        readings.set(key, reading)
        reading.entries.add(change.entry)
        return { stream, subscription, caller, change, reading }
      }),
    )
    await Promise.all([...readings.values()].map((reading) => reading.run(readEvents, onProblem)))
    for (const { stream, subscription, caller, change, reading } of wanted) {
      // The subscriptions may have been replaced meanwhile.
      const isWanted = stream.topics.has(subscription) && stream.caller.id === caller.id
      if (streams.find(stream.id) === undefined || !isWanted) continue
      const record = reading.records.get(change.entry)
      // The client would not notice a missed event.
      if (reading.failed) streams.end(stream)
      else if (record !== undefined) send(stream, subscription, eventOf(change, record))
    }
  }
}

const eventOf = ({ action }: Change, { body, etag }: EventRecord): string =>
  `{"record":${body},"action":"${action}","etag":${JSON.stringify(etag)}}`

const readingKey = ({ sessionId }: Caller, { collection, query }: RecordTopic): string =>
  JSON.stringify([sessionId, collection.name, query.filter, query.expand, query.fields])

/** The change log entries that one caller sees through one query, read in one statement. */
class Reading {
  readonly entries = new Set<string>()
  records: ReadonlyMap<string, EventRecord> = new Map()
  failed = false
  readonly #caller: Caller
  readonly #topic: RecordTopic

  constructor(caller: Caller, topic: RecordTopic) {
    this.#caller = caller
    this.#topic = topic
  }

  async run(readEvents: Records['readEvents'], onProblem: (error: unknown) => void): Promise<void> {
    const { collection, query } = this.#topic
    try {
      const found = await readEvents(this.#caller, collection, query, [...this.entries])
      this.records = new Map(found.map((record) => [record.entry, record]))
    } catch (error) {
      // An invalid query matches nothing.
      if (error instanceof ApiError && error.status < 500) return
      onProblem(error)
      this.failed = true
    }
  }
}

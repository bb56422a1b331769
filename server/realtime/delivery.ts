import { ApiError } from '#domain/error.ts'

import type { Caller } from '../caller.ts'
import type { EventRecord, Records } from '../records/records.ts'
import { send, type Change, type Stream, type Streams } from './streams.ts'
import type { RecordTopic } from './topic.ts'

export interface DeliveryDeps {
  readonly streams: Streams
  readonly readEvents: Records['readEvents']
  /** Resolves once everything that was committed before has been queued. */
  readonly catchUp: () => Promise<void>
  readonly onProblem: (error: unknown) => void
}

/** The number of changes that are read together; fewer if they have more events than `MAX_EVENTS`. */
const BATCH = 200
const MAX_EVENTS = 1000
/** Beyond this length of an account's queue, it is faster for its clients to read everything again. */
const MAX_QUEUED = 10_000

/** The streams of a deleted account end after the events of its deletion. */
const endsAccount = ({ action, collection }: Change): boolean =>
  action === 'delete' && collection === 'users'

/** A change that a subscription receives, if the reading finds its record. */
interface Event {
  readonly stream: Stream
  readonly subscription: string
  readonly change: Change
  readonly reading: Reading
}

/** An account; null stands for all guests. */
type Account = Caller['id']

interface Queue {
  changes: Change[]
  running: Promise<void> | undefined
}

/**
 * Sends changes to their subscribers, in commit order for each account. Every account has its own queue, which runs one
 * statement at a time, so slow filters delay only the events of their account.
 */
export class Delivery {
  readonly #deps: DeliveryDeps
  readonly #queues = new Map<Account, Queue>()

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
  }

  add(change: Change): void {
    const accounts = new Set<Account>(
      this.#deps.streams.subscribersOf(change).map(({ stream }) => stream.caller.id),
    )
    if (endsAccount(change)) accounts.add(change.id)
    for (const account of accounts) this.#queue(account, change)
  }

  /** Drops the queued changes. */
  clear(): void {
    for (const queue of this.#queues.values()) queue.changes = []
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(async ({ running }) => running))
  }

  #queue(account: Account, change: Change): void {
    const queue = this.#queues.get(account) ?? { changes: [], running: undefined }
    this.#queues.set(account, queue)
    queue.changes.push(change)
    if (queue.changes.length > MAX_QUEUED) {
      queue.changes = []
      return this.#deps.streams.endOf(account)
    }
    queue.running ??= this.#deliver(account, queue).finally(() => {
      this.#queues.delete(account)
      // Changes that were added after the last check.
      for (const left of queue.changes) this.#queue(account, left)
    })
  }

  async #deliver(account: Account, queue: Queue): Promise<void> {
    const { streams, catchUp, readEvents, onProblem } = this.#deps
    let isEnded = false
    const tellQueued = async (): Promise<void> => {
      while (queue.changes.length > 0) {
        const { changes, events, readings } = this.#take(account, queue)
        isEnded ||= changes.some((change) => endsAccount(change) && change.id === account)
        for (const reading of readings) await reading.run(readEvents, onProblem)
        this.#tell(account, events)
      }
    }
    await tellQueued()
    if (!isEnded) return
    // Deletions that cascade from an account are announced after it, in the same commit.
    await catchUp()
    await tellQueued()
    streams.endOf(account)
  }

  /** Takes the next changes from a queue, with their events. */
  #take(account: Account, queue: Queue) {
    const readings = new Map<string, Reading>()
    const events: Event[] = []
    let taken = 0
    for (const change of queue.changes.slice(0, BATCH)) {
      for (const { stream, subscription, topic } of this.#deps.streams.subscribersOf(change)) {
        const { caller } = stream
        if (caller.id !== account) continue
        const key = readingKey(caller, topic)
        const reading = readings.get(key) ?? new Reading(caller, topic)
        readings.set(key, reading)
        reading.entries.add(change.entry)
        events.push({ stream, subscription, change, reading })
      }
      taken += 1
      if (events.length >= MAX_EVENTS) break
    }
    return { changes: queue.changes.splice(0, taken), events, readings: readings.values() }
  }

  #tell(account: Account, events: readonly Event[]): void {
    const { streams } = this.#deps
    for (const { stream, subscription, change, reading } of events) {
      // The subscriptions may have been replaced in the meantime.
      const isWanted = stream.topics.has(subscription) && stream.caller.id === account
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

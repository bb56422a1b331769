import type PocketBase from 'pocketbase'
import type { RecordSubscription } from 'pocketbase'

import type { Business } from '#domain/business.ts'
import { BUSINESSES, CONNECTORS, SITES, type Collection } from '#domain/collection.ts'
import type { Connector } from '#domain/connector.ts'
import { isSameValue } from '#domain/record.ts'
import type { Site } from '#domain/site.ts'

import type { Core } from './core.ts'
import {
  dropConnector,
  dropRecord,
  dropSite,
  onBase,
  putConnector,
  putRecord,
  putSite,
  recordsIn,
  siteOf,
  type Data,
} from './log.ts'
import { businessView, differing, FIELDS, plainFields, siteView } from './records.ts'
import { noteEtag } from './site-etags.ts'
import type { BusinessView } from './state.ts'

/** Applies realtime events of other devices. Errors are silent: without events, a reload shows the same. */
export interface Live {
  /**
   * Subscribes for the signed-in user. `isRead` is true if the data has been read; it may change before events arrive.
   */
  readonly start: (isRead: boolean) => void
  readonly stop: () => void
}

/** A change of a record, by this or another client. */
export interface LiveEvent {
  readonly collection: string
  readonly isDeleted: boolean
  readonly record: { readonly id: string }
  /** The ETag of the record in this state. */
  readonly etag: string
}

/**
 * Minimum time since the page's last write before events are applied. An event may carry the state before the last
 * response; the next event then replaces it before it is shown.
 */
const QUIET_MS = 1000
/** Batches events that arrive together. */
const GATHER_MS = 50
const RETRY_MS = [2000, 5000, 15_000, 60_000]
/** Browsers limit the number of streams, so a hidden page closes its own. */
const HIDDEN_MS = 60_000
/** A stream keeps the session it was opened with, which expires after days. */
const RENEW_MS = 12 * 60 * 60 * 1000

/** Creates the realtime part of the store. `catchUp` brings the data up to date, and returns whether it could. */
export const createLive = (
  core: Core,
  catchUp: () => Promise<boolean>,
  plain: readonly Collection[],
): Live => {
  const topics: Topics = {
    [BUSINESSES]: FIELDS.business,
    [SITES]: FIELDS.site,
    [CONNECTORS]: FIELDS.connector,
    ...Object.fromEntries(plain.map((each) => [each.name, plainFields(each).join()])),
  }
  const { env } = core
  let run: Run | undefined
  let wanted = false
  let stopping: Promise<unknown> = Promise.resolve()
  let cancelHiding = () => {}

  const open = (missedEvents: boolean): void => {
    close()
    // Old web views have no `EventSource`, so they receive no events.
    if (!wanted || !('EventSource' in globalThis)) return
    run = createRun(core, {
      topics,
      catchUp,
      renew: () => open(true),
      missedEvents,
      before: stopping,
    })
  }
  const close = (): void => {
    if (run !== undefined) stopping = run.end()
    run = undefined
  }

  env.on('hidden', () => {
    cancelHiding()
    cancelHiding = env.after(HIDDEN_MS, close)
  })
  env.on('visible', () => {
    cancelHiding()
    if (run === undefined) open(true)
  })
  // A page with an open stream is not eligible for the back/forward cache.
  env.on('hide', close)
  env.on('restore', () => open(true))

  return {
    start: (isRead) => {
      wanted = true
      open(isRead)
    },
    stop: () => {
      wanted = false
      close()
    },
  }
}

interface Run {
  readonly end: () => Promise<unknown>
}

/** The fields to subscribe to, by collection. */
type Topics = Readonly<Record<string, string>>

interface RunOptions {
  readonly topics: Topics
  readonly catchUp: () => Promise<boolean>
  /** Called when a new run is due. */
  readonly renew: () => void
  /** True if there was an earlier read or run: events since then were missed. */
  readonly missedEvents: boolean
  /** Resolves when the earlier run has ended. */
  readonly before: Promise<unknown>
}

/** One subscription, for one session. */
const createRun = (
  core: Core,
  { topics, catchUp, renew, missedEvents, before }: RunOptions,
): Run => {
  const { env } = core
  const scope = core.scope()
  const waiting = new Map<string, LiveEvent>()
  const timers = new Map<string, () => void>()
  let client: PocketBase | undefined
  let isOver = false
  let connections = missedEvents ? 1 : 0

  const after = (name: string, delayMs: number, task: () => void): void => {
    timers.get(name)?.()
    timers.set(name, env.after(delayMs, task))
  }
  const retryLater = (name: string, attempt: number, task: (attempt: number) => unknown): void => {
    // A read may outlast the run.
    if (!isOver) after(name, RETRY_MS[attempt] ?? RETRY_MS.at(-1) ?? 0, () => task(attempt + 1))
  }

  const readMissed = async (attempt = 0): Promise<void> => {
    if (!isOver && scope.isCurrent() && !(await catchUp()))
      retryLater('catch up', attempt, readMissed)
  }

  const connect = async (attempt: number): Promise<void> => {
    await before
    try {
      const sdk = await core.client()
      if (isOver) return
      client = sdk
      await Promise.all([
        // Called once the subscriptions of a connection are active. Events since the last connection were missed.
        sdk.realtime.subscribe('PB_CONNECT', () => {
          connections++
          if (connections > 1) void readMissed()
        }),
        ...Object.entries(topics).map(([collection, fields]) =>
          sdk.collection(collection).subscribe('*', (event) => take(collection, event), { fields }),
        ),
      ])
    } catch {
      if (isOver) return
      // Once connected, the SDK reconnects automatically; before that, it gives up.
      void client?.realtime.unsubscribe().catch(() => undefined)
      connections = 1
      retryLater('connect', attempt, connect)
    }
  }

  const take = (
    collection: string,
    { action, record, etag = '' }: Partial<RecordSubscription & { readonly etag: string }>,
  ): void => {
    if (isOver || !scope.isCurrent() || record === undefined) return
    const isDeleted = action === 'delete'
    waiting.set(`${collection} ${record['id']}`, { collection, isDeleted, record, etag })
    after('show', GATHER_MS, show)
  }

  const show = (): void => {
    if (isOver || client === undefined || !scope.isCurrent()) return
    const idleMs = core.writes.idleFor()
    if (idleMs < QUIET_MS) return after('show', Math.max(QUIET_MS - idleMs, GATHER_MS), show)
    const events = [...waiting.values()]
    waiting.clear()
    const base = core.base()
    const next = applyEvents(client, base, events)
    if (next === 'unknown') void readMissed()
    else if (next !== base) scope.confirm(() => next)
  }

  after('renew', RENEW_MS, renew)
  void connect(0)
  return {
    end: async () => {
      isOver = true
      for (const cancel of timers.values()) cancel()
      await client?.realtime.unsubscribe().catch(() => undefined)
    },
  }
}

type Apply = (client: PocketBase, data: BusinessView, event: LiveEvent) => Data | 'unknown'

const applyBusiness: Apply = (client, data, { record, isDeleted }) => {
  if (isDeleted) return record.id === data.id ? null : data
  if (record.id !== data.id) return 'unknown'
  const changed = differing(businessView(client, record as Business), data)
  return Object.keys(changed).length === 0 ? data : { ...data, ...changed }
}

const applySite: Apply = (client, data, { record, isDeleted, etag }) => {
  const known = siteOf(data, record.id)
  if (isDeleted) return known === undefined ? data : dropSite(record.id)(data)
  const view = siteView(client, record as Site, known?.connectors ?? [])
  const isKnown = known !== undefined && isSameValue(view, known)
  noteEtag(isKnown ? known : view, etag)
  return isKnown ? data : putSite(view)(data)
}

const applyConnector: Apply = (_client, data, { record, isDeleted }) => {
  const connector = record as Connector
  const holder = data.sites.find((site) => site.connectors.some(({ id }) => id === record.id))
  const known = holder?.connectors.find(({ id }) => id === record.id)
  const drop = (): Data => (holder === undefined ? data : dropConnector(holder.id, record.id)(data))
  if (isDeleted) return drop()
  if (!data.sites.some(({ id }) => id === connector.site)) return 'unknown'
  if (isSameValue(connector, known)) return data
  // The connector may have been moved from another site.
  return onBase(putConnector(connector))(holder?.id === connector.site ? data : drop())
}

const applyRecord: Apply = (_client, data, { collection, record, isDeleted }) => {
  const known = recordsIn(data, collection).find(({ id }) => id === record.id)
  if (isDeleted) return known === undefined ? data : dropRecord(collection, record.id)(data)
  return isSameValue(record, known) ? data : putRecord(collection, record)(data)
}

const APPLY: Readonly<Record<string, Apply>> = {
  [BUSINESSES]: applyBusiness,
  [SITES]: applySite,
  [CONNECTORS]: applyConnector,
}
/** Parents come before the records that belong to them. */
const ORDER = Object.keys(APPLY)

/**
 * Applies events to the data; returns the identical object if nothing changes, and `unknown` if an event is about
 * a record whose parent was never loaded.
 */
export const applyEvents = (
  client: PocketBase,
  base: Data,
  events: readonly LiveEvent[],
): Data | 'unknown' => {
  let data = base
  for (const event of events.toSorted(
    (one, other) => ORDER.indexOf(one.collection) - ORDER.indexOf(other.collection),
  )) {
    const apply = APPLY[event.collection] ?? applyRecord
    const next = data === null ? afterNothing(event) : apply(client, data, event)
    if (next === 'unknown') return next
    data = next
  }
  return data
}

const afterNothing = ({ isDeleted }: LiveEvent): Data | 'unknown' => (isDeleted ? null : 'unknown')

import type { Connector } from '#domain/connector.ts'
import type { User } from '#domain/user.ts'

import type { BusinessView, PlainRecord, PlainView, SiteView, State } from './state.ts'

/** The data of the signed-in user; null before it is loaded, and without a business. */
export type Data = BusinessView | null

/** A change of the data. Must be pure: it is applied again whenever the base changes. */
export type Change = (data: BusinessView) => Data

/** An optimistic update that is not confirmed yet, compared by identity. */
export interface Op {
  readonly apply: Change
}

/**
 * The complete state of the store. Screens see `base`, the data last confirmed by the server, with the optimistic
 * updates applied on top. A failure therefore only drops its own update and cannot undo what succeeded in the
 * meantime.
 */
export interface Log {
  readonly base: Data
  readonly pending: readonly Op[]
  readonly user: User | null
  /** Number of calls in flight that a screen waits for. */
  readonly busy: number
  /** Raised on sign-in and sign-out: responses to calls of an earlier generation are ignored. */
  readonly generation: number
  /** Raised by every change. A list requested before it may be stale and has to be read again. */
  readonly rev: number
}

/** The events of the log. */
export type LogEvent =
  | { readonly type: 'session'; readonly user: User | null; readonly busy: boolean }
  | { readonly type: 'user'; readonly user: User }
  | { readonly type: 'busy' | 'idle' }
  | { readonly type: 'loaded'; readonly data: Data }
  | { readonly type: 'begin' | 'drop'; readonly op: Op }
  /** The server has confirmed a change: it becomes part of the base. */
  | { readonly type: 'confirm'; readonly op?: Op; readonly change: (base: Data) => Data }

/** Starts as busy, because it is not known yet whether there is data to load. */
export const emptyLog = (user: User | null): Log => ({
  base: null,
  pending: [],
  user,
  busy: 1,
  generation: 0,
  rev: 0,
})

/** The log after an event (a reducer). */
export const advance = (log: Log, event: LogEvent): Log => {
  switch (event.type) {
    case 'session':
      return {
        ...emptyLog(event.user),
        busy: event.busy ? 1 : 0,
        generation: log.generation + 1,
        rev: log.rev + 1,
      }
    case 'user':
      return { ...log, user: event.user }
    case 'busy':
      return { ...log, busy: log.busy + 1 }
    case 'idle':
      return { ...log, busy: Math.max(log.busy - 1, 0) }
    case 'loaded':
      return { ...log, base: event.data }
    case 'begin':
      return { ...log, pending: [...log.pending, event.op], rev: log.rev + 1 }
    case 'drop':
      return { ...log, pending: without(log.pending, event.op), rev: log.rev + 1 }
    case 'confirm':
      return {
        ...log,
        base: event.change(log.base),
        pending: without(log.pending, event.op),
        rev: log.rev + 1,
      }
  }
}

const without = (pending: readonly Op[], op: Op | undefined): readonly Op[] =>
  op === undefined ? pending : pending.filter((each) => each !== op)

/** The state that screens see. Unchanged parts keep their identity. */
export const project = (log: Log, before?: { log: Log; state: State }): State => {
  const sameData = before?.log.base === log.base && before.log.pending === log.pending
  const data = sameData && before ? before.state.data : applyAll(log.pending, log.base)
  const loading = log.busy > 0
  const same =
    before?.state.data === data &&
    before.state.user === log.user &&
    before.state.loading === loading
  return same && before ? before.state : { data, user: log.user, loading }
}

const applyAll = (pending: readonly Op[], base: Data): Data =>
  pending.reduce<Data>((data, op) => (data === null ? null : op.apply(data)), base)

/** Changes one site; a no-op if the site is not in the data. */
export const changeSite =
  (id: string, change: (site: SiteView) => SiteView): Change =>
  (data) =>
    data.sites.some((site) => site.id === id)
      ? { ...data, sites: data.sites.map((site) => (site.id === id ? change(site) : site)) }
      : data

/** Changes fields of any number of sites; a site without changes keeps its identity. */
export const changeSites =
  (changesOf: (site: SiteView) => Partial<SiteView>): Change =>
  (data) => ({
    ...data,
    sites: data.sites.map((site) => {
      const changes = changesOf(site)
      return Object.keys(changes).length === 0 ? site : { ...site, ...changes }
    }),
  })

/** Adds a site, or replaces the one with the same id. */
export const putSite =
  (added: SiteView): Change =>
  (data) =>
    data.sites.some(({ id }) => id === added.id)
      ? changeSite(added.id, () => added)(data)
      : { ...data, sites: [...data.sites, added] }

/** Removes a site. */
export const dropSite =
  (id: string): Change =>
  (data) => ({ ...data, sites: data.sites.filter((site) => site.id !== id) })

/** Adds a connector to its site, or replaces the one with the same id. */
export const putConnector = (added: Connector): Change =>
  changeSite(added.site, (site) => ({
    ...site,
    connectors: site.connectors.some(({ id }) => id === added.id)
      ? site.connectors.map((each) => (each.id === added.id ? added : each))
      : [...site.connectors, added],
  }))

/** Removes a connector from a site. */
export const dropConnector = (siteId: string, connectorId: string): Change =>
  changeSite(siteId, (site) => ({
    ...site,
    connectors: site.connectors.filter(({ id }) => id !== connectorId),
  }))

/** A site of the business; undefined if it has none with this id. */
export const siteOf = (data: Data, id: string): SiteView | undefined =>
  data?.sites.find((site) => site.id === id)

/** The records of a plain collection, oldest first: `recordsIn(data, 'tariffs')`. */
export const recordsIn = <N extends string>(data: Data, collection: N): readonly PlainView<N>[] =>
  (data?.records[collection] ?? NONE) as readonly PlainView<N>[]

const NONE: readonly PlainRecord[] = []

const setRecords =
  (collection: string, change: (all: readonly PlainRecord[]) => readonly PlainRecord[]): Change =>
  (data) => ({
    ...data,
    records: { ...data.records, [collection]: change(data.records[collection] ?? NONE) },
  })

/** Adds a record to a plain collection, or replaces the one with the same id. */
export const putRecord = (collection: string, added: PlainRecord): Change =>
  setRecords(collection, (all) =>
    all.some(({ id }) => id === added.id)
      ? all.map((each) => (each.id === added.id ? added : each))
      : [...all, added],
  )

/** Changes fields of a record; a no-op if the record does not exist. */
export const changeRecord = (collection: string, id: string, fields: object): Change =>
  setRecords(collection, (all) =>
    all.map((each) => (each.id === id ? { ...each, ...fields } : each)),
  )

/** Removes a record from a plain collection. */
export const dropRecord = (collection: string, id: string): Change =>
  setRecords(collection, (all) => all.filter((each) => each.id !== id))

/** Converts a change of the data to a change of the base, which may be null. */
export const onBase =
  (change: Change) =>
  (base: Data): Data =>
    base === null ? null : change(base)

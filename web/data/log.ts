import type { Connector } from '#domain/connector.ts'
import type { User } from '#domain/user.ts'

import type { BusinessView, PlainRecord, PlainView, SiteView, State } from './state.ts'

/** The data of the signed-in user; null before it was loaded, and without a business. */
export type Data = BusinessView | null

/** A change of the data. It must be pure: it is applied again whenever the base changes. */
export type Change = (data: BusinessView) => Data

/** A change that was shown but is not confirmed yet. Its identity is what matters. */
export interface Op {
  readonly apply: Change
}

/**
 * All that the store knows. What a screen sees is `base`, the data last confirmed by the server,
 * with the unconfirmed changes applied on top. A failure therefore only drops its own change and
 * cannot undo what succeeded meanwhile.
 */
export interface Log {
  readonly base: Data
  readonly pending: readonly Op[]
  readonly user: User | null
  /** How many calls run during which the person waits. */
  readonly busy: number
  /** Raised on sign-in and sign-out: what was asked for before is answered in vain. */
  readonly generation: number
  /** Raised by every change: a list asked for before it may lack it, and has to be read again. */
  readonly rev: number
}

/** Everything that can happen to the log. */
export type LogEvent =
  | { readonly type: 'session'; readonly user: User | null; readonly busy: boolean }
  | { readonly type: 'user'; readonly user: User }
  | { readonly type: 'busy' | 'idle' }
  | { readonly type: 'loaded'; readonly data: Data }
  | { readonly type: 'begin' | 'drop'; readonly op: Op }
  /** The server confirmed a change: it becomes part of the base. */
  | { readonly type: 'confirm'; readonly op?: Op; readonly fold: (base: Data) => Data }

/** At the start it is not known yet whether there is something to load: the person waits. */
export const emptyLog = (user: User | null): Log => ({
  base: null,
  pending: [],
  user,
  busy: 1,
  generation: 0,
  rev: 0,
})

/** The log after an event. */
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
        base: event.fold(log.base),
        pending: without(log.pending, event.op),
        rev: log.rev + 1,
      }
  }
}

const without = (pending: readonly Op[], op: Op | undefined): readonly Op[] =>
  op === undefined ? pending : pending.filter((each) => each !== op)

/** The state that screens see. Parts that did not change keep their identity. */
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

/** Changes one site; data without that site stays as it is. */
export const changeSite =
  (id: string, change: (site: SiteView) => SiteView): Change =>
  (data) =>
    data.sites.some((site) => site.id === id)
      ? { ...data, sites: data.sites.map((site) => (site.id === id ? change(site) : site)) }
      : data

/** Changes fields of any sites; a site without changes stays the same object. */
export const changeSites =
  (changesOf: (site: SiteView) => Partial<SiteView>): Change =>
  (data) => ({
    ...data,
    sites: data.sites.map((site) => {
      const changes = changesOf(site)
      return Object.keys(changes).length === 0 ? site : { ...site, ...changes }
    }),
  })

/** Adds a site, or puts it in the place of the one with the same id. */
export const putSite =
  (added: SiteView): Change =>
  (data) =>
    data.sites.some(({ id }) => id === added.id)
      ? changeSite(added.id, () => added)(data)
      : { ...data, sites: [...data.sites, added] }

/** Takes a site out. */
export const dropSite =
  (id: string): Change =>
  (data) => ({ ...data, sites: data.sites.filter((site) => site.id !== id) })

/** Adds a connector to its site, or puts it in the place of the one with the same id. */
export const putConnector = (added: Connector): Change =>
  changeSite(added.site, (site) => ({
    ...site,
    connectors: site.connectors.some(({ id }) => id === added.id)
      ? site.connectors.map((each) => (each.id === added.id ? added : each))
      : [...site.connectors, added],
  }))

/** Takes a connector out of a site. */
export const dropConnector = (siteId: string, connectorId: string): Change =>
  changeSite(siteId, (site) => ({
    ...site,
    connectors: site.connectors.filter(({ id }) => id !== connectorId),
  }))

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

/** Adds a record to a plain collection, or puts it in the place of the one with the same id. */
export const putRecord = (collection: string, added: PlainRecord): Change =>
  setRecords(collection, (all) =>
    all.some(({ id }) => id === added.id)
      ? all.map((each) => (each.id === added.id ? added : each))
      : [...all, added],
  )

/** Changes fields of a record; a collection without that record stays as it is. */
export const changeRecord = (collection: string, id: string, fields: object): Change =>
  setRecords(collection, (all) =>
    all.map((each) => (each.id === id ? { ...each, ...fields } : each)),
  )

/** Takes a record out of a plain collection. */
export const dropRecord = (collection: string, id: string): Change =>
  setRecords(collection, (all) => all.filter((each) => each.id !== id))

/** A change of the data as a change of the base, which may not be there. */
export const onBase =
  (change: Change) =>
  (base: Data): Data =>
    base === null ? null : change(base)

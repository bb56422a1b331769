import type { Change } from '#domain/change.ts'
import { FULL_LIST_BATCH } from '#domain/limits.ts'
import type { ConnectorInput, Problem, ReadSite, Store } from '../../data/state.ts'
import {
  changedSince,
  connectorOf,
  currentOf,
  formerFields,
  isBulkUpdate,
  type Revert,
} from './revert.ts'

/** The outcome of reverting a change. */
export type Outcome =
  | { readonly kind: 'done'; readonly undo: () => Promise<Outcome> }
  | { readonly kind: 'undone' }
  /** These fields have changed again since, and the user has to decide. `current` is the record. */
  | {
      readonly kind: 'conflict'
      readonly names: readonly string[]
      readonly current: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'failed'; readonly problem: Problem | undefined }

/**
 * Reverts a change with an ordinary update or create. If a field has changed again since, nothing is sent unless
 * `overwrite` is set.
 */
export const sendRevert = async (
  store: Store,
  change: Change,
  wanted: Revert,
  overwrite: boolean,
): Promise<Outcome> => {
  switch (wanted.kind) {
    case 'deletedSite':
      return restoreSite(store, change, wanted)
    case 'deletedConnector': {
      const { site, connector } = wanted
      const others = () => connectorsOf(store, site).filter(({ id }) => id !== connector.id)
      return outcomeOf(await saveConnectors(store, site, [...others(), connector]), async () =>
        saveConnectors(store, site, others()),
      )
    }
    case 'deletedRecord': {
      const { collection, id, fields } = wanted
      const restored = await store.createRecord(collection, id, fields, { isAwaited })
      return outcomeOf(
        restored.problem,
        async () => (await store.removeRecord(collection, id)).problem,
      )
    }
    default:
      return update(store, change, wanted, overwrite)
  }
}

/**
 * Reverts a bulk update with another one; sites that have changed again since stay unchanged. Resolves to the number of
 * sites, or to the problem of reading the changes.
 */
export const revertBulkUpdate = async (
  store: Store,
  correlationId: string,
): Promise<number | Problem | undefined> => {
  const changes = new Map<string, Change>()
  let page: readonly Change[] = []
  do {
    const answer = await store.readChanges({
      correlationId,
      before: page.at(-1),
      perPage: FULL_LIST_BATCH,
    })
    if (answer === undefined || 'kind' in answer) return answer
    page = answer
    for (const change of page) if (isBulkUpdate(change)) changes.set(change.record, change)
  } while (page.length === FULL_LIST_BATCH)
  // Events of the latest changes may not have arrived yet: their sites would be left out.
  if (!(await store.reload())) return UNREAD
  return store.updateSites([...changes.keys()], (site) => {
    const change = changes.get(site.id)
    return change === undefined ? {} : formerFields(change, site)
  })
}

type Update = Extract<Revert, { readonly kind: 'site' | 'business' | 'connector' | 'record' }>

const update = async (
  store: Store,
  change: Change,
  wanted: Update,
  overwrite: boolean,
): Promise<Outcome> => {
  let read: ReadSite | undefined
  // The events of other devices may not have arrived yet.
  if (wanted.kind === 'site') {
    const result = await store.readSite(wanted.id, isAwaited)
    if (result.problem !== undefined) return { kind: 'failed', problem: result.problem }
    read = result.value
  } else if (!(await store.reload())) return { kind: 'failed', problem: UNREAD }
  const { data } = store.getState()
  const current = read === undefined ? data && currentOf(change, data) : { ...read.site }
  if (!current) return { kind: 'failed', problem: undefined }
  const fields = { ...wanted.fields }
  const names = changedSince(change, fields, current)
  if (names.length > 0 && !overwrite) return { kind: 'conflict', names, current }
  const held = current
  const former = Object.fromEntries(Object.keys(fields).map((name) => [name, held[name]]))
  return outcomeOf(await sendFields(store, wanted, fields, held, read), async () =>
    sendFields(store, wanted, former, { ...held, ...fields }),
  )
}

/** Resolves to the problem if the fields were not saved. */
const sendFields = async (
  store: Store,
  wanted: Update,
  fields: Readonly<Record<string, unknown>>,
  held: Readonly<Record<string, unknown>>,
  read?: ReadSite,
): Promise<Failed> => {
  if (wanted.kind === 'connector') {
    const { id } = wanted
    const connector = connectorOf(id, { ...held, ...fields })
    const all = connectorsOf(store, wanted.site)
    const next = all.map((each) => (each.id === id ? connector : each))
    return saveConnectors(store, wanted.site, next)
  }
  if (wanted.kind === 'record') {
    const { collection, id } = wanted
    return (await store.updateRecord(collection, id, fields, { isAwaited })).problem
  }
  if (wanted.kind === 'business') return (await store.updateBusiness(fields, { isAwaited })).problem
  const how = read === undefined ? {} : { base: read.site, etag: read.etag }
  return (await store.updateSite(wanted.id, { fields }, { ...how, isAwaited })).problem
}

type Failed = Problem | undefined

const outcomeOf = (problem: Failed, revert: () => Promise<Failed>): Outcome => {
  if (problem !== undefined) return { kind: 'failed', problem }
  return {
    kind: 'done',
    undo: async () => {
      const again = await revert()
      return again === undefined ? { kind: 'undone' } : { kind: 'failed', problem: again }
    },
  }
}

const connectorsOf = (store: Store, site: string): readonly ConnectorInput[] =>
  store.getState().data?.sites.find(({ id }) => id === site)?.connectors ?? []

const saveConnectors = async (
  store: Store,
  site: string,
  connectors: readonly ConnectorInput[],
): Promise<Failed> => (await store.updateSite(site, { connectors }, { isAwaited })).problem

/** Failures are shown in the row, not as a notice. */
const isAwaited = (): boolean => true

/** The current records could not be read. */
const UNREAD: Problem = { kind: 'unavailable', status: 0, fields: {} }

/** Restores the site under its id, so that references to it stay valid. */
const restoreSite = async (
  store: Store,
  change: Change,
  { id, input }: Extract<Revert, { readonly kind: 'deletedSite' }>,
): Promise<Outcome> => {
  const done: Outcome = {
    kind: 'done',
    undo: async () => {
      store.deleteSite(id)
      return { kind: 'undone' }
    },
  }
  // It was restored before, and that was undone: the delete is not sent yet.
  if (store.pendingDeletes().some((each) => each.id === id)) {
    store.undoDelete(id)
    return done
  }
  const rows = await store.readChanges({ deletedWith: change })
  if (rows === undefined || 'kind' in rows) return { kind: 'failed', problem: rows }
  const connectors = new Map(
    rows.map(({ record, before }) => [record, connectorOf(record, before)]),
  )
  const all = [...connectors.values()].toReversed()
  const result = await store.createSite(id, input, all, [], { isAwaited, values: null })
  // If only connectors are missing, the list of sites reports them.
  if (result.problem !== undefined && result.failures === undefined)
    return { kind: 'failed', problem: result.problem }
  return done
}

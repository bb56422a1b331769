import type { Change } from '#domain/change.ts'
import type { ConnectorInput, Problem, Store } from '../../data/state.ts'
import { clearNotices, findNotice } from '../shared/failure.ts'
import { changedSince, connectorOf, currentOf, type PutBack } from './put-back.ts'

/** What became of it. */
export type Outcome =
  | { readonly kind: 'done'; readonly undo: () => Promise<Outcome> }
  | { readonly kind: 'undone' }
  /** These fields have changed again since: somebody has to decide. `current` is the record. */
  | {
      readonly kind: 'conflict'
      readonly names: readonly string[]
      readonly current: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'failed'; readonly problem: Problem | undefined }

/**
 * Puts a change back: an ordinary update or create. If a field has changed again since, nothing is
 * sent unless `overwrite` is set.
 */
export const sendPutBack = async (
  store: Store,
  change: Change,
  wanted: PutBack,
  overwrite: boolean,
): Promise<Outcome> => {
  clearNotices(store, 'load', 'updateSite', 'updateBusiness', 'createSite', 'saveConnectors')
  switch (wanted.kind) {
    case 'deletedSite':
      return restoreSite(store, change, wanted)
    case 'deletedConnector':
      return outcomeOf(
        await saveConnector(store, wanted.site, { create: [wanted.connector] }),
        async () => saveConnector(store, wanted.site, { remove: [wanted.connector.id] }),
      )
    default:
      return update(store, change, wanted, overwrite)
  }
}

type Update = Extract<PutBack, { readonly fields: object }>

const update = async (
  store: Store,
  change: Change,
  wanted: Update,
  overwrite: boolean,
): Promise<Outcome> => {
  let etag: string | undefined
  const { data } = store.getState()
  let current = data === null ? undefined : currentOf(change, data)
  if (wanted.kind === 'site') {
    const read = await store.readSite(wanted.id)
    if (read === undefined) return { kind: 'failed', problem: findNotice(store, 'load')?.problem }
    etag = read.etag
    current = { ...read.site }
  }
  if (current === undefined) return { kind: 'failed', problem: undefined }
  const fields = { ...wanted.fields }
  const names = changedSince(change, fields, current)
  if (names.length > 0 && !overwrite) return { kind: 'conflict', names, current }
  const held = current
  const former = Object.fromEntries(Object.keys(fields).map((name) => [name, held[name]]))
  return outcomeOf(await sendFields(store, wanted, fields, held, etag), async () =>
    sendFields(store, wanted, former, { ...held, ...fields }),
  )
}

/** Resolves to why the fields were not saved. */
const sendFields = async (
  store: Store,
  wanted: Update,
  fields: Readonly<Record<string, unknown>>,
  held: Readonly<Record<string, unknown>>,
  etag?: string,
): Promise<Failed> => {
  if (wanted.kind === 'connector')
    return saveConnector(store, wanted.site, {
      update: [connectorOf(wanted.id, { ...held, ...fields })],
    })
  if (wanted.kind === 'business')
    return (await store.updateBusiness(fields)) === undefined
      ? (findNotice(store, 'updateBusiness')?.problem ?? 'unknown')
      : undefined
  return (await store.updateSite(wanted.id, fields, [], etag)) === undefined
    ? (findNotice(store, 'updateSite')?.problem ?? 'unknown')
    : undefined
}

type Failed = Problem | 'unknown' | undefined

const outcomeOf = (failed: Failed, revert: () => Promise<Failed>): Outcome => {
  if (failed !== undefined)
    return { kind: 'failed', problem: failed === 'unknown' ? undefined : failed }
  return {
    kind: 'done',
    undo: async () => {
      const again = await revert()
      if (again === undefined) return { kind: 'undone' }
      return { kind: 'failed', problem: again === 'unknown' ? undefined : again }
    },
  }
}

const saveConnector = async (
  store: Store,
  site: string,
  changes: {
    readonly create?: readonly ConnectorInput[]
    readonly update?: readonly ConnectorInput[]
    readonly remove?: readonly string[]
  },
): Promise<Failed> => {
  const failures = await store.saveConnectors(site, {
    create: [],
    update: [],
    remove: [],
    ...changes,
  })
  // It is told where it was asked for.
  clearNotices(store, 'saveConnectors')
  const [failed] = failures.values()
  return failed
}

/** The site comes back under its id, so that what points to it finds it again. */
const restoreSite = async (
  store: Store,
  change: Change,
  { id, input }: Extract<PutBack, { readonly kind: 'deletedSite' }>,
): Promise<Outcome> => {
  const rows = await store.readChanges({ deletedWith: change })
  if (rows === undefined || 'kind' in rows) return { kind: 'failed', problem: rows }
  const connectors = new Map(
    rows.map(({ record, before }) => [record, connectorOf(record, before)]),
  )
  const site = await store.createSite(id, input, [...connectors.values()].toReversed(), [])
  if (site === undefined)
    return { kind: 'failed', problem: findNotice(store, 'createSite')?.problem }
  return {
    kind: 'done',
    undo: async () => {
      store.deleteSite(id)
      return { kind: 'undone' }
    },
  }
}

import { businesses } from '#domain/business.ts'
import type { Change } from '#domain/change.ts'
import { BUSINESSES, CONNECTORS, SITES } from '#domain/collection.ts'
import { connectors } from '#domain/connector.ts'
import { inputNames } from '#domain/record.ts'
import { DEFAULT_STATUS, OWNER_STATUSES, sites } from '#domain/site.ts'
import type {
  BusinessInput,
  BusinessView,
  ConnectorInput,
  SiteInput,
  SiteView,
} from '../../data/state.ts'

type Values = Readonly<Record<string, unknown>>

/** What putting a change back does. */
export type PutBack =
  | { readonly kind: 'site'; readonly id: string; readonly fields: Partial<SiteInput> }
  | { readonly kind: 'business'; readonly fields: BusinessInput }
  | {
      readonly kind: 'connector'
      readonly site: string
      readonly id: string
      readonly fields: Partial<ConnectorInput>
    }
  | { readonly kind: 'deletedSite'; readonly id: string; readonly input: SiteInput }
  | {
      readonly kind: 'deletedConnector'
      readonly site: string
      readonly connector: ConnectorInput
    }

/** The fields that can be given their former values; files that were removed are gone. */
const FIELDS = {
  [SITES]: inputNames(sites),
  [BUSINESSES]: inputNames(businesses),
  [CONNECTORS]: inputNames(connectors),
}

/** What can be put back of a change, or nothing; `data` is the business as it is now. */
export const findPutBack = (change: Change, data: BusinessView | null): PutBack | undefined => {
  if (data === null || change.collection === 'users') return undefined
  const site = data.sites.find(({ id }) => id === change.site)
  if (change.action === 'delete') return findRestore(change, data, site)
  const current = currentOf(change, data)
  if (change.action === 'create' || current === undefined) return undefined
  const names: readonly string[] = FIELDS[change.collection]
  const fields = Object.fromEntries(
    Object.entries(change.before).filter(
      ([name, value]) =>
        names.includes(name) && value !== current[name] && (name !== 'status' || isOwners(value)),
    ),
  )
  if (Object.keys(fields).length === 0) return undefined
  if (change.collection === BUSINESSES) return { kind: 'business', fields }
  if (change.collection === SITES) return { kind: 'site', id: change.record, fields }
  return { kind: 'connector', site: change.site, id: change.record, fields }
}

const isOwners = (status: unknown): boolean => OWNER_STATUSES.some((allowed) => allowed === status)

const findRestore = (
  { collection, record, business, before }: Change,
  data: BusinessView,
  site: SiteView | undefined,
): PutBack | undefined => {
  if (collection === SITES && site === undefined && business === data.id) {
    const input = Object.fromEntries(FIELDS[SITES].map((name) => [name, before[name]]))
    const status = isOwners(before['status']) ? before['status'] : DEFAULT_STATUS
    return { kind: 'deletedSite', id: record, input: { ...input, status } as SiteInput }
  }
  const isThere = site?.connectors.some(({ id }) => id === record)
  if (collection !== CONNECTORS || site === undefined || isThere === true) return undefined
  return { kind: 'deletedConnector', site: site.id, connector: connectorOf(record, before) }
}

/** A connector as a change has recorded it. */
export const connectorOf = (id: string, values: Values): ConnectorInput =>
  ({
    id,
    ...Object.fromEntries(FIELDS[CONNECTORS].map((name) => [name, values[name]])),
  }) as ConnectorInput

/** The record that a change is about, as it is now. */
export const currentOf = (
  { collection, record, site: siteId }: Change,
  data: BusinessView,
): Values | undefined => {
  const site = data.sites.find(({ id }) => id === siteId)
  if (collection === BUSINESSES) return { ...data }
  if (collection === SITES) return site && { ...site }
  const connector = site?.connectors.find(({ id }) => id === record)
  return connector && { ...connector }
}

/** The fields that have changed again since: they have neither the former value nor the one after the change. */
export const changedSince = (
  { after }: Change,
  wanted: Values,
  current: Values,
): readonly string[] =>
  Object.keys(wanted).filter(
    (name) => current[name] !== after[name] && current[name] !== wanted[name],
  )

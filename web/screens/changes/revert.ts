import { importOf, type Change } from '#domain/change.ts'
import { BUSINESSES, CONNECTORS, SITES, USERS, type Collection } from '#domain/collection.ts'
import { CONNECTOR_INPUTS } from '#domain/connector.ts'
import { OWNED } from '#domain/owned.ts'
import { inputNames, isSameValue } from '#domain/record.ts'
import { DEFAULT_STATUS, sites } from '#domain/site.ts'
import { recordsIn } from '../../data/log.ts'
import type {
  BusinessInput,
  BusinessView,
  ConnectorInput,
  SiteInput,
  SiteView,
} from '../../data/state.ts'

type Values = Readonly<Record<string, unknown>>

interface PartOfRecord {
  readonly collection: string
  readonly id: string
  readonly fields: Values
}

/** The write that reverts a change. */
export type Revert =
  | { readonly kind: 'site'; readonly id: string; readonly fields: Partial<SiteInput> }
  | { readonly kind: 'business'; readonly fields: BusinessInput }
  | {
      readonly kind: 'connector'
      readonly site: string
      readonly id: string
      readonly fields: Partial<ConnectorInput>
    }
  | (PartOfRecord & { readonly kind: 'record' })
  | (PartOfRecord & { readonly kind: 'deletedRecord' })
  | { readonly kind: 'deletedSite'; readonly id: string; readonly input: SiteInput }
  | {
      readonly kind: 'deletedConnector'
      readonly site: string
      readonly connector: ConnectorInput
    }

/** Returns the write that reverts a change, or undefined if it cannot be reverted; `data` is the current business. */
export const findRevert = (
  change: Change,
  data: BusinessView | null,
  owned: readonly Collection[] = OWNED,
): Revert | undefined => {
  const { collection, record: id, site, action, before } = change
  const declared = owned.find(({ name }) => name === collection)
  if (data === null || declared === undefined || collection === USERS) return undefined
  // Removed files are deleted, so they cannot be restored.
  const former = Object.entries(before).filter(
    ([name, value]) => inputNames(declared).includes(name) && mayChoose(declared, name, value),
  )
  const current = currentOf(change, data)
  if (action === 'delete' && current === undefined)
    return findRestore(change, data, Object.fromEntries(former))
  if (action !== 'update' || current === undefined) return undefined
  const fields = Object.fromEntries(
    former.filter(([name, value]) => !isSameValue(value, current[name])),
  )
  if (Object.keys(fields).length === 0) return undefined
  if (collection === BUSINESSES) return { kind: 'business', fields }
  if (collection === SITES) return { kind: 'site', id, fields }
  if (collection === CONNECTORS) return { kind: 'connector', site, id, fields }
  return { kind: 'record', collection, id, fields }
}

/** Returns whether owners may set the value; some choices are not available to them. */
const mayChoose = ({ fields }: Collection, name: string, value: unknown): boolean => {
  const field = fields[name]
  if (field?.kind !== 'select') return true
  const own: readonly unknown[] = [
    ...(field.required ? [] : ['']),
    ...(field.ownerValues ?? field.values),
  ]
  return [value].flat().every((each) => own.includes(each))
}

const findRestore = (
  { collection, record: id, business, site }: Change,
  data: BusinessView,
  fields: Values,
): Revert | undefined => {
  if (collection === CONNECTORS)
    return data.sites.some((each) => each.id === site)
      ? { kind: 'deletedConnector', site, connector: connectorOf(id, fields) }
      : undefined
  if (business !== data.id || collection === BUSINESSES || collection === USERS) return undefined
  if (collection === SITES)
    return { kind: 'deletedSite', id, input: { status: DEFAULT_STATUS, ...fields } as SiteInput }
  return { kind: 'deletedRecord', collection, id, fields }
}

/** Returns whether a change may belong to a group shown as one row: a bulk update of sites, or an import. */
export const isGrouped = (change: Change): boolean =>
  isBulkUpdate(change) || importOf(change) !== undefined

/** Returns whether a change may belong to a bulk update of sites. */
export const isBulkUpdate = (change: Change): boolean => {
  const { collection, action, correlation_id = '' } = change
  const isUpdate = collection === SITES && action === 'update'
  return isUpdate && correlation_id !== '' && importOf(change) === undefined
}

/** Returns the former values of the fields of a site that have not changed again since a bulk update. */
export const formerFields = ({ before, after }: Change, site: SiteView): Partial<SiteInput> => {
  const current: Values = { ...site }
  return Object.fromEntries(
    inputNames(sites).flatMap((name) =>
      name in before &&
      isSameValue(current[name], after[name]) &&
      mayChoose(sites, name, before[name])
        ? [[name, before[name]]]
        : [],
    ),
  )
}

/** Converts the values in a change to a connector. */
export const connectorOf = (id: string, values: Values): ConnectorInput =>
  ({
    id,
    ...Object.fromEntries(CONNECTOR_INPUTS.map((name) => [name, values[name]])),
  }) as ConnectorInput

/** Returns the current record of a change. */
export const currentOf = (
  { collection, record, site: siteId }: Change,
  data: BusinessView,
): Values | undefined => {
  const site = data.sites.find(({ id }) => id === siteId)
  if (collection === BUSINESSES) return { ...data }
  if (collection === SITES) return site && { ...site }
  const all = collection === CONNECTORS ? site?.connectors : recordsIn(data, collection)
  const found = all?.find(({ id }) => id === record)
  return found && { ...found }
}

/** Returns the fields changed again since, whose values are neither the former nor the later one. */
export const changedSince = (
  { after }: Change,
  wanted: Values,
  current: Values,
): readonly string[] =>
  Object.keys(wanted).filter(
    (name) => !isSameValue(current[name], after[name]) && !isSameValue(current[name], wanted[name]),
  )

import { businesses } from './business.ts'
import { changes } from './change.ts'
import type { Collection, CollectionName } from './collection.ts'
import { connectors } from './connector.ts'
import { sites } from './site.ts'
import { superusers } from './superuser.ts'
import { users } from './user.ts'

/** The schema of the product. */
export const COLLECTIONS: Readonly<Record<CollectionName, Collection>> = {
  _superusers: superusers,
  users,
  businesses,
  sites,
  connectors,
  changes,
}

/** Finds a collection by name (any case) or by id (exactly), as the record interface 1.1 asks. */
export const findCollection = (nameOrId: string): Collection | undefined =>
  Object.values(COLLECTIONS).find(
    (collection) => collection.id === nameOrId || collection.name === nameOrId.toLowerCase(),
  )

/** A relation field that points at a collection, seen from that collection. */
export interface BackRelation {
  readonly collection: Collection
  readonly field: string
  /** The field is unique, so that at most one record points at each target. */
  readonly single: boolean
}

/**
 * Resolves both spellings of a back relation of `target`: `sites(business)` and
 * `sites_via_business` (record interface 3.4). Undefined when nothing points back by that name.
 */
export const findBackRelation = (target: Collection, text: string): BackRelation | undefined => {
  const match = /^(\w+)\((\w+)\)$/.exec(text) ?? /^(\w+?)_via_(\w+)$/.exec(text)
  const collection = match?.[1] === undefined ? undefined : findCollection(match[1])
  const name = match?.[2]
  const field = name === undefined ? undefined : collection?.fields[name]
  if (collection === undefined || name === undefined || field?.kind !== 'relation') return undefined
  if (field.to !== target.name) return undefined
  return { collection, field: name, single: field.unique === true }
}

import { changes } from './change.ts'
import type { LinkedCollection, Collection, Schema } from './collection.ts'
import { importRows } from './import.ts'
import { OWNED } from './owned.ts'
import { superusers } from './superuser.ts'

/** Links declared collections to each other. */
export const createSchema = (declarations: readonly Collection[]): Schema => {
  const schema: Schema = {
    declarations,
    get collections() {
      return collections
    },
    find: (nameOrId) =>
      collections.find(({ id, name }) => id === nameOrId || name === nameOrId.toLowerCase()),
  }
  const collections = declarations.map((declaration) => ({ ...declaration, schema }))
  return schema
}

/** The collections of the product. */
const DECLARED = [superusers, ...OWNED, importRows, changes] as const
export const SCHEMA = createSchema(DECLARED)
export type CollectionName = (typeof DECLARED)[number]['name']

/** The collections by name. */
export const COLLECTIONS = Object.fromEntries(
  SCHEMA.collections.map((collection) => [collection.name, collection]),
) as Readonly<Record<CollectionName, LinkedCollection>>

/** The collection that a relation field points to. */
export const relationTarget = (
  { fields, schema }: LinkedCollection,
  name: string,
): LinkedCollection | undefined => {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return field?.kind === 'relation' ? schema.find(field.to) : undefined
}

/** A relation field, seen from the collection that it points to. */
export interface BackRelation {
  readonly collection: LinkedCollection
  readonly field: string
  /** The field is unique, so at most one record points to each target. */
  readonly single: boolean
}

/**
 * Resolves both spellings of a back relation of `target`: `sites(business)` and `sites_via_business` (record interface
 * 3.4). Undefined if no relation points back under that name.
 */
export const findBackRelation = (
  target: LinkedCollection,
  text: string,
): BackRelation | undefined => {
  const match = /^(\w+)\((\w+)\)$/.exec(text) ?? /^(\w+?)_via_(\w+)$/.exec(text)
  const collection = match?.[1] === undefined ? undefined : target.schema.find(match[1])
  const name = match?.[2]
  const field = name === undefined ? undefined : collection?.fields[name]
  if (collection === undefined || name === undefined || field?.kind !== 'relation') return undefined
  if (field.to !== target.name) return undefined
  return { collection, field: name, single: field.unique === true }
}

import type { Field } from './field.ts'

/** A collection of records: its fields, and who owns a record. */
export interface Collection {
  readonly id: string
  readonly name: CollectionName
  /**
   * The path of relations from a record to its owner's user id: `id` if the record is the user, a
   * text field if the record has to outlive what it refers to. It is compiled into every query, so
   * that a foreign record is simply not found. Null if only superusers may access the collection.
   */
  readonly owner: string | null
  /**
   * Who may create records through the API: their owner, or only superusers. If nobody may create
   * them, nobody may change or delete them either: only the server writes them.
   */
  readonly create: 'owner' | 'superuser' | 'nobody'
  /** Records of an auth collection can sign in. */
  readonly auth?: boolean
  readonly fields: Readonly<Record<string, Field>>
}

/** The names of the collections (spec 9). */
export const SUPERUSERS = '_superusers'
export const USERS = 'users'
export const BUSINESSES = 'businesses'
export const SITES = 'sites'
export const CONNECTORS = 'connectors'
export const CHANGES = 'changes'

export type CollectionName =
  | typeof SUPERUSERS
  | typeof USERS
  | typeof BUSINESSES
  | typeof SITES
  | typeof CONNECTORS
  | typeof CHANGES

/** Ids are 15 characters of `[a-z0-9]`; a client may choose the id of a new record. */
export const ID_LENGTH = 15
export const ID_PATTERN = /^[a-z0-9]+$/

/** When a record was created and last changed; for every collection whose records change. */
export const AUTODATES = {
  created: { kind: 'autodate' },
  updated: { kind: 'autodate' },
} as const satisfies Record<string, Field>

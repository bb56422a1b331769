import type { Field } from './field.ts'

/** A collection of records: its fields, and who owns a record. */
export interface Collection {
  readonly id: string
  readonly name: CollectionName
  /**
   * The path of relations from a record to its owner's user id; `id` when the record is the user,
   * a text field when the record has to outlive what it could be related to.
   * It is compiled into every query, so that a foreign record is simply not found. Null where a
   * collection is nobody's but the superusers'.
   */
  readonly owner: string | null
  /**
   * Who may create records through the record interface: their owner, or nobody but a superuser. What
   * nobody at all creates, nobody changes or deletes either: the server alone writes it.
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

/** Times at which a record was made and last changed, on every collection whose records change. */
export const AUTODATES = {
  created: { kind: 'autodate' },
  updated: { kind: 'autodate' },
} as const satisfies Record<string, Field>

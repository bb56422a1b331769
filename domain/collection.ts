import type { Field } from './field.ts'

/** Who may do something with a record; superusers may do whatever an owner may. */
type Rule = 'owner' | 'superuser' | 'nobody'

/** Everybody, guests included, may read the records of which a filter is true; an owner reads all of theirs. */
export interface PublicRule {
  /** In the filter language, over the fields of the collection: `status = "PUBLISHED"`. */
  readonly everybody: string
}

/** Who may do what with the records of a collection. They are conditions of every statement. */
export interface AccessRules {
  readonly read: Rule | PublicRule
  readonly create: Rule
  readonly change: Rule
  readonly remove: Rule
}

/** The owner may do everything. */
export const OWNERS: AccessRules = {
  read: 'owner',
  create: 'owner',
  change: 'owner',
  remove: 'owner',
}

/** A collection of records: its fields, who owns a record, and who may do what with it. */
export interface Collection {
  readonly id: string
  readonly name: string
  /**
   * The path of relations from a record to its owner's user id: `id` if the record is the user, a
   * text field if the record has to outlive what it refers to. It is compiled into every query, so
   * that a foreign record is simply not found. Null if a record has no owner.
   */
  readonly owner: string | null
  readonly access: AccessRules
  /** Records of an auth collection can sign in. */
  readonly auth?: boolean
  /** Each row keeps its JSON: for records that come by the hundred (decisions 0034, 0063). */
  readonly keepsJson?: boolean
  readonly fields: Readonly<Record<string, Field>>
}

/** A collection that knows the others, which its relations lead to. */
export interface LinkedCollection extends Collection {
  readonly schema: Schema
}

/** Collections that know each other. */
export interface Schema {
  readonly declarations: readonly Collection[]
  readonly collections: readonly LinkedCollection[]
  /** Finds a collection by name (any case) or by id (exactly), as the record interface 1.1 asks. */
  find(nameOrId: string): LinkedCollection | undefined
}

/** The names of the collections (spec 9). */
export const SUPERUSERS = '_superusers'
export const USERS = 'users'
export const BUSINESSES = 'businesses'
export const SITES = 'sites'
export const CONNECTORS = 'connectors'
export const TARIFFS = 'tariffs'
export const CHANGES = 'changes'

/** Whether everybody may read some of the records. */
export const isPublic = ({ access }: Collection): boolean => typeof access.read === 'object'

/** Whether the server alone writes the records. */
export const isReadOnly = ({ access }: Collection): boolean =>
  access.create === 'nobody' && access.change === 'nobody' && access.remove === 'nobody'

/** Ids are 15 characters of `[a-z0-9]`; a client may choose the id of a new record. */
export const ID_LENGTH = 15
export const ID_PATTERN = /^[a-z0-9]+$/

/** When a record was created and last changed; for every collection whose records change. */
export const AUTODATES = {
  created: { kind: 'autodate' },
  updated: { kind: 'autodate' },
} as const satisfies Record<string, Field>

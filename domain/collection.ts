import type { Field } from './field.ts'

/** The role that an action requires; superusers may do everything that an owner may. */
type Rule = 'owner' | 'superuser' | 'nobody'

/** Everybody, including guests, may read the records that match a filter; owners may read all of theirs. */
export interface PublicRule {
  /** A filter over the fields of the collection: `status = "PUBLISHED"`. */
  readonly everybody: string
}

/** The access rules of a collection. Every statement includes them as conditions. */
export interface AccessRules {
  readonly read: Rule | PublicRule
  readonly create: Rule
  readonly change: Rule
  readonly remove: Rule
}

/** Owners may do everything with their records. */
export const OWNERS: AccessRules = {
  read: 'owner',
  create: 'owner',
  change: 'owner',
  remove: 'owner',
}

/** A collection of records: its fields, the owner of a record, and the access rules. */
export interface Collection {
  readonly id: string
  readonly name: string
  /**
   * The path of relations from a record to its owner's user id: `id` if the record is the user; a text field if the
   * record has to outlive its relation. Every query includes it as a condition, so records of other owners are never
   * found. Null if a record has no owner.
   */
  readonly owner: string | null
  readonly access: AccessRules
  /** Records of an auth collection can sign in. */
  readonly auth?: boolean
  /** Its rows also store the JSON of the whole record (decision 0063). */
  readonly storesJson?: boolean
  /**
   * False: the audit log does not record its changes, so that removed data is really gone. Devices still receive its
   * changes.
   */
  readonly audited?: false
  /** Nobody can delete a record with one of these values, because the server is working on it. */
  readonly undeletable?: { readonly field: string; readonly values: readonly string[] }
  /** A write of one record may delete or rewrite any number of others: it has the timeout `CASCADE_TIMEOUT_MS`. */
  readonly cascades?: true
  /** Maximum page size, for collections with large records; the default is `MAX_PER_PAGE`. */
  readonly maxPerPage?: number
  readonly fields: Readonly<Record<string, Field>>
}

/** A collection with access to the collections that its relations point to. */
export interface LinkedCollection extends Collection {
  readonly schema: Schema
}

/** Linked collections. */
export interface Schema {
  readonly declarations: readonly Collection[]
  readonly collections: readonly LinkedCollection[]
  /** Finds a collection by name (in any case) or by id (exactly), as the record interface 1.1 requires. */
  find(nameOrId: string): LinkedCollection | undefined
}

/** The names of the collections (spec 9). */
export const SUPERUSERS = '_superusers'
export const USERS = 'users'
export const BUSINESSES = 'businesses'
export const SITES = 'sites'
export const CONNECTORS = 'connectors'
export const TARIFFS = 'tariffs'
export const REPORTS = 'reports'
export const IMPORTS = 'imports'
export const IMPORT_ROWS = 'import_rows'
export const FEEDS = 'feeds'
export const CHANGES = 'changes'

/** Whether everybody may read some of the records. */
export const isPublic = ({ access }: Collection): boolean => typeof access.read === 'object'

/** Whether only the server writes the records. */
export const isReadOnly = ({ access }: Collection): boolean =>
  access.create === 'nobody' && access.change === 'nobody' && access.remove === 'nobody'

/** Ids are 15 characters of `[a-z0-9]`; a client may choose the id of a new record. */
export const ID_LENGTH = 15
export const ID_PATTERN = /^[a-z0-9]+$/

/** Whether a text has the form of an id. */
export const isId = (text: string): boolean => text.length === ID_LENGTH && ID_PATTERN.test(text)

/** The times of creation and of the last update, for every collection with mutable records. */
export const AUTODATES = {
  created: { kind: 'autodate' },
  updated: { kind: 'autodate' },
} as const satisfies Record<string, Field>

import { AUTODATES, CHANGES, ID_LENGTH, type Collection } from './collection.ts'
import { OWNED, type OwnedName } from './owned.ts'
import { MAX_CORRELATION_ID_LENGTH } from './limits.ts'
import { namesFromPosition } from './record.ts'

/** Who made a change; `server` if nobody was signed in, for example during sign-in. */
const ACTOR_TYPES = ['user', 'superuser', 'server'] as const

/** Retention of a change, in days. */
export const CHANGES_KEPT_DAYS = 730

/** The names of the fields that the server fills in. */
const FILLED_IN = [...new Set(OWNED.flatMap(namesFromPosition))]

const ID = { kind: 'text', max: ID_LENGTH } as const

/**
 * The audit log: the actor, time and record of each change, and its fields before and after. Ids are text, not
 * relations: the record may be deleted, and another owner may reuse its id.
 */
export const changes = {
  id: 'pbc_2977155031',
  name: CHANGES,
  owner: 'owner',
  access: { read: 'owner', create: 'nobody', change: 'nobody', remove: 'nobody' },
  fields: {
    /** The owner of the record. */
    owner: ID,
    /** The collection of the changed record. */
    collection: { kind: 'select', values: OWNED.map(({ name }) => name) },
    record: ID,
    /** The business and the site of the record, which may be the record itself; empty if there is none. */
    business: ID,
    site: ID,
    action: { kind: 'select', values: ['create', 'update', 'delete'] },
    /** The actor; the id is empty for the server. */
    actor_type: { kind: 'select', values: ACTOR_TYPES },
    actor: ID,
    /** The superuser who impersonated the actor; empty without impersonation. */
    impersonator: ID,
    /** The changed values, by field, in the format of the record interface. */
    before: { kind: 'json' },
    after: { kind: 'json' },
    /** The fields that the server derived from others. */
    filled_in: { kind: 'select', values: FILLED_IN, maxCount: FILLED_IN.length },
    /**
     * The `Correlation-Id` of the request; empty without one. A bulk update sends the same one with each request, see
     * also `importOf`.
     */
    correlation_id: { kind: 'text', max: MAX_CORRELATION_ID_LENGTH },
    created: AUTODATES.created,
  },
} as const satisfies Collection

/**
 * The correlation ids of an import's changes: a prefix, then the id of the import. No request can use one, because the
 * header allows no colon.
 */
export const OF_IMPORT = { run: 'import:', undo: 'undo:' } as const

/** The import that a change belongs to, and whether the change was part of its undo; undefined if there is none. */
export const importOf = ({
  correlation_id: correlation = '',
}: Pick<Change, 'correlation_id'>):
  | { readonly id: string; readonly isUndo: boolean }
  | undefined => {
  const prefix = Object.values(OF_IMPORT).find((each) => correlation.startsWith(each))
  return prefix && { id: correlation.slice(prefix.length), isUndo: prefix === OF_IMPORT.undo }
}

/** Page size of the history. */
export const CHANGES_PER_PAGE = 50

/** A change as the product reads it. */
export interface Change {
  readonly id: string
  readonly collection: OwnedName
  readonly record: string
  readonly business: string
  readonly site: string
  readonly action: 'create' | 'update' | 'delete'
  readonly actor_type: (typeof ACTOR_TYPES)[number]
  readonly actor: string
  readonly impersonator: string
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
  /** Absent in responses of older servers. */
  readonly filled_in?: readonly string[]
  /** Absent in responses of older servers. */
  readonly correlation_id?: string
  readonly created: string
}

/** The fields of a change that the product requests. */
export const CHANGE_FIELDS = [
  'id',
  'collection',
  'record',
  'business',
  'site',
  'action',
  'actor_type',
  'actor',
  'impersonator',
  'before',
  'after',
  'filled_in',
  'correlation_id',
  'created',
] as const

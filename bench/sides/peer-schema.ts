import { businesses } from '../../domain/business.ts'
import { connectors } from '../../domain/connector.ts'
import { PLAIN } from '../../domain/plain.ts'
import { sites } from '../../domain/site.ts'
import { users } from '../../domain/user.ts'
import type { Collection } from '../../domain/collection.ts'
import type { Field } from '../../domain/field.ts'

/** The rule for every action on a collection; undefined: superusers only. */
interface Access {
  readonly rule: string
  readonly create: string | null
}

/** The same indexes as ours, see server/db/migrations/0001-records.sql. */
const INDEXES: Readonly<Record<string, readonly string[]>> = {
  businesses: ['CREATE UNIQUE INDEX `businesses_user_key` ON `businesses` (`user`)'],
  sites: ['CREATE INDEX `sites_business` ON `sites` (`business`, `created`, `id`)'],
  connectors: ['CREATE INDEX `connectors_site` ON `connectors` (`site`, `created`, `id`)'],
}

/** PocketBase already has a collection of users. */
const idOf = (name: string): string => (name === 'users' ? '_pb_users_auth_' : `bench_${name}`)

/** Sorted so that a collection comes after those that its relations point to. */
const plain: readonly Collection[] = PLAIN
const isOfSite = ({ owner }: Collection): boolean => owner?.startsWith('site.') === true
const ORDERED = [
  users,
  businesses,
  ...plain.filter((each) => !isOfSite(each)),
  sites,
  connectors,
  ...plain.filter(isOfSite),
]

/**
 * The peer's collections, with the fields, validation and rules of `domain/`. The peer cannot express that a number is
 * greater than a bound, or that a field never changes.
 */
export const peerCollections = (): readonly object[] => ORDERED.map(describe)

/**
 * The peer's collections with public sites: each site also has its position as a `geoPoint`, and indexes on both
 * coordinates.
 */
export const publicPeerCollections = (): readonly object[] =>
  ORDERED.map((collection) => {
    const described = describe(collection)
    if (collection.name !== sites.name && collection.name !== connectors.name) return described
    const isSites = collection.name === sites.name
    return {
      ...described,
      listRule: '',
      viewRule: '',
      ...(isSites && {
        fields: [...described.fields, { name: POSITION, type: 'geoPoint', required: false }],
        indexes: [
          ...(INDEXES[sites.name] ?? []),
          'CREATE INDEX `sites_latitude` ON `sites` (`latitude`)',
          'CREATE INDEX `sites_longitude` ON `sites` (`longitude`)',
          'CREATE INDEX `sites_position` ON `sites` (`latitude`, `longitude`)',
        ],
      }),
    }
  })

/** The `geoPoint` of a site of the peer. */
export const POSITION = 'position'

const describe = (collection: Collection) => {
  const { rule, create } = accessOf(collection)
  return {
    id: idOf(collection.name),
    name: collection.name,
    type: collection.auth ? 'auth' : 'base',
    listRule: rule,
    viewRule: rule,
    createRule: create,
    updateRule: rule,
    deleteRule: rule,
    // An auth collection has its own indexes, which an empty list would drop.
    ...(INDEXES[collection.name] && { indexes: INDEXES[collection.name] }),
    fields: fieldsOf(collection),
  }
}

const fieldsOf = (collection: Collection): readonly object[] => [
  ...ownFields(collection).map(([name, field]) => {
    const { type, options } = translate(field)
    return { name, type, required: isRequired(field), ...options }
  }),
  { name: 'created', type: 'autodate', onCreate: true, onUpdate: false },
  { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
]

const isRequired = (field: Field): boolean => field.kind !== 'autodate' && field.required === true

const accessOf = ({ owner, access }: Collection): Access => {
  const rule = `${owner ?? ''} = @request.auth.id`
  return { rule, create: access.create === 'owner' ? rule : null }
}

/** The fields in addition to those that the peer gives every collection or account. */
const ownFields = (collection: Collection): readonly (readonly [string, Field])[] =>
  Object.entries(collection.fields).filter(
    ([name, { kind }]) =>
      kind !== 'autodate' &&
      !(collection.auth && ['username', 'email', 'emailVisibility', 'verified'].includes(name)),
  )

const translate = (field: Field): { type: string; options: Record<string, unknown> } => {
  switch (field.kind) {
    case 'text':
      return { type: 'text', options: { min: null, max: field.max, pattern: '' } }
    case 'email':
    case 'url':
      return { type: field.kind, options: { exceptDomains: null, onlyDomains: null } }
    case 'number':
      return {
        type: 'number',
        options: {
          min: field.min ?? field.above ?? null,
          max: field.max ?? null,
          onlyInt: field.integer ?? false,
        },
      }
    case 'select':
      return { type: 'select', options: { maxSelect: field.maxCount ?? 1, values: field.values } }
    case 'relation':
      return {
        type: 'relation',
        options: {
          collectionId: idOf(field.to),
          cascadeDelete: field.onDelete === undefined,
          minSelect: null,
          maxSelect: 1,
        },
      }
    case 'files':
      return {
        type: 'file',
        options: {
          maxSelect: field.maxCount,
          maxSize: field.maxBytes,
          mimeTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'],
          thumbs: field.thumbs ?? [],
          protected: false,
        },
      }
    case 'json':
      return { type: 'json', options: { maxSize: 1_000_000 } }
    case 'bool':
    case 'date':
    case 'autodate':
      return { type: field.kind, options: {} }
  }
}

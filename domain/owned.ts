import { businesses } from './business.ts'
import type { Collection } from './collection.ts'
import { connectors } from './connector.ts'
import { sites } from './site.ts'
import { tariffs } from './tariff.ts'
import { users } from './user.ts'

/** A collection whose records belong to a business and have only values: no files and no dependent records. */
export type PlainCollection = Collection & { readonly owner: 'business.user' }

/**
 * The plain collections. The app handles all of them alike: reads, writes, realtime events, the offline cache and
 * restoring.
 */
export const PLAIN = [tariffs] as const satisfies readonly PlainCollection[]
export type Plain = (typeof PLAIN)[number]

/** The collections that have an owner; the audit log records their changes. */
export const OWNED = [users, businesses, sites, connectors, ...PLAIN] as const
export type OwnedName = (typeof OWNED)[number]['name']

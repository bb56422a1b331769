import { businesses } from './business.ts'
import type { Collection } from './collection.ts'
import { connectors } from './connector.ts'
import { feeds, imports } from './import.ts'
import { reports } from './report.ts'
import { sites } from './site.ts'
import { tariffs } from './tariff.ts'
import { users } from './user.ts'

/**
 * A collection whose records belong to a business, or to a site of it, and have only values: no files and no dependent
 * records. The app creates those of a business; those of a site it changes and removes.
 */
export type PlainCollection = Collection & {
  readonly owner: 'business.user' | 'site.business.user'
}

/**
 * The plain collections. The app handles all of them alike: reads, writes, realtime events, the offline cache and
 * restoring.
 */
export const PLAIN = [tariffs, reports] as const satisfies readonly PlainCollection[]
export type Plain = (typeof PLAIN)[number]

/** The collections that have an owner, and whose changes are logged. */
export const OWNED = [users, businesses, sites, connectors, ...PLAIN, imports, feeds] as const
export type OwnedName = (typeof OWNED)[number]['name']

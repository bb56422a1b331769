import type { Collection } from './collection.ts'
import { reports } from './report.ts'
import { tariffs } from './tariff.ts'

/**
 * A collection whose records belong to a business, or to a site of one, and have only values: no files and no dependent
 * records. The app creates, changes and removes records of a business; it only changes and removes records of a site.
 */
export type PlainCollection = Collection & {
  readonly owner: 'business.user' | 'site.business.user'
}

/**
 * The plain collections. The app handles all of them in the same way: reads, writes, realtime events, the offline cache
 * and restoring.
 */
export const PLAIN = [tariffs, reports] as const satisfies readonly PlainCollection[]
export type Plain = (typeof PLAIN)[number]

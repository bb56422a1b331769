import { businesses } from './business.ts'
import { connectors } from './connector.ts'
import { feeds, imports } from './import.ts'
import { PLAIN } from './plain.ts'
import { sites } from './site.ts'
import { users } from './user.ts'

/** The collections that have an owner. Their changes are logged. */
export const OWNED = [users, businesses, sites, connectors, ...PLAIN, imports, feeds] as const
export type OwnedName = (typeof OWNED)[number]['name']

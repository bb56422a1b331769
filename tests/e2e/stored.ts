import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Stack } from '../support/stack.ts'

/** The comparable columns of a stored business. */
export interface StoredBusiness {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly website: string
  readonly contact_email: string
  readonly logo: string
}

export interface StoredSite {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly latitude: number
  readonly longitude: number
  readonly contact_email: string
  readonly contact_phone: string
  readonly cost: string
  readonly vehicle_capacity: number
  readonly status: string
  readonly photos: readonly string[]
  readonly photo_categories: Readonly<Record<string, string>> | null
}

export interface StoredConnector {
  readonly id: string
  readonly standard: string
  readonly format: string
  readonly current_type: string
  readonly kw_rating: number
}

/** Reads the rows of an owner directly from the database. */
export const readStored = ({ sql }: Pick<Stack, 'sql'>, email: string) => {
  const owned = sql`"user" = (select id from users where email = ${email})`
  const inBusiness = sql`business in (select id from businesses where ${owned})`
  return {
    businesses: async (): Promise<readonly StoredBusiness[]> => [
      ...(await sql<StoredBusiness[]>`
        select id, name, description, website, contact_email, logo
        from businesses where ${owned}`),
    ],
    sites: async (): Promise<readonly StoredSite[]> => [
      ...(await sql<StoredSite[]>`
        select id, name, address, latitude, longitude, contact_email, contact_phone, cost,
          vehicle_capacity, status, photos, photo_categories
        from sites where ${inBusiness} order by name`),
    ],
    /** Ordered by power, because their order of arrival is undefined. */
    connectors: async (): Promise<readonly StoredConnector[]> => [
      ...(await sql<StoredConnector[]>`
        select id, standard, format, current_type, kw_rating
        from connectors where site in (select id from sites where ${inBusiness})
        order by kw_rating, id`),
    ],
  }
}

/** The stored file names of a record. */
export const listFiles = async (
  { dataDir }: Pick<Stack, 'dataDir'>,
  collection: string,
  record: string,
): Promise<readonly string[]> => {
  const folder = join(dataDir, 'storage', collection, record)
  return readdir(folder).catch(() => [])
}

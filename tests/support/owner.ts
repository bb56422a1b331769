import { randomBytes } from 'node:crypto'

import type PocketBase from 'pocketbase'
import type { RecordModel } from 'pocketbase'

import { BUSINESSES, CONNECTORS, SITES } from '#domain/collection.ts'

import { signInThroughPage } from '../../scripts/provider/sign-in.ts'

/** A signed-in owner, with the SDK client of the session. */
export interface Owner {
  readonly client: PocketBase
  readonly id: string
  readonly email: string
}

/** Signs in a new user. */
export const newOwner = async (url: string, name = 'Ada Byron'): Promise<Owner> => {
  const email = `ada-${randomBytes(6).toString('hex')}@example.org`
  const { client, record } = await signInThroughPage(url, { name, email })
  // Tests send identical requests concurrently.
  client.autoCancellation(false)
  return { client, id: record.id, email }
}

export const siteBody = (business: string) => ({
  name: 'Harbour Lane Quay',
  address: '12 Quay Street, Portrush',
  latitude: 55.2044,
  longitude: -6.6531,
  vehicle_capacity: 2,
  status: 'AVAILABLE',
  business,
})

export const connectorBody = (site: string) => ({
  standard: 'IEC_62196_T2_COMBO',
  format: 'CABLE',
  current_type: 'DC',
  kw_rating: 150,
  site,
})

/** € 0.59 per kWh. */
export const tariffBody = (business: string) => ({
  name: 'Standard',
  currency: 'EUR',
  tax_included: 'YES',
  elements: [{ price_components: [{ type: 'ENERGY', price: 0.59, step_size: 1 }] }],
  business,
})

/** An owner with a business, a site and a connector. */
export const newOwnerWithSite = async (
  url: string,
): Promise<Owner & { business: RecordModel; site: RecordModel; connector: RecordModel }> => {
  const owner = await newOwner(url)
  const { client } = owner
  const business = await client
    .collection(BUSINESSES)
    .create({ name: 'Harbour Lane Hotels', user: owner.id })
  const site = await client.collection(SITES).create(siteBody(business.id))
  const connector = await client.collection(CONNECTORS).create(connectorBody(site.id))
  return { ...owner, business, site, connector }
}

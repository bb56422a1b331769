import type PocketBase from 'pocketbase'
import type { RecordModel } from 'pocketbase'
import { BUSINESSES, CONNECTORS, SITES } from '#domain/collection.ts'
import { connectorBody, siteBody } from '../support/owner.ts'

/** Gives somebody a business, by the API and not by the forms. */
export const prepareBusiness = (client: PocketBase): Promise<RecordModel> =>
  client
    .collection(BUSINESSES)
    .create({ name: 'Harbour Lane Hotels', user: client.authStore.record?.id })

/** Gives somebody a business with these sites, each with a connector for 150 kW. */
export const prepareSites = async (
  client: PocketBase,
  ...names: readonly string[]
): Promise<readonly RecordModel[]> => {
  const business = await prepareBusiness(client)
  const sites: RecordModel[] = []
  // One after the other: the oldest comes first in every list.
  for (const name of names) {
    const site = await client.collection(SITES).create({ ...siteBody(business.id), name })
    await client.collection(CONNECTORS).create(connectorBody(site.id))
    sites.push(site)
  }
  return sites
}

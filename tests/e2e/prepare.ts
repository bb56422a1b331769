import type PocketBase from 'pocketbase'
import type { RecordModel } from 'pocketbase'
import { BUSINESSES, CONNECTORS, SITES } from '#domain/collection.ts'
import { connectorBody, siteBody } from '../support/owner.ts'
import type { Stack } from '../support/stack.ts'

/** Creates a business for an owner, through the API. */
export const prepareBusiness = (client: PocketBase): Promise<RecordModel> =>
  client
    .collection(BUSINESSES)
    .create({ name: 'Harbour Lane Hotels', user: client.authStore.record?.id })

/** Creates a business with these sites, each with a connector of 150 kW. */
export const prepareSites = async (
  client: PocketBase,
  ...names: readonly string[]
): Promise<readonly RecordModel[]> => {
  const business = await prepareBusiness(client)
  const sites: RecordModel[] = []
  // Sequentially, because lists are ordered by age.
  for (const name of names) {
    const site = await client.collection(SITES).create({ ...siteBody(business.id), name })
    await client.collection(CONNECTORS).create(connectorBody(site.id))
    sites.push(site)
  }
  return sites
}

/** Inserts this many sites of an owner directly into the database. */
export const prepareMany = async (
  { sql }: Pick<Stack, 'sql'>,
  client: PocketBase,
  count: number,
): Promise<void> => {
  const { id } = await prepareBusiness(client)
  await sql`
    insert into sites (id, name, address, latitude, longitude, vehicle_capacity, status, business,
      cost, created, updated)
    select 's' || left(md5(${id} || n), 14), 'Station ' || n, n || ' Rue de Rivoli, Paris',
      48 + n % 100 / 50.0, 2 + n / 5000.0, n % 8,
      case when n % 5 = 0 then 'OUTOFORDER' else 'AVAILABLE' end, ${id},
      case when n = 1 then '=1+1' else '' end, now() + n * interval '1 millisecond', now()
    from generate_series(1, ${count}) n`
  await sql`
    insert into connectors (id, site, standard, format, current_type, kw_rating, created, updated)
    select 'c' || left(md5(id), 14), id, 'IEC_62196_T2_COMBO', 'CABLE', 'DC', 50, now(), now()
    from sites where business = ${id}`
}

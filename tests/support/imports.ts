import type PocketBase from 'pocketbase'

import { IMPORT_ROWS, IMPORTS } from '#domain/collection.ts'
import type { Import, ImportRow } from '#domain/import.ts'
import { IMPORT_API } from '#domain/import-paths.ts'

import { until } from '../start/launch.ts'

/** A station as a file says it. */
export const station = (reference: string, site: object = {}, connectors: object[] = [plug()]) => ({
  reference,
  site: {
    name: `Station ${reference}`,
    address: '12 Quay Street, Portrush',
    // Far from one another, and from the sites of other tests.
    latitude: 54 + (reference.codePointAt(0) ?? 0) / 1000,
    longitude: -6.9,
    ...site,
  },
  connectors,
})

export const plug = (more: object = {}) => ({
  standard: 'IEC_62196_T2',
  format: 'SOCKET',
  current_type: 'AC_3_PHASE',
  kw_rating: 22,
  ...more,
})

/** A file of stations, as the network itself exports them. */
export const fileOf = (
  stations: readonly ReturnType<typeof station>[],
  name = 'stations.json',
): File => {
  const sites = stations.map(({ reference, site }, index) => ({
    collectionName: 'sites',
    id: `site${index}`,
    reference,
    ...site,
  }))
  const connectors = stations.flatMap((each, index) =>
    each.connectors.map((connector) => ({ site: `site${index}`, ...connector })),
  )
  return new File([JSON.stringify({ sites, connectors })], name)
}

/** Brings a file in, and waits until it is planned, or needs a person, or has failed. */
export const bringIn = async (client: PocketBase, file: File): Promise<Import> => {
  const body = new FormData()
  body.set('file', file)
  const { id } = await client.send<Import>(IMPORT_API.imports, { method: 'POST', body })
  return settled(client, id)
}

/** Waits until an import waits for a person, or is over. */
export const settled = async (client: PocketBase, id: string): Promise<Import> => {
  let found: Import | undefined
  await until(async () => {
    found = await client.collection(IMPORTS).getOne<Import>(id)
    return !['READING', 'RUNNING', 'UNDOING'].includes(found.state)
  })
  if (found === undefined) throw new Error('no import')
  return found
}

export const rowsOf = (client: PocketBase, id: string): Promise<ImportRow[]> =>
  client
    .collection(IMPORT_ROWS)
    .getFullList<ImportRow>({ filter: `import = "${id}"`, sort: 'number' })

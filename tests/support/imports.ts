import type PocketBase from 'pocketbase'

import { IMPORT_ROWS, IMPORTS } from '#domain/collection.ts'
import type { Import, ImportRow } from '#domain/import.ts'
import { IMPORT_API } from '#domain/import-paths.ts'

import { until } from '../start/launch.ts'

/** Uploads a file, and waits until the import is planned, needs a person, or has failed. */
export const bringIn = async (client: PocketBase, file: File): Promise<Import> => {
  const body = new FormData()
  body.set('file', file)
  const { id } = await client.send<Import>(IMPORT_API.imports, { method: 'POST', body })
  return settled(client, id)
}

/** Waits until an import needs a person or is finished. */
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

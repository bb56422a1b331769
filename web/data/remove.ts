import type PocketBase from 'pocketbase'

import { toProblem } from './client.ts'
import type { Core } from './core.ts'

/** Deletes a record. A missing one counts as deleted, unless it is only invisible because the session has ended. */
export const removeRecord = async (
  core: Core,
  client: PocketBase,
  collection: string,
  id: string,
): Promise<void> => {
  try {
    await client.collection(collection).delete(id, { requestKey: null })
  } catch (error) {
    if (toProblem(error).status !== 404 || (await core.renew()) !== 'valid') throw error
  }
}

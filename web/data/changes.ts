import { FULL_LIST_BATCH } from '#domain/limits.ts'
import { CHANGE_FIELDS, CHANGES_PER_PAGE, type Change } from '#domain/change.ts'
import { CHANGES, CONNECTORS, USERS } from '#domain/collection.ts'
import { isCancelled } from './client.ts'
import type { Core } from './core.ts'
import type { ChangeQuery, ReadChanges } from './state.ts'

/** Maximum time between deleting the connectors of a site and the site itself, in milliseconds. */
const TOGETHER_MS = 10 * 60_000

/** Creates the function that reads the audit log (`domain/change.ts`). A page is one request. */
export const createReadChanges =
  ({ client, explain }: Pick<Core, 'client' | 'explain'>): ReadChanges =>
  async (query) => {
    try {
      const sdk = await client()
      const { filter, params } = conditionOf(query)
      const perPage = query.deletedWith === undefined ? CHANGES_PER_PAGE : FULL_LIST_BATCH
      const { items } = await sdk.collection(CHANGES).getList<Change>(1, perPage, {
        filter: sdk.filter(filter, params),
        fields: CHANGE_FIELDS.join(),
        sort: '-created,-id',
        skipTotal: true,
        requestKey: CHANGES,
      })
      return items
    } catch (error) {
      return isCancelled(error) ? undefined : explain(error)
    }
  }

const conditionOf = ({ site, before, deletedWith }: ChangeQuery) => {
  if (deletedWith !== undefined) {
    const from = new Date(Date.parse(deletedWith.created) - TOGETHER_MS)
    return {
      filter:
        'site = {:site} && collection = {:connectors} && action = "delete" && created >= {:from}',
      params: {
        site: deletedWith.site,
        connectors: CONNECTORS,
        from: from.toISOString().replace('T', ' '),
      },
    }
  }
  // Pages continue after the last row (keyset pagination): new changes do not shift them.
  const terms = [
    'collection != {:users}',
    ...(site === undefined ? [] : ['site = {:site}']),
    ...(before === undefined ? [] : ['created <= {:at} && (created < {:at} || id < {:id})']),
  ]
  return {
    filter: terms.join(' && '),
    params: { users: USERS, site, at: before?.created, id: before?.id },
  }
}

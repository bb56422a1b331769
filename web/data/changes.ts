import { FULL_LIST_BATCH } from '#domain/limits.ts'
import { CHANGE_FIELDS, CHANGES_PER_PAGE, importOf, type Change } from '#domain/change.ts'
import { CHANGES, CONNECTORS, SITES, USERS } from '#domain/collection.ts'
import { isCancelled } from './client.ts'
import type { Core } from './core.ts'
import type { ChangeQuery, ReadChanges, Store } from './state.ts'

/** Maximum time between deleting the connectors of a site and the site itself, in milliseconds. */
const TOGETHER_MS = 10 * 60_000

/** Creates the function that reads the audit log (`domain/change.ts`). A page is one request. */
export const createReadChanges =
  ({ client, explain }: Pick<Core, 'client' | 'explain'>): ReadChanges =>
  async (query) => {
    try {
      const sdk = await client()
      const { filter, params } = conditionOf(query)
      const { perPage = query.deletedWith === undefined ? CHANGES_PER_PAGE : FULL_LIST_BATCH } =
        query
      const { items } = await sdk.collection(CHANGES).getList<Change>(1, perPage, {
        filter: sdk.filter(filter, params),
        fields: CHANGE_FIELDS.join(),
        sort: '-created,-id',
        skipTotal: true,
        requestKey: [CHANGES, query.correlationId].filter(Boolean).join(' '),
      })
      return items
    } catch (error) {
      return isCancelled(error) ? undefined : explain(error)
    }
  }

/** Creates the function that counts the sites of a bulk update, or the changes of an import. */
export const createCountChanges =
  ({ client, explain }: Pick<Core, 'client' | 'explain'>): Store['countChanges'] =>
  async (correlationId) => {
    try {
      const sdk = await client()
      const { totalItems } = await sdk.collection(CHANGES).getList(1, 1, {
        filter: sdk.filter(
          (isOfImport(correlationId) ? '' : 'collection = {:sites} && action = "update" && ') +
            'correlation_id = {:correlationId}',
          { sites: SITES, correlationId },
        ),
        fields: 'id',
        requestKey: `count ${CHANGES} ${correlationId}`,
      })
      return totalItems
    } catch (error) {
      return isCancelled(error) ? undefined : explain(error)
    }
  }

const isOfImport = (id: string): boolean => importOf({ correlation_id: id }) !== undefined

const conditionOf = ({ site, before, deletedWith, correlationId, without = [] }: ChangeQuery) => {
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
  const left = without.map((id, index) =>
    isOfImport(id)
      ? `correlation_id != {:without${index}}`
      : `(collection != {:sites} || action != "update" || correlation_id != {:without${index}})`,
  )
  // Pages continue after the last row (keyset pagination): new changes do not shift them.
  const terms = [
    'collection != {:users}',
    ...(site === undefined ? [] : ['site = {:site}']),
    ...(correlationId === undefined ? [] : ['correlation_id = {:correlationId}']),
    ...left,
    ...(before === undefined ? [] : ['created <= {:at} && (created < {:at} || id < {:id})']),
  ]
  return {
    filter: terms.join(' && '),
    params: {
      users: USERS,
      sites: SITES,
      site,
      correlationId,
      at: before?.created,
      id: before?.id,
      ...Object.fromEntries(without.map((id, index) => [`without${index}`, id])),
    },
  }
}

import { API } from '#domain/paths.ts'
import type { GeocodeAnswer } from '#domain/geocode.ts'

import { isCancelled } from './client.ts'
import type { Core } from './core.ts'
import type { SearchAddresses } from './state.ts'

export const createSearchAddresses =
  ({ client, env, explain }: Pick<Core, 'client' | 'env' | 'explain'>): SearchAddresses =>
  async (query) => {
    try {
      const sdk = await client()
      return await sdk.send<GeocodeAnswer>(API.geocode, {
        method: 'GET',
        query:
          'text' in query ? { q: query.text, ...query.near } : 'at' in query ? query.at : query,
        requestKey: `${API.geocode} ${Object.keys(query)[0]}`,
        // Not retried after `Retry-After`: the next keystroke sends a new search.
        fetch: env.fetch,
      })
    } catch (error) {
      return isCancelled(error) ? undefined : explain(error)
    }
  }

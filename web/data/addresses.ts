import { API } from '#domain/paths.ts'
import type { GeocodeAnswer } from '#domain/geocode.ts'
import type { Coordinates } from '#domain/map-link.ts'

import { isCancelled } from './client.ts'
import type { Core } from './core.ts'
import type { Problem } from './state.ts'

/** A text to search for, a place whose address is wanted, or a short link of a map app to open. */
type AddressQuery =
  | { readonly text: string; readonly near?: Coordinates | undefined }
  | { readonly at: Coordinates }
  | { readonly link: string }

/**
 * Searches addresses. Resolves to why it could not, or to nothing when a newer search has taken its
 * place. It is a help and no data call: nothing waits for it, and no notice is given.
 */
export type SearchAddresses = (query: AddressQuery) => Promise<GeocodeAnswer | Problem | undefined>

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
        // A person who types does not wait for a server that asks for patience.
        fetch: env.fetch,
      })
    } catch (error) {
      return isCancelled(error) ? undefined : explain(error)
    }
  }

import { API } from '#domain/api.ts'
import type { GeocodeAnswer } from '#domain/geocode.ts'

import { isCancelled } from './client.ts'
import type { Core } from './core.ts'
import type { Problem } from './state.ts'

/**
 * Searches addresses. Resolves to why it could not, or to nothing when a newer search has taken its
 * place. It is a help and no data call: nothing waits for it, and no notice is given.
 */
export type SearchAddresses = (
  text: string,
  near?: { readonly latitude: number; readonly longitude: number },
) => Promise<GeocodeAnswer | Problem | undefined>

export const createSearchAddresses =
  ({ client, env, explain }: Pick<Core, 'client' | 'env' | 'explain'>): SearchAddresses =>
  async (text, near) => {
    try {
      const sdk = await client()
      return await sdk.send<GeocodeAnswer>(API.geocode, {
        method: 'GET',
        query: { q: text, ...near },
        requestKey: API.geocode,
        // A person who types does not wait for a server that asks for patience.
        fetch: env.fetch,
      })
    } catch (error) {
      return isCancelled(error) ? undefined : explain(error)
    }
  }

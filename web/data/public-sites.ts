import { API } from '#domain/paths.ts'
import type { SitePage, Suggestion, Suggestions } from '#domain/public-read.ts'
import type { PublicSite } from '#domain/public-site.ts'

import { Failed, Failure, problemOf, toProblem } from './client.ts'
import type { Problem } from './state.ts'

interface Place {
  readonly latitude: number
  readonly longitude: number
}

/** A search for sites, or the continuation of one. */
interface SitesQuery {
  readonly near: Place
  /** The filters, as parameters of the API. */
  readonly filters: URLSearchParams
  readonly cursor?: string | undefined
}

const PAGE_SIZE = 20
const TIMEOUT_MS = 15_000

/**
 * Creates the calls that read public data without a session. `basePath` is the base path of the installation.
 * @throws {Failed}
 */
export const createPublicSites = (basePath: string) => ({
  /** The sites nearest to a place, the nearest first. */
  search: ({ near, filters, cursor }: SitesQuery, signal: AbortSignal): Promise<SitePage> => {
    const params = new URLSearchParams(filters)
    params.set('near', `${near.latitude},${near.longitude}`)
    params.set('limit', String(PAGE_SIZE))
    if (cursor !== undefined) params.set('cursor', cursor)
    return readPublic(`${basePath}${API.publicSites}?${params}`, signal)
  },
  site: (id: string, signal: AbortSignal): Promise<PublicSite> =>
    readPublic(basePath + API.publicSite(encodeURIComponent(id)), signal),
  suggest: async (text: string, signal: AbortSignal): Promise<readonly Suggestion[]> => {
    const params = new URLSearchParams({ q: text })
    const { items } = await readPublic<Suggestions>(
      `${basePath}${API.publicSuggest}?${params}`,
      signal,
    )
    return items
  },
})
export type PublicSites = ReturnType<typeof createPublicSites>

/** The URL template of the vector tiles of all sites that pass the filters, with placeholders for `z`, `x` and `y`. */
export const tilesAddress = (basePath: string, filters: URLSearchParams): string =>
  `${location.origin}${basePath}${API.publicTile('{z}', '{x}', '{y}')}${filters.size > 0 ? `?${filters}` : ''}`

/** Returns why a read failed; undefined if it was aborted. */
export const problemOfRead = (error: unknown, signal: AbortSignal): Problem | undefined =>
  signal.aborted ? undefined : toProblem(error)

/** Returns whether a problem means that the site does not exist, or no longer does. */
export const isGone = ({ status }: Problem): boolean => status === 404 || status === 410

/**
 * Reads public JSON without a session.
 * @throws {Failed}
 */
export const readPublic = async <T>(address: string, signal: AbortSignal): Promise<T> => {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(address, {
      signal: AbortSignal.any([signal, limit]),
      credentials: 'omit',
    })
    if (!response.ok) throw new Failed(problemOf(response.status, undefined))
    return (await response.json()) as T
  } catch (error) {
    if (error instanceof Failed || signal.aborted) throw error
    throw new Failure(limit.aborted ? 'timeout' : 'offline')
  }
}

import type { Send } from './client.ts'
import type { Core } from './core.ts'

/** The ETags of the lists that a read consists of, by request; null for a response without one. */
export type ListEtags = ReadonlyMap<RequestInfo | URL, string | null>

/** Returns a `send` that adds the ETag of each response to `etags`. */
export const recordEtags =
  (send: Send, etags: Map<RequestInfo | URL, string | null>): Send =>
  async (url, init) => {
    const response = await send(url, init)
    etags.set(url, response.headers.get('ETag'))
    return response
  }

/** Browsers send as many at a time to one server. More would only block the page: ten thousand sites are 61 lists. */
const CONCURRENT_CHECKS = 6

/**
 * Returns whether a list has changed since it was read; true if the server does not say. Rejects if the server cannot
 * answer now. Stops when `isCurrent` returns false.
 */
export const haveListsChanged = async (
  { env, send, session }: Pick<Core, 'env' | 'send' | 'session'>,
  etags: ListEtags,
  isCurrent: () => boolean,
): Promise<boolean> => {
  const hasChanged = async (url: RequestInfo | URL, etag: string | null): Promise<boolean> => {
    if (etag === null) return true
    const headers = {
      Authorization: session.token(),
      'Accept-Language': env.language(),
      'If-None-Match': etag,
    }
    // A request with its own `If-None-Match` bypasses the browser's cache. HEAD does not transfer a changed list.
    const response = await send(url, { method: 'HEAD', headers })
    // Chromium reports a request as aborted unless its response is read to the end.
    await response.text()
    const { status } = response
    if (status === 429 || status >= 500) throw new Error(`The server cannot answer: ${status}.`)
    return status !== 304
  }
  const lists = [...etags]
  for (let first = 0; first < lists.length && isCurrent(); first += CONCURRENT_CHECKS) {
    const group = lists.slice(first, first + CONCURRENT_CHECKS)
    if ((await Promise.all(group.map((each) => hasChanged(...each)))).includes(true)) return true
  }
  return lists.length === 0
}

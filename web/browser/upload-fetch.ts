import type { ProgressWatch } from '../data/environment.ts'

/**
 * A `fetch` with upload progress, which the native one lacks. It supports the features that the SDK uses: method,
 * headers, body and signal. The result is an ordinary response. It fails like `fetch`: with a `TypeError` on a network
 * error, with the signal's reason when aborted.
 */
export const uploadFetch =
  (watch: ProgressWatch) =>
  (url: RequestInfo | URL, init: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { signal } = init
      if (signal?.aborted === true) {
        reject(signal.reason as Error)
        return
      }
      const request = new XMLHttpRequest()
      request.open(init.method ?? 'GET', url instanceof Request ? url.url : url)
      request.responseType = 'blob'
      new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value))
      request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
        if (lengthComputable && total > 0) watch(loaded / total)
      })
      request.upload.addEventListener('load', () => watch(1))
      const fail = () => reject(new TypeError('Failed to fetch'))
      request.addEventListener('error', fail)
      request.addEventListener('timeout', fail)
      request.addEventListener('abort', () =>
        reject((signal?.reason as Error | undefined) ?? fail()),
      )
      request.addEventListener('load', () => resolve(toResponse(request)))
      signal?.addEventListener('abort', () => request.abort())
      request.send(init.body as XMLHttpRequestBodyInit | null | undefined)
    })

/** Status codes of responses without a body, for which `Response` requires null. */
const BODILESS = new Set([204, 205, 304])

const toResponse = (request: XMLHttpRequest): Response => {
  const response = new Response(
    BODILESS.has(request.status) ? null : (request.response as Blob | null),
    { status: request.status, statusText: request.statusText, headers: readHeaders(request) },
  )
  // The SDK's errors contain the URL, which a constructed response lacks.
  Object.defineProperty(response, 'url', { value: request.responseURL })
  return response
}

const readHeaders = (request: XMLHttpRequest): Headers => {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}

import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'

import type { Problem } from '#domain/repair.ts'

import { SourceError } from '../formats/source.ts'
import { codeOf } from '../problem.ts'
import { PrivateAddressError, isPublicAddress, pinnedLookup, type Resolve } from './addresses.ts'

/** The settings with which an installation reads from the web. */
export interface FetchSettings {
  /** Whether addresses of private networks may be read. */
  readonly allowsPrivate: boolean
  /** The `User-Agent` of the server. */
  readonly userAgent: string
  /** For tests; otherwise the resolver of the system. */
  readonly resolve?: Resolve
}

/** Limits on what is read from one address. */
export const FETCH_LIMITS = {
  redirects: 5,
  pages: 10_000,
  /** Of all pages together, before unpacking. */
  bytes: 2 * 1024 ** 3,
  /** Idle timeout. */
  idleMs: 30_000,
  /** Timeout for all pages together. */
  totalMs: 30 * 60 * 1000,
} as const

/** A single request. */
export interface WebRequest {
  readonly url: URL
  /** Sent only to its origin; empty for none. */
  readonly authorization: string
  readonly origin: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Parses the URL of a request. @throws {SourceError} if it must not be requested */
export const readWebUrl = (text: string, base?: URL): URL => {
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    `${url.username}${url.password}` !== ''
  )
    throw new SourceError({ code: 'url_invalid' })
  return url
}

/**
 * Sends a GET request and follows its redirects, each of which is checked like the first address.
 * @throws {SourceError} if the address leads into a private network, nothing responds, or the response is an error
 */
export const send = async (
  settings: FetchSettings,
  request: WebRequest,
  signal: AbortSignal,
): Promise<{ readonly response: IncomingMessage; readonly url: URL }> => {
  let { url } = request
  for (let hop = 0; hop <= FETCH_LIMITS.redirects; hop++) {
    const response = await sendOnce(settings, { ...request, url }, signal)
    const { location } = response.headers
    const { statusCode: status = 0 } = response
    if (status < 300 || status === 304 || status >= 400 || location === undefined)
      return { response, url }
    response.destroy()
    url = readWebUrl(location, url)
  }
  throw new SourceError({
    code: 'url_too_many_redirects',
    params: { host: url.host, max: FETCH_LIMITS.redirects },
  })
}

const sendOnce = (
  { allowsPrivate, userAgent, resolve }: FetchSettings,
  { url, authorization, origin, headers }: WebRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> => {
  // An IP address is not looked up; the URL contains it in canonical form.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!allowsPrivate && isIP(host) !== 0 && !isPublicAddress(host))
    throw new SourceError({ code: 'url_private' })
  const isWithToken = authorization !== '' && url.origin === origin
  if (isWithToken && url.protocol !== 'https:' && !allowsPrivate)
    throw new SourceError({ code: 'url_token_needs_https' })
  return new Promise((done, fail) => {
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      // Uses a new connection, not one that another request was allowed to open.
      agent: false,
      lookup: pinnedLookup(allowsPrivate ? () => true : isPublicAddress, resolve),
      signal,
      timeout: FETCH_LIMITS.idleMs,
      headers: {
        accept: 'application/json, text/csv, */*',
        'accept-encoding': 'gzip, identity',
        'user-agent': userAgent,
        ...headers,
        ...(isWithToken && { authorization }),
      },
    })
    sent.on('response', done)
    sent.on('timeout', () => sent.destroy(new SourceError(problem('url_too_slow', url))))
    sent.on('error', (error) => fail(asSourceError(error, url)))
    sent.end()
  })
}

const problem = (code: Problem['code'], url: URL): Problem => ({ code, params: { host: url.host } })

/** Converts a network error to an error for users. */
export const asSourceError = (error: Error, url: URL): SourceError => {
  if (error instanceof SourceError) return error
  if (error instanceof PrivateAddressError) return new SourceError({ code: 'url_private' })
  const code = codeOf(error) ?? ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new SourceError(problem('url_not_found', url))
  if (error.name === 'TimeoutError' || code === 'ETIMEDOUT' || code === 'ABORT_ERR')
    return new SourceError(problem('url_too_slow', url))
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_/.test(code))
    return new SourceError(problem('url_insecure_certificate', url))
  return new SourceError(problem('url_unreachable', url))
}

import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'

import type { Problem } from '#domain/repair.ts'

import { SourceError } from '../formats/source.ts'
import { codeOf } from '../problem.ts'
import { PrivateAddressError, isPublicAddress, pinnedLookup, type Resolve } from './addresses.ts'

/** How an installation reads from the web. */
export interface FetchSettings {
  /** Whether addresses of private networks may be read. */
  readonly allowsPrivate: boolean
  /** What the server calls itself. */
  readonly userAgent: string
  /** For tests; otherwise the resolver of the system. */
  readonly resolve?: Resolve
}

/** Limits on what is read from one address. */
export const FETCH_LIMITS = {
  redirects: 5,
  pages: 10_000,
  /** Of all pages together, as they are sent. */
  bytes: 2 * 1024 ** 3,
  /** Without a byte. */
  idleMs: 30_000,
  /** Until the last byte of the last page. */
  totalMs: 30 * 60 * 1000,
} as const

/** What one request asks for. */
export interface Asked {
  readonly url: URL
  /** Sent to its origin only; empty for none. */
  readonly authorization: string
  readonly origin: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The URL of a text, if it may be requested at all. */
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
 * @throws {SourceError} if the address leads into a private network, nobody answers, or the answer is an error
 */
export const send = async (
  settings: FetchSettings,
  asked: Asked,
  signal: AbortSignal,
): Promise<{ readonly response: IncomingMessage; readonly url: URL }> => {
  let { url } = asked
  for (let hop = 0; hop <= FETCH_LIMITS.redirects; hop++) {
    const response = await sendOnce(settings, { ...asked, url }, signal)
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
  { url, authorization, origin, headers }: Asked,
  signal: AbortSignal,
): Promise<IncomingMessage> => {
  // No lookup is made for an address in place of a name; the URL has it in its plain form.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!allowsPrivate && isIP(host) !== 0 && !isPublicAddress(host))
    throw new SourceError({ code: 'url_private' })
  const isWithToken = authorization !== '' && url.origin === origin
  if (isWithToken && url.protocol !== 'https:' && !allowsPrivate)
    throw new SourceError({ code: 'url_token_needs_https' })
  return new Promise((done, fail) => {
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      // A connection of its own: none that another request was allowed to open.
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

/** What people are told of an error of the network. */
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

import type { IncomingMessage } from 'node:http'

import {
  SourceError,
  gunzip,
  readHead,
  type PeekedSource,
  type Bytes,
  type Unpacked,
} from '../formats/source.ts'
import { countEntries, type Entries } from './entries.ts'
import { nextLink } from './link.ts'
import { FETCH_LIMITS, asSourceError, readWebUrl, send, type FetchSettings } from './request.ts'

/** The validators of a version of the content, for conditional requests. */
interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

/** A request to read an address. */
export interface FetchRequest {
  readonly url: string
  /** The token as the operator of the source issued it; sent only to the origin of the address. */
  readonly token?: string
  /** The validators of the content that is already known. */
  readonly known?: Validators
}

/** The content of an address, or that it is the known one. */
export type Fetched =
  | { readonly isUnchanged: true }
  | {
      readonly isUnchanged: false
      /** All pages of a feed, one after another. Reading throws a SourceError if a page fails. */
      readonly bytes: Bytes
      /** Only for a single page, once it was read: they say nothing about further pages. */
      readonly validators: Validators
    }

/**
 * Reads a web address: a file, or an OCPI feed with all its pages. The address of a feed is its list of versions, the
 * details of one version, or its locations.
 * @throws {SourceError} if the address may not be read, nothing responds, or the response is an error
 */
export const fetchSource = async (
  settings: FetchSettings,
  { url: text, token = '', known = {} }: FetchRequest,
  stop?: AbortSignal,
): Promise<Fetched> => {
  const url = readWebUrl(text)
  const timeout = AbortSignal.timeout(FETCH_LIMITS.totalMs)
  const signal = stop ? AbortSignal.any([stop, timeout]) : timeout
  const session = createSession(settings, url, token.trim(), signal)
  const headers = {
    ...(known.etag && { 'if-none-match': known.etag }),
    ...(known.lastModified && { 'if-modified-since': known.lastModified }),
  }
  const page = await session.get(url, headers)
  if (page.response.statusCode === 304) {
    page.response.destroy()
    return { isUnchanged: true }
  }
  const { head, rest, close } = await session.begin(page)
  const list = ocpiList(head)
  if (list !== undefined) {
    await close()
    return { isUnchanged: false, bytes: moduleBytes(session, list, page.url), validators: {} }
  }
  const { etag, 'last-modified': lastModified } = page.response.headers
  const reading = readPages(session, page, rest)
  return {
    isUnchanged: false,
    bytes: reading.bytes,
    get validators() {
      return reading.isOnePage()
        ? { ...(etag && { etag }), ...(lastModified && { lastModified }) }
        : {}
    },
  }
}

/** A response, and its address after all redirects. */
interface Page {
  readonly response: IncomingMessage
  readonly url: URL
}

interface Session {
  readonly get: (url: URL, headers?: Readonly<Record<string, string>>) => Promise<Page>
  /** Reads the beginning of a page's body. @throws {SourceError} if it is an error of OCPI */
  readonly begin: (page: Page) => Promise<PeekedSource>
}

/** Sends requests that share a token and the limits. */
const createSession = (
  settings: FetchSettings,
  { origin, host: first }: URL,
  token: string,
  signal: AbortSignal,
): Session => {
  let bytes = 0
  // Applies to all pages together: thousands of small pages would otherwise fill the disk.
  const total: Unpacked = { packed: 0, unpacked: 0 }
  let [authorization, ...others] = authorizationsOf(token).filter(isSendable)
  if (token !== '' && authorization === undefined)
    throw new SourceError({ code: 'url_unauthorized', params: { host: first } })
  const get: Session['get'] = async (url, headers = {}) => {
    const request = { url, origin, headers, authorization: authorization ?? '' }
    const page = await send(settings, request, signal)
    const { statusCode: status = 0 } = page.response
    if (status === 401 && others.length > 0) {
      page.response.destroy()
      ;[authorization, ...others] = others
      return get(url, headers)
    }
    // 304 answers only a conditional request (RFC 9110, 15.4.5).
    const isConditional = 'if-none-match' in headers || 'if-modified-since' in headers
    if (status === 200 || (status === 304 && isConditional)) return page
    page.response.destroy()
    const { host } = page.url
    throw new SourceError(
      status === 401 || status === 403
        ? { code: 'url_unauthorized', params: { host } }
        : { code: 'url_refused', params: { host, status } },
    )
  }
  const counted = async function* ({ response, url }: Page): Bytes {
    try {
      for await (const chunk of response as AsyncIterable<Uint8Array>) {
        bytes += chunk.length
        if (bytes > FETCH_LIMITS.bytes)
          throw new SourceError({ code: 'source_too_large', params: { max: FETCH_LIMITS.bytes } })
        yield chunk
      }
    } catch (error) {
      throw error instanceof Error ? asSourceError(error, url) : error
    }
  }
  const begin: Session['begin'] = async (page) => {
    const isPacked = page.response.headers['content-encoding'] === 'gzip'
    const body = isPacked ? gunzip(counted(page), total) : counted(page)
    const begun = await readHead(body, MAX_LIST_BYTES)
    const status = ocpiError(begun.head)
    if (status === undefined) return begun
    await begun.close()
    throw new SourceError({ code: 'url_refused', params: { host: page.url.host, status } })
  }
  return { get, begin }
}

/** OCPI 2.2 encodes the token, older versions do not, and servers differ. A token with a scheme is sent unchanged. */
const authorizationsOf = (token: string): readonly string[] => {
  if (token === '') return []
  if (/^(?:token|bearer|basic) /i.test(token)) return [token]
  return [`Token ${token}`, `Token ${Buffer.from(token).toString('base64')}`, `Bearer ${token}`]
}

/** Whether a header can contain the value: a pasted token may contain a line break or typographic quotes. */
const isSendable = (authorization: string): boolean => /^[ -~\u00a0-\u00ff]*$/.test(authorization)

const LINE_BREAK = Buffer.from('\n')

/** Reads the pages of a feed from the first one on, one list each. */
const readPages = (session: Session, first: Page, firstBytes: Bytes) => {
  // A feed that links its pages links all of them, and its count may mean something else.
  const isCounted = nextPage(first) === undefined
  let isOnePage = isCounted
  const bytes = async function* (): Bytes {
    const seen = new Set<string>()
    const nextOf = isCounted ? createOffsets(first.url) : nextPage
    let [page, body] = [first, firstBytes]
    for (;;) {
      const entries = countEntries(body)
      yield* isCounted ? entries.bytes : body
      const next = nextOf(page, entries.read)
      if (next === undefined || seen.has(next.href)) return
      isOnePage = false
      if (seen.add(next.href).size > FETCH_LIMITS.pages)
        throw new SourceError({
          code: 'url_too_many_pages',
          params: { host: next.host, max: FETCH_LIMITS.pages },
        })
      page = await session.get(next)
      body = (await session.begin(page)).rest
      yield LINE_BREAK
    }
  }
  return { bytes: bytes(), isOnePage: () => isOnePage }
}

/**
 * Finds the next pages of a feed that reports a total count but links no page, by the offset of OCPI.
 * @throws {SourceError} if the pages end early or repeat themselves: missing entries do not count as removed
 */
const createOffsets = (base: URL) => {
  const firsts = new Set<string>()
  const from = Number(base.searchParams.get('offset') ?? 0)
  let read = 0
  return (page: Page, entriesOf: () => Entries): URL | undefined => {
    const total = Number(page.response.headers['x-total-count'] ?? Number.NaN)
    const { count, first } = entriesOf()
    const isStuck = firsts.has(first) || (firsts.size > 0 && count === 0)
    firsts.add(first)
    read += count
    if (isStuck)
      throw new SourceError({ code: 'url_incomplete', params: { host: base.host, total } })
    // A page whose entries cannot be counted is taken for the whole feed.
    if (read === 0 || !(from + read < total)) return undefined
    const next = new URL(base)
    next.searchParams.set('offset', String(from + read))
    return next
  }
}

/** The next page of a feed, by the header that OCPI and most paged interfaces use. */
const nextPage = ({ response, url }: Page): URL | undefined => {
  const target = nextLink([response.headers.link ?? []].flat().join(', '))
  return target === undefined ? undefined : readWebUrl(target, url)
}

/** Lists of versions and of modules are short, and so are errors. */
const MAX_LIST_BYTES = 64 * 1024
/** The supported versions of OCPI, by preference. */
const VERSIONS = ['2.2.1', '2.3.0', '2.2', '2.1.1']

/** The URLs of an OCPI server's modules, or the URL of the details of a version. */
type OcpiList =
  | { readonly version: string }
  | { readonly locations: string; readonly tariffs: string | undefined }

type Named = Readonly<Record<string, unknown>>

/** Parses a response of the OCPI versions module; undefined if it is none. */
const ocpiList = (head: Uint8Array): OcpiList | undefined => {
  const { data } = answerIn(head)
  const versions = Array.isArray(data) ? (data as readonly unknown[]).filter(isVersion) : []
  if (versions.length > 0) {
    const best = VERSIONS.map((each) => versions.find(({ version }) => version === each)).find(
      (each) => each !== undefined,
    )
    return { version: (best ?? versions[0])?.url ?? '' }
  }
  const endpoints = (data as { readonly endpoints?: unknown } | undefined)?.endpoints
  if (!Array.isArray(endpoints)) return undefined
  const urlOf = (identifier: string): string | undefined =>
    (endpoints as readonly Named[]).flatMap((each) =>
      each?.['identifier'] === identifier &&
      each['role'] !== 'RECEIVER' &&
      typeof each['url'] === 'string'
        ? [each['url']]
        : [],
    )[0]
  return { locations: urlOf('locations') ?? '', tariffs: urlOf('tariffs') }
}

const isVersion = (value: unknown): value is { readonly version: string; readonly url: string } => {
  const named = (value ?? {}) as Named
  return typeof named['version'] === 'string' && typeof named['url'] === 'string'
}

/** Parses a response that is short enough to be a list or an error; empty if it is neither. */
const answerIn = (head: Uint8Array): Named => {
  if (head.length >= MAX_LIST_BYTES) return {}
  try {
    return (JSON.parse(Buffer.from(head).toString('utf8')) ?? {}) as Named
  } catch {
    return {}
  }
}

/** The OCPI status of an error response, whose HTTP status may be 200. */
const ocpiError = (head: Uint8Array): number | undefined => {
  const status = Number(answerIn(head)['status_code'])
  return status >= 2000 && status < 5000 ? status : undefined
}

/** Reads the locations of an OCPI server, then its tariffs. */
const moduleBytes = async function* (session: Session, list: OcpiList, base: URL): Bytes {
  if ('version' in list) {
    const page = await session.get(readWebUrl(list.version, base))
    const { head, close } = await session.begin(page)
    await close()
    const details = ocpiList(head)
    if (details === undefined || 'version' in details)
      throw new SourceError({ code: 'url_without_locations', params: { host: page.url.host } })
    return yield* moduleBytes(session, details, page.url)
  }
  const { locations, tariffs } = list
  if (locations === '')
    throw new SourceError({ code: 'url_without_locations', params: { host: base.host } })
  yield* moduleIn(session, readWebUrl(locations, base))
  if (tariffs === undefined) return
  yield LINE_BREAK
  yield* moduleIn(session, readWebUrl(tariffs, base))
}

const moduleIn = async function* (session: Session, url: URL): Bytes {
  const page = await session.get(url)
  yield* readPages(session, page, (await session.begin(page)).rest).bytes
}

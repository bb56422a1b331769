import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps, type RequestOptions } from 'node:https'

import { GEOCODE_LIMITS } from '#domain/geocode.ts'
import { findMapLink, placeOfMapLink, type Coordinates } from '#domain/map-link.ts'

import { pinnedLookup } from '../fetch/addresses.ts'

/** The hosts of short links of map apps, and those that they redirect to. No other host is requested. */
const HOSTS =
  /^(maps\.app\.goo\.gl|goo\.gl|g\.co|(www\.|maps\.|consent\.)?google\.(com|[a-z]{2})(\.[a-z]{2})?|maps\.apple(\.com)?|(www\.)?openstreetmap\.org|osm\.org)$/

const MAX_HOPS = 5
const MAX_BYTES = 512 * 1024

interface Options {
  /** `direct`, or the URL of a gateway, which gets `<gateway>/<host>/<path>` instead of the host. */
  readonly gateway: string
  readonly userAgent: string
}

/**
 * Follows a short link of a map app to its position; undefined if there is none. Follows at most five redirects within
 * the allowed hosts, over HTTPS, without cookies, to public addresses, within the timeout of the geocoder. Reads at
 * most 512 KiB of the last page.
 * @throws Error if a host cannot be reached
 */
export const openMapLink = async (
  link: string,
  options: Options,
): Promise<Coordinates | undefined> => {
  const signal = AbortSignal.timeout(GEOCODE_LIMITS.timeoutMs)
  let url = readLink(link)
  for (let hop = 0; hop < MAX_HOPS && url !== undefined; hop += 1) {
    const place = placeOfMapLink(url.href)
    if (place !== undefined) return place
    const response = await ask(url, options, signal)
    const { location } = response.headers
    if (location === undefined) return response.statusCode === 200 ? readPage(response) : undefined
    response.destroy()
    url = URL.canParse(location, url) ? readLink(new URL(location, url).href) : undefined
  }
  return undefined
}

/** The URL, if it may be requested. */
const readLink = (link: string): URL | undefined => {
  const found = findMapLink(link)
  if (found === undefined) return undefined
  const address = /^\w+:/.test(found) ? found.replace(/^http:/i, 'https:') : `https://${found}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const isAllowed = url.protocol === 'https:' && HOSTS.test(url.hostname)
  return isAllowed && url.port === '' && url.username === '' ? url : undefined
}

const ask = (
  url: URL,
  { gateway, userAgent }: Options,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const settings: RequestOptions = {
      headers: { 'user-agent': userAgent, accept: 'text/html' },
      signal,
    }
    const isDirect = gateway === 'direct'
    const target = isDirect
      ? url
      : new URL(`${gateway.replace(/\/$/, '')}/${url.hostname}${url.pathname}${url.search}`)
    const send = target.protocol === 'https:' ? requestHttps : requestHttp
    send(target, isDirect ? { ...settings, lookup: pinnedLookup() } : settings, resolve)
      .on('error', reject)
      .end()
  })

/** Pages of Google Maps contain the position only in the address of their preview image. */
const PREVIEW = /staticmap\?center=(-?[\d.]+)(?:,|%2C)(-?[\d.]+)/i

const readPage = async (response: IncomingMessage): Promise<Coordinates | undefined> => {
  let page = ''
  // Leaving the loop ends the stream.
  for await (const part of response.setEncoding('latin1')) {
    page += String(part)
    if (page.length > MAX_BYTES) break
  }
  const match = PREVIEW.exec(page)
  return match === null ? undefined : placeOfMapLink(`geo:${match[1]},${match[2]}`)
}

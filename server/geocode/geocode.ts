import { ApiError } from '#domain/error.ts'
import { GEOCODE_LIMITS, type GeocodeAnswer, type GeocodedPlace } from '#domain/geocode.ts'
import type { Language } from '#domain/language.ts'

import { Unavailable } from '../problem.ts'
import { readPlaces } from './photon.ts'

export interface Search {
  /** What somebody typed, trimmed. */
  readonly text: string
  readonly language: Language
  /** Places near here come first. */
  readonly near?: { readonly latitude: number; readonly longitude: number } | undefined
}

/** @throws ApiError 503 when the geocoder cannot be reached, or its answer cannot be read */
export type Geocode = (search: Search) => Promise<GeocodeAnswer>

export interface GeocodeDeps {
  /** Address of a geocoder in the manner of Photon, or `none`. */
  readonly url: string
  /** How we introduce ourselves to it. */
  readonly userAgent: string
  /** The time, in milliseconds; for tests that let it pass. */
  readonly now?: () => number
}

const KEPT_MS = 24 * 60 * 60 * 1000
const MAX_KEPT = 2000
const MAX_ANSWER_BYTES = 1024 * 1024
const RETRY_AFTER_S = 30

/** The languages of Photon; in any other it answers in that of the place. */
const SPOKEN: readonly Language[] = ['en', 'de', 'fr']

const ATTRIBUTION = {
  text: '© OpenStreetMap contributors',
  url: 'https://www.openstreetmap.org/copyright',
}

/** Searches addresses at the configured geocoder and remembers its answers for a day. */
export const createGeocode = ({ url, userAgent, now = Date.now }: GeocodeDeps): Geocode => {
  // In the order in which they were last asked for; equal searches at one time are one.
  const kept = new Map<string, { readonly places: Promise<GeocodedPlace[]>; until: number }>()

  const remember = (key: string, search: Search): Promise<GeocodedPlace[]> => {
    const known = kept.get(key)
    kept.delete(key)
    const fresh = known !== undefined && known.until > now() ? known : undefined
    const entry = fresh ?? { places: ask(url, userAgent, search), until: now() + KEPT_MS }
    kept.set(key, entry)
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    // What failed is tried again the next time.
    entry.places.catch(() => kept.get(key) === entry && kept.delete(key))
    return entry.places
  }

  return async (search) => {
    if (url === 'none') throw new ApiError(503, 'Address search is switched off.')
    const { text, language, near } = search
    const key = JSON.stringify([
      text.toLowerCase().replaceAll(/\s+/g, ' '),
      SPOKEN.includes(language) ? language : '',
      near === undefined ? '' : roughly(near),
    ])
    return { items: await remember(key, search), attribution: ATTRIBUTION }
  }
}

/** Near enough to tell one town from another, and no nearer. */
const roughly = ({ latitude, longitude }: NonNullable<Search['near']>): [string, string] => [
  latitude.toFixed(1),
  longitude.toFixed(1),
]

const ask = async (
  geocoder: string,
  userAgent: string,
  { text, language, near }: Search,
): Promise<GeocodedPlace[]> => {
  const url = new URL(geocoder)
  url.searchParams.set('q', text)
  url.searchParams.set('limit', String(GEOCODE_LIMITS.places))
  if (SPOKEN.includes(language)) url.searchParams.set('lang', language)
  if (near !== undefined) {
    const [latitude, longitude] = roughly(near)
    url.searchParams.set('lat', latitude)
    url.searchParams.set('lon', longitude)
  }
  const answer = await fetch(url, {
    headers: { accept: 'application/json', 'user-agent': userAgent },
    signal: AbortSignal.timeout(GEOCODE_LIMITS.timeoutMs),
  })
    .then(async (response) => ({ status: response.status, text: await readLimited(response) }))
    .catch((error: unknown) => {
      throw outOfReach(describe(error))
    })
  if (answer.status !== 200) throw outOfReach(`it answered ${answer.status}`)
  const places = readPlaces(answer.text)
  if (places === undefined) throw outOfReach('its answer cannot be read')
  return places
}

const readLimited = async (response: Response): Promise<string> => {
  const parts: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop ends the stream.
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > MAX_ANSWER_BYTES) throw new Error('its answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/**
 * The log learns why, but nothing of what was searched for: neither the address that was asked nor
 * the text of the answer.
 */
const outOfReach = (reason: string): ApiError =>
  new ApiError(
    503,
    'The address search cannot be reached.',
    {},
    { cause: new Unavailable(`The geocoder is of no use: ${reason}`), retryAfterS: RETRY_AFTER_S },
  )

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return 'for no reason'
  if (error.name === 'TimeoutError') return `no answer in ${GEOCODE_LIMITS.timeoutMs} ms`
  const code = error.cause instanceof Error && 'code' in error.cause ? error.cause.code : undefined
  return typeof code === 'string' ? code : error.message
}

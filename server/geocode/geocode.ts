import { RETRY_AFTER_S } from '../limits.ts'
import { MiB } from '#domain/limits.ts'
import { ApiError } from '#domain/error.ts'
import { GEOCODE_LIMITS, type GeocodeAnswer, type GeocodedPlace } from '#domain/geocode.ts'
import type { Language } from '#domain/language.ts'

import { DependencyError } from '../problem.ts'
import { createAnswerCache } from './answer-cache.ts'
import { openMapLink } from './open-map-link.ts'
import { readPlaces } from './photon.ts'

interface Place {
  readonly latitude: number
  readonly longitude: number
}

/** A request to the geocoder. */
export type Question = { readonly language: Language } & (
  | {
      readonly kind: 'search'
      /** The text that the user typed, trimmed. */
      readonly text: string
      /** Ranks places near here first. */
      readonly near?: Place | undefined
    }
  /** The address of a place. */
  | { readonly kind: 'reverse'; readonly at: Place }
  /** The place of a short link of a map app. */
  | { readonly kind: 'link'; readonly link: string }
)

/** @throws ApiError 503 if the geocoder, or the host of the link, does not respond or is not understood */
export type Geocode = (question: Question) => Promise<GeocodeAnswer>

export interface GeocodeDeps {
  /** Address of a geocoder with the API of Photon, or `none`. */
  readonly url: string
  /** How short links are opened: `direct`, the URL of a gateway (`openMapLink`), or `none`. */
  readonly links: string
  /** The `User-Agent` of requests to the geocoder. */
  readonly userAgent: string
  /** The clock, in milliseconds; tests replace it. */
  readonly now?: () => number
}

const MAX_ANSWER_BYTES = MiB

/** The languages of Photon; for others it uses the language of the place. */
const SPOKEN: readonly Language[] = ['en', 'de', 'fr']

const ATTRIBUTION = {
  text: '© OpenStreetMap contributors',
  url: 'https://www.openstreetmap.org/copyright',
}

/** Queries the configured geocoder, opens short links of map apps, and caches the responses for a day. */
export const createGeocode = ({ url, links, userAgent, now = Date.now }: GeocodeDeps): Geocode => {
  const cached = createAnswerCache<readonly GeocodedPlace[]>(now)
  return async (question) => {
    if (question.kind === 'link') {
      if (links === 'none') throw new ApiError(503, 'Opening short links is turned off.')
      const items = await cached(`link ${question.link}`, () =>
        openLink(question.link, links, userAgent),
      )
      return { items }
    }
    if (url === 'none') throw new ApiError(503, 'Address search is turned off.')
    const requestUrl = addressOf(url, question)
    const items = await cached(requestUrl.href.toLowerCase(), () => ask(requestUrl, userAgent))
    return { items, attribution: ATTRIBUTION }
  }
}

const openLink = async (
  link: string,
  gateway: string,
  userAgent: string,
): Promise<readonly GeocodedPlace[]> => {
  const place = await openMapLink(link, { gateway, userAgent }).catch((error: unknown) => {
    throw new ApiError(
      503,
      'The link could not be opened.',
      {},
      {
        cause: new DependencyError(`The host of a map link cannot be used: ${describe(error)}`),
        retryAfterS: RETRY_AFTER_S.geocoder,
      },
    )
  })
  return place === undefined ? [] : [{ address: '', ...place }]
}

/** The URL of the request to the geocoder, which is also the cache key. */
const addressOf = (
  geocoder: string,
  question: Exclude<Question, { readonly kind: 'link' }>,
): URL => {
  const url = new URL(geocoder)
  if (question.kind === 'search') {
    url.searchParams.set('q', question.text.replaceAll(/\s+/g, ' '))
    url.searchParams.set('limit', String(GEOCODE_LIMITS.places))
  } else {
    url.pathname = url.pathname.replace(/\/(api)?\/?$/, '/reverse')
    url.searchParams.set('limit', '1')
  }
  if (SPOKEN.includes(question.language)) url.searchParams.set('lang', question.language)
  const place =
    question.kind === 'search' ? question.near && roughly(question.near) : exactly(question.at)
  if (place !== undefined) {
    url.searchParams.set('lat', place[0])
    url.searchParams.set('lon', place[1])
  }
  return url
}

/** Coordinates rounded to a metre, for a position that will be published. */
const exactly = ({ latitude, longitude }: Place): [string, string] => [
  latitude.toFixed(5),
  longitude.toFixed(5),
]

/** Coordinates rounded to a few kilometres, which distinguish towns and disclose no more. */
const roughly = ({ latitude, longitude }: Place): [string, string] => [
  latitude.toFixed(1),
  longitude.toFixed(1),
]

const ask = async (url: URL, userAgent: string): Promise<GeocodedPlace[]> => {
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

/** Logs the reason, but neither the URL of the request, which contains the query, nor the body of the response. */
const outOfReach = (reason: string): ApiError =>
  new ApiError(
    503,
    'The address search cannot be reached.',
    {},
    {
      cause: new DependencyError(`The geocoder cannot be used: ${reason}`),
      retryAfterS: RETRY_AFTER_S.geocoder,
    },
  )

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.name === 'TimeoutError') return `no answer in ${GEOCODE_LIMITS.timeoutMs} ms`
  const code = error.cause instanceof Error && 'code' in error.cause ? error.cause.code : undefined
  return typeof code === 'string' ? code : error.message
}

/** What `GET /api/geocode` takes and answers (spec 10). */
export const GEOCODE_LIMITS = {
  /** Longest search text. */
  queryLength: 200,
  /** Longest link that is followed. */
  linkLength: 2000,
  /** Most places in an answer. */
  places: 5,
  perMinute: 60,
  /** Timeout of a request to the geocoder. */
  timeoutMs: 3000,
} as const

/** A place that an address may mean. */
export interface GeocodedPlace {
  /** The address in one line, as people of that country write it. */
  readonly address: string
  readonly latitude: number
  readonly longitude: number
  /** What of the address is known in parts, as the fields of a site. Absent for the place of a link. */
  readonly parts?: AddressParts
}

/** The parts of an address under the names of a site's fields; `country` is ISO 3166-1 alpha-3, and each may be empty. */
export interface AddressParts {
  readonly city: string
  readonly postal_code: string
  readonly state: string
  readonly country: string
}

/** The answer to a search: the likeliest place first. */
export interface GeocodeAnswer {
  readonly items: readonly GeocodedPlace[]
  /** The source of the data, which has to be shown with it. Absent for the place of a link. */
  readonly attribution?: { readonly text: string; readonly url: string }
}

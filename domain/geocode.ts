/** Parameters and response of `GET /api/geocode` (spec 10). */
export const GEOCODE_LIMITS = {
  /** Maximum length of a search text. */
  queryLength: 200,
  /** Maximum length of a link that the server opens. */
  linkLength: 2000,
  /** Maximum number of places in a response. */
  places: 5,
  perMinute: 60,
  /** Timeout of a request to the geocoder. */
  timeoutMs: 3000,
} as const

/** A place that matches an address. */
export interface GeocodedPlace {
  /** The address in one line, in the format of its country. */
  readonly address: string
  readonly latitude: number
  readonly longitude: number
  /** The known parts of the address. Absent if the place comes from a link. */
  readonly parts?: AddressParts
}

/** The parts of an address, named like a site's fields; `country` is ISO 3166-1 alpha-3. Each may be empty. */
export interface AddressParts {
  readonly city: string
  readonly postal_code: string
  readonly state: string
  readonly country: string
}

/** The response to a search: the likeliest place comes first. */
export interface GeocodeAnswer {
  readonly items: readonly GeocodedPlace[]
  /** The attribution of the data, which must be displayed. Absent if the place comes from a link. */
  readonly attribution?: { readonly text: string; readonly url: string }
}

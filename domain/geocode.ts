/** What `GET /api/geocode` takes and answers (spec 10). */
export const GEOCODE_LIMITS = {
  /** Longest text that is searched for. */
  queryLength: 200,
  /** Longest link that is opened. */
  linkLength: 2000,
  /** Most places in an answer. */
  places: 5,
  perMinute: 60,
  /** How long the geocoder may take. */
  timeoutMs: 3000,
} as const

/** A place that an address may mean. */
export interface GeocodedPlace {
  /** The address in one line, as people of that country write it. */
  readonly address: string
  readonly latitude: number
  readonly longitude: number
}

/** The answer to a search: the likeliest place first. */
export interface GeocodeAnswer {
  readonly items: readonly GeocodedPlace[]
  /** Whose data this is; it has to be shown with them. None for the place of a link. */
  readonly attribution?: { readonly text: string; readonly url: string }
}

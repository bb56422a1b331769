import { PLUG_GROUP_NAMES, type PlugGroup } from './plug-group.ts'
import type { PublicSite } from './public-site.ts'
import { SITE_ACCESS } from './site-values.ts'

/** Limits of the public reads. */
export const PUBLIC_READ_LIMITS = {
  /** Sites of a page: by default, and at most. */
  sites: 50,
  maxSites: 200,
  /** A page ends behind the document with which it is this large. */
  pageBytes: 4 * 1024 * 1024,
  cursorLength: 200,
  /** Towns, and sites, of the suggestions. */
  suggestions: 5,
  maxZoom: 22,
  /** From this zoom on, a tile has single sites. */
  singlesZoom: 14,
  /** Up to this zoom, tiles of a large network are made of a summary. */
  summaryZoom: 5,
  /** Sites of a tile of single ones; more at one place are left out. */
  sitesOfTile: 5000,
  maxKw: 10_000,
  /** A line to search along: its points, its length, and how far from it sites may be. */
  routePoints: 5000,
  routeKm: 10_000,
  within: 1000,
  maxWithin: 5000,
  routeBytes: 256 * 1024,
} as const

/** How long a response may be used, and for how long an older one while a newer one is fetched. */
export const PUBLIC_CACHE_CONTROL = 'public, max-age=15, stale-while-revalidate=300'

type PublicAccess = (typeof SITE_ACCESS)[number]

/** Which sites are asked for; everything that is named must be true of a site. */
export interface SiteFilter {
  /** One of these plugs. */
  readonly plugs: readonly PlugGroup[]
  /** One connector, with one of the plugs, has at least this power. */
  readonly minKw: number
  /** Charging costs nothing. */
  readonly free: boolean
  /** Its status is AVAILABLE. */
  readonly available: boolean
  /** It is open at this moment, as far as its hours are known. */
  readonly openNow: boolean
  /** One of these. */
  readonly access: readonly PublicAccess[]
  /** The id of the business that it belongs to; undefined for all. */
  readonly business?: string | undefined
}

export const NO_FILTER: SiteFilter = {
  plugs: [],
  minKw: 0,
  free: false,
  available: false,
  openNow: false,
  access: [],
}

/** What parameters of a filter in a URL may say, where that is one of a few; those of a list may be repeated. */
export const FILTER_PARAMETERS = {
  plug: PLUG_GROUP_NAMES,
  free: ['true'],
  available: ['true'],
  open: ['now'],
  access: SITE_ACCESS,
} as const

/** The layer of the tiles. */
export const TILE_LAYER = 'sites'
export const TILE_EXTENT = 4096

/**
 * A site of a list. `distance_m` is from the position that was asked for, or from the line; `along_m` is the length of the line
 * up to its point that is nearest to the site.
 */
export type ListedSite = PublicSite & { readonly distance_m?: number; readonly along_m?: number }

/** The response of `GET /api/public/sites` and `POST /api/public/route`. `next` is the cursor of the following page. */
export interface SitePage {
  readonly items: readonly ListedSite[]
  readonly next: string | null
}

/** A town, at the mean position of its sites, or a site. */
export type Suggestion =
  | {
      readonly kind: 'town'
      readonly name: string
      /** What tells it from another town of the name, such as a state or a postal code; empty if there is none. */
      readonly region: string
      /** ISO 3166-1 alpha-3, or empty. */
      readonly country: string
      readonly latitude: number
      readonly longitude: number
      /** Number of sites. */
      readonly count: number
    }
  | {
      readonly kind: 'site'
      readonly id: string
      readonly name: string
      readonly city: string
      readonly country: string
      readonly latitude: number
      readonly longitude: number
    }

/** The response of `GET /api/public/suggest`: towns with most sites first, then sites. */
export interface Suggestions {
  readonly items: readonly Suggestion[]
}

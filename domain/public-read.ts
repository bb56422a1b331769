import { PLUG_GROUP_NAMES, type PlugGroup } from './plug-group.ts'
import type { PublicSite } from './public-site.ts'
import { SITE_ACCESS } from './site-values.ts'

/** Limits of the public reads. */
export const PUBLIC_READ_LIMITS = {
  /** Page size: by default, and at most. */
  sites: 50,
  maxSites: 200,
  /** A page ends after the document with which it reaches this size. */
  pageBytes: 4 * 1024 * 1024,
  cursorLength: 200,
  /** Maximum number of towns, and of sites, in the suggestions. */
  suggestions: 5,
  maxZoom: 22,
  /** From this zoom level on, tiles contain single sites. */
  singlesZoom: 14,
  /** Up to this zoom level, tiles of a large network are built from a summary. */
  summaryZoom: 5,
  /** Maximum number of sites in a tile of single sites; further ones at the same place are left out. */
  sitesOfTile: 5000,
  maxKw: 10_000,
  /** Limits of a route to search along: its points, its length, and the distance of sites from it. */
  routePoints: 5000,
  routeKm: 10_000,
  within: 1000,
  maxWithin: 5000,
  routeBytes: 256 * 1024,
} as const

/** The form of a parameter with several numbers, for errors and for OpenAPI. */
export interface ParameterForm {
  readonly parts: string
  readonly example: string
}

export const POSITION_FORM: ParameterForm = {
  parts: '`latitude,longitude`',
  example: '48.85,2.35',
}
export const BOX_FORM: ParameterForm = {
  parts: '`west,south,east,north`',
  example: '2.2,48.8,2.5,48.9',
}

/** How long a response may be cached, and how long a stale one may be used while it is revalidated. */
export const PUBLIC_CACHE_CONTROL = 'public, max-age=15, stale-while-revalidate=300'

type PublicAccess = (typeof SITE_ACCESS)[number]

/** A filter of sites; a site must meet every condition that is set. */
export interface SiteFilter {
  /** The site has one of these plugs. */
  readonly plugs: readonly PlugGroup[]
  /** One connector, with one of the plugs, has at least this power. */
  readonly minKw: number
  /** Charging costs nothing. */
  readonly free: boolean
  /** The status is AVAILABLE. */
  readonly available: boolean
  /** The site is open now, as far as its hours are known. */
  readonly openNow: boolean
  /** The access is one of these. */
  readonly access: readonly PublicAccess[]
  /** The id of the business that the site belongs to; undefined for all. */
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

/** The values of filter parameters in a URL that have a fixed set; list parameters may be repeated. */
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
 * A site of a list. `distance_m` is the distance from the requested position or route; `along_m` is the distance along
 * the route to the point nearest to the site.
 */
export type ListedSite = PublicSite & { readonly distance_m?: number; readonly along_m?: number }

/** The response of `GET /api/public/sites` and `POST /api/public/route`. `next` is the cursor of the next page. */
export interface SitePage {
  readonly items: readonly ListedSite[]
  readonly next: string | null
}

/** A town, at the mean position of its sites, or a site. */
export type Suggestion =
  | {
      readonly kind: 'town'
      readonly name: string
      /** Distinguishes towns of the same name, such as a state or a postal code; empty if there is none. */
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

/** The response of `GET /api/public/suggest`: towns, those with the most sites first, then sites. */
export interface Suggestions {
  readonly items: readonly Suggestion[]
}

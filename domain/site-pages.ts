import type { Language } from './language.ts'
import type { ListedSite, SiteFilter, Suggestion } from './public-read.ts'
import type { Position } from './distance.ts'
import type { PublicBusiness, PublicSite } from './public-site.ts'
import type { WebSettings } from './settings.ts'

/** Where the build writes the files that the server needs for site pages, below the build folder. */
export const SITE_PAGES = {
  /** A module that exports `drawSitePage`. */
  module: '.vite/site-pages.js',
  /** `SitePageFiles` as JSON. */
  files: '.vite/site-pages.json',
} as const

/** The files that a site page refers to. */
export interface SitePageFiles {
  /** The document, with the same placeholders as the pages of the app. */
  readonly template: string
  /** Relative to the base path. */
  readonly styles: readonly string[]
  /** The inline script of every page that is not embedded. */
  readonly script: string
  /**
   * The module of the map of a business, and the modules that it loads besides the map library; relative to the base
   * path.
   */
  readonly mapScripts: readonly [string, ...string[]]
}

/** The subject of a page. */
export type SitePageSubject =
  | { readonly kind: 'site'; readonly site: PublicSite }
  | BusinessSubject
  | ListSubject
  /** The site was public until it was removed. */
  | { readonly kind: 'gone'; readonly near: readonly ListedSite[] }
  | { readonly kind: 'unknown' }

/** A page of the sites near a searched place. */
export interface ListSubject {
  readonly kind: 'list'
  /** The text that was typed. */
  readonly query: string
  readonly filter: SiteFilter
  /** The possible meanings of the text: the sites are near the first one. */
  readonly places: readonly Suggestion[]
  readonly sites: readonly ListedSite[]
  /** The query of the next page. */
  readonly next: string | null
}

/** A page of the public sites of a business, for its map. */
export interface BusinessSubject {
  readonly kind: 'business'
  readonly business: PublicBusiness
  readonly sites: readonly PublicSite[]
  /** Number of sites on all pages. */
  readonly total: number
  /** The south-western and the north-eastern corner of the area of all sites. */
  readonly corners: readonly Position[]
  /** The cursor of the next page. */
  readonly next: string | null
}

/** The form of a page: to visit, to embed in other websites, or to print as a poster. */
export type SitePageForm = 'page' | 'embed' | 'poster'

export interface SitePageOptions {
  readonly form: SitePageForm
  readonly language: Language
  /** Whether the URL states the language; then links to other pages about sites keep it. */
  readonly isNamed: boolean
  readonly settings: WebSettings
  /** The public URL of the installation, without a trailing slash. */
  readonly publicUrl: string
  /** The path of the page, below the base path, without the language. */
  readonly path: string
}

/** The texts and HTML of a page, which the server puts into its document. */
export interface DrawnSitePage {
  readonly title: string
  readonly description: string
  /** HTML. */
  readonly body: string
  /** The URL of the picture for link previews. */
  readonly image?: string | undefined
  /** JSON-LD in the vocabulary of schema.org, as text. */
  readonly structuredData?: string
}

/** Draws a page about a site with the components of the app. */
export type DrawSitePage = (subject: SitePageSubject, options: SitePageOptions) => DrawnSitePage

/** The address of a page in a language. */
export const inLanguage = (address: string, language: Language): string =>
  `${address}${address.includes('?') ? '&' : '?'}lang=${language}`

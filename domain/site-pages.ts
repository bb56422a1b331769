import type { Language } from './language.ts'
import type { ListedSite, SiteFilter, Suggestion } from './public-read.ts'
import type { Position } from './distance.ts'
import type { PublicBusiness, PublicSite } from './public-site.ts'
import type { WebSettings } from './settings.ts'

/** Where the build writes what the server needs for pages about sites; below the folder of the build. */
export const SITE_PAGES = {
  /** A module that exports `drawSitePage`. */
  module: '.vite/site-pages.js',
  /** `SitePageFiles` as JSON. */
  files: '.vite/site-pages.json',
} as const

/** What a page about a site refers to. */
export interface SitePageFiles {
  /** The document, with places for its parts as in the pages of the app. */
  readonly template: string
  /** Relative to the base path. */
  readonly styles: readonly string[]
  /** The inline script of every page that is not framed. */
  readonly script: string
  /** The module of the map of a business, and what it loads besides the map library; relative to the base path. */
  readonly mapScripts: readonly [string, ...string[]]
}

/** What a page is about. */
export type SitePageSubject =
  | { readonly kind: 'site'; readonly site: PublicSite }
  | BusinessSubject
  | ListSubject
  /** It was public until it was removed. */
  | { readonly kind: 'gone'; readonly near: readonly ListedSite[] }
  | { readonly kind: 'unknown' }

/** A page of the sites near a place that somebody has searched for. */
export interface ListSubject {
  readonly kind: 'list'
  /** What was typed. */
  readonly query: string
  readonly filter: SiteFilter
  /** What the text may mean: the sites are near the first. */
  readonly places: readonly Suggestion[]
  readonly sites: readonly ListedSite[]
  /** The query of the following page. */
  readonly next: string | null
}

/** A page of the public sites of a business, for its map. */
export interface BusinessSubject {
  readonly kind: 'business'
  readonly business: PublicBusiness
  readonly sites: readonly PublicSite[]
  /** Sites on all pages. */
  readonly total: number
  /** The south-western and the north-eastern corner of all of them. */
  readonly corners: readonly Position[]
  /** The cursor of the following page. */
  readonly next: string | null
}

/** What a page is made for: to be visited, to be framed by other pages, or to be printed and hung up. */
export type SitePageForm = 'page' | 'embed' | 'poster'

export interface SitePageOptions {
  readonly form: SitePageForm
  readonly language: Language
  readonly settings: WebSettings
  /** The public URL of the installation, without a slash at the end. */
  readonly publicUrl: string
  /** The path of the page, below the base path, without its language. */
  readonly path: string
}

/** A page in words and HTML, for the server to put into its document. */
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

import type { Language } from './language.ts'

/** The file to which the build writes the pages for the server, below the build folder. */
export const PAGES_FILE = '.vite/pages.json'

/** Whether address search is available (the setting `address-search`), which changes some texts. */
export const ADDRESS_SEARCH = ['on', 'off'] as const
type AddressSearch = (typeof ADDRESS_SEARCH)[number]

/** The HTML that is displayed until the app has loaded. */
export type Frame = Readonly<Record<Language, Readonly<Record<AddressSearch, string>>>>

/** Placeholders in the build's HTML that the server replaces with values of the installation. */
export const PLACES = {
  product: 'PRODUCT_NAME',
  /** With the leading slash. */
  basePath: '/BASE_PATH',
  website: 'PRODUCT_WEBSITE',
  /** The server removes links to this address if the page is not configured. */
  help: 'HELP_URL',
  privacy: 'PRIVACY_URL',
  terms: 'TERMS_URL',
  imprint: 'IMPRINT_URL',
} as const

/** The page of a screen. All file names are relative to the base path. */
export interface ScreenPage {
  readonly title: Readonly<Record<Language, string>>
  /** Whether search engines may index it: it needs no sign-in, and its address contains no secret. */
  readonly isListed: boolean
  readonly frame: Frame
  readonly styles: readonly string[]
  /** Modules of the app; the first one is executed. */
  readonly modules: Readonly<Record<Language, readonly string[]>>
  /** The first requests of the app: paths with queries, below the base path. */
  readonly reads: readonly string[]
}

/** The data of a page for its script (`web/prerender/start.ts`), as JSON in the element with the id `start`. */
export type PageStart = Pick<ScreenPage, 'reads'> & { readonly modules: readonly string[] }

/** The pages of the app, as written by the build. */
export interface BuiltPages {
  /** The inline script of every page. */
  readonly script: string
  /** The description of the product for link previews and search engines. */
  readonly description: Readonly<Record<Language, string>>
  /** The path that the installed app opens. */
  readonly start: string
  /** By the path of a screen: `:id` matches any segment, `:token?` also no segment, `*` any other path. */
  readonly screens: Readonly<Record<string, ScreenPage>>
}

import type { Language } from './language.ts'

/** Where the build leaves the pages for the server; below the folder of the build. */
export const PAGES_FILE = '.vite/pages.json'

/** Whether addresses can be searched for (`address-search` of the settings): it changes what is said. */
export const ADDRESS_SEARCH = ['on', 'off'] as const
type AddressSearch = (typeof ADDRESS_SEARCH)[number]

/** HTML that stands in the place of the app until it has come. */
export type Frame = Readonly<Record<Language, Readonly<Record<AddressSearch, string>>>>

/** Stand in what the build draws, where the server puts what only the installation knows. */
export const PLACES = {
  product: 'PRODUCT_NAME',
  /** With the slash in front of it. */
  basePath: '/BASE_PATH',
  website: 'PRODUCT_WEBSITE',
  /** A link that leads to one of these is taken out where there is no such page. */
  help: 'HELP_URL',
  privacy: 'PRIVACY_URL',
  terms: 'TERMS_URL',
  imprint: 'IMPRINT_URL',
} as const

/** The page of a screen. All files are named below the base path. */
export interface ScreenPage {
  readonly title: Readonly<Record<Language, string>>
  /** Whether search engines may list it: it needs no sign-in, and its address holds no secret. */
  readonly isListed: boolean
  readonly frame: Frame
  readonly styles: readonly string[]
  /** Modules of the app, of which the first one is run. */
  readonly modules: Readonly<Record<Language, readonly string[]>>
  /** What the app will ask the server for first: paths with queries, below the base path. */
  readonly reads: readonly string[]
}

/** What a page names for its script (`web/early/start.ts`), as JSON in the element with the id `start`. */
export type PageStart = Pick<ScreenPage, 'reads'> & { readonly modules: readonly string[] }

/** The pages of the app, as the build leaves them. */
export interface BuiltPages {
  /** The script that stands in every page. */
  readonly script: string
  /** What the product is for, as previews of links and search engines show it. */
  readonly description: Readonly<Record<Language, string>>
  /** The path that the installed app opens. */
  readonly start: string
  /** By the path of a screen: `:id` stands for anything, `:token?` also for nothing, `*` for any other path. */
  readonly screens: Readonly<Record<string, ScreenPage>>
}

import type { Language } from './language.ts'

/** Where the build says, for the server, what stands in the page itself; below the folder of the build. */
export const PRELOAD_FILE = '.vite/preload.json'

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

/** Scripts that ask the server for what a screen begins with, before the app has come: see `web/early`. */
export type EarlyScript = 'data' | 'confirm'

/** What a screen begins with. All files are named below the base path. */
export interface Preload {
  readonly title: Readonly<Record<Language, string>>
  /** Whether search engines may list it: it needs no sign-in, and its address holds no secret. */
  readonly isListed: boolean
  readonly frame: Frame
  readonly early: EarlyScript | null
  /** Styles, which stand in the page: nothing is seen before they are here. */
  readonly styles: readonly string[]
  /** Modules, fetched as soon as the page has been painted; the first one runs then. */
  readonly modules: Readonly<Record<Language, readonly string[]>>
}

/** What the build leaves for the pages of the app. */
export interface Preloads {
  /** Scripts that stand in the page: what asks, and what starts the app. */
  readonly scripts: Readonly<Record<EarlyScript | 'begin', string>>
  /** What the product is for, as previews of links and search engines show it. */
  readonly description: Readonly<Record<Language, string>>
  /** The path that the installed app opens. */
  readonly start: string
  /** By the path of a screen: `:id` stands for anything, `:token?` also for nothing, `*` for any other path. */
  readonly screens: Readonly<Record<string, Preload>>
}

import { createContext, use } from 'react'

import type { FieldErrorParams } from '#domain/error.ts'
import type { Language as Spoken } from '#domain/language.ts'
import type account from './en/account.ts'
import type business from './en/business.ts'
import type core from './en/core.ts'
import type dashboard from './en/dashboard.ts'
import type form from './en/form.ts'
import type home from './en/home.ts'
import type login from './en/login.ts'
import type connectors from './en/connectors.ts'
import type drafts from './en/drafts.ts'
import type location from './en/location.ts'
import type map from './en/map.ts'
import type photos from './en/photos.ts'
import type shortcuts from './en/shortcuts.ts'
import type site from './en/site.ts'
import type terms from './en/terms.ts'

/**
 * The sentences of the app, in areas that are fetched with the screens that say them. English is
 * the model: every other language satisfies its types, so that none can lack a sentence.
 */
export interface Catalogue {
  account: typeof account
  business: typeof business
  core: typeof core
  dashboard: typeof dashboard
  form: typeof form
  home: typeof home
  login: typeof login
  connectors: typeof connectors
  drafts: typeof drafts
  location: typeof location
  map: typeof map
  photos: typeof photos
  shortcuts: typeof shortcuts
  site: typeof site
  terms: typeof terms
}
export type Area = keyof Catalogue

/**
 * The sentences as screens use them. Those of an area are there once it was loaded: `core` always,
 * the others with the screens that name them.
 */
export type Messages = Catalogue['account'] &
  Catalogue['business'] &
  Catalogue['core'] &
  Catalogue['dashboard'] &
  Catalogue['form'] &
  Catalogue['home'] &
  Catalogue['login'] &
  Catalogue['connectors'] &
  Catalogue['drafts'] &
  Catalogue['location'] &
  Catalogue['map'] &
  Catalogue['photos'] &
  Catalogue['shortcuts'] &
  Catalogue['site'] &
  Catalogue['terms']

/** The languages of the app, each by its own name. */
export const LOCALES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
} as const satisfies Record<Spoken, string>
export type Locale = keyof typeof LOCALES

const STORAGE_KEY = 'language'

const isLocale = (value: string): value is Locale => Object.hasOwn(LOCALES, value)

/** The language chosen earlier on this device, else the first one of the browser that we speak. */
export const pickLocale = (): Locale => {
  const wanted = [readChoice(), ...navigator.languages]
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLocale) ?? 'en'
}

/** Keeps the choice for the next visit; a browser that stores nothing just asks itself again. */
export const keepLocale = (locale: Locale): void => {
  try {
    localStorage.setItem(STORAGE_KEY, locale)
  } catch {
    // Private windows of some browsers refuse storage.
  }
}

const readChoice = (): string => {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? ''
  } catch {
    return ''
  }
}

const catalogues = new Map<Locale, Messages>()
const areas = new Set<Area>()

/**
 * Loads areas of the catalogue of a language, each a small module of its own. What any screen has
 * asked for before comes along, so that a change of language leaves no screen without sentences.
 */
export const loadMessages = async (locale: Locale, wanted: readonly Area[]): Promise<Messages> => {
  for (const area of wanted) areas.add(area)
  const messages = catalogues.get(locale) ?? ({} as Messages)
  catalogues.set(locale, messages)
  let known = 0
  // A screen may be asked for while the language changes.
  while (known < areas.size) {
    known = areas.size
    const parts = await Promise.all([...areas].map((area) => importArea(locale, area)))
    Object.assign(messages, ...parts)
  }
  return messages
}

/** The language that the page is in now. */
export const localeOfPage = (): Locale => {
  const { lang } = document.documentElement
  return isLocale(lang) ? lang : 'en'
}

const importArea = async (locale: Locale, area: Area): Promise<Catalogue[Area]> => {
  const { default: part } = (await import(`./${locale}/${area}.ts`)) as {
    default: Catalogue[Area]
  }
  return part
}

/** The language in use. */
export interface Language {
  readonly locale: Locale
  readonly messages: Messages
  readonly choose: (locale: Locale) => void
}

export const LanguageContext = createContext<Language | undefined>(undefined)

/** The language in use, and the way to change it. */
export const useLanguage = (): Language => {
  const language = use(LanguageContext)
  if (language === undefined) throw new Error('LanguageContext is missing')
  return language
}

/** The sentences of the language in use. */
export const useMessages = (): Messages => useLanguage().messages

/** Formats numbers in the language in use. */
export const useNumberFormat = (options?: Intl.NumberFormatOptions) => {
  const { locale } = useLanguage()
  const format = new Intl.NumberFormat(locale, options)
  return (value: number): string => format.format(value)
}

/** The sentence for what is wrong with the field `name`. */
export const fieldErrorText = (
  messages: Messages,
  name: string,
  error: { readonly code: string; readonly params?: Readonly<Record<string, unknown>> | undefined },
): string => {
  if (error.code === 'validation_required') {
    return messages.required[name] ?? messages.fieldErrors.validation_required({})
  }
  const sentences: Readonly<Record<string, (params: FieldErrorParams) => string>> =
    messages.fieldErrors
  const sentence = Object.hasOwn(sentences, error.code) ? sentences[error.code] : undefined
  return sentence?.((error.params ?? {}) as FieldErrorParams) ?? messages.problems.unexpected
}

import { LANGUAGE_COOKIE, type Language as Spoken } from '#domain/language.ts'
import { deviceStorage } from '../storage.ts'

/** The languages of the app, each in its own name. */
export const LOCALES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
} as const satisfies Record<Spoken, string>
export type Locale = keyof typeof LOCALES

const STORAGE_KEY = 'language'

const isLocale = (value: string): value is Locale => Object.hasOwn(LOCALES, value)

/** The language chosen on this device, otherwise the first supported one of the browser. */
export const pickLocale = (): Locale => {
  const wanted = [deviceStorage.get(STORAGE_KEY) ?? '', ...navigator.languages]
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLocale) ?? 'en'
}

/**
 * Stores the choice on this device, and in a cookie for the server, which prerenders the page. Without storage, the
 * browser's language applies again.
 */
export const saveLocale = (locale: Locale, basePath: string): void => {
  document.cookie = `${LANGUAGE_COOKIE}=${locale}; path=${basePath}/; max-age=31536000; samesite=lax`
  deviceStorage.set(STORAGE_KEY, locale)
}

/**
 * Parses a language tag of the browser; undefined if it is invalid, such as the `C` of a computer without a language.
 */
export const parseTag = (tag: string): Intl.Locale | undefined => {
  try {
    return new Intl.Locale(tag)
  } catch {
    return undefined
  }
}

/**
 * The locale for formatting numbers, dates and lists: `language` in the region of the user. That is the first of the
 * browser's languages that is a variant of it ("en-GB" for "en"), otherwise the language with the browser's region
 * ("en-DE" for English in a German browser).
 */
export const formattingLocale = (
  language: string,
  browserLanguages: readonly string[] = navigator.languages,
): string => {
  const tags = browserLanguages.flatMap((tag) => parseTag(tag) ?? [])
  const same = tags.find((tag) => tag.language === language)
  const { region } = same ?? tags.find((tag) => tag.region) ?? {}
  return region === undefined ? language : `${language}-${region}`
}

/** The current language of the page. */
export const localeOfPage = (): Locale => {
  const { lang } = document.documentElement
  return isLocale(lang) ? lang : 'en'
}

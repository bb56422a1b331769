import { LANGUAGE_COOKIE, type Language as Spoken } from '#domain/language.ts'

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

/**
 * Keeps the choice for the next visit, and tells the server, which sends the first words of the page; a
 * browser that stores nothing just asks itself again.
 */
export const keepLocale = (locale: Locale, basePath: string): void => {
  document.cookie = `${LANGUAGE_COOKIE}=${locale}; path=${basePath}/; max-age=31536000; samesite=lax`
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

/**
 * The locale that numbers, dates and lists are formatted for: `language` as it is spoken where the
 * person is. That is the first of the browser's languages that is a form of it ("en-GB" for "en"),
 * else the language in the region of the browser ("en-DE" for English in a German browser).
 */
export const formattingLocale = (
  language: string,
  browserLanguages: readonly string[] = navigator.languages,
): string => {
  const tags = browserLanguages.map((tag) => new Intl.Locale(tag))
  const same = tags.find((tag) => tag.language === language)
  const region = same?.region ?? (same ? undefined : tags.find((tag) => tag.region)?.region)
  return region === undefined ? language : `${language}-${region}`
}

/** The language that the page is in now. */
export const localeOfPage = (): Locale => {
  const { lang } = document.documentElement
  return isLocale(lang) ? lang : 'en'
}

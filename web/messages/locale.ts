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

/** The language that the page is in now. */
export const localeOfPage = (): Locale => {
  const { lang } = document.documentElement
  return isLocale(lang) ? lang : 'en'
}

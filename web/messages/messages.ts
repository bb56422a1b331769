import { createContext, use } from 'react'

import type { FieldErrorParams } from '#domain/error.ts'
import type { Language as Spoken } from '#domain/language.ts'
import type { Messages } from './en.ts'

export type { Messages } from './en.ts'

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

const LOADERS: Readonly<Record<Locale, () => Promise<Messages>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
}

/** Loads the catalogue of a language: one small module, only the one in use. */
export const loadMessages = (locale: Locale): Promise<Messages> => LOADERS[locale]()

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

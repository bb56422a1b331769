import { createContext, use } from 'react'

import type { FieldErrorParams } from '#domain/error.ts'
import type account from './en/account.ts'
import type consent from './en/consent.ts'
import type core from './en/core.ts'
import type form from './en/form.ts'
import type hours from './en/hours.ts'
import type loginProblems from './en/login-problems.ts'
import type many from './en/many.ts'
import type owner from './en/owner.ts'
import type page from './en/page.ts'
import type shortcuts from './en/shortcuts.ts'
import type tariffs from './en/tariffs.ts'
import type { Locale } from './locale.ts'

/**
 * The sentences of the app, in areas that are fetched with the screens that say them. English is
 * the model: every other language satisfies its types, so that none can lack a sentence.
 */
export interface Catalogue {
  account: typeof account
  consent: typeof consent
  core: typeof core
  form: typeof form
  hours: typeof hours
  'login-problems': typeof loginProblems
  many: typeof many
  owner: typeof owner
  page: typeof page
  shortcuts: typeof shortcuts
  tariffs: typeof tariffs
}
export type Area = keyof Catalogue

/**
 * The sentences as screens use them. Those of an area are there once it was loaded: `core` always,
 * the others with the screens that name them.
 */
export type Messages = Catalogue['account'] &
  Catalogue['consent'] &
  Catalogue['core'] &
  Catalogue['form'] &
  Catalogue['hours'] &
  Catalogue['login-problems'] &
  Catalogue['many'] &
  Catalogue['owner'] &
  Catalogue['page'] &
  Catalogue['shortcuts'] &
  Catalogue['tariffs']

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

const importArea = async (locale: Locale, area: Area): Promise<Catalogue[Area]> => {
  const { default: part } = (await import(`./${locale}/${area}.ts`)) as {
    default: Catalogue[Area]
  }
  return part
}

/** The language in use. */
export interface Language {
  readonly language: Locale
  /** What `Intl` is asked for; see `formattingLocale`. */
  readonly locale: string
  readonly messages: Messages
  readonly choose: (language: Locale) => void
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

/** Making one takes longer than using it a hundred times, and every card of a list asks for it. */
const numberFormats = new Map<string, Intl.NumberFormat>()

/** Formats numbers in the language in use. */
export const useNumberFormat = (options: Intl.NumberFormatOptions = {}) => {
  const { locale } = useLanguage()
  const key = locale + JSON.stringify(options)
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locale, options)
  numberFormats.set(key, format)
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

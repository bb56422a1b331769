import { createContext, use } from 'react'

import type { FieldErrorParams } from '#domain/error.ts'
import type account from './en/account.ts'
import type business from './en/business.ts'
import type choices from './en/choices.ts'
import type consent from './en/consent.ts'
import type core from './en/core.ts'
import type form from './en/form.ts'
import type home from './en/home.ts'
import type hours from './en/hours.ts'
import type imports from './en/imports.ts'
import type loginProblems from './en/login-problems.ts'
import type map from './en/map.ts'
import type many from './en/many.ts'
import type open from './en/open.ts'
import type owner from './en/owner.ts'
import type page from './en/page.ts'
import type reports from './en/reports.ts'
import type shortcuts from './en/shortcuts.ts'
import type tariffs from './en/tariffs.ts'
import type traveller from './en/traveller.ts'
import type { Locale } from './locale.ts'

/**
 * The messages of the app, in areas that load with the screens that need them. English is the model: the other
 * languages satisfy its types, so that none can lack a message.
 */
export interface Catalogue {
  account: typeof account
  business: typeof business
  choices: typeof choices
  consent: typeof consent
  core: typeof core
  form: typeof form
  home: typeof home
  hours: typeof hours
  imports: typeof imports
  'login-problems': typeof loginProblems
  map: typeof map
  many: typeof many
  open: typeof open
  owner: typeof owner
  page: typeof page
  reports: typeof reports
  shortcuts: typeof shortcuts
  tariffs: typeof tariffs
  traveller: typeof traveller
}
export type Area = keyof Catalogue

/**
 * The messages as screens use them. The messages of an area exist once it is loaded: `core` always, the others with the
 * screens that name them.
 */
export type Messages = Catalogue['account'] &
  Catalogue['business'] &
  Catalogue['choices'] &
  Catalogue['consent'] &
  Catalogue['core'] &
  Catalogue['form'] &
  Catalogue['home'] &
  Catalogue['hours'] &
  Catalogue['imports'] &
  Catalogue['login-problems'] &
  Catalogue['map'] &
  Catalogue['many'] &
  Catalogue['open'] &
  Catalogue['owner'] &
  Catalogue['page'] &
  Catalogue['reports'] &
  Catalogue['shortcuts'] &
  Catalogue['tariffs'] &
  Catalogue['traveller']

const catalogues = new Map<Locale, Messages>()
const areas = new Set<Area>()

/**
 * Loads areas of a language, each a small module. Includes all areas loaded before, so that a change of language leaves
 * no screen without messages.
 */
export const loadMessages = async (locale: Locale, wanted: readonly Area[]): Promise<Messages> => {
  for (const area of wanted) areas.add(area)
  const messages = catalogues.get(locale) ?? ({} as Messages)
  catalogues.set(locale, messages)
  let known = 0
  // Another screen may load its areas during the change of language.
  while (known < areas.size) {
    known = areas.size
    const parts = await Promise.all([...areas].map((area) => importArea(locale, area)))
    Object.assign(messages, ...parts)
  }
  return messages
}

const importArea = async (locale: Locale, area: Area): Promise<Catalogue[Area]> => {
  const files = import.meta.env.SSR
    ? import.meta.glob<Catalogue[Area]>('./*/*.ts', { import: 'default' })
    : // The messages of the prerendered page are in the page.
      import.meta.glob<Catalogue[Area]>(['./*/*.ts', '!./*/page.ts'], { import: 'default' })
  const load = files[`./${locale}/${area}.ts`]
  if (load === undefined) throw new TypeError(`There are no messages ${locale}/${area}`)
  return load()
}

/** The language in use. */
export interface Language {
  readonly language: Locale
  /** The locale for `Intl`; see `formattingLocale`. */
  readonly locale: string
  readonly messages: Messages
  readonly choose: (language: Locale) => void
}

export const LanguageContext = createContext<Language | undefined>(undefined)

/** The current language, and the function that changes it. */
export const useLanguage = (): Language => {
  const language = use(LanguageContext)
  if (language === undefined) throw new Error('LanguageContext is missing')
  return language
}

/** The messages of the current language. */
export const useMessages = (): Messages => useLanguage().messages

/** Cached, because creating a format takes longer than using it a hundred times, and every card of a list needs one. */
const numberFormats = new Map<string, Intl.NumberFormat>()

/** Formats numbers in the current language. */
export const useNumberFormat = (options: Intl.NumberFormatOptions = {}) => {
  const { locale } = useLanguage()
  const key = locale + JSON.stringify(options)
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locale, options)
  numberFormats.set(key, format)
  return (value: number): string => format.format(value)
}

/** The message for an error of the field `name`. */
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

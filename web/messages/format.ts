import type { FieldErrorParams } from '#domain/error.ts'
import { formattingLocale } from './locale.ts'

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

/** Returns a function that selects the plural form for a count. */
export const plurals = (locale: string) => {
  const rules = new Intl.PluralRules(locale)
  return (count: number, forms: Forms): string => forms[rules.select(count)] ?? forms.other
}

/** Formats counts by locale: 1,234 or 1.234. */
export const counts = (language: string) => {
  const format = new Intl.NumberFormat(formattingLocale(language), { maximumFractionDigits: 0 })
  return (count: number): string => format.format(count)
}

/** Formats a list by locale: a, b, and c, or a, b and c. */
export const lists = (language: string) => {
  const format = new Intl.ListFormat(formattingLocale(language))
  return (parts: readonly string[]): string => format.format(parts)
}

/** Formats a parameter of a field error as text, numbers by locale. */
export const texts = (language: string) => {
  const format = new Intl.NumberFormat(formattingLocale(language))
  return (params: FieldErrorParams, name: string): string => {
    const value = params[name]
    if (Array.isArray(value)) return value.join(', ')
    return typeof value === 'number' ? format.format(value) : String(value ?? '')
  }
}

/** Formats a parameter in pixels as millions. */
export const millions = (language: string, params: FieldErrorParams, name: string): string =>
  new Intl.NumberFormat(formattingLocale(language)).format(Number(params[name]) / 1_000_000)

/** Formats a parameter in bytes as megabytes. */
export const megabytes = (language: string, params: FieldErrorParams, name: string): string =>
  new Intl.NumberFormat(formattingLocale(language), { maximumFractionDigits: 1 }).format(
    Number(params[name]) / (1024 * 1024),
  )

import type { FieldErrorParams } from '#domain/error.ts'
import { formattingLocale } from './locale.ts'

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

/** The plural forms of a language: picks the wording for a count. */
export const plurals = (locale: string) => {
  const rules = new Intl.PluralRules(locale)
  return (count: number, forms: Forms): string => forms[rules.select(count)] ?? forms.other
}

/** Writes a count as the language does: 1,234 or 1.234. */
export const counts = (language: string) => {
  const format = new Intl.NumberFormat(formattingLocale(language), { maximumFractionDigits: 0 })
  return (count: number): string => format.format(count)
}

/** Writes several things one after the other: a, b and c. */
export const lists = (locale: string) => {
  const format = new Intl.ListFormat(locale)
  return (parts: readonly string[]): string => format.format(parts)
}

/** A parameter of a field error as text, numbers as the language writes them. */
export const texts = (language: string) => {
  const format = new Intl.NumberFormat(formattingLocale(language))
  return (params: FieldErrorParams, name: string): string => {
    const value = params[name]
    if (Array.isArray(value)) return value.join(', ')
    return typeof value === 'number' ? format.format(value) : String(value ?? '')
  }
}

/** A parameter that counts pixels, in millions. */
export const millions = (language: string, params: FieldErrorParams, name: string): string =>
  new Intl.NumberFormat(formattingLocale(language)).format(Number(params[name]) / 1_000_000)

/** A parameter that counts bytes, in megabytes. */
export const megabytes = (language: string, params: FieldErrorParams, name: string): string =>
  new Intl.NumberFormat(formattingLocale(language), { maximumFractionDigits: 1 }).format(
    Number(params[name]) / (1024 * 1024),
  )

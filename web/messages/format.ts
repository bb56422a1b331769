import type { FieldErrorParams } from '#domain/error.ts'

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

/** The plural forms of a language: picks the wording for a count. */
export const plurals = (locale: string) => {
  const rules = new Intl.PluralRules(locale)
  return (count: number, forms: Forms): string => forms[rules.select(count)] ?? forms.other
}

/** A parameter of a field error as text. */
export const text = (params: FieldErrorParams, name: string): string => {
  const value = params[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** A parameter of a field error that is a list. */
export const listOf = (params: FieldErrorParams, name: string): string => {
  const value = params[name]
  return Array.isArray(value) ? value.join(', ') : text(params, name)
}

/** A parameter that counts bytes, in megabytes. */
export const megabytes = (locale: string, params: FieldErrorParams, name: string): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(
    Number(params[name]) / (1024 * 1024),
  )

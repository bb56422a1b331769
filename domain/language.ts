/** The languages of pages and mails. */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** The cookie with the language chosen on the device. */
export const LANGUAGE_COOKIE = 'language'

/** The first supported language of an `Accept-Language` header; English if there is none (RFC 9110, 12.5.4). */
export const pickLanguage = (header: string | undefined): Language => {
  const wanted = (header ?? '').split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
    const weight = parameters.map((each) => /^\s*q=([\d.]+)/.exec(each)?.[1]).find(Boolean)
    return { language: tag.trim().split('-')[0], weight: weight === undefined ? 1 : Number(weight) }
  })
  const best = wanted
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => LANGUAGES.find((ours) => ours === language))
    .find((language) => language !== undefined)
  return best ?? 'en'
}

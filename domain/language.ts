/** The languages that the product speaks, in its pages and in its mails. */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** Says, to the server that sends the page, which language was chosen on a device. */
export const LANGUAGE_COOKIE = 'language'

/**
 * The language that an `Accept-Language` header asks for first among those we speak; English when
 * it asks for none of them (RFC 9110, 12.5.4).
 */
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

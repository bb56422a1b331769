import type { FastifyRequest } from 'fastify'

import { LANGUAGE_COOKIE, LANGUAGES, pickLanguage, type Language } from '#domain/language.ts'

/** The language that was chosen on the device, or else the first match of `Accept-Language`. */
export const languageOf = ({ headers }: FastifyRequest): Language => {
  const chosen = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=(\\w+)`).exec(headers.cookie ?? '')?.[1]
  return (
    LANGUAGES.find((language) => language === chosen) ?? pickLanguage(headers['accept-language'])
  )
}

import { COUNTRIES, alpha2Of, alpha3Of } from '#domain/country.ts'

import { foldText } from './parse-text.ts'

/** The languages in which names of countries are recognised. */
const LANGUAGES =
  'en de fr es it nl pt pl cs sk hu ro bg hr sl el da sv nb fi et lv lt ru uk tr ar he zh ja ko ms'.split(
    ' ',
  )

/** Names that are not in the lists of countries. */
const OTHERS: Readonly<Record<string, string>> = {
  uk: 'GBR',
  england: 'GBR',
  scotland: 'GBR',
  wales: 'GBR',
  northernireland: 'GBR',
  greatbritain: 'GBR',
  holland: 'NLD',
  thenetherlands: 'NLD',
  czechrepublic: 'CZE',
  tschechischerepublik: 'CZE',
  republiquetcheque: 'CZE',
  unitedstatesofamerica: 'USA',
  türkei: 'TUR',
  turkey: 'TUR',
  macedonia: 'MKD',
  brd: 'DEU',
  francemetropolitaine: 'FRA',
  el: 'GRC',
}

let names: ReadonlyMap<string, string> | undefined

const readNames = (): ReadonlyMap<string, string> => {
  const all = new Map<string, string>()
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: 'region' })
    for (const code of COUNTRIES) {
      const name = foldText(display.of(alpha2Of(code)) ?? '')
      if (name !== '' && !all.has(name)) all.set(name, code)
    }
  }
  for (const code of COUNTRIES) all.set(code.toLowerCase(), code)
  for (const [name, code] of Object.entries(OTHERS)) all.set(foldText(name), code)
  return all
}

/** The country (ISO 3166-1 alpha-3) for a code or a name in any of the languages; undefined if there is none. */
export const countryOf = (text: string): string | undefined => {
  names ??= readNames()
  const name = foldText(text)
  return names.get(name) ?? (alpha3Of(name) || undefined)
}

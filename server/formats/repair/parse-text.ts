/** Normalises a text for comparing spellings: without case, accents, spaces and punctuation. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()

/** Values that people and programs use for "unknown". */
const PLACEHOLDERS = new Set(
  [
    'n/a na none null undefined nil nan unknown unspecified notapplicable notavailable notset tbd tba tobedefined todo test',
    'unbekannt keineangabe ka kA nichtbekannt nichtangegeben',
    'inconnu inconnue nonrenseigne nonrenseignee nonconnu nd nr sansobjet neant vide',
    'desconocido desconocida sindatos nodisponible noaplica sd',
    'неизвестен неизвестно xxx string',
  ].flatMap((words) => words.split(' ').map(foldText)),
)

/** What a spreadsheet shows for a formula that fails, in four languages. */
const FORMULA_ERROR =
  /^#[¡¿]?(?:n\/[ad]|nv|(?:ref|bezug|value|wert|valeur|valor|num|zahl|nombre|null|nul|div\/0|spill|überlauf)!|(?:name|nom|nombre)\?)$/i

/** Whether a text stands for no value: a dash, "n/a", or the error of a formula. */
export const isPlaceholder = (text: string): boolean =>
  text !== '' &&
  (PLACEHOLDERS.has(foldText(text)) || /^[\s\-–—_.?*/\\#]+$/.test(text) || FORMULA_ERROR.test(text))

/** Whether a spreadsheet has shortened a long number, such as a phone number: "4,97611E+11". */
export const isShortenedNumber = (text: string): boolean => /^\d[.,]\d+E\+\d+$/i.test(text)

const YES = new Set(
  'yes y true t 1 on ja j wahr oui o vrai si s verdadero vero x available verfugbar'.split(' '),
)
const NO = new Set('no n false f 0 off nein falsch non faux falso'.split(' '))

/** Reads yes or no from a word; otherwise undefined. */
export const parseFlag = (text: string): boolean | undefined => {
  const word = foldText(text)
  return YES.has(word) || text.trim() === '✓' ? true : NO.has(word) ? false : undefined
}

/**
 * Reads a number as people write it: "22,5", "1 234,5", "1.234,5", "22 kW", "400V". Undefined if it is not a number, or
 * if other text than a unit follows. Of a range, the upper end.
 */
export const parseNumber = (text: string): { number: number; unit: string } | undefined => {
  const match =
    /^[^\d+-]{0,12}?([+-]?\d[\d.,'\u00a0\u202f ]*)(?:\s*(?:-|–|to|bis|à)\s*(\d[\d.,]*))?\s*([a-zµΩ°]{0,6})\.?$/iu.exec(
      text.trim(),
    )
  if (!match) return undefined
  const [, first = '', last, unit = ''] = match
  // "150, 22" is a list.
  if (/[ '\u00a0\u202f](?!\d{3}(?!\d))/.test(first.trim())) return undefined
  const number = Number(plain((last ?? first).trim()))
  return Number.isFinite(number) ? { number, unit: unit.toLowerCase() } : undefined
}

/** Uses a point for decimals, and removes thousands separators. */
const plain = (text: string): string => {
  const digits = text.replace(/['\u00a0\u202f ]/g, '')
  const [comma, point] = [digits.lastIndexOf(','), digits.lastIndexOf('.')]
  if (comma >= 0 && point >= 0)
    return comma > point ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '')
  if (comma >= 0)
    return /^[+-]?\d{1,3}(,\d{3}){2,}$/.test(digits)
      ? digits.replaceAll(',', '')
      : digits.replace(',', '.')
  return /^[+-]?\d{1,3}(\.\d{3}){2,}$/.test(digits) ? digits.replaceAll('.', '') : digits
}

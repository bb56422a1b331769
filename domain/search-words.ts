/**
 * How names and addresses are turned into comparable words, without accents and case. The database applies the same
 * rules to its data, from these constants (`server/db/places.ts`).
 */

/** Combining marks, which accents become when a letter is decomposed (NFKD), as a character class. */
export const ACCENTS = '[\\u0300-\\u036f]'

/** Letters that do not decompose. */
export const SPELLED_OUT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  // Also the lower case of a capital I in a Turkish database.
  ı: 'i',
}

/** Separators of words: ASCII and Latin-1 except letters and digits, and general punctuation. */
export const SEPARATORS =
  '[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+'

/** Longer words are cut. */
export const MAX_WORD_LENGTH = 64

/** Minimum number of letters in a search. */
export const MIN_SEARCH_LENGTH = 3
/** Minimum number of letters in a search that contains a letter of Chinese, Japanese or Korean: 東京 is a whole name. */
export const MIN_SEARCH_LENGTH_CJK = 2
export const MAX_SEARCH_LENGTH = 100
/** Further words are ignored. */
export const MAX_SEARCH_WORDS = 8

const accents = new RegExp(ACCENTS, 'g')
const separators = new RegExp(SEPARATORS)

/** Folds a text: removes accents and case. */
const foldText = (text: string): string =>
  Object.entries(SPELLED_OUT).reduce(
    (folded, [letter, spelled]) => folded.replaceAll(letter, spelled),
    text.normalize('NFKD').replaceAll(accents, '').toLowerCase(),
  )

/** The words of a text, folded. */
export const wordsOf = (text: string): string[] =>
  foldText(text)
    .split(separators)
    .filter((word) => word !== '')
    .map((word) => Array.from(word).slice(0, MAX_WORD_LENGTH).join(''))

/** Letters of Chinese, Japanese and Korean, folded or not. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Whether words have enough letters for a search. */
export const areSearchable = (words: readonly string[]): boolean => {
  const letters = words.join('')
  return letters.length >= (CJK.test(letters) ? MIN_SEARCH_LENGTH_CJK : MIN_SEARCH_LENGTH)
}

/** Other spellings of words in names of towns, folded: `St-Malo` is `Saint-Malo`. */
export const WRITTEN_ALSO: ReadonlyMap<string, readonly string[]> = new Map([
  ['st', ['saint', 'sankt']],
  ['saint', ['st']],
  ['sankt', ['st']],
  ['ste', ['sainte']],
  ['sainte', ['ste']],
])

/** Misspellings of shorter and longer words are not searched for. */
export const MIN_MISSPELT_LENGTH = 4
export const MAX_MISSPELT_LENGTH = 32

/**
 * A word, and the word without each of its letters. Two words share one of these if they differ by one inserted,
 * missing or wrong letter, or by two swapped neighbours.
 */
export const spellingsOf = (word: string): string[] => {
  const letters = Array.from(word)
  const isLong = letters.length >= MIN_MISSPELT_LENGTH && letters.length <= MAX_MISSPELT_LENGTH
  return [
    ...new Set([
      word,
      ...(isLong ? letters.map((_, at) => letters.toSpliced(at, 1).join('')) : []),
    ]),
  ]
}

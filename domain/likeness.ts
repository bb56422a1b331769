import { wordsOf } from './search-words.ts'

/** Words with less weight than others. */
interface Words {
  /** Either name may leave these out. */
  readonly optional?: string
  /** Words that occur in many names. */
  readonly common?: string
}

/**
 * The similarity of two names, from 0 to 1: the share of words that they have in common, in any order, ignoring accents
 * and case. A word may be misspelt or abbreviated; several words may be written as one or as initials. Words that
 * differ weigh more than words that only one name has. Numbers and directions weigh most, because they tell neighbours
 * apart.
 */
export const likenessOf = (
  one: string,
  other: string,
  { optional, common }: Words = {},
): number => {
  const [optionals, commons] = [optional, common].map((words = '') => new Set(wordsOf(words)))
  const weigh = (words: readonly string[]): number =>
    total(
      words.map((word) =>
        optionals?.has(word) || commons?.has(word) ? COMMON * weightOf(word) : weightOf(word),
      ),
    )
  const left = comparedWords(one)
  const right = comparedWords(other)
  const pairs = pairWords(left, right).map(({ from, to, likeness }) => ({
    from,
    to,
    likeness,
    weight: (weigh(from.map((at) => left[at] ?? '')) + weigh(to.map((at) => right[at] ?? ''))) / 2,
  }))
  if (pairs.length === 0) return 0
  const rests = [
    without(
      left,
      pairs.flatMap(({ from }) => from),
    ),
    without(
      right,
      pairs.flatMap(({ to }) => to),
    ),
  ].map((words) => words.filter((word) => !optionals?.has(word)))
  const [less = 0, more = 0] = rests.map(weigh).toSorted((a, b) => a - b)
  const share =
    total(pairs.map(({ likeness, weight }) => likeness * weight)) /
    (total(pairs.map(({ weight }) => weight)) + DIFFERENT * less + MISSING * (more - less))
  return rests.every((words) => words.some(tellsApart)) ? share * TOLD_APART : share
}

/**
 * Only the beginning of names with more or longer words is compared, so that long names cannot keep the server busy.
 */
const MAX_WORDS = 12
const MAX_LETTERS = 24

const comparedWords = (name: string): string[] =>
  wordsOf(name)
    .slice(0, MAX_WORDS)
    .map((word) => word.slice(0, MAX_LETTERS))

const without = (words: readonly string[], places: readonly number[]): string[] =>
  words.filter((_, at) => !places.includes(at))

const COMMON = 0.4
const DIFFERENT = 1.2
const MISSING = 0.3
const TOLD_APART = 0.7

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const DIRECTIONS = 'nord north norte sud south est east ost este ouest west oeste'.split(' ')

const tellsApart = (word: string): boolean => /\d/.test(word) || DIRECTIONS.includes(word)

/** Short words are mostly articles. */
const weightOf = (word: string): number =>
  tellsApart(word) ? 1 : Math.min(1, word.length / 5) ** 1.5

/** Words of two names, by their indexes, that mean the same. */
interface Pair {
  readonly from: readonly number[]
  readonly to: readonly number[]
  readonly likeness: number
}

/** Pairs each word at most once, most similar words first. */
const pairWords = (left: readonly string[], right: readonly string[]): Pair[] => {
  const possible: Pair[] = [
    ...left.flatMap((word, at) =>
      right.map((other, to) => ({ from: [at], to: [to], likeness: wordLikeness(word, other) })),
    ),
    ...joined(left, right),
    ...joined(right, left).map(({ from, to, likeness }) => ({ from: to, to: from, likeness })),
  ]
  const used = { from: new Set<number>(), to: new Set<number>() }
  return possible
    .filter(({ likeness }) => likeness > 0)
    .toSorted((one, other) => other.likeness - one.likeness)
    .filter(({ from, to }) => {
      if (from.some((at) => used.from.has(at)) || to.some((at) => used.to.has(at))) return false
      for (const at of from) used.from.add(at)
      for (const at of to) used.to.add(at)
      return true
    })
}

/** Words of one name that match two or three words of the other: written together, or their initials. */
const joined = (words: readonly string[], others: readonly string[]): Pair[] => {
  const runs = [2, 3].flatMap((count) =>
    others.slice(count - 1).map((_, start) => {
      const run = others.slice(start, start + count)
      const initials = run.map(([first]) => first).join('')
      return { to: run.map((__, at) => start + at), whole: run.join(''), initials }
    }),
  )
  return words.flatMap((word, from) =>
    runs.flatMap(({ to, whole, initials }) => {
      if (word === whole) return [{ from: [from], to, likeness: 1 }]
      return word === initials ? [{ from: [from], to, likeness: ABBREVIATED }] : []
    }),
  )
}

const ABBREVIATED = 0.85
/** One wrong letter is allowed per this many letters. */
const LETTERS_PER_ERROR = 3

/** The similarity of two words; 0 if they are different words. */
const wordLikeness = (one: string, other: string): number => {
  if (one === other) return 1
  if (tellsApart(one) || tellsApart(other)) return 0
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (abbreviates(short, long)) return ABBREVIATED
  const maxEdits = long.length / LETTERS_PER_ERROR
  if (long.length - short.length > maxEdits) return 0
  const edits = editsBetween(short, long)
  return edits <= maxEdits ? 1 - edits / long.length : 0
}

/**
 * "carref" of "carrefour", "st" of "saint", "bd" of "boulevard": up to four letters in order, including the first
 * letter.
 */
const abbreviates = (short: string, long: string): boolean => {
  if (short.length < 2 || short.length > long.length - 2) return false
  if (short.length > 2 && long.startsWith(short)) return true
  if (short.length > 4 || short[0] !== long[0]) return false
  let at = 0
  for (const letter of short) {
    at = long.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

/** The number of letters to insert, delete, replace or swap with the next one (optimal string alignment). */
const editsBetween = (one: string, other: string): number => {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    ;[before, last] = [last, next]
  }
  return last[other.length] ?? 0
}

/** Whether a text mentions a name: in full, with or without spaces, or by its first word. */
export const mentions = (text: string, name: string): boolean => {
  const [words, wanted] = [comparedWords(text), comparedWords(name)]
  const whole = wanted.join('')
  const first = wanted.find((word) => word.length > 2)
  return (
    (whole.length > 2 && words.join('').includes(whole)) ||
    (first !== undefined && words.some((word) => wordLikeness(word, first) > MENTIONED))
  )
}

const MENTIONED = 0.8

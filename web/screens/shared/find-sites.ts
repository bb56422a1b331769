import { STANDARDS, type Standard } from '#domain/connector.ts'
import type { SiteView } from '../../data/state.ts'
import type { Messages } from '../../messages/messages.ts'
import { plugName } from '../../messages/plugs.ts'

/** From how many sites on a search helps more than it is in the way. */
export const SEARCH_FROM = 4

/** Up to here every site is in the page, for the browser's own search and for screen readers. */
export const PLAIN_UP_TO = 150

/** A word of fewer letters has too many neighbours to forgive an error in it. */
const MIN_FORGIVEN = 4
/** Fewer letters begin too many labels, and are taken for a whole word. */
const MIN_LABEL = 3
/** Fewer digits are a house number rather than a part of a phone number. */
const MIN_PHONE_DIGITS = 5

/** Words of an address that are also written the other way. */
const ABBREVIATIONS: readonly (readonly [long: string, short: string])[] = [
  ['saint', 'st'],
  ['sainte', 'ste'],
  ['street', 'st'],
  ['road', 'rd'],
  ['avenue', 'av'],
  ['boulevard', 'bd'],
  ['strasse', 'str'],
]

/** What came of a search. */
export interface Found {
  readonly sites: readonly SiteView[]
  /** False if no site has every word, and these have similar ones. */
  readonly isExact: boolean
}

/**
 * The sites with every word of `query` in the name, the address or the reference, or at the beginning of a word of
 * a plug, the status or the contact email; or with the query as a part of the phone number. Accents and
 * case do not count. If there is none, one typing error in each word is forgiven: a letter too
 * many, too few or wrong, or two letters the wrong way round (Damerau and Levenshtein).
 */
export const findSites = (sites: readonly SiteView[], query: string, messages: Messages): Found => {
  const terms = termsOf(query, messages)
  if (terms.length === 0) return { sites, isExact: true }
  const entries = sites.map((site) => entryOf(site, messages))
  const digits = /^[\d\s()+./-]+$/.test(query) ? phoneDigits(query) : ''
  const filter = (tests: readonly Test[]) =>
    sites.filter((_, index) => {
      const entry = entries[index]
      if (entry === undefined) return false
      const isPhone = digits.length >= MIN_PHONE_DIGITS && entry.phone.includes(digits)
      return isPhone || tests.every((test) => test(entry))
    })

  const strict = terms.map(containing)
  const exact = filter(strict)
  if (exact.length > 0) return { sites: exact, isExact: true }
  // A word that some site has is meant as it is, if that leads anywhere.
  const forgiving = terms.map((term) => resembling(term, vocabularyOf(messages)))
  const mixed = strict.map((test, index) =>
    entries.some(test) ? test : (forgiving[index] ?? test),
  )
  const similar = filter(mixed)
  return { sites: similar.length > 0 ? similar : filter(forgiving), isExact: false }
}

/** What of a site is searched. */
interface Entry {
  /** The words of name, address and reference, with a space between two. */
  readonly place: string
  /** The words of what is said about it (plugs, status, contact email), with a space around each. */
  readonly labels: string
  /** All these words, by their number in the lexicon. */
  readonly wordIds: readonly number[]
  readonly phone: string
}

type Test = (entry: Entry) => boolean

/** One word that is looked for; or the several of a plug's name, such as "Type 2". */
interface Term {
  /** Without the spaces. */
  readonly word: string
  readonly phrase: string
}

const termsOf = (query: string, messages: Messages): readonly Term[] => {
  const words = wordsOf(query)
  const { names } = vocabularyOf(messages)
  const terms: Term[] = []
  while (words.length > 0) {
    const length = [3, 2].find((some) => names.has(words.slice(0, some).join(''))) ?? 1
    const taken = words.splice(0, length)
    terms.push({ word: taken.join(''), phrase: taken.join(' ') })
  }
  return terms
}

const containing = ({ word, phrase }: Term): Test => {
  const label = word.length < MIN_LABEL ? ` ${word} ` : ` ${word}`
  const isLabel = /\D/.test(word)
  return ({ place, labels }) => place.includes(phrase) || (isLabel && labels.includes(label))
}

const resembling = (term: Term, { lexicon }: Vocabulary): Test => {
  const { word } = term
  const contains = containing(term)
  // A digit more or less is another number.
  if (word.length < MIN_FORGIVEN || /\d/.test(word)) return contains
  const resembles = [...lexicon.keys()].map((other) => beginsAlmost(other, word))
  return (entry) => contains(entry) || entry.wordIds.some((id) => resembles[id])
}

/** Does `word` begin with `typed`, but for one typing error? */
const beginsAlmost = (word: string, typed: string): boolean => {
  if (word.length < typed.length - 1) return false
  let at = 0
  while (at < typed.length && typed[at] === word[at]) at += 1
  const goesOn = (fromTyped: number, fromWord: number): boolean =>
    word.startsWith(typed.slice(fromTyped), fromWord)
  return (
    goesOn(at + 1, at + 1) ||
    goesOn(at + 1, at) ||
    goesOn(at, at + 1) ||
    (typed[at] === word[at + 1] && typed[at + 1] === word[at] && goesOn(at + 2, at + 2))
  )
}

/** What the plugs and statuses are called in a language, and what was made of the sites in it. */
interface Vocabulary {
  /** The names of plugs without their spaces, and the words of them. */
  readonly names: ReadonlySet<string>
  readonly plugs: ReadonlyMap<Standard, readonly string[]>
  /** Every word of any site, numbered: thousands of sites share most of their words. */
  readonly lexicon: Map<string, number>
  /** Made once for a site, however often one types. */
  readonly entries: WeakMap<SiteView, Entry>
}

const vocabularies = new WeakMap<Messages, Vocabulary>()

const vocabularyOf = (messages: Messages): Vocabulary => {
  const known = vocabularies.get(messages)
  if (known !== undefined) return known
  const plugs = new Map(
    STANDARDS.map((standard) => {
      // A name and another one in brackets: "CCS2 (Combo 2)".
      const names = plugName(messages, standard).split(/[()]/).map(wordsOf)
      return [standard, names.flatMap((words) => [...words, words.join('')])] as const
    }),
  )
  const vocabulary = {
    names: new Set([...plugs.values()].flat()),
    plugs,
    lexicon: new Map<string, number>(),
    entries: new WeakMap<SiteView, Entry>(),
  }
  vocabularies.set(messages, vocabulary)
  return vocabulary
}

const entryOf = (site: SiteView, messages: Messages): Entry => {
  const { entries, lexicon, plugs } = vocabularyOf(messages)
  const known = entries.get(site)
  if (known !== undefined) return known
  const place = [site.name, site.address, site.city, site.postal_code, site.reference]
  const words = [...new Set(wordsOf(place.join(' ')))]
  const written = new Set(words)
  for (const [long, short] of ABBREVIATIONS) {
    if (written.has(short)) words.push(long)
    if (written.has(long)) words.push(short)
  }
  const standards = new Set(site.connectors.map(({ standard }) => standard))
  const labels = [
    ...[...standards].flatMap((standard) => plugs.get(standard) ?? wordsOf(standard)),
    ...wordsOf(messages.status[site.status]),
    ...wordsOf(site.contact_email),
  ]
  const wordIds = [...words, ...labels].map((word) => {
    const id = lexicon.get(word) ?? lexicon.size
    lexicon.set(word, id)
    return id
  })
  const entry = {
    place: words.join(' '),
    labels: ` ${labels.join(' ')} `,
    wordIds,
    phone: phoneDigits(site.contact_phone),
  }
  entries.set(site, entry)
  return entry
}

/** A number without its prefixes: whoever types one may leave out the country, or the zero after it. */
const phoneDigits = (text: string): string =>
  text.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '')

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

const fold = (text: string): string => {
  const lower = text.toLowerCase()
  // Most are plain, and this is done for thousands at a time.
  return /[^\0-\x7f]/.test(lower)
    ? lower.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '')
    : lower
}

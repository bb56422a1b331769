import { STANDARDS, type Standard } from '#domain/connector.ts'
import type { SiteView } from '../../data/state.ts'
import type { Messages } from '../../messages/messages.ts'
import { plugName } from '../../messages/plugs.ts'

/** Minimum number of sites for a search box. */
export const SEARCH_FROM = 4

/** Up to this number all sites are rendered, for find-in-page and screen readers. */
export const PLAIN_UP_TO = 150

/** Minimum length of a word for typo tolerance; shorter ones have too many neighbours. */
const MIN_FORGIVEN = 4
/** Minimum length of a label prefix; shorter ones must match a whole word. */
const MIN_LABEL = 3
/** Minimum number of digits of a phone number; fewer are a house number. */
const MIN_PHONE_DIGITS = 5

/** The beginning of an EVSE id without separators: country, operator, and the letter E. */
const EVSE_ID = /^[a-z]{2}[a-z\d]{3}e/

/** Address words with a common abbreviation. */
const ABBREVIATIONS: readonly (readonly [long: string, short: string])[] = [
  ['saint', 'st'],
  ['sainte', 'ste'],
  ['street', 'st'],
  ['road', 'rd'],
  ['avenue', 'av'],
  ['boulevard', 'bd'],
  ['strasse', 'str'],
]

/** The result of a search. */
export interface Found {
  readonly sites: readonly SiteView[]
  /** False if no site has every word, and these are similar. */
  readonly isExact: boolean
}

/**
 * Finds the sites with every word of `query` in the name, the address or the reference, or at the beginning of a word
 * of a plug, the status or the contact email; or with the query as a part of the phone number, or at the beginning of the
 * EVSE id of a connector. Ignores accents and case. If there is none, tolerates one typing error per word: an added,
 * missing, wrong or transposed letter (Damerau-Levenshtein distance 1).
 */
export const findSites = (sites: readonly SiteView[], query: string, messages: Messages): Found => {
  const terms = termsOf(query, messages)
  if (terms.length === 0) return { sites, isExact: true }
  const entries = sites.map((site) => entryOf(site, messages))
  const digits = /^[\d\s()+./-]+$/.test(query) ? phoneDigits(query) : ''
  const evseId = wordsOf(query).join('')
  const isEvseId = EVSE_ID.test(evseId)
  const filter = (tests: readonly Test[]) =>
    sites.filter(({ connectors }, index) => {
      const entry = entries[index]
      if (entry === undefined) return false
      if (isEvseId && connectors.some(({ evse_id: id }) => plainId(id).startsWith(evseId)))
        return true
      const isPhone = digits.length >= MIN_PHONE_DIGITS && entry.phone.includes(digits)
      return isPhone || tests.every((test) => test(entry))
    })

  const strict = terms.map(containing)
  const exact = filter(strict)
  if (exact.length > 0) return { sites: exact, isExact: true }
  // A word that some site has is matched exactly, if that gives results.
  const forgiving = terms.map((term) => resembling(term, vocabularyOf(messages)))
  const mixed = strict.map((test, index) =>
    entries.some(test) ? test : (forgiving[index] ?? test),
  )
  const similar = filter(mixed)
  return { sites: similar.length > 0 ? similar : filter(forgiving), isExact: false }
}

/** The searchable text of a site. */
interface Entry {
  /** The words of name, address and reference, separated by spaces. */
  readonly place: string
  /** The words of its labels (plugs, status, contact email), each surrounded by spaces. */
  readonly labels: string
  /** All these words, as indices into the lexicon. */
  readonly wordIds: readonly number[]
  readonly phone: string
}

type Test = (entry: Entry) => boolean

/** A word of the query, or the words of a plug's name, such as "Type 2". */
interface Term {
  /** Without spaces. */
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
  // Numbers must match exactly.
  if (word.length < MIN_FORGIVEN || /\d/.test(word)) return contains
  const resembles = [...lexicon.keys()].map((other) => beginsAlmost(other, word))
  return (entry) => contains(entry) || entry.wordIds.some((id) => resembles[id])
}

/** Returns whether `word` begins with `typed`, with at most one typing error. */
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

/** The names of plugs and statuses in a language, and the index of the sites in it. */
interface Vocabulary {
  /** The names of plugs without spaces, and their words. */
  readonly names: ReadonlySet<string>
  readonly plugs: ReadonlyMap<Standard, readonly string[]>
  /** All words of all sites, numbered, because thousands of sites share most of their words. */
  readonly lexicon: Map<string, number>
  /** Indexed once per site, not per key press. */
  readonly entries: WeakMap<SiteView, Entry>
}

const vocabularies = new WeakMap<Messages, Vocabulary>()

const vocabularyOf = (messages: Messages): Vocabulary => {
  const known = vocabularies.get(messages)
  if (known !== undefined) return known
  const plugs = new Map(
    STANDARDS.map((standard) => {
      // A name and an alternative in brackets: "CCS2 (Combo 2)".
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

/** The digits of a number without prefixes: the country code or the zero after it may be omitted. */
const phoneDigits = (text: string): string =>
  text.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '')

const plainId = (evseId: string): string => evseId.replaceAll('*', '').toLowerCase()

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

const fold = (text: string): string => {
  const lower = text.toLowerCase()
  // Most text is ASCII, and this runs for thousands of sites.
  return /[^\0-\x7f]/.test(lower)
    ? lower.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '')
    : lower
}

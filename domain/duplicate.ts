import { distanceM, type Position } from './distance.ts'
import { ID_LENGTH } from './collection.ts'
import type { ValueField } from './field.ts'
import { likenessOf, mentions } from './likeness.ts'
import { sites } from './site.ts'

/** The data of a site that is compared; unknown values are absent or empty. */
export interface Compared extends Position {
  readonly name: string
  /** Its words carry little weight, because neighbouring sites use them too. */
  readonly city?: string | undefined
  /** The name of the business that operates it. */
  readonly operator?: string | undefined
  readonly phone?: string | undefined
  /** The standards of its connectors. */
  readonly plugs?: readonly string[] | undefined
  /** The power of its strongest connector. */
  readonly maxKw?: number | undefined
  readonly evseIds?: readonly string[] | undefined
}

/** A site that may be the same as another one. */
export interface Duplicate extends Position {
  readonly id: string
  /** It belongs to the caller. Sites of others have only public data. */
  readonly is_own: boolean
  readonly name: string
  readonly address: string
  /** The name of the business. */
  readonly business: string
  readonly distance_m: number
  /** Similarity of the names, from 0 to 1. */
  readonly likeness: number
  /** Probability that both are the same site, from 0 to 1. */
  readonly score: number
}

/** The parameters of `GET /api/duplicates`; `site` is the id of the site itself, if it has one. */
export const DUPLICATE_INPUT = {
  lat: sites.fields.latitude,
  lng: sites.fields.longitude,
  name: sites.fields.name,
  site: { kind: 'text', max: ID_LENGTH },
} as const satisfies Readonly<Record<string, ValueField>>

/** The response of `GET /api/duplicates`: the most probable first. */
export interface DuplicatesAnswer {
  readonly items: readonly Duplicate[]
}

/** From this score on, the pair is shown, and a person decides. */
export const MIN_DUPLICATE_SCORE = 0.5

/** From this likeness on, two names count as alike. */
export const MIN_LIKENESS = 0.75

export const DUPLICATE_LIMITS = {
  /** Sites of others are compared within this distance; there are hardly any duplicates beyond it. */
  withinM: 250,
  /** An owner's own sites are also compared within this distance if their names are alike: an owner may move a site. */
  ownWithinM: 500,
  /** An owner's own sites within this distance are shown whatever their names are. */
  atM: 25,
  /** Maximum bytes of sites to read in order to compare some hundreds of sites. */
  readBytes: 64 * 1024 * 1024,
  /** Maximum number of charge point ids of a site that are compared; no site has as many. */
  evseIds: 1000,
  /** Maximum number of sites in a response. */
  items: 5,
  perMinute: 60,
} as const

/** The result of a comparison of two sites. */
export interface Comparison {
  readonly distanceM: number
  /** Similarity of the names, from 0 to 1; one of them may leave out the operator. */
  readonly likeness: number
  /** Probability that both are the same site, from 0 to 1. */
  readonly score: number
}

/**
 * Compares two sites. The score is the sum of the evidence for and against a duplicate as log odds (Fellegi and
 * Sunter), with weights fitted to the register of France (decision 0123).
 */
export const compareSites = (one: Compared, other: Compared): Comparison => {
  const metres = distanceM(one, other)
  const likeness = likenessOf(one.name, other.name, {
    optional: `${one.operator ?? ''} ${other.operator ?? ''}`,
    common: `${one.city ?? ''} ${other.city ?? ''}`,
  })
  const evidence =
    nameEvidence(likeness) +
    distanceEvidence(metres) +
    OPERATOR_EVIDENCE[operatorsOf(one, other)] +
    evseEvidence(one.evseIds ?? [], other.evseIds ?? []) +
    plugEvidence(one, other) +
    phoneEvidence(one.phone ?? '', other.phone ?? '')
  return { distanceM: metres, likeness, score: 1 / (1 + Math.exp(-evidence)) }
}

const nameEvidence = (likeness: number): number => 16 * (likeness - 0.68)

/** Phones and people place a site to within some 50 m. */
const distanceEvidence = (metres: number): number => Math.max(-8, 1 - (metres / 80) ** 2)

/** Log odds by what is known of the operators. With `other`, a name also mentions its operator; with `silent`, none. */
const OPERATOR_EVIDENCE = { same: 0.5, unknown: 0, silent: -0.5, other: -3 }

const operatorsOf = (one: Compared, other: Compared): keyof typeof OPERATOR_EVIDENCE => {
  const [a, b] = [one.operator ?? '', other.operator ?? '']
  if (a === '' || b === '') return 'unknown'
  if (likenessOf(a, b) >= 0.8 || mentions(one.name, b) || mentions(other.name, a)) return 'same'
  return mentions(one.name, a) || mentions(other.name, b) ? 'other' : 'silent'
}

/** An id identifies one charge point worldwide (eMI3). It begins with the country and the operator. */
const evseEvidence = (one: readonly string[], other: readonly string[]): number => {
  if (one.length === 0 || other.length === 0) return 0
  // Sets, because a site may have very many.
  const [ids, others] = [one, other].map(
    (all) =>
      new Set(
        all.slice(0, DUPLICATE_LIMITS.evseIds).map((id) => id.replaceAll('*', '').toUpperCase()),
      ),
  ) as [Set<string>, Set<string>]
  if ([...ids].some((id) => others.has(id))) return 14
  const beginnings = new Set(
    [...others].flatMap((id) => BEGINNING_LENGTHS.map((length) => id.slice(0, length))),
  )
  return [...ids].some((id) => beginnings.has(id.slice(0, OPERATOR_LENGTH))) ? -1 : -8
}

/**
 * Length of the country and the operator at the beginning of an id; a shorter id may be of any operator whose code
 * begins with it.
 */
const OPERATOR_LENGTH = 5
const BEGINNING_LENGTHS = Array.from({ length: OPERATOR_LENGTH + 1 }, (_, length) => length)

const plugEvidence = (one: Compared, other: Compared): number => {
  const [plugs, others] = [[...new Set(one.plugs)], [...new Set(other.plugs)]]
  if (plugs.length === 0 || others.length === 0) return 0
  const shared = plugs.filter((plug) => others.includes(plug)).length
  const power = one.maxKw && other.maxKw ? Math.abs(Math.log2(one.maxKw / other.maxKw)) - 0.4 : 0
  return 2 * (shared / (plugs.length + others.length - shared) - 0.7) - Math.min(2, power)
}

const phoneEvidence = (one: string, other: string): number => {
  const last = (phone: string): string => phone.replaceAll(/\D/g, '').slice(-8)
  if (last(one).length < 8 || last(other).length < 8) return 0
  return last(one) === last(other) ? 1 : -0.5
}

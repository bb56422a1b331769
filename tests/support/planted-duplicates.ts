import { distanceM, EARTH_RADIUS_M, type Position } from '#domain/distance.ts'
import type { Compared } from '#domain/duplicate.ts'

// Generates duplicates of sites, written as another person would at the same place, so that tests know which sites are
// the same.

type Random = () => number

/** A site from which duplicates are generated. */
export interface Original extends Compared {
  readonly id: string
  readonly operator: string
}

const indexBelow = (random: Random, count: number): number => Math.floor(random() * count)

/** A random value of a list. */
const oneOf = <T>(random: Random, values: readonly T[]): T => {
  const value = values[indexBelow(random, values.length)]
  if (value === undefined) throw new Error('nothing to choose from')
  return value
}

/** Moves a position by at most `maxM`, uniformly over the circle. */
const moved = (random: Random, at: Position, maxM: number): Position => {
  const [angle, far] = [random() * 2 * Math.PI, Math.sqrt(random()) * maxM]
  const degrees = (metres: number): number => (metres / EARTH_RADIUS_M) * (180 / Math.PI)
  return {
    latitude: at.latitude + degrees(far * Math.cos(angle)),
    longitude:
      at.longitude + degrees(far * Math.sin(angle)) / Math.cos((at.latitude * Math.PI) / 180),
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('')

/** Misspells a word: inserts, deletes or replaces a letter, or swaps two. */
const misspell = (random: Random, name: string): string => {
  const words = name.split(' ')
  const long = words.filter((word) => /^\p{L}{4,}$/u.test(word))
  if (long.length === 0) return name
  const word = oneOf(random, long)
  const at = 1 + indexBelow(random, word.length - 2)
  const letter = oneOf(random, LETTERS)
  const [before, after] = [word.slice(0, at), word.slice(at + 1)]
  const wrong = oneOf(random, [
    before + letter + word.slice(at),
    before + after,
    before + letter + after,
    `${before}${after.charAt(0)}${word.charAt(at)}${after.slice(1)}`,
  ])
  return words.with(words.indexOf(word), wrong).join(' ')
}

const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/\bcentre commercial\b/iu, 'CC'],
  [/\bSaint(e?)\b/gu, 'St$1'],
  [/\bavenue\b/iu, 'av.'],
  [/\bboulevard\b/iu, 'bd'],
  [/\bplace\b/iu, 'pl.'],
  [/\broute\b/iu, 'rte'],
  [/\bmarket\b/iu, 'mkt'],
  [/\bmonsieur\b/iu, 'Mr'],
]

/** Uses common abbreviations; without any, cuts the longest word. */
const abbreviate = (_: Random, name: string): string => {
  const short = ABBREVIATIONS.reduce((text, [long, brief]) => text.replace(long, brief), name)
  if (short !== name) return short
  const [longest = ''] = name.split(/[\s-]+/).toSorted((one, other) => other.length - one.length)
  return longest.length > 6 ? name.replace(longest, `${longest.slice(0, 4)}.`) : name
}

const reorder = (random: Random, name: string): string => {
  const separator = name.includes(' - ') ? ' - ' : ' '
  const parts = name.split(separator)
  const at = 1 + indexBelow(random, Math.max(1, parts.length - 1))
  return [...parts.slice(at), ...parts.slice(0, at)].join(separator)
}

/** Puts the operator before the name, or removes it. */
const prefix = (_: Random, name: string, operator: string): string => {
  const [first = '', ...rest] = name.split(' - ')
  const isSaid = first.toLowerCase() === operator.toLowerCase() && rest.length > 0
  return isSaid ? rest.join(' - ') : `${operator} ${name}`
}

type Alter = (random: Random, name: string, operator: string) => string

/** The ways in which people alter names. */
const ALTERATIONS: Readonly<Record<string, Alter>> = {
  none: (_, name) => name,
  typo: misspell,
  'two typos': (random, name) => misspell(random, misspell(random, name)),
  'word order': reorder,
  abbreviation: abbreviate,
  'operator prefix': prefix,
  accents: (_, name) => name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  'upper case': (_, name) => name.toUpperCase(),
}

/** Maximum distance of a duplicate from its original. */
const MAX_MOVED_M = 60

interface Planted {
  readonly original: Original
  readonly alteration: string
  readonly site: Compared
}

/** The same sites as written by other people: moved, with names altered in one or two ways. */
const plant = (random: Random, originals: readonly Original[]): Planted[] =>
  originals.map((original) => {
    const [alteration, second] = [1, 2].map(() => oneOf(random, Object.keys(ALTERATIONS)))
    const alterations = random() < 0.5 ? [alteration] : [alteration, second]
    const name = alterations.reduce<string>(
      (text, each = '') => ALTERATIONS[each]?.(random, text, original.operator) ?? text,
      original.name,
    )
    return {
      original,
      alteration: alteration ?? '',
      site: { name, ...moved(random, original, MAX_MOVED_M) },
    }
  })

/** The result of a search for duplicates. */
export interface Measured {
  /** The share of the duplicates that are found, in total and by alteration. */
  readonly recall: number
  readonly recallOf: Readonly<Record<string, number>>
  /** The share of the found sites that are right. */
  readonly precision: number
}

/**
 * Plants a duplicate of each site, and searches for its original.
 * @param find returns the ids of the sites that are found for each
 * @param say returns further known data of the duplicate of a site
 */
export const measure = async (
  random: Random,
  originals: readonly Original[],
  find: (sites: readonly Compared[]) => Promise<readonly (readonly string[])[]>,
  say: (original: Original) => Partial<Compared>,
): Promise<Measured> => {
  const planted = plant(random, originals)
  const found = await find(planted.map(({ site, original }) => ({ ...site, ...say(original) })))
  const isFound = planted.map(({ original }, index) => found[index]?.includes(original.id) ?? false)
  const share = (all: readonly boolean[]): number => all.filter(Boolean).length / all.length
  const byAlteration = Map.groupBy(planted.keys(), (index) => planted[index]?.alteration ?? '')
  return {
    recall: share(isFound),
    recallOf: Object.fromEntries(
      [...byAlteration].map(([name, all]) => [name, share(all.map((at) => isFound[at] === true))]),
    ),
    precision: isFound.filter(Boolean).length / found.flat().length,
  }
}

/** Finds sites by their position. */
export const createNear = <T extends Position>(
  sites: readonly T[],
): ((at: Position, withinM: number) => T[]) => {
  const square = (degrees: number): number => Math.floor(degrees * 100)
  const bySquare = Map.groupBy(
    sites,
    ({ latitude, longitude }) => `${square(latitude)} ${square(longitude)}`,
  )
  const beside = [-1, 0, 1]
  return (at, withinM) =>
    beside
      .flatMap((north) =>
        beside.flatMap(
          (east) =>
            bySquare.get(`${square(at.latitude) + north} ${square(at.longitude) + east}`) ?? [],
        ),
      )
      .filter((site) => distanceM(at, site) <= withinM)
}

/** Pairs of sites of different operators within a distance. */
export const neighboursOf = (
  sites: readonly Original[],
  withinM: number,
): (readonly [Original, Original])[] => {
  const near = createNear(sites)
  return sites.flatMap((site) =>
    near(site, withinM)
      .filter(({ id, operator }) => site.id < id && site.operator !== operator)
      .map((other) => [site, other] as const),
  )
}

const OPERATORS: Readonly<Record<string, (shop: string, town: string) => string>> = {
  'Électrons Libres': (shop, town) => `${shop} - ${town}`,
  Voltaïque: (shop, town) => `${town} - ${shop}`,
  Kilowatt: (shop, town) => `Kilowatt - ${shop} ${town}`,
  'Borne & Cie': (shop, town) => `${shop.toUpperCase()} - ${town.toUpperCase()}`,
  Autoroutia: (_, town) => `Autoroutia ${town}`,
  'Ladewerk Deutschland': (_, town) => `${town}, France`,
}
const SHOPS =
  'Carrefour Market,Hyper U,E.Leclerc,Jardiland,hotelF1,KFC,Centre commercial Les Ulis,Super U,Novotel,Bricomarché,Del Arte,Norauto,Parking de la Gare,Place du Marché,Hôtel Première Classe,Monsieur Bricolage,La Boucherie,Basic Fit,Cinéma Pathé,Mairie'.split(
    ',',
  )
const TOWNS =
  'Saint-Étienne,Mâcon,Pau,Châteauvillain,Nîmes,Besançon,Vidauban,Loudéac,Saint-Dié-des-Vosges,Angoulême,Luçon,La Roche-sur-Yon,Guémené-sur-Scorff,Brétigny-sur-Orge,Perpignan,Évry-Courcouronnes,Thiais,Mandelieu-la-Napoule,Orgeval,Albertville'.split(
    ',',
  )

/** Sites as in registers: one or several operators at an address, each with its own way to name sites. */
export const makeOriginals = (random: Random, addressCount: number): Original[] =>
  Array.from({ length: addressCount }, (_, address) => {
    const town = oneOf(random, TOWNS)
    const at = {
      latitude: 43 + (address % 50) * 0.1 + random() * 0.05,
      longitude: -1 + Math.floor(address / 50) * 0.1 + random() * 0.05,
    }
    const operators = Object.keys(OPERATORS)
      .toSorted(() => random() - 0.5)
      .slice(0, 1 + indexBelow(random, 3))
    return operators.map((operator, index) => ({
      id: `${address} ${index}`,
      evseIds: [`FR*${operator.slice(0, 3).toUpperCase()}*E${address}`],
      name: OPERATORS[operator]?.(oneOf(random, SHOPS), town) ?? town,
      city: town,
      operator,
      ...moved(random, at, 60),
    }))
  }).flat()

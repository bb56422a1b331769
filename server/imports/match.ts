import { DUPLICATE_LIMITS, MIN_LIKENESS, type Duplicate } from '#domain/duplicate.ts'
import { distanceM } from '#domain/distance.ts'
import type { ImportCandidate, ImportedStation, MatchedBy } from '#domain/import.ts'
import { likenessOf } from '#domain/likeness.ts'

import type { Runner } from '../db/sql.ts'
import { findDuplicates, type DuplicateQuery } from '../duplicates/duplicates.ts'
import { contradictionOf, joinParts } from '../formats/join.ts'
import { repairStation } from '../formats/repair/repair.ts'
import type { Station } from '../formats/station.ts'
import { findFormer, readKnownSites, readStillNamed, type NamedPlace } from './feed-base.ts'
import { asImported, referenceOf } from './station.ts'

/** A station for which a site is looked up. */
export interface StationToMatch {
  readonly number: number
  readonly reference: string
  readonly imported: ImportedStation
}

/** The site that matches a station, or the candidates; and possible duplicates of other businesses. */
export interface Match {
  readonly site?: string
  readonly matchedBy?: MatchedBy
  readonly candidates: readonly ImportCandidate[]
  readonly duplicates: readonly Duplicate[]
  /** The key of the base of a station that was deleted, undone or left out. */
  readonly formerKey?: string
  /** It may be a station that was deleted, undone or left out, under another key. */
  readonly mayBeLeftOut?: boolean
}

interface Owned {
  readonly import: string
  readonly business: string
  readonly owner: string
  readonly feed: string
}

/**
 * Finds the sites of a business that match stations: by reference or id, otherwise by position and name among the sites
 * that no station of the file refers to. Uncertain matches have candidates. If a reference names another site, as in a
 * list that is numbered anew, position and name decide, and that site is a candidate as well. A station of a feed is also
 * found by its base, whatever its owner has changed since.
 */
export const findMatches = async (
  runner: Runner,
  owned: Owned,
  stations: readonly StationToMatch[],
): Promise<ReadonlyMap<number, Match>> => {
  const { found: referred, passed } = await byReference(runner, owned, stations)
  const found = new Map([...referred, ...(await byFeed(runner, owned, stations, referred, passed))])
  const others = stations.filter(({ number, imported }) => !found.has(number) && hasPlace(imported))
  if (others.length === 0) return found
  const near = await findDuplicates(runner, owned.owner, others.map(toDuplicateQuery))
  const own = near.flat().filter(({ is_own: isOwn }) => isOwn)
  const read = new Map(stations.map(({ number, imported }) => [number, imported]))
  const named = new Set([
    ...(await namedByReference(runner, owned, own, read)),
    ...(await readStillNamed(
      runner,
      owned,
      own.map(({ id }) => id),
    )),
  ])
  const matches = others.map(({ number, imported }, index): [number, Match] => {
    const all = near[index] ?? []
    const candidates = all.filter(({ id, is_own: isOwn }) => isOwn && !named.has(id))
    const match = decide(
      String(imported.site['name']),
      candidates,
      all.filter(({ is_own: isOwn }) => !isOwn),
    )
    const other = passed.get(number)
    return [number, match.site === undefined && other ? withCandidate(match, other) : match]
  })
  const open = new Set(
    matches.flatMap(([number, { site }]) => (site === undefined ? [number] : [])),
  )
  const former = await findFormer(
    runner,
    owned,
    others
      .filter(({ number }) => open.has(number) && !passed.has(number))
      .map(({ number, reference, imported }) => ({
        number,
        hasId: reference !== '',
        ...namedPlaceOf(imported),
      })),
  )
  return new Map([
    ...matches.map(([number, match]): [number, Match] => {
      const known = former.get(number)
      if (known === undefined) return [number, match]
      if (!known.isSure) return [number, { ...match, mayBeLeftOut: true }]
      const { key, site } = known
      return site === null ? [number, { ...match, formerKey: key }] : asKnown([number, site])
    }),
    ...found,
  ])
}

const asKnown = ([number, site]: readonly [number, string]): [number, Match] => [
  number,
  { site, matchedBy: 'FEED', candidates: [], duplicates: [] },
]

const namedPlaceOf = ({ site }: ImportedStation): NamedPlace => ({
  name: String(site['name']),
  latitude: Number(site['latitude']),
  longitude: Number(site['longitude']),
})

/** The sites of stations whose keys have a base, unless a reference decides. */
const byFeed = async (
  runner: Runner,
  owned: Owned,
  stations: readonly StationToMatch[],
  referred: ReadonlyMap<number, Match>,
  passed: ReadonlyMap<number, ImportCandidate>,
): Promise<readonly (readonly [number, Match])[]> => {
  const open = stations.filter(({ number }) => !referred.has(number) && !passed.has(number))
  const read = new Map(open.map(({ number, imported }) => [number, imported]))
  const taken = new Set([...referred.values()].map(({ site }) => site))
  const known = await readKnownSites(runner, owned, [...read.keys()])
  return known
    .filter(({ number, site, ...place }) => {
      const imported = read.get(number)
      return imported !== undefined && !taken.has(site) && !isOtherSite(imported, place)
    })
    .map(({ number, site }) => asKnown([number, site]))
}

const withCandidate = (match: Match, candidate: ImportCandidate): Match => ({
  ...match,
  candidates: [...match.candidates.filter(({ id }) => id !== candidate.id), candidate],
})

interface Referred {
  /** The matches of stations, by number. */
  readonly found: ReadonlyMap<number, Match>
  /** The sites of stations whose reference has passed to another site, by number. */
  readonly passed: ReadonlyMap<number, ImportCandidate>
}

const byReference = async (
  runner: Runner,
  { business }: Owned,
  stations: readonly StationToMatch[],
): Promise<Referred> => {
  const found = new Map<number, Match>()
  const passed = new Map<number, ImportCandidate>()
  // In the file of the dashboard, the reference of a station is the id of its site, beside that of the owner.
  const references = stations
    .flatMap((each) => [each.reference, referenceOf(each.imported)])
    .filter((each) => each !== '')
  if (references.length === 0) return { found, passed }
  const rows = await runner<StoredSite[]>`
    select s.id, s.reference, s.name, s.address, s.latitude, s.longitude from sites s
    where (s.reference = any(${references}) and s.reference <> '' or s.id = any(${references})) and s.business = ${business}`
  // Voltleaf's own feeds use record IDs for sites.
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byOwnReference = new Map(
    rows.filter((row) => row.reference !== '').map((row) => [row.reference, row]),
  )
  for (const station of stations) {
    const { number, reference, imported } = station
    const own = byId.get(reference)
    const referred =
      byOwnReference.get(reference) ??
      (own === undefined ? byOwnReference.get(referenceOf(station.imported)) : undefined)
    const site = referred ?? own
    if (referred !== undefined && isOtherSite(imported, referred))
      passed.set(number, toCandidate(imported, referred))
    else if (site !== undefined)
      found.set(number, { site: site.id, matchedBy: 'REFERENCE', candidates: [], duplicates: [] })
  }
  return { found, passed }
}

interface StoredSite {
  readonly id: string
  readonly reference: string
  readonly name: string
  readonly address: string
  readonly latitude: number
  readonly longitude: number
}

/** A site that moves farther and gets an unlike name in the same file is probably another one. */
const MAX_MOVED_M = 2000

const distanceTo = (
  { site }: ImportedStation,
  { latitude, longitude }: Omit<NamedPlace, 'name'>,
): number =>
  distanceM(
    { latitude: Number(site['latitude']), longitude: Number(site['longitude']) },
    { latitude, longitude },
  )

/** Whether a reference has passed to another site, as in a list that is numbered anew. */
const isOtherSite = (imported: ImportedStation, stored: NamedPlace): boolean =>
  hasPlace(imported) &&
  distanceTo(imported, stored) > MAX_MOVED_M &&
  likenessOf(String(imported.site['name']), stored.name) < MIN_LIKENESS

const toCandidate = (imported: ImportedStation, stored: StoredSite): ImportCandidate => ({
  id: stored.id,
  name: stored.name,
  address: stored.address,
  distance_m: Math.round(distanceTo(imported, stored)),
  score: 0,
})

/**
 * Returns the candidate sites whose reference a station of the file has, and has not passed to another site.
 * @param read the stations that are matched now, by number; the file may have others
 */
const namedByReference = async (
  runner: Runner,
  { import: id }: Owned,
  own: readonly Duplicate[],
  read: ReadonlyMap<number, ImportedStation>,
): Promise<ReadonlySet<string>> => {
  const ids = [...new Set(own.map((site) => site.id))]
  if (ids.length === 0) return new Set()
  const rows = await runner<(StoredSite & { number: number; isById: boolean })[]>`
    select s.id, s.reference, s.name, s.address, s.latitude, s.longitude, k.number, k.key = s.id as "isById"
    from sites s join import_keys k on k.import = ${id} and k.key in (s.id, nullif(s.reference, ''))
    where s.id = any(${ids})`
  const numbers = rows.flatMap(({ number, isById }) => (isById || read.has(number) ? [] : [number]))
  const others = await readSites(runner, id, [...new Set(numbers)])
  const isPassed = (row: (typeof rows)[number]): boolean => {
    const station = read.get(row.number) ?? others.get(row.number)
    return !row.isById && station !== undefined && isOtherSite(station, row)
  }
  return new Set(rows.filter((row) => !isPassed(row)).map((row) => row.id))
}

/** Enough to know the name and the position of a station, which may have any number of pieces. */
const MAX_PIECES = 100

/** Reads stations of the file by their numbers, without connectors. Those whose pieces contradict each other are left out. */
const readSites = async (
  runner: Runner,
  id: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, ImportedStation>> => {
  if (numbers.length === 0) return new Map()
  const rows = await runner<{ number: number; parts: Station[] }[]>`
    select k.number, p.parts from import_keys k cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object(
          'reference', e.part -> 'reference', 'site', e.part -> 'site', 'connectors', '[]'::jsonb, 'tariffs', '[]'::jsonb)
        order by e.number), '[]') as parts
      from (select number, part from import_parts
        where import = ${id} and key = k.key and part is not null order by number limit ${MAX_PIECES}) e) p
    where k.import = ${id} and k.number = any(${numbers})`
  return new Map(
    rows
      .filter(({ parts }) => contradictionOf(parts) === undefined)
      .map(({ number, parts }) => [
        number,
        asImported(repairStation(joinParts(parts)).station, new Map()),
      ]),
  )
}

const hasPlace = ({ site }: ImportedStation): boolean =>
  typeof site['latitude'] === 'number' && typeof site['longitude'] === 'number'

const toDuplicateQuery = ({ imported: { site, connectors } }: StationToMatch): DuplicateQuery => {
  const texts = (name: string): string[] =>
    connectors.map((connector) => connector[name]).filter((value) => typeof value === 'string')
  const text = (name: string): string => (typeof site[name] === 'string' ? site[name] : '')
  return {
    name: text('name'),
    latitude: Number(site['latitude']),
    longitude: Number(site['longitude']),
    city: text('city'),
    phone: text('contact_phone'),
    plugs: texts('standard'),
    maxKw: Math.max(0, ...connectors.map(({ kw_rating: kw }) => Number(kw) || 0)),
    evseIds: texts('evse_id'),
  }
}

/** Coordinates are rounded, so positions within this distance are the same point. */
const SAME_POINT_M = 1
/** Beyond this distance, a site with the same name is a different site. */
const SAME_NAME_M = 100
const MIN_SAME_NAME = 0.95
const MAX_CANDIDATES = 5

/** A match is certain if there is only one candidate, or if exactly one has that name at exactly that point. */
const decide = (
  stationName: string,
  candidates: readonly Duplicate[],
  duplicates: readonly Duplicate[],
): Match => {
  const same = candidates.filter(
    ({ name, distance_m: metres }) => name === stationName && metres === 0,
  )
  const [one, ...rest] = same.length === 1 ? same : candidates
  const matchedBy = one === undefined || rest.length > 0 ? undefined : signOf(one)
  if (one !== undefined && matchedBy !== undefined)
    return { site: one.id, matchedBy, candidates: [], duplicates: [] }
  return { candidates: candidates.slice(0, MAX_CANDIDATES).map(asCandidate), duplicates }
}

const signOf = ({ distance_m: metres, likeness }: Duplicate): MatchedBy | undefined => {
  if (likeness >= MIN_LIKENESS && metres <= SAME_POINT_M) return 'POSITION'
  if (likeness >= MIN_LIKENESS && metres <= DUPLICATE_LIMITS.atM) return 'NEAR'
  return likeness >= MIN_SAME_NAME && metres <= SAME_NAME_M ? 'NAME' : undefined
}

const asCandidate = ({ id, name, address, distance_m, score }: Duplicate): ImportCandidate => ({
  id,
  name,
  address,
  distance_m,
  score,
})

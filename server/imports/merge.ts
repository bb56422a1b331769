import type { ImportedStation, MissingChoice } from '#domain/import.ts'
import { isSameValue } from '#domain/record.ts'
import type { Repair } from '#domain/repair.ts'

import { filledBy, isFilledIn } from '../formats/repair/repair.ts'
import { isEmptyInput, type Station, type Values } from '../formats/station.ts'
import type { Row } from '../records/records.ts'
import { pairConnectors, traits, type Pairing, type StoredStation } from './compare.ts'

// The stations of a feed are merged three-way. Only what the feed has changed since the base is written, so what a person
// has changed, deleted or left out stays that way (decision 0184).

/** The content of a feed for a station when the station was last merged. */
export interface Base extends Station {
  /**
   * The IDs of the records of its connectors, in their order. A record that no longer exists was deleted by a person.
   * Bases of earlier versions, and of stations without a site, have none.
   */
  readonly records?: readonly string[]
  /** Of these, records of connectors that the feed no longer has, and keeps. */
  readonly kept?: readonly string[]
  /** The content for which the station, merged before, was refused. */
  readonly refused?: Station
}

/** The changes of a feed to a station since its base. */
export interface Merge {
  readonly next: Base
  /** The values of the site that the feed has changed, and all of its connectors. */
  readonly changed: ImportedStation
  readonly pairing: Pairing
  /** Without the merge: connectors that a person has deleted are added again, and others removed. */
  readonly wholePairing: Pairing
  /** Whether the feed has changed a value of a connector, by the index of that. */
  readonly hasChanged: (index: number, field: string) => boolean
}

interface Read {
  readonly station: Station
  readonly imported: ImportedStation
  /** The changes that repair rules made to the values of the feed. */
  readonly repairs: readonly Repair[]
}

interface MergeOptions {
  readonly hasSameIds: boolean
  readonly missing: MissingChoice
  /** A person looks at the plan, and may restore what was deleted. */
  readonly isReview: boolean
  /** The ID for the record of a new connector, by its index. */
  readonly newId: (index: number) => string
}

/** Merges a station of a feed into its site. */
export const mergeStation = (
  read: Read,
  stated: Base,
  { connectors: rows }: StoredStation,
  options: MergeOptions,
): Merge => {
  const base = namedBase(stated, rows, options.hasSameIds)
  const links = linkConnectors(read, base, rows, options)
  const connectors = nextConnectors(read, base, links, options)
  const kept = connectors.flatMap(({ record, isKept }) => (isKept === true ? [record] : []))
  const next = withTariffs(
    {
      ...read.station,
      site: keeper(base, read.repairs)('site', read.station.site, base.site),
      connectors: connectors.map(({ values }) => values),
      records: connectors.map(({ record }) => record),
      ...(kept.length > 0 && { kept }),
    },
    base,
  )
  const isNew = (values: Values, before: Values, field: string): boolean =>
    !isSameValue(values[field], before[field]) ||
    (field === 'tariff' && !isSameValue(priceOf(next, values), priceOf(base, before)))
  const hasMoved = POSITION.some((field) => isNew(next.site, base.site, field))
  const changed = Object.entries(read.imported.site).filter(
    ([field]) => isNew(next.site, base.site, field) || (hasMoved && POSITION.includes(field)),
  )
  const byIndex = new Map(connectors.map((one) => [one.index, one]))
  return {
    next,
    changed: { ...read.imported, site: Object.fromEntries(changed) },
    pairing: links.pairing,
    wholePairing: links.wholePairing,
    hasChanged: (index, field) => {
      const { values = {}, before } = byIndex.get(index) ?? {}
      return before === undefined || isNew(values, before, field)
    },
  }
}

/** A base with the records of its connectors. */
type NamedBase = Base & Required<Pick<Base, 'records'>>

/**
 * Names the records of a base of an earlier version by what they have in common with its connectors. A connector that
 * the feed no longer had and that was removed later is no longer part of the base.
 */
const namedBase = (base: Base, rows: readonly Row[], hasSameIds: boolean): NamedBase => {
  const { records, kept = [] } = base
  if (records === undefined) {
    const rowOf = new Map(pairConnectors(base.connectors, rows, { hasSameIds }).pairs)
    return { ...base, records: base.connectors.map((_, place) => idAt(rows, rowOf.get(place))) }
  }
  const ids = new Set(rows.map((row) => row['id']))
  const isPart = (place: number): boolean => {
    const record = records[place] ?? ''
    return ids.has(record) || !kept.includes(record)
  }
  return kept.length === 0
    ? { ...base, records }
    : {
        ...base,
        connectors: base.connectors.filter((_, place) => isPart(place)),
        records: records.filter((_, place) => isPart(place)),
      }
}

interface Links {
  /** The index in the feed of each connector of the base that it still has. */
  readonly indexes: ReadonlyMap<number, number>
  /** The IDs of the records of connectors that are new in the feed, by their indexes. */
  readonly newRecords: ReadonlyMap<number, string>
  /** The indexes of connectors whose records no longer exist. */
  readonly lost: ReadonlySet<number>
  /** The connectors of the base that the site still has, but the feed no longer. */
  readonly gone: ReadonlySet<number>
  /** The connectors of the feed and the records of the site. */
  readonly pairing: Pairing
  readonly wholePairing: Pairing
}

/**
 * Pairs the connectors of a feed with those of the base, and so with their records; in case of doubt with what the
 * records are now, since the feed may follow a correction of a person. New ones are paired by what they have in common
 * with records that a person has added.
 */
const linkConnectors = (
  { station, imported }: Read,
  { connectors, records }: NamedBase,
  rows: readonly Row[],
  { hasSameIds, newId }: MergeOptions,
): Links => {
  const places = new Map(records.map((record, place) => [record, place]))
  const rowOf = new Map(rows.map((_, at) => [idAt(rows, at), at]))
  const rowAt = (place: number): number | undefined => rowOf.get(records[place] ?? '')
  const withBase = (isSure: boolean) => (added: readonly number[], gone: readonly number[]) =>
    pairConnectors(station.connectors, connectors, { hasSameIds, isSure, added, gone }).pairs
  const withRecords = (isSure: boolean) => (added: readonly number[], gone: readonly number[]) =>
    pairConnectors(imported.connectors, rows, {
      // Traits alone do not make one connector of two with different IDs.
      hasSameIds: hasSameIds || isSure,
      isSure,
      added,
      gone: gone.flatMap((place) => rowAt(place) ?? []),
    }).pairs.map(([index, at]) => [index, places.get(idAt(rows, at)) ?? -1] as const)

  // If a feed no longer has all of some equal connectors, those that a person has left as they were come first.
  const countOf = (some: readonly Values[]) => Map.groupBy(some, (each) => traits(each))
  const [before, after] = [countOf(connectors), countOf(station.connectors)]
  const unlikeness = (place: number): number => {
    const [row, key] = [rows[rowAt(place) ?? -1], traits(connectors[place] ?? {})]
    if ((before.get(key)?.length ?? 0) <= (after.get(key)?.length ?? 0)) return 0
    return row === undefined ? 2 : traits(row) === key ? 0 : 1
  }
  const known = new Map<number, number>()
  let added = [...station.connectors.keys()]
  let gone = [...connectors.keys()].toSorted((one, other) => unlikeness(one) - unlikeness(other))
  for (const pair of [withBase(true), withRecords(true), withBase(false), withRecords(false)]) {
    for (const [index, place] of pair(added, gone)) known.set(index, place)
    const paired = new Set(known.values())
    added = added.filter((index) => !known.has(index))
    gone = gone.filter((place) => !paired.has(place))
  }
  const others = pairConnectors(imported.connectors, rows, {
    hasSameIds,
    added,
    gone: [...rowOf].flatMap(([id, at]) => (places.has(id) ? [] : [at])),
  })
  const linked = [...known].map(([index, place]) => [index, rowAt(place)] as const)
  const lost = linked.flatMap(([index, at]) => (at === undefined ? [index] : []))
  const pairs = [
    ...linked.flatMap(([index, at]) => (at === undefined ? [] : [[index, at] as const])),
    ...others.pairs,
  ]
  const paired = new Set(pairs.map(([, at]) => at))
  const newRecords = recordsAfter(added, { pairs }, rows, newId)
  return {
    indexes: new Map([...known].map(([index, place]) => [place, index])),
    newRecords: new Map(added.map((index, nth) => [index, newRecords[nth] ?? ''])),
    lost: new Set(lost),
    gone: new Set(gone.filter((place) => rowAt(place) !== undefined)),
    pairing: { pairs, added: others.added, gone: gone.flatMap((place) => rowAt(place) ?? []) },
    wholePairing: {
      pairs,
      added: [...others.added, ...lost],
      gone: [...rows.keys()].filter((at) => !paired.has(at)),
    },
  }
}

interface NextConnector {
  /** The index in the feed, unless that lacks it. */
  readonly index?: number
  /** What the base has of it, unless it is new. */
  readonly before?: Values | undefined
  readonly values: Values
  readonly record: string
  readonly isKept?: boolean
}

/** The connectors of the next base: those of the base in its order, then new ones. */
const nextConnectors = (
  { station, repairs }: Read,
  base: NamedBase,
  { indexes, newRecords, lost, gone }: Links,
  { missing, isReview, newId }: MergeOptions,
): readonly NextConnector[] => {
  const keep = keeper(base, repairs)
  const isSilent = station.connectors.length === 0
  const before = base.connectors.flatMap((values, place): NextConnector[] => {
    const record = base.records[place] ?? ''
    const index = indexes.get(place)
    if (index === undefined) {
      const isKept = isSilent ? base.kept?.includes(record) === true : gone.has(place)
      // Another rule may remove it later.
      return isSilent || (isKept && missing === 'KEEP') ? [{ values, record, isKept }] : []
    }
    return [
      {
        index,
        before: values,
        values: keep('connector', station.connectors[index], values, index),
        // The person may select it.
        record: isReview && lost.has(index) ? newId(index) : record,
      },
    ]
  })
  const added = [...newRecords].map(([index, record]) => ({
    index,
    values: station.connectors[index] ?? {},
    record,
  }))
  return [...before, ...added]
}

/** Fields that change as one value. */
const POSITION = ['latitude', 'longitude']

/**
 * Returns a function for the values of a site or connector with what the feed leaves out, or what a rule had to fill in,
 * as in the base: a column that is missing for a night would otherwise be new in the next one.
 */
const keeper = (base: Base, repairs: readonly Repair[]) => {
  const filled = filledBy(repairs)
  return (
    on: 'site' | 'connector',
    values: Values = {},
    known: Values = {},
    index = -1,
  ): Values => {
    const names = on === 'site' ? filled.site : filled.connectors.get(index)
    const isUnsaid = (name: string): boolean =>
      isEmptyInput(values[name]) ||
      (names?.has(name) === true && !isFilledIn(on, name, known, base.site))
    return {
      ...values,
      ...Object.fromEntries(Object.entries(known).filter(([name]) => isUnsaid(name))),
    }
  }
}

/** A base with the prices that it refers to, also those that the feed leaves out. */
const withTariffs = (next: Base, base: Base): Base => {
  const said = new Set(next.tariffs.map(({ reference }) => reference))
  const used = new Set([next.site, ...next.connectors].map(({ tariff }) => tariff))
  const unsaid = base.tariffs.filter(({ reference }) => used.has(reference) && !said.has(reference))
  return { ...next, tariffs: [...next.tariffs, ...unsaid] }
}

const priceOf = ({ tariffs }: Station, { tariff }: Values): Values | undefined =>
  tariffs.find(({ reference }) => reference === tariff)?.values

const idAt = (rows: readonly Row[], at = -1): string => {
  const id = rows[at]?.['id']
  return typeof id === 'string' ? id : ''
}

/** The records of connectors, by their indexes, once those without one are created. */
export const recordsAfter = (
  indexes: readonly number[],
  { pairs }: Pick<Pairing, 'pairs'>,
  rows: readonly Row[],
  newId: (index: number) => string,
): readonly string[] => {
  const rowOf = new Map(pairs)
  return indexes.map((index) => idAt(rows, rowOf.get(index)) || newId(index))
}

/** Whether the content of a feed for a station equals that of its base. */
export const isRepeated = (next: Base, base: Base | undefined): boolean =>
  base !== undefined && isSameValue(contentOf(next), contentOf(base))

/** The content that a base stands for: that of the refusal, if the station was refused. */
const contentOf = (base: Base): Station => {
  const { reference, site, connectors, tariffs } = base.refused ?? base
  return { reference, site, connectors, tariffs }
}

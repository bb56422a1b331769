import { CONNECTOR_IDS, CONNECTOR_TRAITS, connectors } from '#domain/connector.ts'
import type { Collection } from '#domain/collection.ts'
import { emptyValue } from '#domain/field.ts'
import { WHOLE, type ImportChange, type ImportedStation } from '#domain/import.ts'
import { canonicalJson, inputNames, isSameValue } from '#domain/record.ts'
import type { Repair } from '#domain/repair.ts'
import { sites } from '#domain/site.ts'

import { filledBy, isFilledIn } from '../formats/repair/repair.ts'
import { isEmptyInput } from '../formats/station.ts'
import type { Row } from '../records/records.ts'

/** A stored site with its connectors in the order of creation. */
export interface StoredStation {
  readonly site: Row
  readonly connectors: readonly Row[]
}

/** The connectors of a file and those known before that belong together, by their indexes. */
export interface Pairing {
  /** Indexes in the file and among the known ones. */
  readonly pairs: readonly (readonly [number, number])[]
  readonly added: readonly number[]
  readonly gone: readonly number[]
}

export interface CompareOptions {
  /** The ID for the record of a new connector, by its index in the file. */
  readonly newId: (index: number) => string
  readonly pairing: Pairing
  /** Whether a value of a connector may replace that of its record; by default, each may. */
  readonly mayChange?: (index: number, field: string) => boolean
  /** The changes that repair rules made to the values of the file. */
  readonly repairs?: readonly Repair[]
}

/**
 * Returns the changes that a run must make to an existing site, and the versions of the records that they are based on.
 * Fields that are missing or empty in the file keep their value. A value that a rule filled in replaces only values
 * that a rule filled in.
 */
export const compareStation = (
  { site, connectors: imported }: ImportedStation,
  stored: StoredStation,
  { newId, pairing: { pairs, added, gone: left }, mayChange, repairs = [] }: CompareOptions,
): {
  readonly changes: readonly ImportChange[]
  readonly records: Readonly<Record<string, string>>
} => {
  // A table with only addresses and phone numbers says nothing about plugs.
  const removed = new Set(imported.length === 0 ? [] : left)
  const gone = stored.connectors.filter((_, place) => removed.has(place))
  const filled = filledBy(repairs)
  const paired = pairs.flatMap(([index, place]): Compared[] => {
    const one = imported[index]
    const row = stored.connectors[place]
    if (one === undefined || row === undefined) return []
    const names = filled.connectors.get(index)
    const changes = compareFields(connectors, one, row).filter(
      ({ field }) =>
        mayChange?.(index, field) !== false &&
        (names?.has(field) !== true || isFilledIn('connector', field, row, stored.site)),
    )
    return [{ row, changes }]
  })
  const changes = [
    ...compareFields(sites, site, stored.site).filter(
      ({ field }) => !filled.site.has(field) || isFilledIn('site', field, stored.site, stored.site),
    ),
    ...paired.flatMap((pair) => pair.changes),
    ...added.map((index) => ({
      record: newId(index),
      field: WHOLE,
      before: null,
      after: imported[index],
    })),
    ...gone.map((row) => ({ record: idOf(row), field: WHOLE, before: inputsOf(row), after: null })),
  ]
  const touched = [
    stored.site,
    ...paired.filter((pair) => pair.changes.length > 0).map(({ row }) => row),
    ...gone,
  ]
  return {
    changes,
    records: Object.fromEntries(touched.map((row) => [idOf(row), String(row['version'])])),
  }
}

interface Compared {
  readonly row: Row
  readonly changes: readonly ImportChange[]
}

const idOf = (row: Row): string => String(row['id'])

const inputsOf = (row: Row): Readonly<Record<string, unknown>> =>
  Object.fromEntries(inputNames(connectors).map((name) => [name, row[name] ?? '']))

const compareFields = (
  collection: Collection,
  imported: Readonly<Record<string, unknown>>,
  row: Row,
): readonly ImportChange[] =>
  Object.entries(imported).flatMap(([field, after]) => {
    const declared = collection.fields[field]
    if (declared === undefined || isEmptyInput(after)) return []
    // Voltleaf's own feeds use record IDs as references.
    if (field === 'reference' && after === row['id']) return []
    const before = row[field] ?? emptyValue(declared)
    return isSameValue(before, after) ? [] : [{ record: idOf(row), field, before, after }]
  })

type Connector = ImportedStation['connectors'][number] | Row

type Sign = (connector: Connector) => string

/** Criteria for identifying the same connector, the most reliable first. An empty result identifies nothing. */
const SURE_SIGNS: readonly Sign[] = [
  ({ reference }) => text(reference),
  // The whole content of its base. A record has more, and an ID.
  (connector) => (text(connector['id']) === '' ? canonicalJson(connector) : ''),
  // Voltleaf's own feeds use record IDs for connectors.
  ({ id, reference }) => text(id) || text(reference),
  (connector) => (text(connector['evse_id']) === '' ? '' : traits(connector, ['evse_id'])),
  (connector) => (text(connector['evse']) === '' ? '' : traits(connector, ['evse'])),
  (connector) => traits(connector),
]
const SIGNS: readonly Sign[] = [
  ...SURE_SIGNS,
  ({ evse_id: evseId, standard }) =>
    text(evseId) === '' ? '' : JSON.stringify([evseId, standard]),
  // The same type and power, in case a rule had to fill in the rest.
  ({ standard, kw_rating: kw }) =>
    text(standard) === '' || kw === undefined ? '' : JSON.stringify([standard, kw]),
  ({ standard }) => text(standard),
]

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The values that distinguish connectors for a driver, as a key. */
export const traits = (connector: Connector, more: readonly string[] = []): string =>
  JSON.stringify([...CONNECTOR_TRAITS, ...more].map((name) => connector[name] ?? null))

/**
 * Voltleaf's own feeds use record IDs for connectors. IDs that are counted within a station were once stored without
 * the station's part.
 */
const isSameId = (imported: string, row: Connector, stored: string): boolean =>
  imported === stored || imported === row['id'] || imported.endsWith(`:${stored}`)

const contradict = (one: Connector, row: Connector): boolean =>
  CONNECTOR_IDS.some(
    (name) =>
      text(one[name]) !== '' &&
      text(row[name]) !== '' &&
      !isSameId(text(one[name]), row, text(row[name])),
  )

/** Maximum number of candidates per connector: a station may have tens of thousands, each with its own ID. */
const MAX_COMPARED = 250

interface PairOptions {
  /** The file uses the IDs of those known before, so connectors with different IDs are different connectors. */
  readonly hasSameIds: boolean
  /** Pairs only connectors with equal IDs or traits. */
  readonly isSure?: boolean
  /** The indexes to pair; by default all of them. */
  readonly added?: readonly number[]
  readonly gone?: readonly number[]
}

/** Pairs the connectors of a file with those known before, one to one. */
export const pairConnectors = (
  imported: readonly Connector[],
  known: readonly Connector[],
  { hasSameIds, isSure = false, ...among }: PairOptions,
): Pairing => {
  const pairs: [number, number][] = []
  let [added, gone] = [among.added ?? [...imported.keys()], among.gone ?? [...known.keys()]]
  for (const sign of isSure ? SURE_SIGNS : SIGNS) {
    const keyOf = (connector: Connector | undefined) => (connector ? sign(connector) : '')
    const free = Map.groupBy(gone, (place) => keyOf(known[place]))
    const isSame = (index: number, place: number): boolean => {
      const [one, other] = [imported[index], known[place]]
      return !hasSameIds || (one !== undefined && other !== undefined && !contradict(one, other))
    }
    const left: number[] = []
    for (const index of added) {
      const key = keyOf(imported[index])
      const places = key === '' ? [] : (free.get(key) ?? [])
      const nth = places.slice(0, MAX_COMPARED).findIndex((place) => isSame(index, place))
      const [place] = nth < 0 ? [] : places.splice(nth, 1)
      if (place === undefined) left.push(index)
      else pairs.push([index, place])
    }
    const paired = new Set(pairs.map(([, place]) => place))
    added = left
    gone = gone.filter((place) => !paired.has(place))
  }
  return { pairs, added, gone }
}

import { CONNECTOR_IDS, CONNECTOR_TRAITS, connectors } from '#domain/connector.ts'
import type { Collection } from '#domain/collection.ts'
import { emptyValue } from '#domain/field.ts'
import type { ImportChange, ImportedStation } from '#domain/import.ts'
import { inputNames, isSameValue } from '#domain/record.ts'
import type { Repair } from '#domain/repair.ts'
import { sites } from '#domain/site.ts'

import { filledBy, isFilledIn } from '../formats/repair/repair.ts'
import { saysNothing } from '../formats/station.ts'
import type { Row } from '../records/records.ts'

/** The field of a change that is about a whole connector. */
export const WHOLE = '*'

/** A site as it is stored, with its connectors in the order of their creation. */
export interface StoredStation {
  readonly site: Row
  readonly connectors: readonly Row[]
}

interface CompareOptions {
  /** The id of the n-th connector that is added. */
  readonly newId: (index: number) => string
  /** The ids of the file are those of the stored site: connectors with different ids are different. */
  readonly hasSameIds: boolean
  /** What rules have made of the file. */
  readonly repairs?: readonly Repair[]
}

/**
 * What a run has to change in a site that is there, and the versions of the records that this is based on. What the
 * file does not say, or leaves empty, stays as it is. What a rule has filled in for it replaces nothing but what a rule
 * has filled in.
 */
export const compareStation = (
  { site, connectors: said }: ImportedStation,
  stored: StoredStation,
  { newId, hasSameIds, repairs = [] }: CompareOptions,
): {
  readonly changes: readonly ImportChange[]
  readonly records: Readonly<Record<string, string>>
} => {
  const { pairs, added, gone: left } = pairConnectors(said, stored.connectors, hasSameIds)
  // A table of addresses and phones says nothing about plugs.
  const gone = said.length === 0 ? [] : left
  const filled = filledBy(repairs)
  const paired = pairs.map(([one, row]) => ({
    row,
    changes: compareFields(connectors, one, row).filter(
      ({ field }) =>
        filled.connectors.get(said.indexOf(one))?.has(field) !== true ||
        isFilledIn('connector', field, row, stored.site),
    ),
  }))
  const changes = [
    ...compareFields(sites, site, stored.site).filter(
      ({ field }) => !filled.site.has(field) || isFilledIn('site', field, stored.site, stored.site),
    ),
    ...paired.flatMap((pair) => pair.changes),
    ...added.map((after, index) => ({
      record: newId(index),
      field: WHOLE,
      before: null,
      after,
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

/** Whether a change takes a connector away. */
export const isRemoval = ({ field, after }: ImportChange): boolean =>
  field === WHOLE && after === null

const idOf = (row: Row): string => String(row['id'])

const inputsOf = (row: Row): Readonly<Record<string, unknown>> =>
  Object.fromEntries(inputNames(connectors).map((name) => [name, row[name] ?? '']))

const compareFields = (
  collection: Collection,
  said: Readonly<Record<string, unknown>>,
  row: Row,
): readonly ImportChange[] =>
  Object.entries(said).flatMap(([field, after]) => {
    const declared = collection.fields[field]
    if (declared === undefined || saysNothing(after)) return []
    // Our own feeds name records by their ids.
    if (field === 'reference' && after === row['id']) return []
    const before = row[field] ?? emptyValue(declared)
    return isSameValue(before, after) ? [] : [{ record: idOf(row), field, before, after }]
  })

type Said = ImportedStation['connectors'][number]

/** What tells that two connectors are the same: first the surest. Without a value, it tells nothing. */
const SIGNS: readonly ((connector: Said | Row) => string)[] = [
  ({ reference }) => text(reference),
  // Our own feeds name connectors by their ids.
  ({ id, reference }) => text(id) || text(reference),
  (connector) => (text(connector['evse_id']) === '' ? '' : traits(connector, ['evse_id'])),
  (connector) => (text(connector['evse']) === '' ? '' : traits(connector, ['evse'])),
  (connector) => traits(connector),
  ({ evse_id: evseId, standard }) =>
    text(evseId) === '' ? '' : JSON.stringify([evseId, standard]),
  // Of the same kind and power, if a rule had to fill in the rest.
  ({ standard, kw_rating: kw }) =>
    text(standard) === '' || kw === undefined ? '' : JSON.stringify([standard, kw]),
  ({ standard }) => text(standard),
]

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const traits = (connector: Said | Row, more: readonly string[] = []): string =>
  JSON.stringify([...CONNECTOR_TRAITS, ...more].map((name) => connector[name] ?? null))

/** Our own feeds name connectors by their ids. An id that is counted in its station was once stored without that. */
const isSameId = (said: string, row: Row, stored: string): boolean =>
  said === stored || said === row['id'] || said.endsWith(`:${stored}`)

const contradict = (one: Said, row: Row): boolean =>
  CONNECTOR_IDS.some(
    (name) =>
      text(one[name]) !== '' &&
      text(row[name]) !== '' &&
      !isSameId(text(one[name]), row, text(row[name])),
  )

/** Connectors with the same sign that one is compared with: a station may have ten thousands, each with another id. */
const MAX_COMPARED = 250

/** Pairs the connectors of a file with those that are stored, each with at most one. */
const pairConnectors = (
  said: readonly Said[],
  stored: readonly Row[],
  hasSameIds: boolean,
): {
  readonly pairs: readonly (readonly [Said, Row])[]
  readonly added: readonly Said[]
  readonly gone: readonly Row[]
} => {
  const pairs: [Said, Row][] = []
  let [added, gone] = [said, stored]
  for (const sign of SIGNS) {
    const free = Map.groupBy(gone, sign)
    const left: Said[] = []
    for (const one of added) {
      const key = sign(one)
      const rows = key === '' ? [] : (free.get(key) ?? [])
      const place = rows
        .slice(0, MAX_COMPARED)
        .findIndex((each) => !hasSameIds || !contradict(one, each))
      const [row] = place < 0 ? [] : rows.splice(place, 1)
      if (row === undefined) left.push(one)
      else pairs.push([one, row])
    }
    const taken = new Set(pairs.map(([, row]) => row))
    added = left
    gone = gone.filter((row) => !taken.has(row))
  }
  return { pairs, added, gone }
}

import { CONNECTOR_IDS, CONNECTOR_TRAITS, connectors } from '#domain/connector.ts'
import type { Collection } from '#domain/collection.ts'
import { emptyValue } from '#domain/field.ts'
import type { ImportChange, ImportedStation } from '#domain/import.ts'
import { inputNames, isSameValue } from '#domain/record.ts'
import type { Repair } from '#domain/repair.ts'
import { sites } from '#domain/site.ts'

import { filledBy, isFilledIn } from '../formats/repair/repair.ts'
import { isEmptyInput } from '../formats/station.ts'
import type { Row } from '../records/records.ts'

/** The field name of a change to a whole connector. */
export const WHOLE = '*'

/** A stored site with its connectors in the order of creation. */
export interface StoredStation {
  readonly site: Row
  readonly connectors: readonly Row[]
}

interface CompareOptions {
  /** The ID of the n-th new connector. */
  readonly newId: (index: number) => string
  /** The file uses the IDs of the stored site, so connectors with different IDs are different connectors. */
  readonly hasSameIds: boolean
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
  { newId, hasSameIds, repairs = [] }: CompareOptions,
): {
  readonly changes: readonly ImportChange[]
  readonly records: Readonly<Record<string, string>>
} => {
  const { pairs, added, gone: left } = pairConnectors(imported, stored.connectors, hasSameIds)
  // A table with only addresses and phone numbers says nothing about plugs.
  const gone = imported.length === 0 ? [] : left
  const filled = filledBy(repairs)
  const paired = pairs.map(([one, row]) => ({
    row,
    changes: compareFields(connectors, one, row).filter(
      ({ field }) =>
        filled.connectors.get(imported.indexOf(one))?.has(field) !== true ||
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

/** Whether a change removes a connector. */
export const isRemoval = ({ field, after }: ImportChange): boolean =>
  field === WHOLE && after === null

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

type ImportedConnector = ImportedStation['connectors'][number]

/** Criteria for identifying the same connector, the most reliable first. An empty result identifies nothing. */
const SIGNS: readonly ((connector: ImportedConnector | Row) => string)[] = [
  ({ reference }) => text(reference),
  // Voltleaf's own feeds use record IDs for connectors.
  ({ id, reference }) => text(id) || text(reference),
  (connector) => (text(connector['evse_id']) === '' ? '' : traits(connector, ['evse_id'])),
  (connector) => (text(connector['evse']) === '' ? '' : traits(connector, ['evse'])),
  (connector) => traits(connector),
  ({ evse_id: evseId, standard }) =>
    text(evseId) === '' ? '' : JSON.stringify([evseId, standard]),
  // The same type and power, in case a rule had to fill in the rest.
  ({ standard, kw_rating: kw }) =>
    text(standard) === '' || kw === undefined ? '' : JSON.stringify([standard, kw]),
  ({ standard }) => text(standard),
]

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const traits = (connector: ImportedConnector | Row, more: readonly string[] = []): string =>
  JSON.stringify([...CONNECTOR_TRAITS, ...more].map((name) => connector[name] ?? null))

/**
 * Voltleaf's own feeds use record IDs for connectors. IDs that are counted within a station were once stored without
 * the station's part.
 */
const isSameId = (imported: string, row: Row, stored: string): boolean =>
  imported === stored || imported === row['id'] || imported.endsWith(`:${stored}`)

const contradict = (one: ImportedConnector, row: Row): boolean =>
  CONNECTOR_IDS.some(
    (name) =>
      text(one[name]) !== '' &&
      text(row[name]) !== '' &&
      !isSameId(text(one[name]), row, text(row[name])),
  )

/** Maximum number of candidates per connector: a station may have tens of thousands, each with its own ID. */
const MAX_COMPARED = 250

/** Pairs the connectors of a file with those known before, one to one. */
export const pairConnectors = (
  imported: readonly ImportedConnector[],
  known: readonly Row[],
  hasSameIds: boolean,
): {
  readonly pairs: readonly (readonly [ImportedConnector, Row])[]
  readonly added: readonly ImportedConnector[]
  readonly gone: readonly Row[]
} => {
  const pairs: [ImportedConnector, Row][] = []
  let [added, gone] = [imported, known]
  for (const sign of SIGNS) {
    const free = Map.groupBy(gone, sign)
    const left: ImportedConnector[] = []
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

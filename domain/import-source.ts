import { connectors } from './connector.ts'
import { inputNames } from './record.ts'
import { sites } from './site.ts'

/** The formats that can be imported. TABLE is any CSV or XLSX; VOLTLEAF, what the network itself exports. */
export type SourceFormat =
  | 'OCPI'
  | 'IRVE'
  | 'OCM'
  | 'OICP'
  | 'NOBIL'
  | 'GEOJSON'
  | 'DATEX'
  | 'OSM'
  | 'VOLTLEAF'
  | 'TABLE'

/**
 * What a column can hold besides a field: both coordinates, how many plugs of the kind a row stands for, how many of the
 * kind that its heading names, a price as the JSON of a tariff, and the id that we give a site.
 */
export const COLUMN_EXTRAS = [
  'position',
  'quantity',
  'plugs_in_heading',
  'tariff',
  'own_id',
] as const

/** What a column can be mapped to: a field, such as `sites.name` or `connectors.kw_rating`, or an extra. */
export type ColumnTarget = string

/** All targets, in the order of the forms. */
export const COLUMN_TARGETS: readonly ColumnTarget[] = [
  ...inputNames(sites)
    .filter((name) => name !== 'tariff')
    .map((name) => `sites.${name}`),
  ...inputNames(connectors)
    .filter((name) => name !== 'tariff')
    .map((name) => `connectors.${name}`),
  ...COLUMN_EXTRAS,
]

/** Whether several columns may have the same target: parts of an address, spans of hours, and the values of several plugs. */
export const mayRepeat = (target: ColumnTarget): boolean =>
  target === 'sites.address' ||
  target === 'sites.opening_hours' ||
  target === 'quantity' ||
  target === 'plugs_in_heading' ||
  target.startsWith('connectors.')

/** The target of each column, in their order; empty: the column is not read. */
export type Mapping = readonly ColumnTarget[]

/** A table before it is read: what a person needs to map its columns. */
export interface TableColumns {
  readonly headings: readonly string[]
  /** What was recognised, by heading and by content. */
  readonly mapping: Mapping
  /** The first rows, as text. */
  readonly preview: readonly (readonly string[])[]
}

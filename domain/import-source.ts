import { connectors } from './connector.ts'
import { inputNames } from './record.ts'
import { sites } from './site.ts'

/** The formats that can be imported. TABLE is any CSV or XLSX; VOLTLEAF is the network's own export. */
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
 * What a column can contain besides a field: both coordinates; how many plugs of its kind a row stands for; how many
 * plugs there are of the kind in its heading; a price as the JSON of a tariff; our id of a site.
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

/** Whether several columns may have the same target: parts of an address, spans of hours, values of several plugs. */
export const mayRepeat = (target: ColumnTarget): boolean =>
  target === 'sites.address' ||
  target === 'sites.opening_hours' ||
  target === 'quantity' ||
  target === 'plugs_in_heading' ||
  target.startsWith('connectors.')

/** The target of each column, in column order; columns with an empty target are not read. */
export type Mapping = readonly ColumnTarget[]

/** A table before it is imported: what a person needs to map its columns. */
export interface TableColumns {
  readonly headings: readonly string[]
  /** The recognised targets, by heading and content. */
  readonly mapping: Mapping
  /** The first rows, as text. */
  readonly preview: readonly (readonly string[])[]
}

import { AUTODATES, CONNECTORS, OWNERS, SITES, type Collection } from './collection.ts'
import { askedFields, inputNames, type RecordOf } from './record.ts'

/** OCPI 2.3.0 ConnectorType, spelled as there; the ten common ones first, in the picker's order. */
export const STANDARDS = [
  'IEC_62196_T2',
  'IEC_62196_T2_COMBO',
  'CHADEMO',
  'IEC_62196_T1',
  'IEC_62196_T1_COMBO',
  'SAE_J3400',
  'TESLA_S',
  'GBT_AC',
  'GBT_DC',
  'CHAOJI',
  'DOMESTIC_A',
  'DOMESTIC_B',
  'DOMESTIC_C',
  'DOMESTIC_D',
  'DOMESTIC_E',
  'DOMESTIC_F',
  'DOMESTIC_G',
  'DOMESTIC_H',
  'DOMESTIC_I',
  'DOMESTIC_J',
  'DOMESTIC_K',
  'DOMESTIC_L',
  'DOMESTIC_M',
  'DOMESTIC_N',
  'DOMESTIC_O',
  'IEC_60309_2_single_16',
  'IEC_60309_2_three_16',
  'IEC_60309_2_three_32',
  'IEC_60309_2_three_64',
  'IEC_62196_T3A',
  'IEC_62196_T3C',
  'MCS',
  'NEMA_5_20',
  'NEMA_6_30',
  'NEMA_6_50',
  'NEMA_10_30',
  'NEMA_10_50',
  'NEMA_14_30',
  'NEMA_14_50',
  'PANTOGRAPH_BOTTOM_UP',
  'PANTOGRAPH_TOP_DOWN',
  'TESLA_R',
] as const
export type Standard = (typeof STANDARDS)[number]

/** How many of `STANDARDS` the picker leads with. */
export const COMMON_STANDARDS_COUNT = 10

/** OCPI ConnectorFormat. */
export const FORMATS = ['SOCKET', 'CABLE'] as const
export type Format = (typeof FORMATS)[number]

/** OCPI PowerType. */
export const CURRENT_TYPES = [
  'AC_1_PHASE',
  'AC_2_PHASE',
  'AC_2_PHASE_SPLIT',
  'AC_3_PHASE',
  'DC',
] as const
export type CurrentType = (typeof CURRENT_TYPES)[number]

/** Largest power of one connector, in kW. */
const MAX_KW_RATING = 4000

/** The largest quantity of one row of the form; more connectors need another row. */
export const MAX_EQUAL_CONNECTORS = 250

/** A plug of a site (spec 3). */
export const connectors = {
  id: 'pbc_1335902081',
  name: CONNECTORS,
  owner: 'site.business.user',
  access: OWNERS,
  fields: {
    standard: { kind: 'select', values: STANDARDS, required: true },
    format: { kind: 'select', values: FORMATS, required: true },
    current_type: { kind: 'select', values: CURRENT_TYPES, required: true },
    kw_rating: { kind: 'number', above: 0, max: MAX_KW_RATING, unit: 'kW', required: true },
    site: { kind: 'relation', to: SITES, required: true },
    ...AUTODATES,
  },
} as const satisfies Collection

/** The fields that the product asks for (spec 7, "Fields requested back"). */
export const CONNECTOR_FIELDS = askedFields(connectors, {
  first: ['id', 'standard', 'format', 'site'],
  without: ['collectionName'],
})

/** A connector as the product reads it. */
export type Connector = RecordOf<typeof connectors, 'collectionName'>

/** The fields that distinguish connectors; to a driver, two that agree in them are the same. */
export const CONNECTOR_TRAITS = inputNames(connectors)
type Traits = Readonly<Record<(typeof CONNECTOR_TRAITS)[number], string | number>>

/** Equal connectors; never empty. */
export interface ConnectorGroup<T> {
  readonly first: T
  readonly all: readonly T[]
}

/** Groups equal connectors, in the order in which each kind first appears. */
export const groupConnectors = <T extends Traits>(
  all: readonly T[],
): readonly ConnectorGroup<T>[] =>
  [
    ...Map.groupBy(all, (connector) =>
      CONNECTOR_TRAITS.map((trait) => connector[trait]).join(' '),
    ).values(),
  ].flatMap((group) => (group[0] === undefined ? [] : [{ first: group[0], all: group }]))

/**
 * Sorts connectors as they are shown everywhere: the most powerful first, then in the order of the
 * picker. They are created in parallel (spec 7), so the order of creation means nothing.
 */
export const inShownOrder = <T extends Omit<Connector, 'id' | 'site'>>(
  all: readonly T[],
): readonly T[] =>
  all.toSorted(
    (one, other) =>
      other.kw_rating - one.kw_rating ||
      STANDARDS.indexOf(one.standard) - STANDARDS.indexOf(other.standard) ||
      CURRENT_TYPES.indexOf(one.current_type) - CURRENT_TYPES.indexOf(other.current_type) ||
      FORMATS.indexOf(one.format) - FORMATS.indexOf(other.format),
  )

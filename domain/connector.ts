import { AUTODATES, CONNECTORS, OWNERS, SITES, TARIFFS, type Collection } from './collection.ts'
import { requestedFields, inputNames, type RecordOf } from './record.ts'

/** OCPI 2.3.0 ConnectorType, with its spelling; the ten most common come first, in the order of the picker. */
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

/** How many of `STANDARDS` the picker shows first. */
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

/** Maximum power of one connector, in kW. */
const MAX_KW_RATING = 4000

/** Maximum quantity of one row of the form; more connectors need another row. */
export const MAX_EQUAL_CONNECTORS = 250

/**
 * More connectors than any site has. The public data of a site is a single document, which every write to a connector
 * rebuilds. A file with more has merged several sites under one id.
 */
export const MAX_CONNECTORS_PER_SITE = 1000

/**
 * Different prices of the connectors of one site. Its public document contains all of them, and each may have 32 kB; sites
 * with several prices usually have one for each kind of plug.
 */
export const MAX_TARIFFS_PER_SITE = 20

/** A plug of a site (spec 3). */
export const connectors = {
  id: 'pbc_1335902081',
  name: CONNECTORS,
  owner: 'site.business.user',
  access: OWNERS,
  storesJson: true,
  fields: {
    standard: { kind: 'select', values: STANDARDS, required: true },
    format: { kind: 'select', values: FORMATS, required: true },
    current_type: { kind: 'select', values: CURRENT_TYPES, required: true },
    kw_rating: { kind: 'number', above: 0, max: MAX_KW_RATING, unit: 'kW', required: true },
    site: { kind: 'relation', to: SITES, required: true, maxReferring: MAX_CONNECTORS_PER_SITE },
    /** Overrides the tariff of the site. */
    tariff: {
      kind: 'relation',
      to: TARIFFS,
      onDelete: 'restrict',
      maxDistinct: { of: 'site', max: MAX_TARIFFS_PER_SITE },
      section: 'price',
    },
    /** The id that the owner or a register uses for it. */
    reference: { kind: 'text', max: 64, unique: 'owner', section: 'more' },
    /** Connectors of a site with the same value share one charge point; a connector without a value has its own. */
    evse: { kind: 'text', max: 64, section: 'more' },
    /** Format of eMI3; the asterisks may be left out. */
    evse_id: {
      kind: 'text',
      max: 48,
      format: {
        pattern: /^[A-Za-z]{2}\*?[A-Za-z0-9]{3}\*?[Ee][A-Za-z0-9*]{1,40}$/,
        example: 'FR*ABC*E123',
      },
      section: 'more',
    },
    /** Between phase and neutral, or the DC voltage. */
    voltage: { kind: 'number', above: 0, max: 2000, unit: 'V', section: 'more' },
    amperage: { kind: 'number', above: 0, max: 5000, unit: 'A', section: 'more' },
    ...AUTODATES,
  },
} as const satisfies Collection

/** The fields that the product requests (spec 7, "Fields requested back"). */
export const CONNECTOR_FIELDS = requestedFields(connectors, {
  first: ['id', 'standard', 'format', 'site'],
  without: ['collectionName'],
})

/** A connector as the product reads it. */
export type Connector = RecordOf<typeof connectors, 'collectionName'>

/** All fields of a connector that an owner writes. */
export const CONNECTOR_INPUTS = inputNames(connectors)

/** The fields that distinguish connectors for a driver: connectors with the same values are equal. */
export const CONNECTOR_TRAITS = ['standard', 'format', 'current_type', 'kw_rating'] as const
type Traits = Readonly<Record<(typeof CONNECTOR_TRAITS)[number], string | number>>

/** The fields that belong to a single connector even if others are equal to it, above all its ids. */
export const CONNECTOR_DETAILS = CONNECTOR_INPUTS.filter(
  (name): name is Exclude<typeof name, keyof Traits> =>
    !CONNECTOR_TRAITS.some((trait) => trait === name),
)

/** The fields that identify a connector; a copy starts without them. */
export const CONNECTOR_IDS = ['evse_id', 'reference'] as const satisfies readonly Detail[]
type Detail = (typeof CONNECTOR_DETAILS)[number]

/** Equal connectors; never empty. */
export interface ConnectorGroup<T> {
  readonly first: T
  readonly all: readonly T[]
}

/** Groups equal connectors; the groups are in the order of their first connector. */
export const groupConnectors = <T extends Traits>(
  all: readonly T[],
): readonly ConnectorGroup<T>[] =>
  [
    ...Map.groupBy(all, (connector) =>
      CONNECTOR_TRAITS.map((trait) => connector[trait]).join(' '),
    ).values(),
  ].flatMap((group) => (group[0] === undefined ? [] : [{ first: group[0], all: group }]))

/**
 * Sorts connectors in the order in which they are always shown: by power, highest first, then in the order of the
 * picker. They are created in parallel (spec 7), so the order of creation means nothing.
 */
export const inDisplayOrder = <T extends Pick<Connector, keyof Traits>>(
  all: readonly T[],
): readonly T[] =>
  all.toSorted(
    (one, other) =>
      other.kw_rating - one.kw_rating ||
      STANDARDS.indexOf(one.standard) - STANDARDS.indexOf(other.standard) ||
      CURRENT_TYPES.indexOf(one.current_type) - CURRENT_TYPES.indexOf(other.current_type) ||
      FORMATS.indexOf(one.format) - FORMATS.indexOf(other.format),
  )

import type { businesses } from './business.ts'
import type { connectors } from './connector.ts'
import type { OpenFormat } from './open-data.ts'
import type { Site, sites } from './site.ts'

type NameIn<C extends { fields: object }> = keyof C['fields'] & string

/** Fields, grouped by the record that has them. */
interface Fields {
  readonly sites: readonly NameIn<typeof sites>[]
  readonly connectors: readonly NameIn<typeof connectors>[]
  readonly businesses: readonly NameIn<typeof businesses>[]
}

interface Register {
  /** The countries whose sites belong in it (ISO 3166-1 alpha-3); absent for a worldwide register. */
  readonly countries?: readonly string[]
  /** Only existing sites belong in it: its formats cannot represent planned sites. */
  readonly isOfExisting?: true
  /** The outputs that it reads. */
  readonly formats: readonly OpenFormat[]
  /** Required fields. Without them, a site is not valid in the formats, and the outputs leave it out. */
  readonly needed: Fields
  /** Further fields that the register asks for. */
  readonly recommended: Fields
}

const NONE: Fields = { sites: [], connectors: [], businesses: [] }

const EUROPEAN_UNION =
  'AUT BEL BGR CYP CZE DEU DNK ESP EST FIN FRA GRC HRV HUN IRL ITA LTU LUX LVA MLT NLD POL PRT ROU SVK SVN SWE'

/** The registers, and the fields that each requires in addition to those of every public site. */
export const REGISTERS = {
  /** The national register of France, by schema-irve-statique 2.3.1. */
  irve: {
    countries: ['FRA', 'GLP', 'GUF', 'MTQ', 'MYT', 'REU'],
    isOfExisting: true,
    formats: ['irve'],
    needed: {
      ...NONE,
      sites: ['opening_hours', 'access', 'payment', 'parking_type', 'contact_email'],
    },
    recommended: {
      sites: ['reference'],
      connectors: ['evse_id'],
      businesses: ['legal_name', 'phone'],
    },
  },
  /** Roaming between operators, by OCPI. */
  ocpi: {
    formats: ['ocpi-2.3.0', 'ocpi-2.2.1'],
    needed: {
      ...NONE,
      sites: ['city', 'country', 'time_zone'],
      businesses: ['country_code', 'party_id'],
    },
    recommended: { ...NONE, connectors: ['evse_id'] },
  },
  /** The data that the European Union's AFIR requires operators to publish, in DATEX II. */
  afir: {
    countries: EUROPEAN_UNION.split(' '),
    isOfExisting: true,
    formats: ['datex'],
    needed: { ...NONE, sites: ['city', 'country'] },
    recommended: {
      sites: ['postal_code', 'opening_hours', 'access', 'payment', 'contact_phone'],
      connectors: ['evse_id'],
      businesses: ['legal_name', 'phone'],
    },
  },
  /** OpenStreetMap. */
  osm: {
    formats: ['osm'],
    needed: NONE,
    recommended: { ...NONE, sites: ['opening_hours', 'access', 'payment', 'vehicle_capacity'] },
  },
  /** Open Charge Map. */
  ocm: {
    formats: ['ocm'],
    needed: { ...NONE, sites: ['country'] },
    recommended: { ...NONE, sites: ['city', 'access', 'vehicle_capacity'] },
  },
} as const satisfies Readonly<Record<string, Register>>

export type RegisterName = keyof typeof REGISTERS
export const REGISTER_NAMES = Object.keys(REGISTERS) as readonly RegisterName[]

/** The register of an output. @returns undefined if it belongs to no register */
export const registerOf = (format: OpenFormat): RegisterName | undefined =>
  REGISTER_NAMES.find((name) => register(name).formats.includes(format))

const register = (name: RegisterName): Register => REGISTERS[name]

/** An empty field that a register requires. */
export interface Lacking {
  readonly on: keyof Fields
  readonly field: string
  /** Without it, the outputs of the register leave the site out. */
  readonly isNeeded: boolean
  /** How many connectors lack it; 1 for a site or a business. */
  readonly count: number
}

type Values = Readonly<Record<string, unknown>>

interface Looked {
  readonly site: Values
  readonly business: Values
  readonly connectors: readonly Values[]
}

/** Whether a register takes sites with a status. */
export const takesStatus = (name: RegisterName, status: Site['status']): boolean =>
  status !== 'PLANNED' || register(name).isOfExisting !== true

/**
 * Whether a site belongs in a register; in a regional one only if the country of the site is known to be in the region.
 */
export const belongsIn = (
  name: RegisterName,
  { country, status }: Pick<Site, 'country' | 'status'>,
): boolean => (register(name).countries?.includes(country) ?? true) && takesStatus(name, status)

type LookedAt = { readonly connectors: readonly object[] }

const look = (site: LookedAt, business: object): Looked => ({
  site,
  business: business as Values,
  connectors: site.connectors as readonly Values[],
})

/** The fields that a site still lacks for a register; required fields come first. */
export const lackingFor = (
  name: RegisterName,
  site: LookedAt,
  business: object,
): readonly Lacking[] => {
  const { needed, recommended } = register(name)
  const looked = look(site, business)
  return [...lackingOf(needed, looked, true), ...lackingOf(recommended, looked, false)]
}

/** The required fields that a site lacks: without them, the outputs of the register leave it out. */
export const lackingNeeded = (
  name: RegisterName,
  site: LookedAt,
  business: object,
): readonly Lacking[] => lackingOf(register(name).needed, look(site, business), true)

const lackingOf = (
  fields: Fields,
  { site, business, connectors }: Looked,
  isNeeded: boolean,
): Lacking[] => {
  const lacking: Lacking[] = []
  const collect = (on: keyof Fields, records: readonly Values[]): void => {
    for (const field of fields[on]) {
      const count = records.filter((record) => isEmpty(record[field])).length
      if (count > 0) lacking.push({ on, field, isNeeded, count })
    }
  }
  collect('sites', [site])
  collect('connectors', connectors)
  collect('businesses', [business])
  return lacking
}

/** Whether a value is empty: on the wire, the number 0 stands for no value. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0)

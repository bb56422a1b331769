import type { businesses } from './business.ts'
import type { connectors } from './connector.ts'
import type { OpenFormat } from './open-data.ts'
import type { Site, sites } from './site.ts'

type NameIn<C extends { fields: object }> = keyof C['fields'] & string

/** Fields by the record that has them. */
interface Fields {
  readonly sites: readonly NameIn<typeof sites>[]
  readonly connectors: readonly NameIn<typeof connectors>[]
  readonly businesses: readonly NameIn<typeof businesses>[]
}

interface Register {
  /** The countries whose sites belong in it (ISO 3166-1 alpha-3); absent for all of the world. */
  readonly countries?: readonly string[]
  /** Only sites that exist belong in it: its formats cannot say of one that it is planned. */
  readonly isOfExisting?: true
  /** The outputs that it reads. */
  readonly formats: readonly OpenFormat[]
  /** Without these a site would not be valid in its formats, and the outputs leave it out. */
  readonly needed: Fields
  /** The register asks for these as well. */
  readonly asked: Fields
}

const NONE: Fields = { sites: [], connectors: [], businesses: [] }

const EUROPEAN_UNION =
  'AUT BEL BGR CYP CZE DEU DNK ESP EST FIN FRA GRC HRV HUN IRL ITA LTU LUX LVA MLT NLD POL PRT ROU SVK SVN SWE'

/** The registers of the world, and what each requires of a site, beyond what every public site has. */
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
    asked: { sites: ['reference'], connectors: ['evse_id'], businesses: ['legal_name', 'phone'] },
  },
  /** Roaming between operators, by OCPI. */
  ocpi: {
    formats: ['ocpi-2.3.0', 'ocpi-2.2.1'],
    needed: {
      ...NONE,
      sites: ['city', 'country', 'time_zone'],
      businesses: ['country_code', 'party_id'],
    },
    asked: { ...NONE, connectors: ['evse_id'] },
  },
  /** What the AFIR of the European Union makes operators publish, by DATEX II. */
  afir: {
    countries: EUROPEAN_UNION.split(' '),
    isOfExisting: true,
    formats: ['datex'],
    needed: { ...NONE, sites: ['city', 'country'] },
    asked: {
      sites: ['postal_code', 'opening_hours', 'access', 'payment', 'contact_phone'],
      connectors: ['evse_id'],
      businesses: ['legal_name', 'phone'],
    },
  },
  /** OpenStreetMap. */
  osm: {
    formats: ['osm'],
    needed: NONE,
    asked: { ...NONE, sites: ['opening_hours', 'access', 'payment', 'vehicle_capacity'] },
  },
  /** Open Charge Map. */
  ocm: {
    formats: ['ocm'],
    needed: { ...NONE, sites: ['country'] },
    asked: { ...NONE, sites: ['city', 'access', 'vehicle_capacity'] },
  },
} as const satisfies Readonly<Record<string, Register>>

export type RegisterName = keyof typeof REGISTERS
export const REGISTER_NAMES = Object.keys(REGISTERS) as readonly RegisterName[]

/** The register of an output. @returns undefined if it is for no register */
export const registerOf = (format: OpenFormat): RegisterName | undefined =>
  REGISTER_NAMES.find((name) => register(name).formats.includes(format))

const register = (name: RegisterName): Register => REGISTERS[name]

/** A field that is empty and that a register requires. */
export interface Lacking {
  readonly on: keyof Fields
  readonly field: string
  /** Without it, the site is not in the outputs of the register. */
  readonly isNeeded: boolean
  /** How many of the connectors lack it; 1 of a site or a business. */
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

/** Whether a site belongs in a register: in one of a region, if it is known to lie there. */
export const belongsIn = (
  name: RegisterName,
  { country, status }: Pick<Site, 'country' | 'status'>,
): boolean => (register(name).countries?.includes(country) ?? true) && takesStatus(name, status)

type LookedAt = { readonly connectors: readonly object[] }

const look = (site: LookedAt, business: object): Looked => ({
  site: { ...site },
  business: business as Values,
  connectors: site.connectors as readonly Values[],
})

/** What a site still lacks for a register, that without which it is left out first. */
export const lackingFor = (
  name: RegisterName,
  site: LookedAt,
  business: object,
): readonly Lacking[] => {
  const { needed, asked } = register(name)
  const looked = look(site, business)
  return [...lackingOf(needed, looked, true), ...lackingOf(asked, looked, false)]
}

/** What a site lacks without which the outputs of a register leave it out. */
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
  const empty = (on: keyof Fields, records: readonly Values[]): Lacking[] =>
    fields[on].flatMap((field) => {
      const count = records.filter((record) => isEmpty(record[field])).length
      return count === 0 ? [] : [{ on, field, isNeeded, count }]
    })
  return [
    ...empty('sites', [site]),
    ...empty('connectors', connectors),
    ...empty('businesses', [business]),
  ]
}

/** An empty value of a field: the number 0 is how the wire writes none. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0)

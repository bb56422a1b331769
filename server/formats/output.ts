import type { Loss, LossReason, OpenFormat } from '#domain/open-data.ts'
import {
  PUBLIC_BUSINESS_FIELDS,
  PUBLIC_CONNECTOR_FIELDS,
  PUBLIC_SITE_FIELDS,
  PUBLIC_TARIFF_FIELDS,
  type PublicSite,
} from '#domain/public-site.ts'
import { belongsIn, lackingNeeded, registerOf, takesStatus } from '#domain/registers.ts'

/** Called for each field that an output cannot hold as it is. */
export type Lose = (on: Loss['on'], field: string, reason: LossReason) => void

/** What an output says besides the sites. */
export interface About {
  /** The origin of the installation with its base path, without a slash at the end. */
  readonly publicUrl: string
  readonly publisher: string
  /** When one of the sites last changed, as an ISO date. */
  readonly changed: string
  /** The SPDX identifier of the licence, if all sites are under one. */
  readonly licence: string | undefined
  readonly lose: Lose
}

/** The fields that a format has a place for. All others that everybody may read are told as lost, new ones without more ado. */
export interface Holds {
  readonly sites: readonly (typeof PUBLIC_SITE_FIELDS)[number][]
  readonly connectors: readonly (typeof PUBLIC_CONNECTOR_FIELDS)[number][]
  readonly tariffs: readonly (typeof PUBLIC_TARIFF_FIELDS)[number][]
  readonly businesses: readonly (typeof PUBLIC_BUSINESS_FIELDS)[number][]
}

/** Writes sites one by one as a text: `begin`, the sites with separators between them, `end`. */
export interface Output {
  readonly holds: Holds
  readonly begin: (about: About) => string
  /** @returns an empty text if the format cannot hold the site */
  readonly site: (site: PublicSite, about: About) => string
  /** The same from the JSON of a site, where that need not be read. */
  readonly json?: (json: string) => string
  readonly separator: string
  readonly end: string
}

/** The fields of a site that each format has a place for. */
export const HELD_BY_EACH = [
  'name',
  'address',
  'city',
  'postal_code',
  'latitude',
  'longitude',
  'opening_hours',
] as const satisfies Holds['sites']

export const HOLDS_ALL: Holds = {
  sites: PUBLIC_SITE_FIELDS,
  connectors: PUBLIC_CONNECTOR_FIELDS,
  tariffs: PUBLIC_TARIFF_FIELDS,
  businesses: PUBLIC_BUSINESS_FIELDS,
}
/** A date of the wire in ISO 8601. */
export const isoDate = (wire: string): string => wire.replace(' ', 'T')

/** A text within the length that a format takes, in characters. */
export const fitted = (text: string, max: number, onShortened: () => void): string => {
  // Never fewer than characters.
  if (text.length <= max) return text
  const characters = Array.from(text)
  if (characters.length <= max) return text
  onShortened()
  return characters.slice(0, max).join('').trimEnd()
}

/** A format that has a place for the hours of a week alone loses the exceptions. */
export const loseExceptions = ({ opening_hours: hours }: PublicSite, lose: Lose): void => {
  if (hours?.exceptional_openings !== undefined || hours?.exceptional_closings !== undefined)
    lose('sites', 'opening_hours', 'generalized')
}

/** The tariff that holds for a connector: its own, or that of its site. */
export const tariffOf = (
  site: PublicSite,
  connector: PublicSite['connectors'][number],
): PublicSite['tariffs'][number] | undefined => {
  const named = connector.tariff || site.tariff
  return site.tariffs.find(({ id }) => id === named)
}

/** Connectors that share a charge point, in the order of their first ones. */
export const chargePointsOf = ({
  connectors,
}: Pick<PublicSite, 'connectors'>): readonly (readonly PublicSite['connectors'][number][])[] => [
  ...Map.groupBy(connectors, ({ evse, id }) => (evse === '' ? `id ${id}` : evse)).values(),
]

/**
 * Whether a site is in a format: it has all without which it would not be valid, it exists if the format cannot say otherwise, and
 * IRVE is for sites of France.
 */
export const isWritable = (format: OpenFormat, site: PublicSite): boolean =>
  neededBy(format, site).length === 0

const neededBy = (format: OpenFormat, site: PublicSite): readonly Loss[] => {
  const register = registerOf(format)
  if (register === undefined) return []
  if (!takesStatus(register, site.status))
    return [{ on: 'sites', field: 'status', reason: 'left_out' }]
  if (format === 'irve' && !belongsIn('irve', site))
    return [{ on: 'sites', field: 'country', reason: 'left_out' }]
  return lackingNeeded(register, site, site.business).map(({ on, field }) => ({
    on,
    field,
    reason: 'left_out',
  }))
}

/** What a format cannot hold of a site. Of one that it leaves out, only what it lacks: everything is lost. */
export const lossesOf = (
  format: OpenFormat,
  holds: Holds,
  site: PublicSite,
  write: (lose: Lose) => void,
): readonly Loss[] => {
  const leftOut = neededBy(format, site)
  if (leftOut.length > 0) return leftOut
  const losses: Loss[] = []
  const lose: Lose = (on, field, reason) => void losses.push({ on, field, reason })
  const loseUnheld = (on: Loss['on'], record: object): void => {
    for (const field of HOLDS_ALL[on])
      if (!(holds[on] as readonly string[]).includes(field) && isFilled(valueOf(record, field)))
        lose(on, field, 'no_field')
  }
  loseUnheld('sites', site)
  for (const connector of site.connectors) loseUnheld('connectors', connector)
  for (const tariff of site.tariffs) loseUnheld('tariffs', tariff)
  loseUnheld('businesses', site.business)
  write(lose)
  return counted(losses)
}

const valueOf = (record: object, field: string): unknown =>
  (record as Readonly<Record<string, unknown>>)[field]

const isFilled = (value: unknown): boolean =>
  ![undefined, null, '', 0, false].includes(value as null) &&
  !(Array.isArray(value) && value.length === 0) &&
  JSON.stringify(value) !== '{}'

const counted = (losses: readonly Loss[]): readonly Loss[] =>
  [...Map.groupBy(losses, ({ on, field, reason }) => `${on} ${field} ${reason}`).values()].flatMap(
    ([first, ...others]) =>
      first === undefined
        ? []
        : [others.length === 0 ? first : { ...first, count: others.length + 1 }],
  )

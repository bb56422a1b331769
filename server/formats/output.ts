import type { Loss, LossReason, OpenFormat } from '#domain/open-data.ts'
import {
  PUBLIC_BUSINESS_FIELDS,
  PUBLIC_CONNECTOR_FIELDS,
  PUBLIC_SITE_FIELDS,
  PUBLIC_TARIFF_FIELDS,
  type PublicSite,
} from '#domain/public-site.ts'
import { belongsIn, lackingNeeded, registerOf, takesStatus } from '#domain/registers.ts'

/** Called for each field that an output cannot contain unchanged. */
export type ReportLoss = (on: Loss['on'], field: string, reason: LossReason) => void

/** The data of an output other than its sites. */
export interface About {
  /** The origin and base path of the installation, without a trailing slash. */
  readonly publicUrl: string
  readonly publisher: string
  /** When one of the sites last changed, as an ISO date. */
  readonly changed: string
  /** The SPDX identifier of the licence, if all sites have the same one. */
  readonly licence: string | undefined
  readonly reportLoss: ReportLoss
}

/** The fields that a format can contain. All other public fields are reported as lost, including fields added later. */
export interface SupportedFields {
  readonly sites: readonly (typeof PUBLIC_SITE_FIELDS)[number][]
  readonly connectors: readonly (typeof PUBLIC_CONNECTOR_FIELDS)[number][]
  readonly tariffs: readonly (typeof PUBLIC_TARIFF_FIELDS)[number][]
  readonly businesses: readonly (typeof PUBLIC_BUSINESS_FIELDS)[number][]
}

/** Writes sites as text one by one: `begin`, the sites with separators, `end`. */
export interface Output {
  readonly supports: SupportedFields
  readonly begin: (about: About) => string
  /** @returns an empty text if the format cannot contain the site */
  readonly site: (site: PublicSite, about: About) => string
  /** Writes a site from its JSON without parsing it, for formats that allow this. */
  readonly json?: (json: string) => string
  readonly separator: string
  readonly end: string
}

/** The fields of a site that every format can contain. */
export const COMMON_FIELDS = [
  'name',
  'address',
  'city',
  'postal_code',
  'latitude',
  'longitude',
  'opening_hours',
] as const satisfies SupportedFields['sites']

export const ALL_FIELDS: SupportedFields = {
  sites: PUBLIC_SITE_FIELDS,
  connectors: PUBLIC_CONNECTOR_FIELDS,
  tariffs: PUBLIC_TARIFF_FIELDS,
  businesses: PUBLIC_BUSINESS_FIELDS,
}
/** Converts a date from the wire format to ISO 8601. */
export const isoDate = (wire: string): string => wire.replace(' ', 'T')

/** Truncates a text to the maximum length of a format, in characters. */
export const fitted = (text: string, max: number, onShortened: () => void): string => {
  // `length` is never less than the number of characters.
  if (text.length <= max) return text
  const characters = Array.from(text)
  if (characters.length <= max) return text
  onShortened()
  return characters.slice(0, max).join('').trimEnd()
}

/** Reports the exceptions as lost, for a format that contains only weekly hours. */
export const reportExceptionLoss = (
  { opening_hours: hours }: PublicSite,
  reportLoss: ReportLoss,
): void => {
  if (hours?.exceptional_openings !== undefined || hours?.exceptional_closings !== undefined)
    reportLoss('sites', 'opening_hours', 'generalized')
}

/** The tariff of a connector: its own, or else that of its site. */
export const tariffOf = (
  site: PublicSite,
  connector: PublicSite['connectors'][number],
): PublicSite['tariffs'][number] | undefined => {
  const named = connector.tariff || site.tariff
  return site.tariffs.find(({ id }) => id === named)
}

/** The connectors grouped by charge point, in the order of each group's first connector. */
export const chargePointsOf = ({
  connectors,
}: Pick<PublicSite, 'connectors'>): readonly (readonly PublicSite['connectors'][number][])[] => [
  ...Map.groupBy(connectors, ({ evse, id }) => (evse === '' ? `id ${id}` : evse)).values(),
]

/**
 * Whether an output contains a site: the site has all required fields, has a status that the format can express and,
 * for IRVE, is in France.
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

/** The losses of a site in a format. If the format leaves out the site, only the reasons for that are reported. */
export const lossesOf = (
  format: OpenFormat,
  supports: SupportedFields,
  site: PublicSite,
  write: (reportLoss: ReportLoss) => void,
): readonly Loss[] => {
  const leftOut = neededBy(format, site)
  if (leftOut.length > 0) return leftOut
  const losses: Loss[] = []
  const reportLoss: ReportLoss = (on, field, reason) => void losses.push({ on, field, reason })
  const reportUnsupported = (on: Loss['on'], record: object): void => {
    for (const field of ALL_FIELDS[on])
      if (!(supports[on] as readonly string[]).includes(field) && isFilled(valueOf(record, field)))
        reportLoss(on, field, 'no_field')
  }
  reportUnsupported('sites', site)
  for (const connector of site.connectors) reportUnsupported('connectors', connector)
  for (const tariff of site.tariffs) reportUnsupported('tariffs', tariff)
  reportUnsupported('businesses', site.business)
  write(reportLoss)
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

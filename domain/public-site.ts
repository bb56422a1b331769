import { type businesses, type Business } from './business.ts'
import { type connectors, type Connector } from './connector.ts'
import { type sites, type Site } from './site.ts'
import type { RecordOf } from './record.ts'
import { tariffs } from './tariff.ts'

type NameIn<C extends { fields: object }> = keyof C['fields'] & string

/**
 * The fields of a site that everybody may read; all others are private (decision 0106 lists those that registers
 * require).
 */
export const PUBLIC_SITE_FIELDS = [
  'name',
  'address',
  'city',
  'postal_code',
  'state',
  'country',
  'latitude',
  'longitude',
  'time_zone',
  'status',
  'photos',
  'photo_categories',
  'vehicle_capacity',
  'cost',
  'tariff',
  'opening_hours',
  'access',
  'payment',
  'facilities',
  'parking_type',
  'parking_restrictions',
  'max_height_m',
  'wheelchair',
  'two_wheelers',
  'drive_through',
  'contact_email',
  'contact_phone',
  'reference',
  'confirmed',
] as const satisfies readonly NameIn<typeof sites>[]

/** The fields of a connector that everybody may read. */
export const PUBLIC_CONNECTOR_FIELDS = [
  'standard',
  'format',
  'current_type',
  'kw_rating',
  'evse',
  'evse_id',
  'voltage',
  'amperage',
  'tariff',
  'reference',
] as const satisfies readonly NameIn<typeof connectors>[]

/** The fields of a price that everybody may read. Its name is only for the owner. */
export const PUBLIC_TARIFF_FIELDS = [
  'currency',
  'tax_included',
  'elements',
  'min_price',
  'max_price',
  'url',
] as const satisfies readonly NameIn<typeof tariffs>[]

/** The fields of a business that everybody may read. */
export const PUBLIC_BUSINESS_FIELDS = [
  'name',
  'logo',
  'website',
  'legal_name',
  'phone',
  'country_code',
  'party_id',
  'licence',
] as const satisfies readonly NameIn<typeof businesses>[]

export type PublicConnector = Pick<Connector, 'id' | (typeof PUBLIC_CONNECTOR_FIELDS)[number]>
export type PublicTariff = Pick<
  RecordOf<typeof tariffs>,
  'id' | (typeof PUBLIC_TARIFF_FIELDS)[number]
>
export type PublicBusiness = Pick<Business, 'id' | (typeof PUBLIC_BUSINESS_FIELDS)[number]>

/** The public data of a site and of everything that belongs to it (`GET /api/public/sites/{id}`). */
export interface PublicSite extends Pick<Site, 'id' | (typeof PUBLIC_SITE_FIELDS)[number]> {
  readonly business: PublicBusiness
  /** By power, highest first; never empty. */
  readonly connectors: readonly PublicConnector[]
  /** The prices that the site or its connectors refer to. */
  readonly tariffs: readonly PublicTariff[]
  /** When the site, its business, one of its connectors or one of its prices last changed. */
  readonly updated: string
}

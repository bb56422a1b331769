import { MiB, OPENING_HOURS_MAX_BYTES } from './limits.ts'
import { AUTODATES, BUSINESSES, OWNERS, SITES, TARIFFS, type Collection } from './collection.ts'
import { THUMBS } from './field.ts'
import { requestedFields, type RecordOf } from './record.ts'
import { SITE_ACCESS, SITE_STATUSES, type SiteStatus } from './site-values.ts'

/** The statuses that an owner may set; only machines and superusers set the others. */
export const OWNER_STATUSES = [
  'AVAILABLE',
  'PLANNED',
  'INOPERATIVE',
  'OUTOFORDER',
  'REMOVED',
] as const satisfies readonly SiteStatus[]

export const DEFAULT_STATUS: SiteStatus = 'AVAILABLE'

/** How people pay: OCPI 2.3.0 Capability where it has a value. */
const PAYMENTS = [
  'FREE_OF_CHARGE',
  'APP',
  'RFID_READER',
  'CONTACTLESS_CARD_SUPPORT',
  'CREDIT_CARD_PAYABLE',
  'DEBIT_CARD_PAYABLE',
  'PED_TERMINAL',
  'CASH',
  'PLUG_AND_CHARGE',
] as const

/** OCPI 2.3.0 Facility. */
const FACILITIES = [
  'HOTEL',
  'RESTAURANT',
  'CAFE',
  'MALL',
  'SUPERMARKET',
  'SPORT',
  'RECREATION_AREA',
  'NATURE',
  'MUSEUM',
  'BIKE_SHARING',
  'BUS_STOP',
  'TAXI_STAND',
  'TRAM_STOP',
  'METRO_STATION',
  'TRAIN_STATION',
  'AIRPORT',
  'PARKING_LOT',
  'CARPOOL_PARKING',
  'FUEL_STATION',
  'WIFI',
] as const

/** OCPI 2.3.0 ParkingType. */
const PARKING_TYPES = [
  'ALONG_MOTORWAY',
  'PARKING_GARAGE',
  'PARKING_LOT',
  'ON_DRIVEWAY',
  'ON_STREET',
  'UNDERGROUND_GARAGE',
] as const

/** OCPI 2.3.0 ParkingRestriction. */
const PARKING_RESTRICTIONS = [
  'EV_ONLY',
  'PLUGGED',
  'DISABLED',
  'CUSTOMERS',
  'MOTORCYCLES',
  'EMPLOYEES',
  'TAXIS',
  'TENANTS',
] as const

/** `accessibilite_pmr` of the register of France. */
const WHEELCHAIR = ['RESERVED', 'ACCESSIBLE', 'NOT_ACCESSIBLE', 'UNKNOWN'] as const

/** OCPI 2.3.0 ImageCategory, without the categories of logos. */
export const PHOTO_CATEGORIES = ['CHARGER', 'ENTRANCE', 'LOCATION', 'OTHER'] as const
export type PhotoCategory = (typeof PHOTO_CATEGORIES)[number]

/** The thumbnail of a photo at the width of a site page. */
export const COVER_THUMB = '960x0'

/** A charging station that a business operates (spec 3). */
export const sites = {
  id: 'pbc_2001081480',
  name: SITES,
  owner: 'business.user',
  access: OWNERS,
  storesJson: true,
  fields: {
    name: { kind: 'text', max: 200, required: true },
    address: { kind: 'text', max: 500, required: true },
    latitude: {
      kind: 'number',
      min: -90,
      max: 90,
      required: true,
    },
    longitude: {
      kind: 'number',
      min: -180,
      max: 180,
      required: true,
    },
    contact_email: { kind: 'email', max: 254, bulk: true },
    contact_phone: { kind: 'text', max: 50, bulk: true },
    cost: { kind: 'text', max: 200, bulk: true },
    vehicle_capacity: {
      kind: 'number',
      min: 0,
      max: 10_000,
      integer: true,
      alias: 'vehicle',
    },
    photos: {
      kind: 'files',
      maxCount: 20,
      maxBytes: 20 * MiB,
      thumbs: [...THUMBS, COVER_THUMB],
    },
    /** The category of each photo. */
    photo_categories: {
      kind: 'json',
      schema: async () =>
        (await import('./photo-categories.ts')).photoCategoriesSchema(PHOTO_CATEGORIES),
      maxBytes: 8 * 1024,
      keyedBy: 'photos',
    },
    status: {
      kind: 'select',
      values: SITE_STATUSES,
      ownerValues: OWNER_STATUSES,
      default: DEFAULT_STATUS,
      required: true,
      bulk: true,
    },
    business: { kind: 'relation', to: BUSINESSES, required: true },
    /** OCPI `publish`: travellers see the site. */
    published: { kind: 'bool', default: true, section: 'more', bulk: true },
    /** OCPI Hours. */
    opening_hours: {
      kind: 'json',
      schema: async () => (await import('./hours.ts')).openingHoursSchema,
      maxBytes: OPENING_HOURS_MAX_BYTES,
      section: 'hours',
      bulk: true,
    },
    time_zone: {
      kind: 'text',
      max: 64,
      format: { pattern: /^[A-Z][A-Za-z]+(?:\/[A-Za-z0-9_+-]+){0,2}$/, example: 'Europe/Paris' },
      fromPosition: 'timeZone',
      section: 'hours',
    },
    city: { kind: 'text', max: 100, section: 'more', bulk: true },
    postal_code: { kind: 'text', max: 20, section: 'more' },
    state: { kind: 'text', max: 100, section: 'more' },
    /** ISO 3166-1 alpha-3. */
    country: {
      kind: 'text',
      max: 3,
      format: { pattern: /^[A-Z]{3}$/, example: 'FRA' },
      fromPosition: 'country',
      section: 'more',
    },
    access: { kind: 'select', values: SITE_ACCESS, section: 'more', bulk: true },
    /** The price of charging; without one, `cost` describes it. */
    tariff: { kind: 'relation', to: TARIFFS, onDelete: 'restrict', section: 'price', bulk: true },
    payment: {
      kind: 'select',
      values: PAYMENTS,
      maxCount: PAYMENTS.length,
      section: 'price',
      bulk: true,
    },
    facilities: {
      kind: 'select',
      values: FACILITIES,
      maxCount: FACILITIES.length,
      section: 'more',
      bulk: true,
    },
    parking_type: { kind: 'select', values: PARKING_TYPES, section: 'more', bulk: true },
    parking_restrictions: {
      kind: 'select',
      values: PARKING_RESTRICTIONS,
      maxCount: PARKING_RESTRICTIONS.length,
      section: 'more',
      bulk: true,
    },
    max_height_m: { kind: 'number', above: 0, max: 20, unit: 'm', section: 'more' },
    wheelchair: { kind: 'select', values: WHEELCHAIR, section: 'more' },
    two_wheelers: { kind: 'bool', section: 'more' },
    drive_through: { kind: 'bool', section: 'more' },
    /** The id that the owner or a register uses for it. */
    reference: { kind: 'text', max: 64, unique: 'owner', section: 'more' },
    /** When an owner last confirmed that all data is right. */
    confirmed: { kind: 'date', section: 'more', bulk: true },
    /** Set by an operator of the installation to hide the site from travellers; the owner reads the reason. */
    hidden: { kind: 'bool', managed: true },
    hidden_reason: { kind: 'text', max: 500, managed: true },
    ...AUTODATES,
  },
} as const satisfies Collection

/** The fields that the product requests (spec 7, "Fields requested back"). */
export const SITE_FIELDS = requestedFields(sites, {
  first: ['collectionName', 'id'],
  without: ['business'],
})

/** A site as the product reads it. */
export type Site = RecordOf<typeof sites, 'business'>

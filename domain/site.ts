import { MiB } from './limits.ts'
import { AUTODATES, BUSINESSES, OWNERS, SITES, type Collection } from './collection.ts'
import { THUMBS } from './field.ts'
import { askedFields, type RecordOf } from './record.ts'

/** OCPI 2.3.0 Status. */
export const SITE_STATUSES = [
  'AVAILABLE',
  'PLANNED',
  'INOPERATIVE',
  'OUTOFORDER',
  'REMOVED',
  'UNKNOWN',
  'BLOCKED',
  'CHARGING',
  'RESERVED',
] as const
export type SiteStatus = (typeof SITE_STATUSES)[number]

/** The statuses that an owner may set; machines and superusers set the others. */
export const OWNER_STATUSES = [
  'AVAILABLE',
  'PLANNED',
  'INOPERATIVE',
  'OUTOFORDER',
  'REMOVED',
] as const satisfies readonly SiteStatus[]

export const DEFAULT_STATUS: SiteStatus = 'AVAILABLE'

/** A charging station that a business operates (spec 3). */
export const sites = {
  id: 'pbc_2001081480',
  name: SITES,
  owner: 'business.user',
  access: OWNERS,
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
    contact_email: { kind: 'email', max: 254 },
    contact_phone: { kind: 'text', max: 50 },
    cost: { kind: 'text', max: 200 },
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
      thumbs: THUMBS,
    },
    status: {
      kind: 'select',
      values: SITE_STATUSES,
      ownerValues: OWNER_STATUSES,
      default: DEFAULT_STATUS,
      required: true,
    },
    business: { kind: 'relation', to: BUSINESSES, required: true },
    ...AUTODATES,
  },
} as const satisfies Collection

/** The fields that the product asks for (spec 7, "Fields requested back"). */
export const SITE_FIELDS = askedFields(sites, {
  first: ['collectionName', 'id'],
  without: ['business'],
})

/** A site as the product reads it. */
export type Site = RecordOf<typeof sites, 'business'>

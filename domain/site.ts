import { AUTODATES, BUSINESSES, SITES, type Collection } from './collection.ts'
import { THUMBS } from './field.ts'

const MiB = 1024 * 1024

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

export const SITE_LIMITS = {
  name: 200,
  address: 500,
  latitude: 90,
  longitude: 180,
  contact_email: 254,
  contact_phone: 50,
  cost: 200,
  vehicle_capacity: 10_000,
  photos: 20,
  /** Each photo as uploaded. */
  photoBytes: 20 * MiB,
} as const

/** A charging station that a business operates (spec 3). */
export const sites = {
  id: 'pbc_2001081480',
  name: SITES,
  owner: 'business.user',
  create: 'owner',
  fields: {
    name: { kind: 'text', max: SITE_LIMITS.name, required: true },
    address: { kind: 'text', max: SITE_LIMITS.address, required: true },
    latitude: {
      kind: 'number',
      min: -SITE_LIMITS.latitude,
      max: SITE_LIMITS.latitude,
      required: true,
    },
    longitude: {
      kind: 'number',
      min: -SITE_LIMITS.longitude,
      max: SITE_LIMITS.longitude,
      required: true,
    },
    contact_email: { kind: 'email', max: SITE_LIMITS.contact_email },
    contact_phone: { kind: 'text', max: SITE_LIMITS.contact_phone },
    cost: { kind: 'text', max: SITE_LIMITS.cost },
    vehicle_capacity: {
      kind: 'number',
      min: 0,
      max: SITE_LIMITS.vehicle_capacity,
      integer: true,
      alias: 'vehicle',
    },
    photos: {
      kind: 'files',
      maxCount: SITE_LIMITS.photos,
      maxBytes: SITE_LIMITS.photoBytes,
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
export const SITE_FIELDS = [
  'collectionName',
  'id',
  'name',
  'address',
  'latitude',
  'longitude',
  'contact_email',
  'contact_phone',
  'cost',
  'vehicle_capacity',
  'photos',
  'status',
] as const

/** A site as the product reads it. */
export interface Site {
  id: string
  collectionName: typeof SITES
  name: string
  address: string
  latitude: number
  longitude: number
  contact_email: string
  contact_phone: string
  cost: string
  vehicle_capacity: number
  photos: string[]
  status: SiteStatus
}

import { AUTODATES, BUSINESSES, USERS, type Collection } from './collection.ts'
import { THUMBS } from './field.ts'

const MiB = 1024 * 1024

export const BUSINESS_LIMITS = {
  name: 200,
  description: 5000,
  website: 2048,
  contact_email: 254,
  logoBytes: 5 * MiB,
} as const

/** A business that operates chargers; a user has at most one (spec 5). */
export const businesses = {
  id: 'pbc_3548013948',
  name: BUSINESSES,
  owner: 'user',
  create: 'owner',
  fields: {
    name: { kind: 'text', max: BUSINESS_LIMITS.name },
    description: { kind: 'text', max: BUSINESS_LIMITS.description },
    website: { kind: 'url', max: BUSINESS_LIMITS.website },
    contact_email: { kind: 'email', max: BUSINESS_LIMITS.contact_email },
    logo: {
      kind: 'files',
      single: true,
      maxCount: 1,
      maxBytes: BUSINESS_LIMITS.logoBytes,
      thumbs: THUMBS,
    },
    user: { kind: 'relation', to: USERS, required: true, unique: true, fixed: true },
    ...AUTODATES,
  },
} as const satisfies Collection

/** The fields that the product asks for (spec 7, "Fields requested back"). */
export const BUSINESS_FIELDS = [
  'id',
  'name',
  'logo',
  'description',
  'website',
  'contact_email',
  'collectionName',
] as const

/** A business as the product reads it. */
export interface Business {
  id: string
  collectionName: typeof BUSINESSES
  name: string
  logo: string
  description: string
  website: string
  contact_email: string
}

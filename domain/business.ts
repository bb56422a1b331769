import { MiB } from './limits.ts'
import { AUTODATES, BUSINESSES, OWNERS, USERS, type Collection } from './collection.ts'
import { THUMBS } from './field.ts'
import { askedFields, type RecordOf } from './record.ts'

/** A business that operates chargers; a user has at most one (spec 5). */
export const businesses = {
  id: 'pbc_3548013948',
  name: BUSINESSES,
  owner: 'user',
  access: OWNERS,
  fields: {
    name: { kind: 'text', max: 200 },
    description: { kind: 'text', max: 5000 },
    website: { kind: 'url', max: 2048 },
    contact_email: { kind: 'email', max: 254 },
    logo: {
      kind: 'files',
      single: true,
      maxCount: 1,
      maxBytes: 5 * MiB,
      thumbs: THUMBS,
    },
    user: { kind: 'relation', to: USERS, required: true, unique: true, fixed: true },
    ...AUTODATES,
  },
} as const satisfies Collection

/** The fields that the product asks for (spec 7, "Fields requested back"). */
export const BUSINESS_FIELDS = askedFields(businesses, {
  first: ['id', 'name', 'logo'],
  without: ['user'],
})

/** A business as the product reads it. */
export type Business = RecordOf<typeof businesses, 'user'>

import { MiB } from './limits.ts'
import { AUTODATES, BUSINESSES, OWNERS, USERS, type Collection } from './collection.ts'
import { THUMBS } from './field.ts'
import { requestedFields, type RecordOf } from './record.ts'

/** The licences under which a business can publish its data. */
const LICENCES = ['CC0-1.0', 'CC-BY-4.0', 'ODbL-1.0', 'etalab-2.0'] as const

/** A business that operates chargers; a user has at most one (spec 5). */
export const businesses = {
  id: 'pbc_3548013948',
  name: BUSINESSES,
  owner: 'user',
  access: OWNERS,
  cascades: true,
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
    legal_name: { kind: 'text', max: 200, section: 'more' },
    phone: { kind: 'text', max: 50, section: 'more' },
    /** OCPI: ISO 3166-1 alpha-2, and the id of the party in that country. */
    country_code: {
      kind: 'text',
      max: 2,
      format: { pattern: /^[A-Z]{2}$/, example: 'FR' },
      section: 'more',
    },
    party_id: {
      kind: 'text',
      max: 3,
      format: { pattern: /^[A-Z0-9]{3}$/, example: 'ABC' },
      section: 'more',
    },
    licence: { kind: 'select', values: LICENCES, default: 'CC-BY-4.0', section: 'more' },
    /** Set by an operator of the installation to hide the business from travellers; the owner reads the reason. */
    hidden: { kind: 'bool', managed: true },
    hidden_reason: { kind: 'text', max: 500, managed: true },
    ...AUTODATES,
  },
} as const satisfies Collection

/** The fields that the product asks for (spec 7, "Fields requested back"). */
export const BUSINESS_FIELDS = requestedFields(businesses, {
  first: ['id', 'name', 'logo'],
  without: ['user'],
})

/** A business as the product reads it. */
export type Business = RecordOf<typeof businesses, 'user'>

import { AUTODATES, SUPERUSERS, type Collection } from './collection.ts'

/** The people who run an installation: they pass every rule, not validation (spec 6, admin tokens). */
export const superusers = {
  id: 'pbc_3142635823',
  name: SUPERUSERS,
  owner: null,
  create: 'superuser',
  auth: true,
  fields: {
    email: { kind: 'email', max: 254, required: true, unique: true },
    emailVisibility: { kind: 'bool' },
    verified: { kind: 'bool' },
    ...AUTODATES,
  },
} as const satisfies Collection

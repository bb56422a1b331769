import { AUTODATES, SUPERUSERS, type Collection } from './collection.ts'

/** Operators of an installation: they bypass every access rule, but not validation (spec 6). */
export const superusers = {
  id: 'pbc_3142635823',
  name: SUPERUSERS,
  owner: null,
  access: { read: 'superuser', create: 'superuser', change: 'superuser', remove: 'superuser' },
  auth: true,
  fields: {
    email: { kind: 'email', max: 254, required: true, unique: true },
    emailVisibility: { kind: 'bool' },
    verified: { kind: 'bool' },
    ...AUTODATES,
  },
} as const satisfies Collection

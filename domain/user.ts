import { AUTODATES, OWNERS, USERS, type Collection } from './collection.ts'

/** Displayed instead of an empty name (spec 9). */
export const UNNAMED_USER = 'Unnamed User'

/** The people who sign in; each is the owner of one business (spec 3). */
export const users = {
  id: '_pb_users_auth_',
  name: USERS,
  owner: 'id',
  access: { ...OWNERS, create: 'superuser' },
  auth: true,
  cascades: true,
  fields: {
    name: { kind: 'text', max: 255 },
    username: { kind: 'text', max: 150, unique: true },
    email: { kind: 'email', max: 254, managed: true },
    emailVisibility: { kind: 'bool' },
    verified: { kind: 'bool', managed: true },
    onboarded: { kind: 'bool' },
    ...AUTODATES,
  },
} as const satisfies Collection

/** A user on the wire. */
export interface User {
  id: string
  collectionId: string
  collectionName: typeof USERS
  name: string
  username: string
  /** Absent if the viewer may not see it. */
  email?: string
  emailVisibility: boolean
  verified: boolean
  onboarded: boolean
  created: string
  updated: string
}

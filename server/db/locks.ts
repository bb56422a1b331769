/**
 * The advisory locks that processes of ours take, in one place, so that no two mean the same. That of the listeners
 * stands in a migration as well.
 */
export const LOCKS = {
  embedded: 4_816_301,
  migrations: 4_816_302,
  listeners: 4_816_303,
  files: 4_816_304,
} as const

/**
 * The advisory locks of this software, in one place, so that no two have the same number. That of the listeners is
 * in a migration as well.
 */
export const LOCKS = {
  embedded: 4_816_301,
  migrations: 4_816_302,
  listeners: 4_816_303,
  files: 4_816_304,
} as const

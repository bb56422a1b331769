/**
 * The advisory locks of this software, in one place, so that no two have the same number. That of the listeners is
 * in a migration as well.
 */
export const LOCKS = {
  embedded: 4_816_301,
  migrations: 4_816_302,
  listeners: 4_816_303,
  files: 4_816_304,
  /** Held by writes of opening hours; alone by the removal of unused ones. */
  placeHours: 4_816_305,
  /** With a second number: whoever holds it adds words. */
  placeWords: 4_816_306,
  /** With a second number, of a business: shared by writes of its sites, alone by those of what they have in common. */
  placesOfBusiness: 4_816_308,
  /** Held while the summary of places is renewed. */
  placeSummary: 4_816_307,
  /** With a second number, of an account: shared by its batches, alone by one that was in the way of another. */
  batches: 4_816_309,
} as const

/**
 * The advisory locks of this software, in one place, so that no two have the same number. The number of the listeners
 * is also in a migration.
 */
export const LOCKS = {
  embedded: 4_816_301,
  migrations: 4_816_302,
  listeners: 4_816_303,
  files: 4_816_304,
  /** Shared by writes of opening hours; exclusive for the removal of unused ones. */
  placeHours: 4_816_305,
  /** With a second number. Held while words are added. */
  placeWords: 4_816_306,
  /**
   * With the number of a business. Shared by writes of its sites; exclusive for writes of what its sites have in
   * common.
   */
  placesOfBusiness: 4_816_308,
  /** Held while the summary of places is renewed. */
  placeSummary: 4_816_307,
  /** With the number of an account. Shared by its batches; exclusive for a batch that is retried after a conflict. */
  batches: 4_816_309,
  /** With the number of a business. Held while an import or a feed is created, so that their counts stay valid. */
  importsOfBusiness: 4_816_310,
} as const

import type { OpeningHours } from '../hours.ts'

/**
 * Why a part of a text is not in the hours that were read from it: it names public or school holidays,
 * recurs in a season of every year, follows the sun, is a remark for people, is open for less than a quarter
 * of an hour a week (a placeholder), or is not understood.
 */
export type HoursLoss = 'holidays' | 'season' | 'sun' | 'comment' | 'never_open' | 'not_understood'

/** What was read from another format, and what of it could not be held. */
export interface HoursReading {
  readonly hours: OpeningHours | undefined
  readonly losses: readonly { readonly text: string; readonly reason: HoursLoss }[]
}

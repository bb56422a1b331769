import type { OpeningHours } from '../hours.ts'

/**
 * Why a part of a text was not read: it names public or school holidays, recurs in a season of every year, follows the
 * sun, is a remark for people, is open for less than a quarter of an hour a week (a placeholder), or is not understood.
 */
export type HoursLoss = 'holidays' | 'season' | 'sun' | 'comment' | 'never_open' | 'not_understood'

/** Hours read from another format, and the parts that were lost. */
export interface HoursReading {
  readonly hours: OpeningHours | undefined
  readonly losses: readonly { readonly text: string; readonly reason: HoursLoss }[]
}

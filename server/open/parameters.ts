import { parseDate } from '#domain/date.ts'
import { TIME_EXAMPLE } from '#domain/open-data.ts'

import { accepting, invalid, once, type Read } from '../http/parameters.ts'

/** A parameter that may be absent or empty. */
const optional = <T>(
  accepted: string,
  read: (value: string) => T | undefined,
): Read<T | undefined> =>
  once(
    accepting(accepted, (value) => {
      const found = value === '' ? undefined : read(value)
      if (value !== '' && found === undefined) throw invalid(value)
      return found
    }),
    undefined,
  )

/** A time, in a format that PostgreSQL accepts. The plus sign of a time zone may arrive as a space. */
export const TIME = optional(
  `Must be a date, with or without a time, such as ${TIME_EXAMPLE}.`,
  (value) => parseDate(value.replace(/(?<=[:.]\d+) (?=\d\d:\d\d$)/, '+'))?.toISOString(),
)

const MAX_WHOLE = 1_000_000_000

/** A whole number. */
export const wholeFrom = (min: number) =>
  optional(`Must be a whole number from ${min} to ${MAX_WHOLE}.`, (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN
    return number >= min && number <= MAX_WHOLE ? number : undefined
  })

/** A value of this form, which a client takes from a link of this server. */
export const linkedValue = (form: RegExp) =>
  optional('Must be the value in the `Link` header of the previous page.', (value) =>
    form.test(value) ? value : undefined,
  )

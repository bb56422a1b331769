import type { Macro } from '#domain/filter.ts'

/**
 * What a macro stands for at a moment, in UTC (record interface 3.1.4): a date in the layout of
 * the wire, or a number.
 */
export const macroValue = (macro: Macro, now: Date): string | number => {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  switch (macro) {
    case '@now':
      return wireDate(now)
    case '@yesterday':
      return wireDate(new Date(now.getTime() - DAY_MS))
    case '@tomorrow':
      return wireDate(new Date(now.getTime() + DAY_MS))
    case '@todayStart':
      return wireDate(new Date(Date.UTC(year, month, day)))
    case '@todayEnd':
      return wireDate(new Date(Date.UTC(year, month, day + 1) - 1))
    case '@monthStart':
      return wireDate(new Date(Date.UTC(year, month)))
    case '@monthEnd':
      return wireDate(new Date(Date.UTC(year, month + 1) - 1))
    case '@yearStart':
      return wireDate(new Date(Date.UTC(year, 0)))
    case '@yearEnd':
      return wireDate(new Date(Date.UTC(year + 1, 0) - 1))
    case '@second':
      return now.getUTCSeconds()
    case '@minute':
      return now.getUTCMinutes()
    case '@hour':
      return now.getUTCHours()
    case '@day':
      return day
    case '@month':
      return month + 1
    case '@year':
      return year
    case '@weekday':
      return now.getUTCDay()
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** A date in the layout of the wire (record interface 1.2). */
export const wireDate = (date: Date): string => date.toISOString().replace('T', ' ')
